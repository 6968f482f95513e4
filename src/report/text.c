/* SPDX-License-Identifier: MIT
 *
 * A page of text about a run: how it went, where the time of its tasks went, what held it up, who used the
 * CPUs, how full memory and each tmpfs became, and what could not be seen. Plain text without colour, 80
 * columns but for names that are longer.
 */
#include "formats.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "words.h"

#define BAR_COLUMNS    30
#define STALLS_SHOWN   20
#define COMMANDS_SHOWN 15
#define STEPS_SHOWN    20

static void add_heading(struct buf *out, const char *heading)
{
	buf_add_format(out, "\n%s\n", heading);
}

static void begin_line(struct buf *out, const char *name)
{
	buf_add_format(out, "  %-12s ", name);
}

/* Clean text, filled up to so many columns; longer text is cut. */
static void add_cell(struct buf *out, const char *clean, size_t columns)
{
	size_t used;
	size_t len = text_fit(clean, columns, &used);
	buf_add(out, clean, len);
	buf_add_format(out, "%*s", (int)(columns - used), "");
}

static void add_head(struct buf *out, const struct summary *summary)
{
	const struct run *run = summary->run;
	char utc[CLOCK_UTC_SIZE];
	words_title(out, run, 1000);
	buf_add_byte(out, '\n');
	begin_line(out, "result");
	words_result(out, &summary->end);
	buf_add_format(out, "%s\n",
		       summary->end.complete ? "" : " (the recording breaks off before the end)");
	begin_line(out, "started");
	buf_add_format(out, "%s in ", clock_utc(utc, sizeof utc, run->start_wall_ns));
	words_clean(out, run->workdir);
	buf_add_byte(out, '\n');
	begin_line(out, "machine");
	words_clean(out, run->host);
	buf_add_string(out, ", Linux ");
	words_clean(out, run->kernel);
	buf_add_format(out, ", %u CPUs, ", (unsigned)run->cpus);
	words_bytes(out, run->memory_total_bytes);
	buf_add_byte(out, '\n');
	if (run->vcs_commit != NULL) {
		begin_line(out, "commit");
		words_clean(out, run->vcs_commit);
		buf_add_format(out, "%s\n", run->vcs_dirty > 0 ? " and local changes" : "");
	}
	for (size_t i = 0; i < run->n_labels; i++) {
		struct buf key = {0};
		words_clean(&key, run->labels[i].key);
		begin_line(out, key.data);
		words_clean(out, run->labels[i].value);
		buf_add_byte(out, '\n');
		buf_fini(&key);
	}
	begin_line(out, "wall time");
	words_duration(out, summary->wall_s);
	buf_add_byte(out, '\n');
	begin_line(out, "CPU time");
	words_cpu(out, summary);
	buf_add_byte(out, '\n');
	begin_line(out, "processes");
	buf_add_format(out, "%llu started, at most %llu at once\n",
		       (unsigned long long)summary->processes_started,
		       (unsigned long long)summary->processes_peak);
}

static void add_verdict(struct buf *out, const struct summary *summary)
{
	if (summary->verdict_text[0] != '\0') {
		begin_line(out, "verdict");
		words_clean(out, summary->verdict_text);
		buf_add_byte(out, '\n');
	}
	if (isfinite(summary->bound_min_s) && isfinite(summary->bound_max_s)) {
		begin_line(out, "could be");
		words_duration(out, summary->bound_min_s);
		buf_add_string(out, " to ");
		words_duration(out, summary->bound_max_s);
		buf_add_string(out, " of wall time, had nothing waited on flushing\n");
	}
	if (summary->unknown_s > 0) {
		begin_line(out, "not seen");
		words_duration(out, summary->unknown_s);
		buf_add_string(out, " of wall time\n");
	}
	if (summary->end.left_behind != NULL) {
		begin_line(out, "left over");
		words_clean(out, summary->end.left_behind);
		buf_add_string(out, " (still running at the end)\n");
	}
	report_advice(out, summary, 12);
}

