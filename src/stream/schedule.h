/* SPDX-License-Identifier: MIT
 *
 * When to look and when to tick: fixed points on CLOCK_MONOTONIC, never "so long after the last one". Pure.
 */
#ifndef STREAM_SCHEDULE_H
#define STREAM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"

struct schedule {
	int64_t interval_ns;
	int64_t look_interval_ns; /* 0: no looks but at ticks */
	int64_t tick_due_ns;
	int64_t look_due_ns; /* at most tick_due_ns */
};

/* The first tick is due an interval after start_ns. */
void schedule_init(struct schedule *schedule, int64_t start_ns, int64_t interval_ns,
		   int64_t look_interval_ns);
/* When the next look is due; a tick is due at the same moment when that is tick_due_ns. */
int64_t schedule_next(const struct schedule *schedule);
/* The time between looks from here on. */
void schedule_pace(struct schedule *schedule, int64_t look_interval_ns);
/* A look was taken at now_ns: moves on to the next point after it. */
void schedule_looked(struct schedule *schedule, int64_t now_ns);
/* A sample was taken: marks it when it is late or follows a gap, and moves on. */
void schedule_ticked(struct schedule *schedule, struct sample *sample);

#endif
