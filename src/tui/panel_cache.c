/* SPDX-License-Identifier: MIT
 *
 * The page cache: files' pages that can be dropped; tmpfs is not in it.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "plot.h"

static void draw(struct view *view, struct box box)
{
	struct plot plot = {
		.scale = graph_scale_bytes((double)view->most_cache_bytes),
		.low = THEME_CACHE,
		.high = THEME_CACHE,
		.lines = {{.value = NAN}, {.value = NAN}},
		.now_role = THEME_STRONG,
	};
	const struct brief *now = view_brief(view);
	char size[UNITS_SIZE];

	snprintf(plot.top, sizeof plot.top, "%11s", units_bytes_short(size, (uint64_t)plot.scale));
	if (now && now->page_cache_bytes != METRIC_NA)
		snprintf(plot.now, sizeof plot.now, "cache %5s",
			 units_bytes_short(size, now->page_cache_bytes));
	else
		snprintf(plot.now, sizeof plot.now, "cache     -");
	for (size_t i = 0; i < view->n_slots; i++) {
		const struct brief *brief = columns_at(&view->slots, i);

		view->low[i] =
			brief && brief->page_cache_bytes != METRIC_NA ? (double)brief->page_cache_bytes : NAN;
		view->high[i] = view->low[i];
	}
	plot_draw(view, box, &plot);
}

const struct panel panel_cache = {"cache", draw};
