/* SPDX-License-Identifier: MIT
 *
 * The words in which reports for people tell a run, so that all of them tell it alike. This is where recorded
 * strings are cleaned: whatever a program called itself, what comes out is text on one line. Knows no layout.
 * Any thread.
 */
#include "words.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "model/counted.h"
#include "model/metric.h"

void words_clean(struct buf *out, const char *foreign)
{
	if (foreign == NULL)
		buf_add_string(out, "unknown");
	else
		text_clean_add(out, foreign, strlen(foreign));
}

void words_title(struct buf *out, const struct run *run, size_t max)
{
	if (run->mode == RUN_MACHINE) {
		buf_add_string(out, "the whole machine");
		return;
	}
	if (run->command == NULL || run->command[0] == NULL) {
		buf_add_string(out,
			       run->mode == RUN_WATCH ? "running processes" : "a command (not recorded)");
		return;
	}
	struct buf all = {0};
	text_command(&all, run->command);
	size_t fits = text_fit(all.data, max, NULL);
	buf_add(out, all.data, fits);
	if (fits < all.len)
		buf_add_string(out, "...");
	buf_fini(&all);
}

static void add_signal(struct buf *out, int number)
{
	const char *name = run_signal_name(number);
	if (name)
		buf_add_string(out, name);
	else
		buf_add_format(out, "signal %d", number);
}

void words_result(struct buf *out, const struct run_end *end)
{
	if (!end->known) {
		buf_add_string(out, end->complete ? "ended" : "was still running when watching ended");
	} else if (end->signal != 0) {
		buf_add_string(out, end->interrupted ? "was interrupted by " : "was killed by ");
		add_signal(out, end->signal);
	} else if (end->status != 0) {
		buf_add_format(out, "%s with status %d",
			       end->interrupted ? "was interrupted, ended" : "failed", end->status);
	} else {
		buf_add_string(out, end->interrupted ? "was interrupted, ended with status 0" : "succeeded");
	}
}

void words_bytes(struct buf *out, uint64_t bytes)
{
	char text[UNITS_SIZE];
	buf_add_string(out, bytes == METRIC_NA ? "unknown" : units_bytes(text, bytes));
}

void words_duration(struct buf *out, double seconds)
{
	char text[UNITS_SIZE];
	buf_add_string(out, isfinite(seconds) ? units_duration(text, seconds) : "unknown");
}

void words_cpu(struct buf *out, const struct summary *summary)
{
	double cpu_s = summary->user_s + summary->system_s;
	words_duration(out, cpu_s);
	if (!isfinite(cpu_s))
		return;
	buf_add_string(out, " (");
	words_duration(out, summary->user_s);
	buf_add_string(out, " user, ");
	words_duration(out, summary->system_s);
	buf_add_string(out, " system)");
	if (!(summary->wall_s > 0) || summary->run->cpus == 0)
		return;
	uint64_t tenths = (uint64_t)llround(10 * cpu_s / summary->wall_s);
	buf_add_format(out, ", %u.%u of %u CPU%s", (unsigned)(tenths / 10), (unsigned)(tenths % 10),
		       (unsigned)summary->run->cpus, summary->run->cpus == 1 ? "" : "s");
}

void words_place(struct buf *out, const struct stall *stall)
{
	if (stall->device_name[0] != '\0')
		words_clean(out, stall->device_name);
	if (stall->filesystem[0] != '\0') {
		buf_add_string(out, stall->device_name[0] != '\0' ? " (" : "");
		words_clean(out, stall->filesystem);
		buf_add_string(out, stall->device_name[0] != '\0' ? ")" : "");
	}
}

void words_victims(struct buf *out, const struct stall *stall, size_t max)
{
	for (size_t i = 0; i < stall->n_victims && i < max; i++) {
		buf_add_string(out, i > 0 ? ", " : "");
		words_clean(out, stall->victims[i].comm);
		buf_add_byte(out, ' ');
		words_duration(out, stall->victims[i].task_s);
	}
}

void words_peak(struct buf *out, uint64_t peak, uint64_t size)
{
	words_bytes(out, peak);
	if (peak == METRIC_NA || size == METRIC_NA || size == 0)
		return;
	char text[UNITS_SIZE];
	buf_add_string(out, " of ");
	words_bytes(out, size);
	buf_add_format(out, " (%s)", units_percent(text, (double)peak / (double)size));
}

double words_since_start(const struct run *run, int64_t mono_ns)
{
	double seconds = (double)(mono_ns - run->start_mono_ns) / NS_PER_S;
	return seconds > 0 ? seconds : 0;
}

/* What its directory held before comes on top of what a disk grew by; a tmpfs's peak has it. */
static uint64_t needed_of(const struct summary *summary, const struct summary_tmpfs *tmpfs)
{
	return tmpfs == &summary->disk && tmpfs->before_bytes != METRIC_NA
		       ? tmpfs->peak_bytes + tmpfs->before_bytes
		       : tmpfs->peak_bytes;
}

