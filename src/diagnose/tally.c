/* SPDX-License-Identifier: MIT
 *
 * Adds up ticks: peaks, times, stalls, file systems. Ticks that a full inbox dropped are counted and their
 * time is unknown; a stall that closed in one of them is kept as it was last seen.
 */
#include "diagnose/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#include "commands.h"
#include "members.h"
#include "memory.h"
#include "sizing.h"
#include "steps.h"
#include "verdict.h"

struct span {
	int64_t from_ns, to_ns;
};

struct tally_tmpfs {
	uint64_t device;
	struct summary_tmpfs told; /* its mount is ours */
	struct sizing sizing;
};

struct tally {
	const struct run *run;
	struct members members;
	struct commands *commands;
	bool counted;	   /* the kernel tells ends of processes */
	double given_up_s; /* when it ceased to */
	uint64_t events_lost;
	struct steps *steps;
	struct memory memory;
	struct tally_times times;
	int64_t mono_ns; /* end of the last tick */
	uint64_t dirty_threshold_bytes, dirty_background_bytes; /* seen last */
	uint64_t tasks_peak, rss_peak_bytes, page_cache_peak_bytes, dirty_peak_bytes, writeback_peak_bytes,
		swap_peak_bytes, shmem_swapped_peak_bytes;
	uint64_t monitor_cpu_us;
	uint64_t samples, missed;
	double user_s, system_s; /* of the build, as the ticks have it */
	struct tally_tmpfs *tmpfs;
	size_t n_tmpfs, cap_tmpfs;
	struct tally_tmpfs disk; /* mount NULL: not seen yet */
	uint64_t disk_first_bytes;
	uint64_t disk_before_bytes; /* what the build's directory held before it grew; METRIC_NA: unknown */
	struct summary_alert *alerts;
	size_t n_alerts, cap_alerts;
	uint64_t alerts_dropped;
	double held_s;
	struct stall *stalls; /* the longest */
	size_t n_stalls, cap_stalls;
	uint64_t stalls_dropped;
	struct span *spans; /* of all stalls, in no order */
	size_t n_spans, cap_spans;
	double flush_s, cause_stalled_s[CAUSE_COUNT];
	uint64_t cause_episodes[CAUSE_COUNT];
	bool stalled;
	struct stall open; /* as last seen */
};

struct tally *tally_new(const struct run *run)
{
	struct tally *tally = mem_alloc(1, sizeof *tally);

	tally->run = run;
	members_init(&tally->members, run);
	tally->commands = commands_new();
	tally->given_up_s = NAN;
	tally->events_lost = METRIC_NA;
	tally->steps = steps_new(run);
	memory_init(&tally->memory);
	tally->mono_ns = run->start_mono_ns;
	tally->times.path_s = NAN;
	tally->dirty_threshold_bytes = tally->dirty_background_bytes = METRIC_NA;
	tally->page_cache_peak_bytes = tally->dirty_peak_bytes = tally->rss_peak_bytes = METRIC_NA;
	tally->writeback_peak_bytes = tally->swap_peak_bytes = METRIC_NA;
	tally->shmem_swapped_peak_bytes = tally->disk_before_bytes = METRIC_NA;
	tally->monitor_cpu_us = METRIC_NA;
	return tally;
}

static void tmpfs_fini(struct tally_tmpfs *tmpfs)
{
	free(tmpfs->told.mount);
	buf_fini(&tmpfs->told.writers);
	buf_fini(&tmpfs->told.largest);
	sizing_fini(&tmpfs->sizing);
}

