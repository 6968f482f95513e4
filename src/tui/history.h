/* SPDX-License-Identifier: MIT
 *
 * The newest ticks of a live run, kept whole so that the cursor can go back to them: bounded in memory, not
 * in time. Older moments are known by their briefs and stalls alone; the recording has the rest.
 */
#ifndef TUI_HISTORY_H
#define TUI_HISTORY_H

#include "model/tick.h"

#define HISTORY_TICKS 600

/* Zero-initialised is empty. */
struct history {
	struct tick *ticks[HISTORY_TICKS]; /* a ring */
	size_t bytes[HISTORY_TICKS];
	size_t first, n;
	size_t total_bytes;
};

void history_fini(struct history *history);
void history_add(struct history *history, struct tick *tick); /* takes a reference of its own */
/* The tick whose interval holds the moment, borrowed; NULL: not kept, or not yet. */
struct tick *history_at(const struct history *history, int64_t mono_ns);

#endif
