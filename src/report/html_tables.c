/* SPDX-License-Identifier: MIT
 *
 * Tables are sorted by a click; a cell whose text does not sort has its number in data-v. Any thread.
 */
#include "html_tables.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "model/metric.h"
#include "html_chart.h"
#include "number.h"
#include "words.h"

#define STALLS_SHOWN 200
#define STEPS_SHOWN  300

/* What `words` holds, escaped; empties it. */
static void add_words(struct buf *out, struct buf *words)
{
	if (words->len > 0)
		html_escape(out, words->data, words->len);
	buf_clear(words);
}

static void cell_number(struct buf *out, double value, const char *text)
{
	buf_add_string(out, "<td class=\"r\" data-v=\"");
	number_add(out, isfinite(value) ? value : -1, 3);
	buf_add_format(out, "\">%s</td>", text);
}

static void cell_seconds(struct buf *out, double seconds)
{
	char text[UNITS_SIZE];
	cell_number(out, seconds, isfinite(seconds) ? units_duration(text, seconds) : "unknown");
}

static void cell_bytes(struct buf *out, uint64_t bytes)
{
	char text[UNITS_SIZE];
	bool known = bytes != METRIC_NA;
	cell_number(out, known ? (double)bytes : NAN, known ? units_bytes(text, bytes) : "unknown");
}

static void cell_count(struct buf *out, uint64_t count)
{
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	cell_number(out, (double)count, text);
}

static void cell_words(struct buf *out, struct buf *words)
{
	buf_add_string(out, "<td class=\"w\">");
	add_words(out, words);
	buf_add_string(out, "</td>");
}

static void table_begin(struct buf *out, const char *title, const char *headings)
{
	buf_add_format(out,
		       "<h2>%s</h2>\n<div class=\"scroll\"><table "
		       "class=\"sort\"><thead><tr>%s</tr></thead><tbody>\n",
		       title, headings);
}

static void table_end(struct buf *out)
{
	buf_add_string(out, "</tbody></table></div>\n");
}

/* Head */

static void add_fact(struct buf *out, const char *label, struct buf *words)
{
	buf_add_string(out, "<div><span>");
	buf_add_string(out, label);
	buf_add_string(out, "</span><b>");
	add_words(out, words);
	buf_add_string(out, "</b></div>\n");
}

static void add_facts(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	buf_add_string(out, "<div class=\"facts\">\n");
	words_duration(&words, summary->wall_s);
	add_fact(out, "wall time", &words);
	words_cpu(&words, summary);
	add_fact(out, "CPU time", &words);
	words_duration(&words, summary->stalled_s);
	buf_add_format(&words, " in %zu", summary->n_stalls + (size_t)summary->stalls_dropped);
	add_fact(out, "stalled", &words);
	words_duration(&words, summary->flush_s);
	add_fact(out, "of it flushing", &words);
	words_bytes(&words, summary->rss_peak_bytes);
	add_fact(out, "build's memory, peak", &words);
	words_bytes(&words, summary->dirty_peak_bytes);
	add_fact(out, "dirty, peak", &words);
	for (size_t i = 0; i < summary->n_tmpfs && i < 8; i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		if (tmpfs->peak_bytes == METRIC_NA || tmpfs->peak_bytes / 100 < tmpfs->size_bytes / 10000)
			continue; /* as good as empty */
		struct buf label = {0}, name = {0};
		words_clean(&name, tmpfs->mount);
		add_words(&label, &name);
		buf_add_string(&label, ", peak");
		words_peak(&words, tmpfs->peak_bytes, tmpfs->size_bytes);
		add_fact(out, label.data, &words);
		buf_fini(&label);
		buf_fini(&name);
	}
	buf_add_string(out, "</div>\n");
	buf_fini(&words);
}

