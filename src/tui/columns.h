/* SPDX-License-Identifier: MIT
 *
 * The timeline cut into columns of one slot each, for a window of it. Kept from frame to frame: what was
 * added to the run since is merged in, and nothing else is looked at again, so a frame costs the same after a
 * minute and after ten hours.
 */
#ifndef TUI_COLUMNS_H
#define TUI_COLUMNS_H

#include <stdbool.h>

#include "graph.h"

/* Times, means, and peaks of what a column stands for. */
struct columns_cell {
	struct brief brief; /* cause: of the stall that took most of it; n briefs summed up */
	unsigned n;	    /* 0: nothing known */
	bool gap;	    /* nobody looked, for some of it */
	uint16_t stalled[CAUSE_COUNT + 1], busiest[CAUSE_COUNT + 1];
};

/* Zero-initialised is empty. */
struct columns {
	struct columns_cell *column;
	size_t n, cap;
	int64_t first; /* slot of the first */
	struct graph_clock clock;
	const struct timeline *timeline;
	size_t merged; /* briefs of the timeline looked at */
};

void columns_fini(struct columns *columns);
void columns_update(struct columns *columns, const struct timeline *timeline, const struct graph_clock *clock,
		    int64_t first, size_t n);
/* What stands in a column; NULL: nothing. */
const struct brief *columns_at(const struct columns *columns, size_t i);
bool columns_gap(const struct columns *columns, size_t i);

#endif