void tally_free(struct tally *tally)
{
	if (!tally)
		return;
	members_fini(&tally->members);
	commands_free(tally->commands);
	steps_free(tally->steps);
	for (size_t i = 0; i < tally->n_tmpfs; i++)
		tmpfs_fini(&tally->tmpfs[i]);
	free(tally->tmpfs);
	tmpfs_fini(&tally->disk);
	for (size_t i = 0; i < tally->n_alerts; i++) {
		free(tally->alerts[i].spec);
		free(tally->alerts[i].mount);
		buf_fini(&tally->alerts[i].writers);
		buf_fini(&tally->alerts[i].largest);
	}
	free(tally->alerts);
	free(tally->stalls);
	free(tally->spans);
	free(tally);
}

static void peak(uint64_t *peak, uint64_t value)
{
	if (value != METRIC_NA && (*peak == METRIC_NA || value > *peak))
		*peak = value;
}

static int longest_first(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;
	double xs = stall_seconds(x), ys = stall_seconds(y);

	if (xs != ys)
		return xs < ys ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void stall_add(struct tally *tally, const struct stall *stall)
{
	double seconds = stall_seconds(stall);

	MEM_GROW(tally->spans, tally->n_spans, tally->cap_spans);
	tally->spans[tally->n_spans++] = (struct span){stall->from_ns, stall->to_ns};
	if (stall->cause < CAUSE_COUNT) {
		tally->cause_stalled_s[stall->cause] += seconds;
		tally->cause_episodes[stall->cause]++;
		if (cause_table[stall->cause].stall == CAUSE_STALL_FLUSH)
			tally->flush_s += seconds;
	}
	if (tally->n_stalls == 2 * SUMMARY_STALLS_MAX) {
		qsort(tally->stalls, tally->n_stalls, sizeof *tally->stalls, longest_first);
		tally->stalls_dropped += tally->n_stalls - SUMMARY_STALLS_MAX;
		tally->n_stalls = SUMMARY_STALLS_MAX;
	}
	MEM_GROW(tally->stalls, tally->n_stalls, tally->cap_stalls);
	tally->stalls[tally->n_stalls++] = *stall;
}

static void stalls_add(struct tally *tally, const struct tick *tick, uint64_t dropped)
{
	bool closed = false;

	for (size_t i = 0; i < tick->n_closed; i++) {
		stall_add(tally, &tick->closed[i]);
		closed |= tick->closed[i].number == tally->open.number;
	}
	if (tally->stalled && dropped && !closed &&
	    !(tick->stalled && tick->stall.number == tally->open.number))
		stall_add(tally, &tally->open);
	tally->stalled = tick->stalled;
	if (tick->stalled)
		tally->open = tick->stall;
}

/* Since the start, without the time for which we had the build stopped. */
static double seconds_of(const struct tally *tally, const struct tick *tick)
{
	return (double)(tick->sample->mono_ns - tally->run->start_mono_ns) / (double)NS_PER_S - tally->held_s;
}

static struct tally_tmpfs fresh_tmpfs(const struct sample *sample, const struct mount_row *mount)
{
	return (struct tally_tmpfs){.device = mount->device,
				    .told = {.mount = mem_dup(sample_string(sample, mount->point, NULL)),
					     .peak_bytes = METRIC_NA,
					     .size_bytes = METRIC_NA,
					     .peak_inodes = METRIC_NA,
					     .inodes = METRIC_NA,
					     .before_bytes = mount->values[METRIC_MOUNT_USED_BYTES],
					     .peak_at_s = NAN}};
}

/* A list of the sample takes the place of what was there; none leaves it. */
static void list_take(struct buf *list, const struct sample *sample, uint32_t offset)
{
	size_t len;
	const char *bytes = sample_string(sample, offset, &len);

	if (len == 0)
		return;
	buf_clear(list);
	buf_add(list, bytes, len);
}

static struct buf list_copy(const struct buf *list)
{
	struct buf copy = {0};

	if (list->len > 0)
		buf_add(&copy, list->data, list->len);
	return copy;
}

static void use_add(struct tally_tmpfs *tmpfs, uint64_t used, double at_s)
{
	struct summary_tmpfs *told = &tmpfs->told;

	if (used != METRIC_NA && (told->peak_bytes == METRIC_NA || used > told->peak_bytes))
		told->peak_at_s = at_s;
	peak(&told->peak_bytes, used);
	sizing_add(&tmpfs->sizing, at_s, used);
}

static struct tally_tmpfs *tmpfs_of(struct tally *tally, const struct sample *sample,
				    const struct mount_row *mount)
{
	for (size_t t = 0; t < tally->n_tmpfs; t++)
		if (tally->tmpfs[t].device == mount->device)
			return &tally->tmpfs[t];
	MEM_GROW(tally->tmpfs, tally->n_tmpfs, tally->cap_tmpfs);
	tally->tmpfs[tally->n_tmpfs] = fresh_tmpfs(sample, mount);
	return &tally->tmpfs[tally->n_tmpfs++];
}

/* How much the file system of the build's directory grew. */
static void disk_add(struct tally *tally, const struct tick *tick, const struct mount_row *mount)
{
	uint64_t used = mount->values[METRIC_MOUNT_USED_BYTES];
	uint64_t directory = tick->sample->system[METRIC_SYSTEM_WORKDIR_BYTES];

	if (used == METRIC_NA)
		return;
	if (!tally->disk.told.mount) {
		tally->disk = fresh_tmpfs(tick->sample, mount);
		tally->disk_first_bytes = used;
	}
	if (tally->disk_before_bytes == METRIC_NA && directory != METRIC_NA) {
		uint64_t grown = used > tally->disk_first_bytes ? used - tally->disk_first_bytes : 0;

		tally->disk_before_bytes =
			directory > grown ? directory - grown : 0; /* it was counted by now */
	}
	use_add(&tally->disk, used > tally->disk_first_bytes ? used - tally->disk_first_bytes : 0,
		seconds_of(tally, tick));
}

static void mounts_add(struct tally *tally, const struct tick *tick)
{
	const struct sample *sample = tick->sample;

	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *mount = &sample->mounts[i];
		struct tally_tmpfs *tmpfs;

		if (!(mount->flags & MOUNT_TMPFS)) {
			if (mount->flags & MOUNT_WORKDIR)
				disk_add(tally, tick, mount);
			continue;
		}
		tmpfs = tmpfs_of(tally, sample, mount);
		use_add(tmpfs, mount->values[METRIC_MOUNT_USED_BYTES], seconds_of(tally, tick));
		peak(&tmpfs->told.peak_inodes, mount->values[METRIC_MOUNT_INODES_USED]);
		tmpfs->told.size_bytes = mount->values[METRIC_MOUNT_SIZE_BYTES];
		tmpfs->told.inodes = mount->values[METRIC_MOUNT_INODES];
		list_take(&tmpfs->told.writers, sample, mount->writers);
		list_take(&tmpfs->told.largest, sample, mount->largest);
		tmpfs->told.alarmed |= tick->mounts[i].alarm != TICK_ALARM_NONE;
	}
}

