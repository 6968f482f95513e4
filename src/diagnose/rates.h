/* SPDX-License-Identifier: MIT
 *
 * Counters to rates: what the machine, each task and each disk did in the interval.
 */
#ifndef DIAGNOSE_RATES_H
#define DIAGNOSE_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/run.h"
#include "model/sample.h"
#include "model/tick.h"

struct rates_task {
	int32_t pid;
	uint64_t start_ticks;
	uint64_t values[METRIC_TASK_COUNT];
};

/* What was read, and what of it had been in memory before: bytes of the last seconds, fading. */
struct rates_again {
	double read;	  /* by the build; by the machine where that is not known */
	double refaulted; /* of files */
	double swapped_in;
};

/* The counters of the sample before. */
struct rates {
	bool started;
	uint32_t ticks_per_s;
	uint64_t page_bytes;
	int64_t mono_ns, asleep_ns;
	uint64_t system[METRIC_SYSTEM_COUNT];
	struct rates_task *tasks;
	size_t n_tasks, cap_tasks;
	struct map index; /* of tasks */
	struct disk_row *disks;
	size_t n_disks, cap_disks;
	struct rates_again again;
};

/* What the other parts want of a step. */
struct rates_found {
	double *queued;	     /* for each task: part of its ready time without a CPU, 0 to 1 */
	double *ready_s;     /* for each task: ran or waited for a CPU, by the scheduler's count; NAN */
	double *throttled_s; /* for each task: held back for dirty pages, as the kernel says; NAN */
	uint64_t *written;   /* for each task: bytes made dirty; METRIC_NA */
	size_t *heirs;	     /* for each task that ended: the living one that has its counts now; SIZE_MAX */
	bool swapping;	     /* page faults bring in what was swapped out */
	bool refaulting;     /* what is read had been there a moment ago */
	uint64_t dirty_before_bytes;
	uint64_t written_back_bytes; /* by the machine */
	uint64_t *disk_written;	     /* for each disk; METRIC_NA */
};

void rates_init(struct rates *rates, const struct run *run);
void rates_copy(struct rates *to, const struct rates *from); /* to is fresh storage */
void rates_fini(struct rates *rates);

/* Fills the rates of the tick; rates_found_fini() what it found. The first sample, and one flagged so, gives
 * none. */
void rates_step(struct rates *rates, const struct sample *sample, struct tick *tick,
		struct rates_found *found);
void rates_found_fini(struct rates_found *found);

/* When a task began, CLOCK_MONOTONIC of this machine's now. */
int64_t task_start_ns(const struct task_row *task, uint32_t ticks_per_s, int64_t asleep_ns);

#endif