static void add_times(struct buf *out, const struct summary *summary)
{
	double total_s = 0;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		total_s += summary->time_s[cause];
	if (!(total_s > 0))
		return;
	add_heading(out, "Where the time of the build's tasks went, in task-seconds");
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		double part = summary->time_s[cause] / total_s;
		if (!(summary->time_s[cause] > 0))
			continue;
		char duration[UNITS_SIZE], percent[UNITS_SIZE];
		buf_add_format(out, "  %-22s %10s %6s ", cause_table[cause].label,
			       units_duration(duration, summary->time_s[cause]),
			       units_percent(percent, part));
		for (long i = lround(part * BAR_COLUMNS); i > 0; i--)
			buf_add_byte(out, '#');
		buf_add_byte(out, '\n');
	}
}

static void add_stall(struct buf *out, const struct run *run, const struct stall *stall)
{
	char from[UNITS_SIZE], length[UNITS_SIZE];
	struct buf cell = {0};
	buf_add_format(out, "  %8s %8s  ", units_elapsed(from, words_since_start(run, stall->from_ns)),
		       units_duration(length, stall_seconds(stall)));
	add_cell(out, stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown", 17);
	words_place(&cell, stall);
	buf_add_byte(out, ' ');
	add_cell(out, cell.len > 0 ? cell.data : "", 14);
	buf_add_format(out, " %5u  ", (unsigned)stall->blocked_peak);
	words_victims(out, stall, 3);
	if (stall_from_outside(stall))
		buf_add_string(out, "; from outside the build");
	buf_add_byte(out, '\n');
	buf_fini(&cell);
}

static void add_stalls(struct buf *out, const struct summary *summary)
{
	add_heading(out, "Stalls, the longest first");
	if (summary->n_stalls == 0) {
		buf_add_string(out, "  none\n");
		return;
	}
	buf_add_string(out, "  ");
	words_duration(out, summary->stalled_s);
	buf_add_string(out, " in all, ");
	words_duration(out, summary->flush_s);
	buf_add_string(out, " of it flushing\n");
	buf_add_string(out, "      from   length  cause             where          tasks  who waited\n");
	size_t shown = summary->n_stalls < STALLS_SHOWN ? summary->n_stalls : STALLS_SHOWN;
	for (size_t i = 0; i < shown; i++)
		add_stall(out, summary->run, &summary->stalls[i]);
	uint64_t more = summary->n_stalls - shown + summary->stalls_dropped;
	if (more > 0)
		buf_add_format(out, "  and %llu more\n", (unsigned long long)more);
}

/* What the table has of the CPU time, and what it lacks. */
static void add_commands_note(struct buf *out, const struct summary *summary)
{
	char time[UNITS_SIZE];

	if (summary->ending_s > 0)
		buf_add_format(
			out,
			"  (ending)                %10s  in the rows above, estimated: freeing the memory of "
			"processes that ended\n",
			units_duration(time, summary->ending_s));
	if (summary->unattributed_s > 0.01 * (summary->user_s + summary->system_s))
		buf_add_format(out, "  (no command's)          %10s  of processes that no look saw\n",
			       units_duration(time, summary->unattributed_s));
	if (!isnan(summary->given_up_s))
		buf_add_format(
			out,
			"  Counting each process was given up after %s: they are so short that it would have "
			"slowed the build.\n",
			units_duration(time, summary->given_up_s));
}

static const char *bytes_or_dash(char *out, uint64_t bytes)
{
	return bytes == METRIC_NA ? "-" : units_bytes(out, bytes);
}

static void add_commands(struct buf *out, const struct summary *summary)
{
	if (summary->n_commands == 0)
		return;
	add_heading(out, "Commands by CPU time");
	buf_add_string(out, "  command            runs        CPU       wall   held up    largest       mean "
			    "   written\n");
	for (size_t i = 0; i < summary->n_commands && i < COMMANDS_SHOWN; i++) {
		const struct summary_command *command = &summary->commands[i];
		char cpu[UNITS_SIZE], wall[UNITS_SIZE], held[UNITS_SIZE], largest[UNITS_SIZE],
			mean[UNITS_SIZE], written[UNITS_SIZE];
		struct buf name = {0};
		words_clean(&name, command->name);
		buf_add_string(out, "  ");
		add_cell(out, name.data, 16);
		buf_add_format(out, " %6llu %10s %10s %9s %10s %10s %10s\n",
			       (unsigned long long)command->count, units_duration(cpu, command->cpu_s),
			       units_duration(wall, command->wall_s),
			       units_duration(held, words_held_up(command->time_s)),
			       bytes_or_dash(largest, command->rss_peak_bytes),
			       bytes_or_dash(mean, command->rss_mean_bytes),
			       units_bytes(written, (uint64_t)command->written_bytes));
		buf_fini(&name);
	}
	add_commands_note(out, summary);
}

static void add_steps(struct buf *out, const struct summary *summary)
{
	if (summary->n_steps == 0)
		return;
	add_heading(out, "Steps by CPU time");
	buf_add_string(out, "      from       wall        CPU  largest   waited  step\n");
	size_t shown = summary->n_steps < STEPS_SHOWN ? summary->n_steps : STEPS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		const struct summary_step *step = &summary->steps[i];
		char from[UNITS_SIZE], wall[UNITS_SIZE], cpu[UNITS_SIZE], rss[UNITS_SIZE], waited[UNITS_SIZE];
		buf_add_format(
			out, "  %8s %10s %10s %8s %8s  %s ", units_elapsed(from, step->from_s),
			units_duration(wall, step->wall_s), units_duration(cpu, step->cpu_s),
			step->rss_peak_bytes == METRIC_NA ? "" : units_bytes_short(rss, step->rss_peak_bytes),
			words_step_waited(step) < 0.05 ? "" : units_duration(waited, words_step_waited(step)),
			step_kinds[step->kind]);
		words_clean(out, step->name);
		if (step->count > 1)
			buf_add_format(out, " (%llu times)", (unsigned long long)step->count);
		buf_add_byte(out, '\n');
	}
	uint64_t more = summary->n_steps - shown + summary->steps_dropped;
	if (more > 0)
		buf_add_format(out, "  and %llu more\n", (unsigned long long)more);
}