static void alert_add(struct tally *tally, const struct tick *tick, const struct tick_alert *alert)
{
	const char *mount = alert->mount ? sample_string(tick->sample, alert->mount, NULL) : NULL;
	struct summary_alert *added;

	if (tally->n_alerts == SUMMARY_ALERTS_MAX) {
		tally->alerts_dropped++;
		return;
	}
	MEM_GROW(tally->alerts, tally->n_alerts, tally->cap_alerts);
	added = &tally->alerts[tally->n_alerts++];
	*added = (struct summary_alert){.number = alert->number,
					.spec = mem_dup(alert->spec),
					.mount = mount ? mem_dup(mount) : NULL,
					.from_s = seconds_of(tally, tick),
					.to_s = NAN,
					.by_inodes = alert->by_inodes,
					.used = alert->used,
					.size = alert->size};
	list_take(&added->writers, tick->sample, alert->writers);
	list_take(&added->largest, tick->sample, alert->largest);
}

static void alerts_add(struct tally *tally, const struct tick *tick)
{
	for (size_t i = 0; i < tick->n_alerts; i++) {
		const struct tick_alert *alert = &tick->alerts[i];

		if (alert->change == TICK_ALERT_CLEARED)
			for (size_t a = 0; a < tally->n_alerts; a++)
				if (tally->alerts[a].number == alert->number)
					tally->alerts[a].to_s = seconds_of(tally, tick);
		if (alert->change == TICK_ALERT_RAISED)
			alert_add(tally, tick, alert);
	}
}

