/* SPDX-License-Identifier: MIT
 *
 * The mathematics of graphs: which brief stands in which column, how high, and where a line goes. Pure.
 *
 * Time is cut into slots of one interval, counted from the start of the run; a column is a slot. A slot in
 * which no sample was taken is a gap and is shown as one.
 */
#ifndef TUI_GRAPH_H
#define TUI_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "model/timeline.h"

#define GRAPH_EMPTY (-1) /* before the first or after the last tick */
#define GRAPH_GAP   (-2) /* within the run, nothing known */

#define GRAPH_LEVELS 8 /* a cell is filled in eighths */

struct graph_clock {
	int64_t origin_ns;
	int64_t interval_ns;
};

int64_t graph_slot(const struct graph_clock *clock, int64_t mono_ns);
int64_t graph_slot_end_ns(const struct graph_clock *clock, int64_t slot);

/* First slot of a window of n columns: it fills from the left, then scrolls; some of what follows the
 * position stays in sight. */
int64_t graph_window(int64_t position, int64_t last, size_t n);

/* index[i]: the brief of slot first + i, or GRAPH_EMPTY or GRAPH_GAP. Looks only at briefs in the window. */
void graph_columns(const struct timeline *timeline, const struct graph_clock *clock, int64_t first, size_t n,
		   long *index);

/* How many eighths of the cell in `row` (0 is the top) of a plot of `rows` are filled by a value of this
 * fraction of the scale. */
int graph_level(double fraction, int rows, int row);
/* The row a line at this fraction runs through; -1: outside. */
int graph_row(double fraction, int rows);
/* The end of a scale: the next 1, 2 or 5 times a power of ten times a power of 1024. */
double graph_scale_bytes(double most);

/* What a stretch of briefs [from, to) is best shown as: the stall that lasted longest in it, else what was
 * done most. */
enum cause graph_summary(const struct timeline *timeline, size_t from, size_t to);

/* Seconds between labels of the time axis, so that each has `columns` at least. */
int64_t graph_label_step(int64_t interval_ns, int columns);

#endif