static void add_need(struct buf *out, const struct summary_memory *memory)
{
	struct buf words = {0};
	words_memory_need(&words, memory);
	if (words.len > 0) {
		begin_line(out, "needs");
		buf_add(out, words.data, words.len);
		buf_add_byte(out, '\n');
	}
	buf_clear(&words);
	words_kills(&words, memory);
	if (words.len > 0) {
		begin_line(out, "killed");
		buf_add(out, words.data, words.len);
		buf_add_byte(out, '\n');
	}
	buf_fini(&words);
}

static void add_memory(struct buf *out, const struct summary *summary)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} peaks[] = {
		{"build", summary->rss_peak_bytes},   {"page cache", summary->page_cache_peak_bytes},
		{"dirty", summary->dirty_peak_bytes}, {"writeback", summary->writeback_peak_bytes},
		{"swap", summary->swap_peak_bytes},
	};
	add_heading(out, "Peaks of memory (the machine's, but for the build's own)");
	for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
		begin_line(out, peaks[i].name);
		words_bytes(out, peaks[i].bytes);
		if (i == 0)
			words_memory_parts(out, &summary->memory, 6);
		buf_add_byte(out, '\n');
	}
	add_need(out, &summary->memory);
	if (summary->dirty_threshold_bytes != METRIC_NA && summary->dirty_threshold_bytes > 0) {
		begin_line(out, "dirty limit");
		words_bytes(out, summary->dirty_threshold_bytes);
		buf_add_string(out, ", in the background from ");
		words_bytes(out, summary->dirty_background_bytes);
		buf_add_string(out, "; the kernel's own thresholds at the end\n");
	}
	if (summary->shmem_swapped_peak_bytes != METRIC_NA && summary->shmem_swapped_peak_bytes > 0) {
		begin_line(out, "in swap");
		words_bytes(out, summary->shmem_swapped_peak_bytes);
		buf_add_string(out, " of tmpfs, at least\n");
	}
}