bool words_was_there(const struct summary_tmpfs *tmpfs)
{
	return tmpfs->before_bytes != METRIC_NA && tmpfs->before_bytes >= WORDS_SIZED_BYTES &&
	       tmpfs->peak_bytes != METRIC_NA && tmpfs->before_bytes >= tmpfs->peak_bytes / 2;
}

void words_sizing(struct buf *out, const struct summary *summary, const struct summary_tmpfs *tmpfs)
{
	uint64_t needed = needed_of(summary, tmpfs);
	char size[UNITS_SIZE], text[UNITS_SIZE];
	if (tmpfs->fails_bytes > 0)
		buf_add_format(out, "%s would have failed at %s; ", units_bytes(size, tmpfs->fails_bytes),
			       units_elapsed(text, tmpfs->fails_at_s));
	if (tmpfs->enough_bytes > 0)
		buf_add_format(out, "%s is enough with %s to spare", units_bytes(size, tmpfs->enough_bytes),
			       units_percent(text, 1 - (double)needed / (double)tmpfs->enough_bytes));
}

void words_fillers(struct buf *out, const struct buf *writers, const struct buf *largest)
{
	if (writers->len > 0) {
		buf_add_string(out, "writing: ");
		counted_say(out, writers->data, writers->len, WORDS_FILLERS);
	}
	if (largest->len > 0) {
		buf_add_string(out, writers->len > 0 ? "; largest: " : "largest: ");
		counted_say(out, largest->data, largest->len, WORDS_FILLERS);
	}
}

/* A shell that saw its command die of a signal exits with 128 and its number. */
static bool died_of_sigbus(const struct run_end *end)
{
	return end->known && (end->signal == SIGBUS || (end->signal == 0 && end->status == 128 + SIGBUS));
}

void words_sigbus(struct buf *out, const struct summary *summary)
{
	for (size_t i = 0; i < summary->n_tmpfs && died_of_sigbus(&summary->end); i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		char text[UNITS_SIZE];
		if (tmpfs->peak_bytes == METRIC_NA || tmpfs->size_bytes == METRIC_NA ||
		    (double)tmpfs->peak_bytes <= WORDS_FULL * (double)tmpfs->size_bytes)
			continue;
		buf_add_string(out, "it died of SIGBUS, and tmpfs ");
		words_clean(out, tmpfs->mount);
		buf_add_format(out, " was %s full: a mapped file that finds no room ends so",
			       units_percent(text, (double)tmpfs->peak_bytes / (double)tmpfs->size_bytes));
		return;
	}
}

double words_held_up(const double *time_s)
{
	double held_s = 0;

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause_table[cause].stall)
			held_s += time_s[cause];
	return held_s;
}

double words_step_waited(const struct summary_step *step)
{
	double waited_s = 0;
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause_table[cause].stall != CAUSE_STALL_NONE)
			waited_s += (double)step->time_s[cause];
	return waited_s;
}

void words_memory_parts(struct buf *out, const struct summary_memory *memory, size_t most)
{
	char text[UNITS_SIZE];
	if (memory->n_parts == 0)
		return;
	buf_add_format(out, ", at %s: ", units_elapsed(text, memory->peak_at_s));
	for (size_t i = 0; i < memory->n_parts && i < most; i++) {
		const struct summary_memory_part *part = &memory->parts[i];
		buf_add_string(out, i > 0 ? ", " : "");
		if (part->count > 1)
			buf_add_format(out, "%llu ", (unsigned long long)part->count);
		words_clean(out, part->name);
		buf_add_format(out, " %s", units_bytes(text, part->bytes));
	}
	if (memory->n_parts > most || memory->parts_dropped > 0)
		buf_add_format(out, ", %zu more",
			       (memory->n_parts > most ? memory->n_parts - most : 0) + memory->parts_dropped);
}

void words_memory_need(struct buf *out, const struct summary_memory *memory)
{
	char text[UNITS_SIZE];
	if (isnan(memory->peak_at_s) || memory->jobs == 0)
		return;
	buf_add_format(out, "%s for -j%u (%s)", units_bytes(text, memory->peak_bytes), memory->jobs,
		       memory->jobs_told ? "by the command line" : "the most jobs seen at once");
}

void words_kills(struct buf *out, const struct summary_memory *memory)
{
	char text[UNITS_SIZE];
	if (memory->oom_kills == 0)
		return;
	buf_add_format(out, "%llu for lack of memory%s", (unsigned long long)memory->oom_kills,
		       memory->oom_of_build ? "" : ", on the whole machine");
	for (size_t i = 0; i < memory->n_ooms; i++) {
		const struct summary_oom *oom = &memory->ooms[i];
		buf_add_format(out, "%s at %s ", i > 0 ? "," : ":", units_elapsed(text, oom->at_s));
		if (*oom->name == '\0') {
			buf_add_string(out, "none that was seen of the build");
			continue;
		}
		buf_add_string(out, "most likely ");
		words_clean(out, oom->name);
		buf_add_format(out, " (%s)", units_bytes(text, oom->bytes));
	}
}
