/* SPDX-License-Identifier: MIT
 *
 * The newest ticks of a live run, kept whole so that the cursor can go back to them: bounded in memory, not
 * in time. Older moments are known by their briefs and stalls alone; the recording has the rest.
 */
#ifndef TUI_RECENT_H
#define TUI_RECENT_H

#include "model/tick.h"

#define RECENT_TICKS 600

/* Zero-initialised is empty. */
struct recent {
	struct tick *ticks[RECENT_TICKS]; /* a ring */
	size_t bytes[RECENT_TICKS];
	size_t first, n;
	size_t total_bytes;
};

void recent_fini(struct recent *recent);
void recent_add(struct recent *recent, struct tick *tick); /* takes a reference of its own */
/* The tick whose interval holds the moment, borrowed; NULL: not kept, or not yet. */
struct tick *recent_at(const struct recent *recent, int64_t mono_ns);

#endif
