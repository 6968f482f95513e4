/* SPDX-License-Identifier: MIT
 *
 * One step of the judgement: counters first, since they say how looks are to be read; then the looks, which
 * make the stalls; then the file systems; then the brief, which is drawn from all of it. All state is in
 * struct diagnose, and a clone of it goes on exactly as the original would.
 */
#include "diagnose/diagnose.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#include "alerts.h"
#include "cpu.h"
#include "episode.h"
#include "facts.h"
#include "looks.h"
#include "mounts.h"
#include "rates.h"

struct diagnose {
	struct rates rates;
	struct cpu cpu;
	struct looks looks;
	struct episodes episodes;
	struct mounts mounts;
	struct alerts alerts;
	uint64_t held_us; /* at the last step; METRIC_NA: unknown */
	struct facts_backlog backlog;
};

struct diagnose *diagnose_new(const struct run *run)
{
	struct diagnose *diagnose = mem_alloc(1, sizeof *diagnose);

	rates_init(&diagnose->rates, run);
	diagnose->cpu.ticks_per_s = diagnose->rates.ticks_per_s;
	looks_init(&diagnose->looks, run);
	episodes_init(&diagnose->episodes, looks_interval_ns(run));
	alerts_init(&diagnose->alerts, run);
	diagnose->held_us = METRIC_NA;
	return diagnose;
}

struct diagnose *diagnose_clone(const struct diagnose *diagnose)
{
	struct diagnose *clone = mem_alloc(1, sizeof *clone);

	rates_copy(&clone->rates, &diagnose->rates);
	clone->cpu = diagnose->cpu;
	looks_copy(&clone->looks, &diagnose->looks);
	episodes_copy(&clone->episodes, &diagnose->episodes);
	mounts_copy(&clone->mounts, &diagnose->mounts);
	alerts_copy(&clone->alerts, &diagnose->alerts);
	clone->held_us = diagnose->held_us;
	clone->backlog = diagnose->backlog;
	return clone;
}

void diagnose_free(struct diagnose *diagnose)
{
	if (!diagnose)
		return;
	rates_fini(&diagnose->rates);
	looks_fini(&diagnose->looks);
	episodes_fini(&diagnose->episodes);
	mounts_fini(&diagnose->mounts);
	alerts_fini(&diagnose->alerts);
	free(diagnose);
}

static void build_step(const struct sample *sample, struct tick *tick)
{
	bool known = false;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];

		if (task->flags & TASK_ENDED || task->state == 'Z' || task->state == 'X')
			continue;
		tick->build_tasks++;
		if (task->values[METRIC_TASK_RSS_BYTES] != METRIC_NA) {
			tick->build_rss_bytes += task->values[METRIC_TASK_RSS_BYTES];
			known = true;
		}
	}
	if (tick->build_tasks > 0 && !known)
		tick->build_rss_bytes = METRIC_NA;
}

/* The class with most task time; locks (threads of a pool at rest) only when there is nothing else, waiting
 * never. */
static enum cause busiest(const struct tick *tick)
{
	enum cause most = CAUSE_NONE;

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_WAIT && cause != CAUSE_LOCK && tick->cause_s[cause] > 0 &&
		    (most == CAUSE_NONE || tick->cause_s[cause] > tick->cause_s[most]))
			most = (enum cause)cause;
	if (most == CAUSE_NONE && tick->cause_s[CAUSE_LOCK] > 0)
		return CAUSE_LOCK;
	return most;
}

/* The open stall's cause; else that of the longest one that ended in the interval. */
static enum cause stall_cause(const struct tick *tick)
{
	enum cause cause = CAUSE_NONE;
	double longest = -1;

	if (tick->stalled)
		return tick->stall.cause;
	for (size_t i = 0; i < tick->n_closed; i++)
		if (stall_seconds(&tick->closed[i]) > longest) {
			longest = stall_seconds(&tick->closed[i]);
			cause = tick->closed[i].cause;
		}
	return cause;
}

/* Of the task time of the interval that could have been work; NAN: no look saw any. */
static double interval_share(const struct tick *tick)
{
	double stalled = 0, all = tick->cause_s[CAUSE_CPU] + tick->cause_s[CAUSE_RUNQUEUE];

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (LOOK_CAUSES_STALLED & 1u << cause)
			stalled += tick->cause_s[cause];
	if (tick->interval_s <= 0 || tick->unknown_s >= tick->interval_s)
		return NAN;
	return stalled + all > 0 ? stalled / (stalled + all) : 0;
}

static void brief_step(const struct sample *sample, struct tick *tick)
{
	struct brief *brief = &tick->brief;
	double fullest = NAN;

	for (size_t i = 0; i < sample->n_mounts; i++)
		if (sample->mounts[i].flags & MOUNT_TMPFS && !(sample->mounts[i].flags & MOUNT_GONE))
			fullest = fmax(fullest, tick->mounts[i].used);
	*brief = (struct brief){
		.mono_ns = sample->mono_ns,
		.interval_s = (float)tick->interval_s,
		.cpus_busy = (float)tick->cpus_busy,
		.build_cpus = (float)tick->build_cpus,
		.share = (float)interval_share(tick),
		.psi_cpu = (float)tick->psi_cpu,
		.psi_io = (float)tick->psi_io,
		.psi_memory = (float)tick->psi_memory,
		.tmpfs_used = (float)fullest,
		.dirty_bytes = sample->system[METRIC_SYSTEM_DIRTY_BYTES],
		.writeback_bytes = sample->system[METRIC_SYSTEM_WRITEBACK_BYTES],
		.page_cache_bytes = tick->page_cache_bytes,
		.threshold_bytes = sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES],
		.background_bytes = sample->system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES],
		.tasks = tick->build_tasks,
		.flags = (uint16_t)sample->flags,
		.cause = (uint8_t)stall_cause(tick),
		.busiest = (uint8_t)busiest(tick),
	};
}

static void held_step(struct diagnose *diagnose, const struct sample *sample, struct tick *tick)
{
	uint64_t held_us = sample->system[METRIC_SYSTEM_HELD_US];
	uint64_t more_us = metric_delta(held_us, diagnose->held_us);

	tick->held_s = more_us == METRIC_NA ? 0 : (double)more_us / 1e6;
	diagnose->held_us = held_us;
}

struct tick *diagnose_step(struct diagnose *diagnose, struct sample *sample)
{
	struct tick *tick = tick_new(sample);
	struct episode_facts facts;
	struct rates_found found;
	struct looks_hints hints;

	rates_step(&diagnose->rates, sample, tick, &found);
	cpu_step(&diagnose->cpu, sample, tick);
	build_step(sample, tick);
	hints = (struct looks_hints){.swapping = found.swapping,
				     .refaulting = found.refaulting,
				     .ready_s = found.ready_s,
				     .throttled_s = found.throttled_s,
				     .queued = found.queued};
	looks_step(&diagnose->looks, sample, &hints, &diagnose->episodes, tick);
	facts_gather(&facts, &diagnose->backlog, sample, tick, &found);
	episodes_finish(&diagnose->episodes, &facts, sample->flags & SAMPLE_LAST, tick);
	held_step(diagnose, sample, tick);
	mounts_step(&diagnose->mounts, sample, &diagnose->alerts, tick);
	alerts_step(&diagnose->alerts, sample, tick);
	brief_step(sample, tick);
	rates_found_fini(&found);
	return tick;
}