void html_head_add(struct buf *out, const struct summary *summary)
{
	const struct run *run = summary->run;
	struct buf words = {0};
	char utc[CLOCK_UTC_SIZE];
	buf_add_string(out, "<h1>");
	words_title(&words, run, 300);
	buf_add_byte(&words, ' ');
	words_result(&words, &summary->end);
	add_words(out, &words);
	buf_add_string(out, "</h1>\n<p class=\"note\">");
	buf_add_format(&words, "%s in ", clock_utc(utc, sizeof utc, run->start_wall_ns));
	words_clean(&words, run->workdir);
	buf_add_string(&words, " on ");
	words_clean(&words, run->host);
	buf_add_string(&words, ", Linux ");
	words_clean(&words, run->kernel);
	for (size_t i = 0; i < run->n_labels; i++) {
		buf_add_string(&words, "; ");
		words_clean(&words, run->labels[i].key);
		buf_add_string(&words, ": ");
		words_clean(&words, run->labels[i].value);
	}
	add_words(out, &words);
	buf_add_string(out, "</p>\n");
	if (summary->verdict_text[0] != '\0') {
		buf_add_string(out, "<p class=\"verdict\">");
		words_clean(&words, summary->verdict_text);
		add_words(out, &words);
		buf_add_string(out, "</p>\n");
	}
	struct buf lines[WORDS_ADVICE] = {0};
	words_advice(lines, summary);
	for (size_t i = 0; i < WORDS_ADVICE; i++) {
		if (lines[i].len > 0) {
			buf_add_string(out, "<p>Advice: ");
			add_words(out, &lines[i]);
			buf_add_string(out, "</p>\n");
		}
		buf_fini(&lines[i]);
	}
	buf_fini(&words);
	add_facts(out, summary);
}

/* Tables */

static void add_times(struct buf *out, const struct summary *summary)
{
	double all = 0;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		all += summary->time_s[cause];
	if (!(all > 0))
		return;
	table_begin(out, "Where the time of the build's tasks went",
		    "<th>class</th><th class=\"r\">task time</th><th class=\"r\">share</th><th></th>");
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		double seconds = summary->time_s[cause];
		char share[UNITS_SIZE];
		if (!(seconds > 0))
			continue;
		buf_add_format(out, "<tr><td>%s</td>", cause_table[cause].label);
		cell_seconds(out, seconds);
		cell_number(out, seconds, units_percent(share, seconds / all));
		buf_add_string(out,
			       "<td><svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\">"
			       "<rect height=\"8\" width=\"");
		number_add(out, 100 * seconds / all, 1);
		buf_add_format(out, "\" class=\"c-%s\"/></svg></td></tr>\n", cause_table[cause].key);
	}
	table_end(out);
}

