/* SPDX-License-Identifier: MIT
 *
 * CPUs busy: the build's share, and everybody else's on top of it, of all there are.
 */
#include <math.h>
#include <stdio.h>

#include "plot.h"

static void draw(struct view *view, struct box box)
{
	struct plot plot = {
		.scale = view->run && view->run->cpus ? view->run->cpus : 1,
		.low = THEME_BUILD,
		.high = THEME_OTHER,
		.lines = {{.value = NAN}, {.value = NAN}},
		.now_role = THEME_STRONG,
		.mid_role = THEME_BUILD,
	};
	const struct brief *now = view_brief(view);
	uint64_t online = view->shown ? view->shown->sample->system[METRIC_SYSTEM_CPUS_ONLINE] : METRIC_NA;

	if (online != METRIC_NA && online > 0)
		plot.scale = (double)online;
	snprintf(plot.top, sizeof plot.top, "%.0f CPUs", plot.scale);
	if (now && now->interval_s > 0) {
		snprintf(plot.now, sizeof plot.now, "CPU  %6.2f", (double)now->cpus_busy);
		snprintf(plot.mid, sizeof plot.mid, "build%6.2f", (double)now->build_cpus);
	} else {
		snprintf(plot.now, sizeof plot.now, "CPU       -");
	}
	for (size_t i = 0; i < view->n_slots; i++) {
		const struct brief *brief = columns_at(&view->slots, i);

		view->low[i] = brief ? fmin(brief->build_cpus, brief->cpus_busy) : NAN;
		view->high[i] = brief ? brief->cpus_busy : NAN;
	}
	plot_draw(view, box, &plot);
}

const struct panel panel_cpu = {"cpu", draw};
