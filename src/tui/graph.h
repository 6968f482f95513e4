/* SPDX-License-Identifier: MIT
 *
 * The mathematics of graphs: which column a moment is in, how high a value stands, and where a line goes.
 * Pure.
 *
 * Time is cut into slots of one interval, or of several, counted from the start of the run; a column is a
 * slot.
 */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/timeline.h"

#define GRAPH_LEVELS 8 /* a cell is filled in eighths */

struct graph_clock {
	int64_t origin_ns;
	int64_t interval_ns;
	int64_t slots; /* intervals in a column; 0 counts as 1 */
};

int64_t graph_slot(const struct graph_clock *clock, int64_t mono_ns);
int64_t graph_slot_start_ns(const struct graph_clock *clock, int64_t slot); /* where the one before it ends */
int64_t graph_slot_end_ns(const struct graph_clock *clock, int64_t slot);
int64_t graph_column_ns(const struct graph_clock *clock);

/*
 * First slot of a window of n columns that stood at `first` before. It moves as seldom as may be, and then by
 * a good piece: what does not move need not be sent and can be read. With `follow` the position is the newest
 * there is and time comes from the right; else some of what follows the position stays in sight.
 */
int64_t graph_window(int64_t first, int64_t position, int64_t last, size_t n, bool follow);

/* How many eighths of the cell in `row` (0 is the top) of a plot of `rows` are filled by a value of this
 * fraction of the scale. */
int graph_level(double fraction, int rows, int row);
/* The row a line at this fraction runs through; -1: outside. */
int graph_row(double fraction, int rows);
/* The end of a scale: the next 1, 2 or 5 times a power of ten times a power of 1024. */
double graph_scale_bytes(double most);

/* Seconds between labels of the time axis, so that each has `columns` at least. */
int64_t graph_label_step(int64_t interval_ns, int columns);

#endif
