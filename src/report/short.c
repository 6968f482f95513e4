/* SPDX-License-Identifier: MIT
 *
 * The summary that stands at the end of a build's output: at most ten lines, and three of advice, for a
 * person who wants to know whether the build was held up, by what, and how near the machine came to its
 * limits. A line without news is left out. Clean text, no colour, no escape sequence: it may well land in a
 * log.
 */
#include "report/report.h"

#include <math.h>

#include "base/units.h"
#include "model/metric.h"
#include "words.h"

/* Every line is "  name      text"; the text is appended by the caller, and the newline. */
static void begin_line(struct buf *out, const char *name)
{
	buf_add_format(out, "  %-10s ", name);
}

static void add_result(struct buf *out, const struct summary *summary)
{
	buf_add_string(out, "buildtop: ");
	words_title(out, summary->run, 60);
	buf_add_byte(out, ' ');
	words_result(out, &summary->end);
	buf_add_string(out, summary->end.known ? " after " : ", watched for ");
	words_duration(out, summary->wall_s);
	buf_add_byte(out, '\n');
	begin_line(out, "CPU");
	words_cpu(out, summary);
	buf_add_byte(out, '\n');
}

static void add_lost(struct buf *out, const struct summary *summary)
{
	char text[UNITS_SIZE];
	begin_line(out, "stalled");
	if (summary->n_stalls == 0 && summary->stalls_dropped == 0) {
		buf_add_string(out, "never\n");
		return;
	}
	words_duration(out, summary->stalled_s);
	if (summary->wall_s > 0)
		buf_add_format(out, ", %s of the time",
			       units_percent(text, summary->stalled_s / summary->wall_s));
	const char *mark = ": ";
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		if (summary->cause_episodes[cause] == 0)
			continue;
		buf_add_format(out, "%s%s ", mark, cause_table[cause].label);
		words_duration(out, summary->cause_stalled_s[cause]);
		buf_add_format(out, " in %llu", (unsigned long long)summary->cause_episodes[cause]);
		mark = ", ";
	}
	buf_add_byte(out, '\n');
}