static void peaks_add(struct tally *tally, const struct tick *tick)
{
	const uint64_t *system = tick->sample->system;
	uint64_t swap =
		metric_delta(system[METRIC_SYSTEM_SWAP_TOTAL_BYTES], system[METRIC_SYSTEM_SWAP_FREE_BYTES]);

	if (tick->build_tasks > tally->tasks_peak)
		tally->tasks_peak = tick->build_tasks;
	if (tick->build_tasks > 0)
		peak(&tally->rss_peak_bytes, tick->build_rss_bytes);
	peak(&tally->page_cache_peak_bytes, tick->page_cache_bytes);
	peak(&tally->dirty_peak_bytes, system[METRIC_SYSTEM_DIRTY_BYTES]);
	if (system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES] != METRIC_NA) {
		tally->dirty_threshold_bytes = system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES];
		tally->dirty_background_bytes = system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES];
	}
	peak(&tally->writeback_peak_bytes, system[METRIC_SYSTEM_WRITEBACK_BYTES]);
	peak(&tally->swap_peak_bytes, swap);
	peak(&tally->shmem_swapped_peak_bytes, tick->shmem_swapped_bytes);
	if (system[METRIC_SYSTEM_MONITOR_CPU_US] != METRIC_NA)
		tally->monitor_cpu_us = system[METRIC_SYSTEM_MONITOR_CPU_US];
}

/* Task time by class, and of the wall time what each class held up: its share of the task time, at the grain
 * of a tick. */
static void times_add(struct tally *tally, const struct tick *tick)
{
	struct tally_times *times = &tally->times;
	int64_t from_ns = tick->sample->mono_ns - (int64_t)(tick->interval_s * (double)NS_PER_S);
	double seen_s = fmax(tick->interval_s - tick->unknown_s, 0), working = 0;

	for (int cause = 0; cause < CAUSE_COUNT; cause++) {
		times->time_s[cause] += tick->cause_s[cause];
		if (cause == CAUSE_CPU || cause == CAUSE_RUNQUEUE || cause_table[cause].stall)
			working += tick->cause_s[cause];
	}
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause_table[cause].stall && working > 0)
			times->held_s[cause] += tick->cause_s[cause] / working * seen_s;
	if (working > 0) {
		times->held_asked_s += tick->explicit_s / working * seen_s;
		times->held_unlink_s += tick->unlink_s / working * seen_s;
	}
	if (isfinite(tick->path_s))
		times->path_s = tick->path_s;
	times->some_s += tick->some_s;
	times->full_s += tick->full_s;
	times->unknown_s += tick->unknown_s;
	if (tick->interval_s > 0 && from_ns - tally->mono_ns > NS_PER_MS)
		times->unknown_s += (double)(from_ns - tally->mono_ns) / (double)NS_PER_S;
	tally->mono_ns = tick->sample->mono_ns;
}

static void members_count(struct tally *tally, const struct tick *tick)
{
	uint64_t lost = tick->sample->system[METRIC_SYSTEM_EXITS_LOST];

	members_add(&tally->members, tick, tally->mono_ns);
	for (size_t i = 0; i < tally->members.n_finished; i++)
		commands_count(tally->commands, &tally->members.finished[i]);
	if (tally->counted && !tally->members.counting && isnan(tally->given_up_s))
		tally->given_up_s = seconds_of(tally, tick);
	tally->counted |= tally->members.counting;
	if (lost != METRIC_NA)
		tally->events_lost = lost;
}

