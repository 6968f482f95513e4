/* SPDX-License-Identifier: MIT
 *
 * Dirty pages and those being written, against both thresholds: where the kernel begins to write, and where
 * it holds writers back.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "plot.h"

static double known(uint64_t bytes)
{
	return bytes == METRIC_NA ? NAN : (double)bytes;
}

static void set_line(struct plot_line *line, const char *name, enum theme_role role, uint64_t bytes)
{
	char size[UNITS_SIZE];

	*line = (struct plot_line){.value = known(bytes), .role = role};
	if (bytes != METRIC_NA)
		snprintf(line->label, sizeof line->label, "%-5s %5s", name, units_bytes_short(size, bytes));
}

static void draw(struct view *view, struct box box)
{
	const struct brief *now = view_brief(view);
	struct plot plot = {.low = THEME_DIRTY, .high = THEME_WRITEBACK, .now_role = THEME_STRONG};
	char size[UNITS_SIZE];
	double most = 0;
	bool over;

	set_line(&plot.lines[0], "limit", THEME_LIMIT, now ? now->threshold_bytes : METRIC_NA);
	set_line(&plot.lines[1], "start", THEME_LIMIT_LOW, now ? now->background_bytes : METRIC_NA);
	for (size_t i = 0; i < view->n_slots; i++) {
		const struct brief *brief = columns_at(&view->slots, i);

		view->low[i] = brief ? known(brief->dirty_bytes) : NAN;
		view->high[i] = brief ? view->low[i] + known(brief->writeback_bytes) : NAN;
		most = fmax(most, fmax(view->low[i], view->high[i]));
	}
	/* The limit lies a little below the upper end, so that reaching it can be seen; without one, what
	 * there was. A limit that was lowered under a heap of dirty pages is not to lie at the foot of it. */
	if (isnan(plot.lines[0].value))
		plot.scale = graph_scale_bytes(most);
	else
		plot.scale = plot.lines[0].value * (most > plot.lines[0].value * 1.5 ? 1.5 : 1.1);
	over = most > plot.scale;
	if (!(plot.scale > 0))
		plot.scale = 1;
	snprintf(plot.top, sizeof plot.top, "%s%*s", over ? ">" : "", over ? 10 : 11,
		 units_bytes_short(size, (uint64_t)plot.scale));
	if (now && now->dirty_bytes != METRIC_NA) {
		double sum = known(now->dirty_bytes) + known(now->writeback_bytes);

		snprintf(plot.now, sizeof plot.now, "dirty %5s", units_bytes_short(size, now->dirty_bytes));
		if (sum >= plot.lines[0].value * 0.95)
			plot.now_role = THEME_ALARM;
		else if (sum >= plot.lines[1].value)
			plot.now_role = THEME_WARN;
	} else {
		snprintf(plot.now, sizeof plot.now, "dirty     -");
	}
	plot_draw(view, box, &plot);
}

const struct panel panel_dirty = {"dirty", draw};
