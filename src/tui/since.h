/* SPDX-License-Identifier: MIT
 *
 * Since when each task does what it does now: computes, or waits for one thing.
 */
#ifndef TUI_SINCE_H
#define TUI_SINCE_H

#include "base/map.h"
#include "model/tick.h"

/* Zero-initialised is empty. */
struct since {
	struct map doing, from; /* by task */
	uint64_t number;	/* of the tick noted last */
	int64_t start_ns;	/* before this nothing is known */
};

void since_fini(struct since *since);
void since_note(struct since *since, const struct tick *tick);
/* Seconds until the tick noted last; false: unknown. *more: it was so already when we began to look. */
bool since_seconds(const struct since *since, const struct tick *tick, size_t task, double *seconds,
		   bool *more);

#endif