static void add_fillers(struct buf *out, const struct summary_tmpfs *tmpfs)
{
	if (tmpfs->writers.len == 0 && tmpfs->largest.len == 0)
		return;
	buf_add_string(out, "    ");
	words_fillers(out, &tmpfs->writers, &tmpfs->largest);
	buf_add_byte(out, '\n');
}

static void add_tmpfs(struct buf *out, const struct summary *summary)
{
	char at[UNITS_SIZE];
	if (summary->n_tmpfs > 0)
		add_heading(out, "Peaks of tmpfs");
	for (size_t i = 0; i < summary->n_tmpfs; i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		buf_add_string(out, "  ");
		words_clean(out, tmpfs->mount);
		buf_add_string(out, ": ");
		words_peak(out, tmpfs->peak_bytes, tmpfs->size_bytes);
		if (tmpfs->peak_inodes != METRIC_NA)
			buf_add_format(out, ", %llu inodes", (unsigned long long)tmpfs->peak_inodes);
		if (isfinite(tmpfs->peak_at_s) && tmpfs->peak_bytes > 0)
			buf_add_format(out, ", at %s", units_elapsed(at, tmpfs->peak_at_s));
		if (tmpfs->size_bytes == METRIC_NA)
			buf_add_string(out, ", no limit of its own: what it holds counts against memory");
		buf_add_format(out, "%s\n", tmpfs->alarmed ? ": nearly full" : "");
		if (words_was_there(tmpfs))
			buf_add_format(out, "    %s of it were there before the build\n",
				       units_bytes(at, tmpfs->before_bytes));
		add_fillers(out, tmpfs);
		if (tmpfs->enough_bytes > 0 && tmpfs->peak_bytes >= WORDS_SIZED_BYTES) {
			buf_add_string(out, "    ");
			words_sizing(out, summary, tmpfs);
			buf_add_byte(out, '\n');
		}
	}
}

#define MANY_TIMES 20

/* What a tmpfs of that size leaves of the memory, and how many jobs that is for. */
static void add_left(struct buf *out, uint64_t size, const struct summary *summary)
{
	uint64_t memory = summary->run->memory_total_bytes, needed = summary->rss_peak_bytes, left;
	char text[UNITS_SIZE];
	if (memory == METRIC_NA || memory == 0)
		return;
	if (memory <= size) {
		buf_add_format(out, "\n  which is more than the memory there is (%s)",
			       units_bytes(text, memory));
		return;
	}
	left = memory - size;
	buf_add_format(out, "\n  of the memory that leaves %s for the page cache and the processes",
		       units_bytes(text, left));
	if (needed == METRIC_NA || needed == 0)
		return;
	buf_add_format(out, ",\n  which took up to %s at once: ", units_bytes(text, needed));
	if (left < needed)
		buf_add_string(out, "too little for so many jobs (-j)");
	else if (left / needed >= MANY_TIMES)
		buf_add_string(out, "enough for many more jobs (-j)");
	else if (left < 2 * needed)
		buf_add_string(out, "enough for so many jobs (-j), not for twice as many");
	else
		buf_add_format(out, "enough for %llu times as many jobs (-j)",
			       (unsigned long long)(left / needed));
}