static void add_stalls(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	if (summary->n_stalls == 0) {
		buf_add_string(out, "<h2>Stalls</h2>\n<p>None.</p>\n");
		return;
	}
	table_begin(
		out, "Stalls, the longest first",
		"<th class=\"r\">from</th><th class=\"r\">length</th><th>cause</th><th>where</th>"
		"<th class=\"r\">task time</th><th class=\"r\">at once</th><th class=\"r\">dirty, peak</th>"
		"<th class=\"r\">threshold</th><th>who waited</th>");
	for (size_t i = 0; i < summary->n_stalls && i < STALLS_SHOWN; i++) {
		const struct stall *stall = &summary->stalls[i];
		char from[UNITS_SIZE];
		double from_s = words_since_start(summary->run, stall->from_ns);
		buf_add_format(out, "<tr id=\"stall-%u\" data-stall=\"%u\">", stall->number, stall->number);
		cell_number(out, from_s, units_elapsed(from, from_s));
		cell_seconds(out, stall_seconds(stall));
		buf_add_format(out, "<td>%s</td>",
			       stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown");
		words_place(&words, stall);
		cell_words(out, &words);
		cell_seconds(out, stall->task_s);
		cell_count(out, stall->blocked_peak);
		cell_bytes(out, stall->dirty_peak_bytes);
		cell_bytes(out, stall->threshold_bytes);
		words_victims(&words, stall, STALL_WHO_MAX);
		cell_words(out, &words);
		buf_add_string(out, "</tr>\n");
	}
	table_end(out);
	uint64_t shown = summary->n_stalls < STALLS_SHOWN ? summary->n_stalls : STALLS_SHOWN;
	uint64_t more = summary->n_stalls - shown + summary->stalls_dropped;
	if (more > 0)
		buf_add_format(out, "<p class=\"note\">And %llu more.</p>\n", (unsigned long long)more);
	buf_fini(&words);
}

static void add_commands(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	if (summary->n_commands == 0)
		return;
	table_begin(out, "Commands",
		    "<th>command</th><th class=\"r\">runs</th><th class=\"r\">CPU time</th>"
		    "<th class=\"r\">wall time</th><th class=\"r\">largest</th>");
	for (size_t i = 0; i < summary->n_commands; i++) {
		const struct summary_command *command = &summary->commands[i];
		buf_add_string(out, "<tr>");
		words_clean(&words, command->name);
		cell_words(out, &words);
		cell_count(out, command->count);
		cell_seconds(out, command->cpu_s);
		cell_seconds(out, command->wall_s);
		cell_bytes(out, command->rss_peak_bytes);
		buf_add_string(out, "</tr>\n");
	}
	table_end(out);
	buf_fini(&words);
}

static void add_steps(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	if (summary->n_steps == 0)
		return;
	table_begin(out, "Steps",
		    "<th>step</th><th>kind</th><th class=\"r\">runs</th><th class=\"r\">from</th>"
		    "<th class=\"r\">wall time</th><th class=\"r\">CPU time</th><th class=\"r\">waited</th>"
		    "<th class=\"r\">written</th><th class=\"r\">largest</th>");
	for (size_t i = 0; i < summary->n_steps && i < STEPS_SHOWN; i++) {
		const struct summary_step *step = &summary->steps[i];
		char from[UNITS_SIZE];
		buf_add_string(out, "<tr>");
		words_clean(&words, step->name);
		cell_words(out, &words);
		buf_add_format(out, "<td>%s</td>", step_kinds[step->kind]);
		cell_count(out, step->count);
		cell_number(out, step->from_s, units_elapsed(from, step->from_s));
		cell_seconds(out, step->wall_s);
		cell_seconds(out, step->cpu_s);
		cell_seconds(out, words_step_waited(step));
		cell_bytes(out, (uint64_t)step->written_bytes);
		cell_bytes(out, step->rss_peak_bytes);
		buf_add_string(out, "</tr>\n");
	}
	table_end(out);
	buf_fini(&words);
}

/* Who made up the memory of the tree when it was at its largest. */
static void add_memory(struct buf *out, const struct summary *summary)
{
	const struct summary_memory *memory = &summary->memory;
	struct buf words = {0};
	if (memory->n_parts == 0)
		return;
	table_begin(out, "The build's memory at its peak",
		    "<th>command</th><th class=\"r\">processes</th><th class=\"r\">memory</th>");
	for (size_t i = 0; i < memory->n_parts; i++) {
		buf_add_string(out, "<tr>");
		words_clean(&words, memory->parts[i].name);
		cell_words(out, &words);
		cell_count(out, memory->parts[i].count);
		cell_bytes(out, memory->parts[i].bytes);
		buf_add_string(out, "</tr>\n");
	}
	table_end(out);
	words_memory_need(&words, memory);
	if (memory->oom_kills > 0) {
		buf_add_string(&words, words.len > 0 ? "; killed: " : "Killed: ");
		words_kills(&words, memory);
	}
	if (words.len > 0) {
		buf_add_string(out, "<p class=\"note\">");
		add_words(out, &words);
		buf_add_string(out, "</p>\n");
	}
	buf_fini(&words);
}

static void add_places(struct buf *out, const struct summary *summary)
{
	struct buf words = {0};
	if (summary->n_tmpfs == 0)
		return;
	table_begin(out, "tmpfs",
		    "<th>mount</th><th class=\"r\">peak</th><th class=\"r\">size</th><th class=\"r\">inodes, "
		    "peak</th>"
		    "<th>alarm</th>");
	for (size_t i = 0; i < summary->n_tmpfs; i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		buf_add_string(out, "<tr>");
		words_clean(&words, tmpfs->mount);
		cell_words(out, &words);
		cell_bytes(out, tmpfs->peak_bytes);
		cell_bytes(out, tmpfs->size_bytes);
		cell_count(out, tmpfs->peak_inodes == METRIC_NA ? 0 : tmpfs->peak_inodes);
		buf_add_format(out, "<td>%s</td></tr>\n", tmpfs->alarmed ? "nearly full" : "");
	}
	table_end(out);
	buf_fini(&words);
}

static void add_sources(struct buf *out, const struct summary *summary)
{
	const struct run *run = summary->run;
	struct buf words = {0};
	bool any = false;
	for (size_t i = 0; i < run->n_sources; i++) {
		if (run->sources[i].status != NULL && strcmp(run->sources[i].status, "yes") == 0)
			continue;
		if (!any)
			table_begin(out, "What could not be seen, or not all of it",
				    "<th>source</th><th>why</th>");
		any = true;
		buf_add_string(out, "<tr>");
		words_clean(&words, run->sources[i].name);
		cell_words(out, &words);
		words_clean(&words, run->sources[i].status);
		cell_words(out, &words);
		buf_add_string(out, "</tr>\n");
	}
	if (any)
		table_end(out);
	buf_fini(&words);
}

void html_tables_add(struct buf *out, const struct summary *summary)
{
	add_times(out, summary);
	add_stalls(out, summary);
	add_commands(out, summary);
	add_steps(out, summary);
	add_memory(out, summary);
	add_places(out, summary);
	add_sources(out, summary);
}
