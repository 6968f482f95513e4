/* SPDX-License-Identifier: MIT
 *
 * Slots, windows, levels and scales. Knows nothing of terminals.
 */
#include "graph.h"

#include <math.h>

#include "base/clock.h"

static int64_t divide_down(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static int64_t slots_of(const struct graph_clock *clock)
{
	return clock->slots > 1 ? clock->slots : 1;
}

int64_t graph_column_ns(const struct graph_clock *clock)
{
	return clock->interval_ns * slots_of(clock);
}

/* A sample that comes a little early or late is in the slot it was due in. */
int64_t graph_slot(const struct graph_clock *clock, int64_t mono_ns)
{
	int64_t since = mono_ns - clock->origin_ns + clock->interval_ns / 2;

	return divide_down(divide_down(since, clock->interval_ns), slots_of(clock));
}

int64_t graph_slot_start_ns(const struct graph_clock *clock, int64_t slot)
{
	return clock->origin_ns + (slot * slots_of(clock) - 1) * clock->interval_ns;
}

int64_t graph_slot_end_ns(const struct graph_clock *clock, int64_t slot)
{
	return graph_slot_start_ns(clock, slot) + graph_column_ns(clock);
}

int64_t graph_window(int64_t first, int64_t position, int64_t last, size_t n, bool follow)
{
	int64_t width = (int64_t)n;
	int64_t most = last - width + 1; /* the window that ends with the run */

	if (follow)
		most += width / 8;
	if (n == 0 || last < width)
		return 0;
	if (position >= first && position < first + width && first >= 0 && first <= most)
		return first;
	first = follow ? most : position - width / 2;
	if (first > most)
		first = most;
	return first > 0 ? first : 0;
}

int graph_level(double fraction, int rows, int row)
{
	int filled, level;

	if (!(fraction > 0))
		return 0;
	if (fraction > 1)
		fraction = 1;
	filled = (int)lround(fraction * rows * GRAPH_LEVELS);
	if (filled == 0)
		filled = 1; /* a little is not nothing */
	level = filled - (rows - 1 - row) * GRAPH_LEVELS;
	return level < 0 ? 0 : level > GRAPH_LEVELS ? GRAPH_LEVELS : level;
}

int graph_row(double fraction, int rows)
{
	int row;

	if (!(fraction >= 0) || fraction > 1)
		return -1;
	row = rows - 1 - (int)(fraction * rows);
	return row < 0 ? 0 : row;
}

double graph_scale_bytes(double most)
{
	static const double steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
	double unit = 1024;

	if (!(most > 0) || !isfinite(most))
		return unit;
	while (most > unit * 1000)
		unit *= 1024;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (most <= unit * steps[i])
			return unit * steps[i];
	return unit * 1000;
}

int64_t graph_label_step(int64_t interval_ns, int columns)
{
	static const int64_t steps_s[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200};
	double least_s = (double)interval_ns / NS_PER_S * columns;

	for (size_t i = 0; i < sizeof steps_s / sizeof *steps_s; i++)
		if ((double)steps_s[i] >= least_s)
			return steps_s[i];
	return 14400;
}