void tally_add(struct tally *tally, const struct tick *tick, uint64_t dropped)
{
	members_count(tally, tick);
	steps_add(tally->steps, tick, tally->mono_ns);
	memory_add(&tally->memory, tick, seconds_of(tally, tick));
	times_add(tally, tick);
	peaks_add(tally, tick);
	tally->held_s += tick->held_s;
	mounts_add(tally, tick);
	alerts_add(tally, tick);
	stalls_add(tally, tick, dropped);
	tally->samples += 1 + dropped;
	tally->missed += tick->sample->missed;
	tally->user_s = tick->build_user_s;
	tally->system_s = tick->build_system_s;
}

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Seconds covered by at least one of them. Sorts. */
static double spans_union(struct span *spans, size_t n)
{
	int64_t covered = 0, to = INT64_MIN;

	qsort(spans, n, sizeof *spans, by_start);
	for (size_t i = 0; i < n; i++) {
		int64_t from = spans[i].from_ns > to ? spans[i].from_ns : to;

		if (spans[i].to_ns > from) {
			covered += spans[i].to_ns - from;
			to = spans[i].to_ns;
		}
	}
	return (double)covered / (double)NS_PER_S;
}

static void summary_stalls(const struct tally *tally, struct summary *summary)
{
	struct span *spans = mem_alloc(tally->n_spans + 1, sizeof *spans);
	size_t n_spans = tally->n_spans, n = tally->n_stalls;

	summary->stalls = mem_alloc(n + 1, sizeof *summary->stalls);
	if (n)
		memcpy(summary->stalls, tally->stalls, n * sizeof *summary->stalls);
	if (n_spans)
		memcpy(spans, tally->spans, n_spans * sizeof *spans);
	memcpy(summary->cause_stalled_s, tally->cause_stalled_s, sizeof summary->cause_stalled_s);
	memcpy(summary->cause_episodes, tally->cause_episodes, sizeof summary->cause_episodes);
	summary->flush_s = tally->flush_s;
	if (tally->stalled) { /* as if it ended now */
		const struct stall *open = &tally->open;
		double seconds = stall_seconds(open);

		summary->stalls[n++] = *open;
		spans[n_spans++] = (struct span){open->from_ns, open->to_ns};
		summary->cause_stalled_s[open->cause] += seconds;
		summary->cause_episodes[open->cause]++;
		summary->flush_s += cause_table[open->cause].stall == CAUSE_STALL_FLUSH ? seconds : 0;
	}
	qsort(summary->stalls, n, sizeof *summary->stalls, longest_first);
	summary->n_stalls = n < SUMMARY_STALLS_MAX ? n : SUMMARY_STALLS_MAX;
	summary->stalls_dropped = tally->stalls_dropped + n - summary->n_stalls;
	summary->stalled_s = spans_union(spans, n_spans);
	free(spans);
}

/* `more`: what comes on top of what was seen. */
static struct summary_tmpfs told_of(const struct tally_tmpfs *tmpfs, uint64_t more)
{
	struct summary_tmpfs told = tmpfs->told;
	struct sizing_answer answer = sizing_answer(&tmpfs->sizing, more);

	told.mount = told.mount ? mem_dup(told.mount) : NULL;
	told.fails_bytes = answer.fails_bytes;
	told.fails_at_s = answer.fails_at_s;
	told.enough_bytes = answer.enough_bytes;
	told.writers = list_copy(&tmpfs->told.writers);
	told.largest = list_copy(&tmpfs->told.largest);
	return told;
}

