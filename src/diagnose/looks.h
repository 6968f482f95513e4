/* SPDX-License-Identifier: MIT
 *
 * Goes through the looks of a sample in the order of time, and feeds each, counted, to the episodes.
 */
#ifndef DIAGNOSE_LOOKS_H
#define DIAGNOSE_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "model/run.h"
#include "model/sample.h"
#include "model/tick.h"

#include "episode.h"
#include "path.h"

struct looks {
	char machine[16];
	bool by_state;	     /* no looks are taken: the states at each tick stand in */
	int64_t interval_ns; /* between looks, or those ticks */
	bool nameless;	     /* this kernel shows no wait channels at all */
	bool hiding;	     /* processes of other users are hidden here */
	bool had_tasks;
	int64_t seen_ns;    /* time up to here is accounted for, as seen or as unknown; 0: nothing yet */
	struct map threads; /* what is remembered of each thread of the last looks */
	struct map index;   /* working storage of a step */
	struct path path;
};

/* What the counters of the sample add to the looks. */
struct looks_hints {
	bool swapping;	 /* page faults bring in what was swapped out: waiting in one is memory */
	bool refaulting; /* what is read had been there a moment ago: reading is memory */
	const double
		*ready_s; /* for each task: it ran or was queued, by the scheduler's count; NAN: unknown */
	const double
		*throttled_s; /* for each task: held back for dirty pages, as the kernel says; NAN: unknown */
	const double *queued; /* for each task: part of its ready time that it waited for a CPU */
};

int64_t looks_interval_ns(const struct run *run); /* never 0 */
void looks_init(struct looks *looks, const struct run *run);
void looks_copy(struct looks *to, const struct looks *from); /* to is fresh storage */
void looks_fini(struct looks *looks);

/* Fills the class times of the tick and its tasks. */
void looks_step(struct looks *looks, const struct sample *sample, const struct looks_hints *hints,
		struct episodes *episodes, struct tick *tick);

#endif
