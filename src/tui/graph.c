/* SPDX-License-Identifier: MIT
 *
 * Columns, levels and scales. A brief covers the slots from the end of the one before it to its own; when
 * samples were missed in between, only the last of these is known. Knows nothing of terminals.
 */
#include "graph.h"

#include <math.h>

#include "base/clock.h"

int64_t graph_slot(const struct graph_clock *clock, int64_t mono_ns)
{
	int64_t since = mono_ns - clock->origin_ns + clock->interval_ns / 2;

	return since >= 0 ? since / clock->interval_ns
			  : -((-since + clock->interval_ns - 1) / clock->interval_ns);
}

int64_t graph_slot_end_ns(const struct graph_clock *clock, int64_t slot)
{
	return clock->origin_ns + slot * clock->interval_ns;
}

int64_t graph_window(int64_t position, int64_t last, size_t n)
{
	int64_t width = (int64_t)n;
	int64_t end = position + width / 4;

	if (end > last)
		end = last;
	return end < width ? 0 : end - width + 1;
}

void graph_columns(const struct timeline *timeline, const struct graph_clock *clock, int64_t first, size_t n,
		   long *index)
{
	const uint32_t holes = SAMPLE_GAP | SAMPLE_LOST | SAMPLE_SUSPENDED;
	int64_t end = first + (int64_t)n;
	int64_t before; /* slot of the brief before the one looked at */
	size_t i;

	for (size_t c = 0; c < n; c++)
		index[c] = GRAPH_EMPTY;
	if (timeline->n_briefs == 0)
		return;
	i = timeline_at(timeline, graph_slot_end_ns(clock, first) - clock->interval_ns);
	before = graph_slot(clock, timeline->briefs[i].mono_ns) - 1;
	for (; i < timeline->n_briefs && before < end; i++) {
		const struct brief *brief = &timeline->briefs[i];
		int64_t slot = graph_slot(clock, brief->mono_ns);

		for (int64_t s = before + 1 > first ? before + 1 : first; s < slot && s < end; s++)
			index[s - first] = brief->flags & holes || slot - before > 2 ? GRAPH_GAP : (long)i;
		if (slot >= first && slot < end)
			index[slot - first] = (long)i;
		before = slot;
	}
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

enum cause graph_summary(const struct timeline *timeline, size_t from, size_t to)
{
	size_t stalled[CAUSE_COUNT + 1] = {0}, busy[CAUSE_COUNT + 1] = {0};
	enum cause best = CAUSE_NONE;

	for (size_t i = from; i < to && i < timeline->n_briefs; i++) {
		const struct brief *brief = &timeline->briefs[i];

		stalled[brief->cause < CAUSE_COUNT ? brief->cause : CAUSE_NONE]++;
		busy[brief->busiest < CAUSE_COUNT ? brief->busiest : CAUSE_NONE]++;
	}
	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		if (stalled[c] && (best == CAUSE_NONE || stalled[c] > stalled[best]))
			best = c;
	if (best != CAUSE_NONE)
		return best;
	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		if (busy[c] > busy[best])
			best = c;
	return best;
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