static void add_longest(struct buf *out, const struct summary *summary)
{
	if (summary->n_stalls == 0)
		return;
	const struct stall *stall = &summary->stalls[0];
	begin_line(out, "longest");
	words_duration(out, stall_seconds(stall));
	char text[UNITS_SIZE];
	buf_add_format(out, " from %s, ",
		       units_elapsed(text, words_since_start(summary->run, stall->from_ns)));
	buf_add_string(out, stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown");
	struct buf more = {0};
	words_place(&more, stall);
	if (more.len > 0)
		buf_add_format(out, " on %s", more.data);
	buf_clear(&more);
	words_victims(&more, stall, 3);
	if (more.len > 0)
		buf_add_format(out, "; waiting: %s", more.data);
	buf_fini(&more);
	if (stall_from_outside(stall))
		buf_add_string(out, "; most of what was dirty was not the build's");
	buf_add_byte(out, '\n');
}

static double used_fraction(const struct summary_tmpfs *tmpfs)
{
	bool known = tmpfs->size_bytes != METRIC_NA && tmpfs->size_bytes > 0;
	return known ? (double)tmpfs->peak_bytes / (double)tmpfs->size_bytes : 0;
}

/* Of two, the one to tell of: nearly full comes before large. */
static bool matters_more(const struct summary_tmpfs *one, const struct summary_tmpfs *other)
{
	double one_used = used_fraction(one), other_used = used_fraction(other);
	if (one_used >= 0.5 || other_used >= 0.5)
		return one_used > other_used;
	return one->peak_bytes > other->peak_bytes;
}

/* One of them, and how many raised an alarm, so that ten of them still are one line. */
static void add_tmpfs(struct buf *out, const struct summary *summary)
{
	const struct summary_tmpfs *shown = NULL;
	char text[UNITS_SIZE];
	size_t alarms = 0;
	for (size_t i = 0; i < summary->n_tmpfs; i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		alarms += tmpfs->alarmed;
		bool used = tmpfs->peak_bytes != METRIC_NA && tmpfs->peak_bytes > 0;
		if (used && (shown == NULL || matters_more(tmpfs, shown)))
			shown = tmpfs;
	}
	if (shown == NULL)
		return;
	begin_line(out, "tmpfs");
	words_clean(out, shown->mount);
	buf_add_string(out, " up to ");
	words_peak(out, shown->peak_bytes, shown->size_bytes);
	if (words_was_there(shown))
		buf_add_format(out, ", of which %s were there before",
			       units_bytes(text, shown->before_bytes));
	if (alarms > 0)
		buf_add_format(out, "; %zu of %zu nearly full", alarms, summary->n_tmpfs);
	buf_add_byte(out, '\n');
	if (shown->alarmed && (shown->writers.len > 0 || shown->largest.len > 0)) {
		begin_line(out, "");
		words_fillers(out, &shown->writers, &shown->largest);
		buf_add_byte(out, '\n');
	}
	if (shown->peak_bytes < WORDS_SIZED_BYTES || shown->enough_bytes == 0)
		return;
	begin_line(out, "");
	words_sizing(out, summary, shown);
	buf_add_byte(out, '\n');
}

/* It is out of the other figures. */
static void add_held(struct buf *out, const struct summary *summary)
{
	char text[UNITS_SIZE];
	if (summary->held_s < 0.1)
		return;
	begin_line(out, "held");
	buf_add_format(out, "%s, since a tmpfs was nearly full\n", units_duration(text, summary->held_s));
}

static void add_memory(struct buf *out, const struct summary *summary)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} peaks[] = {
		{"page cache", summary->page_cache_peak_bytes},
		{"dirty", summary->dirty_peak_bytes},
		{"writeback", summary->writeback_peak_bytes},
		{"build's memory", summary->rss_peak_bytes},
	};
	const char *mark = "";
	for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
		if (peaks[i].bytes == METRIC_NA)
			continue;
		if (*mark == '\0')
			begin_line(out, "peaks");
		buf_add_format(out, "%s%s ", mark, peaks[i].name);
		words_bytes(out, peaks[i].bytes);
		mark = ", ";
	}
	if (*mark != '\0')
		buf_add_byte(out, '\n');
	struct buf words = {0};
	words_memory_need(&words, &summary->memory);
	words_memory_parts(&words, &summary->memory, 2);
	if (words.len > 0 && summary->memory.jobs > 1) {
		begin_line(out, "needs");
		buf_add(out, words.data, words.len);
		buf_add_byte(out, '\n');
	}
	buf_clear(&words);
	words_kills(&words, &summary->memory);
	if (words.len > 0) {
		begin_line(out, "killed");
		buf_add(out, words.data, words.len);
		buf_add_byte(out, '\n');
	}
	buf_fini(&words);
}

static void add_sigbus(struct buf *out, const struct summary *summary)
{
	struct buf sentence = {0};
	words_sigbus(&sentence, summary);
	if (sentence.len > 0) {
		begin_line(out, "SIGBUS");
		buf_add(out, sentence.data, sentence.len);
		buf_add_byte(out, '\n');
	}
	buf_fini(&sentence);
}

static void add_verdict(struct buf *out, const struct summary *summary)
{
	if (summary->verdict_text[0] != '\0') {
		begin_line(out, "verdict");
		words_clean(out, summary->verdict_text);
		buf_add_byte(out, '\n');
	}
	if (summary->end.left_behind != NULL) {
		begin_line(out, "left over");
		words_clean(out, summary->end.left_behind);
		buf_add_string(out, " (still running)\n");
	}
	if (summary->unknown_s >= 1) {
		begin_line(out, "not seen");
		words_duration(out, summary->unknown_s);
		buf_add_string(out, " of the build\n");
	}
}

void report_advice(struct buf *out, const struct summary *summary, int width)
{
	struct buf lines[WORDS_ADVICE] = {0};
	words_advice(lines, summary);
	for (size_t i = 0; i < WORDS_ADVICE; i++) {
		if (lines[i].len > 0)
			buf_add_format(out, "  %-*s %s\n", width, "advice", lines[i].data);
		buf_fini(&lines[i]);
	}
}

void report_short(struct buf *out, const struct summary *summary)
{
	add_result(out, summary);
	add_lost(out, summary);
	add_longest(out, summary);
	add_held(out, summary);
	add_sigbus(out, summary);
	add_tmpfs(out, summary);
	add_memory(out, summary);
	add_verdict(out, summary);
	report_advice(out, summary, 10);
}