/* For a build on a disk: what a tmpfs in its place would have needed, and what that leaves of the memory. */
static void add_disk(struct buf *out, const struct summary *summary)
{
	const struct summary_tmpfs *disk = &summary->disk;
	char size[UNITS_SIZE];
	if (disk->mount == NULL || disk->enough_bytes == 0 || disk->peak_bytes < WORDS_SIZED_BYTES)
		return;
	add_heading(out, "A tmpfs for the build's directory");
	buf_add_string(out, "  ");
	words_clean(out, disk->mount);
	buf_add_format(out, " grew by up to %s, by statvfs: what others wrote there counts",
		       units_bytes(size, disk->peak_bytes));
	if (disk->before_bytes != METRIC_NA)
		buf_add_format(out,
			       ";\n  the directory held %s when the build began, by a count of its files\n  ",
			       units_bytes(size, disk->before_bytes));
	else
		buf_add_string(out, ",\n  and what the directory held before comes on top\n  ");
	words_sizing(out, summary, disk);
	add_left(out, disk->enough_bytes, summary);
	buf_add_byte(out, '\n');
}

static void add_alerts(struct buf *out, const struct summary *summary)
{
	char from[UNITS_SIZE], to[UNITS_SIZE];
	if (summary->n_alerts > 0)
		add_heading(out, "Alerts");
	for (size_t i = 0; i < summary->n_alerts; i++) {
		const struct summary_alert *alert = &summary->alerts[i];
		buf_add_format(out, "  %s ", units_elapsed(from, alert->from_s));
		if (isfinite(alert->to_s))
			buf_add_format(out, "to %s ", units_elapsed(to, alert->to_s));
		words_clean(out, alert->spec);
		if (alert->mount != NULL) {
			buf_add_byte(out, ' ');
			words_clean(out, alert->mount);
		}
		if (alert->writers.len > 0 || alert->largest.len > 0)
			buf_add_string(out, "; ");
		words_fillers(out, &alert->writers, &alert->largest);
		buf_add_byte(out, '\n');
	}
	if (summary->alerts_dropped > 0)
		buf_add_format(out, "  and %llu more\n", (unsigned long long)summary->alerts_dropped);
	if (summary->held_s >= 0.1)
		buf_add_format(out, "  The build was held for %s in all, which is not in its times.\n",
			       units_duration(from, summary->held_s));
}

static void add_sources(struct buf *out, const struct run *run)
{
	bool any = false;
	for (size_t i = 0; i < run->n_sources; i++) {
		if (strcmp(run->sources[i].status, "yes") == 0)
			continue;
		if (!any)
			add_heading(out, "What could not be seen, or not all of it");
		any = true;
		struct buf name = {0};
		words_clean(&name, run->sources[i].name);
		begin_line(out, name.data);
		words_clean(out, run->sources[i].status);
		buf_add_byte(out, '\n');
		buf_fini(&name);
	}
}

static void add_monitor(struct buf *out, const struct summary *summary)
{
	add_heading(out, "buildtop itself");
	begin_line(out, "samples");
	buf_add_format(out, "%llu, %llu missed", (unsigned long long)summary->samples,
		       (unsigned long long)summary->samples_missed);
	if (summary->samples_unrecorded > 0)
		buf_add_format(out, ", %llu not in the recording",
			       (unsigned long long)summary->samples_unrecorded);
	buf_add_byte(out, '\n');
	begin_line(out, "CPU time");
	words_duration(out, summary->monitor_cpu_s);
	buf_add_byte(out, '\n');
}

static void add_page(struct buf *out, const struct summary *summary)
{
	add_head(out, summary);
	add_verdict(out, summary);
	add_times(out, summary);
	add_stalls(out, summary);
	add_commands(out, summary);
	add_steps(out, summary);
	add_memory(out, summary);
	add_tmpfs(out, summary);
	add_disk(out, summary);
	add_alerts(out, summary);
	add_sources(out, summary->run);
	add_monitor(out, summary);
}

const struct report_format report_text = {
	.name = "text",
	.help = "a page of text for a person",
	.summary = add_page,
};
