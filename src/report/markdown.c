/* SPDX-License-Identifier: MIT
 *
 * The run in Markdown, for a merge request or an issue: short, with tables. Cleaned text is escaped as well,
 * so that a file called *x* or <img> is shown and not obeyed.
 */
#include "formats.h"

#include <string.h>

#include "base/units.h"
#include "words.h"

#define STALLS_SHOWN   10
#define COMMANDS_SHOWN 10
#define STEPS_SHOWN    10

/* Appends what `words` holds, escaped, and empties it. */
static void add_escaped(struct buf *out, struct buf *words)
{
	for (size_t i = 0; i < words->len; i++) {
		if (strchr("\\`*_[]<>|#~&", words->data[i]) != NULL)
			buf_add_byte(out, '\\');
		buf_add_byte(out, (unsigned char)words->data[i]);
	}
	buf_clear(words);
}

static void add_head(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	buf_add_string(out, "## ");
	words_title(&words, summary->run, 200);
	buf_add_byte(&words, ' ');
	words_result(&words, &summary->end);
	add_escaped(out, &words);
	buf_add_string(out, "\n\n| | |\n|---|---|\n| wall time | ");
	words_duration(out, summary->wall_s);
	buf_add_string(out, " |\n| CPU time | ");
	words_cpu(out, summary);
	buf_add_string(out, " |\n| stalled | ");
	words_duration(out, summary->stalled_s);
	buf_add_string(out, ", of it flushing ");
	words_duration(out, summary->flush_s);
	buf_add_string(out, " |\n| build's memory, peak | ");
	words_bytes(out, summary->rss_peak_bytes);
	buf_add_string(out, " |\n| page cache, peak | ");
	words_bytes(out, summary->page_cache_peak_bytes);
	buf_add_string(out, " |\n| dirty, peak | ");
	words_bytes(out, summary->dirty_peak_bytes);
	buf_add_string(out, " |\n");
	for (size_t i = 0; i < summary->n_tmpfs; i++) {
		buf_add_string(out, "| ");
		words_clean(&words, summary->tmpfs[i].mount);
		add_escaped(out, &words);
		buf_add_string(out, ", peak | ");
		words_peak(out, summary->tmpfs[i].peak_bytes, summary->tmpfs[i].size_bytes);
		buf_add_string(out, " |\n");
	}
	if (summary->verdict_text[0] != '\0') {
		buf_add_byte(out, '\n');
		words_clean(&words, summary->verdict_text);
		add_escaped(out, &words);
		buf_add_byte(out, '\n');
	}
	struct buf lines[WORDS_ADVICE] = {0};
	words_advice(lines, summary);
	buf_add_string(out, lines[0].len + lines[1].len + lines[2].len > 0 ? "\n" : "");
	for (size_t i = 0; i < WORDS_ADVICE; i++) {
		if (lines[i].len > 0) {
			buf_add_string(out, "* ");
			add_escaped(out, &lines[i]);
			buf_add_byte(out, '\n');
		}
		buf_fini(&lines[i]);
	}
	buf_fini(&words);
}

static void add_stalls(struct buf *out, const struct summary *summary)
{
	if (summary->n_stalls == 0) {
		buf_add_string(out, "\nNo stalls.\n");
		return;
	}
	struct buf words = {0};
	buf_add_string(
		out,
		"\n### Stalls\n\n| from | length | cause | where | who waited |\n|---:|---:|---|---|---|\n");
	size_t shown = summary->n_stalls < STALLS_SHOWN ? summary->n_stalls : STALLS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		const struct stall *stall = &summary->stalls[i];
		char from[UNITS_SIZE], length[UNITS_SIZE];
		buf_add_format(out, "| %s | %s | %s | ",
			       units_elapsed(from, words_since_start(summary->run, stall->from_ns)),
			       units_duration(length, stall_seconds(stall)),
			       stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown");
		words_place(&words, stall);
		add_escaped(out, &words);
		buf_add_string(out, " | ");
		words_victims(&words, stall, 3);
		add_escaped(out, &words);
		buf_add_string(out, " |\n");
	}
	uint64_t more = summary->n_stalls - shown + summary->stalls_dropped;
	if (more > 0)
		buf_add_format(out, "\nAnd %llu more.\n", (unsigned long long)more);
	buf_fini(&words);
}

static void add_commands(struct buf *out, const struct summary *summary)
{
	if (summary->n_commands == 0)
		return;
	struct buf words = {0};
	buf_add_string(out, "\n### Commands\n\n| command | runs | CPU | wall |\n|---|---:|---:|---:|\n");
	for (size_t i = 0; i < summary->n_commands && i < COMMANDS_SHOWN; i++) {
		const struct summary_command *command = &summary->commands[i];
		char cpu[UNITS_SIZE], wall[UNITS_SIZE];
		buf_add_string(out, "| ");
		words_clean(&words, command->name);
		add_escaped(out, &words);
		buf_add_format(out, " | %llu | %s | %s |\n", (unsigned long long)command->count,
			       units_duration(cpu, command->cpu_s), units_duration(wall, command->wall_s));
	}
	buf_fini(&words);
}

static void add_steps(struct buf *out, const struct summary *summary)
{
	if (summary->n_steps == 0)
		return;
	struct buf words = {0};
	buf_add_string(out, "\n### Steps\n\n| step | | runs | CPU | wall |\n|---|---|---:|---:|---:|\n");
	for (size_t i = 0; i < summary->n_steps && i < STEPS_SHOWN; i++) {
		const struct summary_step *step = &summary->steps[i];
		char cpu[UNITS_SIZE], wall[UNITS_SIZE];
		buf_add_string(out, "| ");
		words_clean(&words, step->name);
		add_escaped(out, &words);
		buf_add_format(out, " | %s | %llu | %s | %s |\n", step_kinds[step->kind],
			       (unsigned long long)step->count, units_duration(cpu, step->cpu_s),
			       units_duration(wall, step->wall_s));
	}
	buf_fini(&words);
}

static void add_memory(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	words_memory_need(&words, &summary->memory);
	words_memory_parts(&words, &summary->memory, 3);
	if (words.len > 0 && summary->memory.jobs > 0) {
		buf_add_string(out, "\nNeeds ");
		add_escaped(out, &words);
		buf_add_string(out, ".\n");
	}
	buf_clear(&words);
	words_kills(&words, &summary->memory);
	if (words.len > 0) {
		buf_add_string(out, "\nKilled: ");
		add_escaped(out, &words);
		buf_add_string(out, ".\n");
	}
	buf_fini(&words);
}

static void add_page(struct buf *out, const struct summary *summary)
{
	add_head(out, summary);
	add_stalls(out, summary);
	add_commands(out, summary);
	add_steps(out, summary);
	add_memory(out, summary);
}

const struct report_format report_markdown = {
	.name = "markdown",
	.help = "tables for a merge request or an issue",
	.summary = add_page,
};
