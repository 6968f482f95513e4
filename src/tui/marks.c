/* SPDX-License-Identifier: MIT
 *
 * Sums and differences over the briefs between two moments.
 */
#include "marks.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/units.h"

void marks_press(struct view *view)
{
	view->mark_ns = view->mark_ns ? 0 : view_position_ns(view);
}

static void change(struct pen *pen, const char *name, uint64_t before, uint64_t after)
{
	char size[UNITS_SIZE];

	if (before == METRIC_NA || after == METRIC_NA)
		return;
	pen_format(pen, theme(THEME_DIM), "  %s ", name);
	pen_format(pen, theme(THEME_STRONG), "%s%s", after < before ? "-" : "+",
		   units_bytes_short(size, after < before ? before - after : after - before));
}

void marks_draw(struct view *view, struct pen *pen)
{
	const struct timeline *timeline = view->timeline;
	int64_t here_ns = view_position_ns(view);
	int64_t from_ns = view->mark_ns < here_ns ? view->mark_ns : here_ns;
	int64_t to_ns = view->mark_ns < here_ns ? here_ns : view->mark_ns;
	size_t from = timeline_at(timeline, from_ns), to = timeline_at(timeline, to_ns);
	double cpu_s = 0, stalled_s = 0, io_s = 0, seconds = (double)(to_ns - from_ns) / NS_PER_S;
	char begin[UNITS_SIZE], end[UNITS_SIZE], text[UNITS_SIZE];

	if (timeline->n_briefs == 0)
		return;
	for (size_t i = from + 1; i <= to; i++) {
		const struct brief *brief = &timeline->briefs[i];

		cpu_s += (double)brief->build_cpus * (double)brief->interval_s;
		stalled_s += brief->cause < CAUSE_COUNT ? (double)brief->interval_s : 0;
		io_s += isnan(brief->psi_io) ? 0 : (double)brief->psi_io * (double)brief->interval_s;
	}
	units_elapsed(begin, view_elapsed_s(view, from_ns));
	units_elapsed(end, view_elapsed_s(view, to_ns));
	pen_format(pen, theme(THEME_KEY), "%s %s %s", draw_glyph(DRAW_MARK), begin, draw_glyph(DRAW_DASH));
	pen_format(pen, theme(THEME_KEY), " %s ", end);
	pen_format(pen, theme(THEME_STRONG), "%s", units_duration(text, seconds));
	pen_format(pen, theme(THEME_DIM), "  CPU ");
	pen_format(pen, theme(THEME_STRONG), "%s", units_duration(text, cpu_s));
	pen_format(pen, theme(THEME_DIM), "  stalled ");
	pen_format(pen, theme(THEME_STRONG), "%s", units_duration(text, stalled_s));
	pen_format(pen, theme(THEME_DIM), "  io ");
	pen_format(pen, theme(THEME_STRONG), "%s", seconds > 0 ? units_percent(text, io_s / seconds) : "-");
	change(pen, "dirty", timeline->briefs[from].dirty_bytes, timeline->briefs[to].dirty_bytes);
	change(pen, "cache", timeline->briefs[from].page_cache_bytes, timeline->briefs[to].page_cache_bytes);
}
