/* SPDX-License-Identifier: MIT
 *
 * Dirty throttling without looks: the kernel says how long it holds each writer back. Needs CAP_PERFMON and
 * tracefs.
 */
#ifndef PROBE_EXACT_H
#define PROBE_EXACT_H

#include "model/run.h"
#include "perf_ring.h"
#include "tree.h"

struct exact {
	size_t n_cpus; /* 0: not used */
	int *events;
	struct perf_ring *rings;
	size_t pause_at, pause_bytes; /* in the record: milliseconds */
	uint64_t records;	      /* since the last tick */
};

void exact_open(struct exact *exact, struct run *run); /* fills the source "throttle_trace" */
void exact_close(struct exact *exact);
/* Takes up what the rings hold, into the tasks' values. */
void exact_read(struct exact *exact, struct tree *tree);
/* Once a tick, before rows are filled: a task that was not held back has 0; gives up where it costs too much.
 */
void exact_tick(struct exact *exact, struct tree *tree);

#endif
