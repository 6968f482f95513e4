/* SPDX-License-Identifier: MIT
 *
 * The newest ticks of a live run, kept whole so that the cursor can go back to them: bounded in memory, not
 * in time. Older moments are known by their briefs and stalls alone; the recording has the rest.
 */
#ifndef TUI_PAST_H
#define TUI_PAST_H

#include "model/tick.h"

#define PAST_TICKS 600

/* Zero-initialised is empty. */
struct past {
	struct tick *ticks[PAST_TICKS]; /* a ring */
	size_t bytes[PAST_TICKS];
	size_t first, n;
	size_t total_bytes;
};

void past_fini(struct past *past);
void past_add(struct past *past, struct tick *tick); /* takes a reference of its own */
/* The tick whose interval holds the moment, borrowed; NULL: not kept, or not yet. */
struct tick *past_at(const struct past *past, int64_t mono_ns);

#endif