static void summary_tmpfs(const struct tally *tally, struct summary *summary)
{
	summary->tmpfs = mem_alloc(tally->n_tmpfs + 1, sizeof *summary->tmpfs);
	summary->n_tmpfs = tally->n_tmpfs;
	for (size_t i = 0; i < tally->n_tmpfs; i++)
		summary->tmpfs[i] = told_of(&tally->tmpfs[i], 0);
	summary->disk =
		told_of(&tally->disk, tally->disk_before_bytes == METRIC_NA ? 0 : tally->disk_before_bytes);
	summary->disk.before_bytes = tally->disk_before_bytes;
}

static void summary_alerts(const struct tally *tally, struct summary *summary)
{
	summary->alerts = mem_alloc(tally->n_alerts + 1, sizeof *summary->alerts);
	summary->n_alerts = tally->n_alerts;
	summary->alerts_dropped = tally->alerts_dropped;
	for (size_t i = 0; i < tally->n_alerts; i++) {
		struct summary_alert *alert = &summary->alerts[i];

		*alert = tally->alerts[i];
		alert->spec = mem_dup(alert->spec);
		alert->mount = alert->mount ? mem_dup(alert->mount) : NULL;
		alert->writers = list_copy(&tally->alerts[i].writers);
		alert->largest = list_copy(&tally->alerts[i].largest);
	}
}

static void summary_cpu(const struct tally *tally, const struct run_end *end, struct summary *summary)
{
	bool rusage = end->user_us != METRIC_NA && end->system_us != METRIC_NA;

	summary->user_s = rusage ? (double)end->user_us / 1e6 : tally->user_s;
	summary->system_s = rusage ? (double)end->system_us / 1e6 : tally->system_s;
	summary->cpu_source = rusage ? "rusage" : "proc";
}

void tally_summary(const struct tally *tally, const struct run_end *end, struct summary *summary)
{
	int64_t end_ns = end->mono_ns ? end->mono_ns : tally->mono_ns;

	*summary = (struct summary){.run = tally->run, .end = *end};
	summary->end.left_behind = end->left_behind ? mem_dup(end->left_behind) : NULL;
	summary->held_s = tally->held_s;
	summary->wall_s =
		fmax((double)(end_ns - tally->run->start_mono_ns) / (double)NS_PER_S - tally->held_s, 0);
	summary_cpu(tally, end, summary);
	summary->processes_peak = tally->tasks_peak;
	summary->rss_peak_bytes = tally->rss_peak_bytes;
	summary->page_cache_peak_bytes = tally->page_cache_peak_bytes;
	summary->dirty_peak_bytes = tally->dirty_peak_bytes;
	summary->dirty_threshold_bytes = tally->dirty_threshold_bytes;
	summary->dirty_background_bytes = tally->dirty_background_bytes;
	summary->writeback_peak_bytes = tally->writeback_peak_bytes;
	summary->swap_peak_bytes = tally->swap_peak_bytes;
	summary->shmem_swapped_peak_bytes = tally->shmem_swapped_peak_bytes;
	summary->monitor_cpu_s =
		tally->monitor_cpu_us == METRIC_NA ? NAN : (double)tally->monitor_cpu_us / 1e6;
	summary->samples = tally->samples;
	summary->samples_missed = tally->missed;
	memcpy(summary->time_s, tally->times.time_s, sizeof summary->time_s);
	memcpy(summary->cost_s, tally->times.held_s, sizeof summary->cost_s);
	summary->cost_asked_s = tally->times.held_asked_s;
	summary->cost_unlink_s = tally->times.held_unlink_s;
	summary->some_s = tally->times.some_s;
	summary->path_s = tally->times.path_s;
	summary->full_s = tally->times.full_s;
	summary->unknown_s = tally->times.unknown_s;
	summary_tmpfs(tally, summary);
	summary_alerts(tally, summary);
	summary_stalls(tally, summary);
	commands_summary(tally->commands, &tally->members, summary);
	summary->given_up_s = tally->given_up_s;
	summary->events_lost = tally->events_lost;
	steps_summary(tally->steps, summary);
	memory_summary(&tally->memory, summary);
	verdict_give(&tally->times, summary);
}
