/* SPDX-License-Identifier: MIT
 *
 * The run so far, or in replay the whole of it: one brief for each tick, and the stalls. Grows at its end only.
 * Not thread-safe: its owner hands it on whole, or feeds its own from ticks.
 */
#ifndef MODEL_TIMELINE_H
#define MODEL_TIMELINE_H

#include <stddef.h>

#include "model/stall.h"
#include "model/tick.h"

struct timeline {
	struct brief *briefs;
	size_t n_briefs, cap_briefs;
	struct stall *stalls; /* by number; the last one may be open */
	size_t n_stalls, cap_stalls;
};

void timeline_fini(struct timeline *timeline);
struct timeline *timeline_clone(const struct timeline *timeline);
void timeline_free(struct timeline *timeline); /* what timeline_clone() made; NULL is fine */
/* Appends the tick's brief, its closed stalls, and puts in or renews the open one. Ticks already in it are ignored. */
void timeline_add(struct timeline *timeline, const struct tick *tick);
/* Index of the last brief that ended at or before mono_ns; 0 when none did. */
size_t timeline_at(const struct timeline *timeline, int64_t mono_ns);

#endif
