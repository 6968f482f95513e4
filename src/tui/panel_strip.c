/* SPDX-License-Identifier: MIT
 *
 * The strip of causes under the graphs, in the same columns; its time axis; its legend; and the strip of the
 * whole run, which in replay is the scrollbar. A letter on a coloured ground is a stall; a plain one is what
 * the build did most.
 */
#include <stdio.h>

#include "base/clock.h"
#include "base/units.h"
#include "panel.h"

static void draw_cause(int y, int x, enum cause stall, enum cause busiest, attr_t also)
{
	enum cause cause = stall < CAUSE_COUNT ? stall : busiest;
	chtype letter = cause < CAUSE_COUNT ? (chtype)(unsigned char)cause_table[cause].letter : ' ';

	attrset((stall < CAUSE_COUNT ? theme_on(THEME_INK, theme_cause(cause)) : theme(theme_cause(cause))) |
		also);
	mvaddch(y, x, letter);
}

static void draw_strip(struct view *view, struct box box)
{
	int gutter = layout_gutter(view->columns);

	panel_gutter(view, box, 0, theme(THEME_LABEL), "cause");
	for (size_t i = 0; box.h > 0 && i < view->n_slots; i++) {
		int x = box.x + gutter + (int)i;
		const struct brief *brief =
			view->index[i] < 0 ? NULL : &view->timeline->briefs[view->index[i]];
		bool later = view->first_slot + (int64_t)i > view->position_slot;

		if (brief && brief->interval_s > 0) {
			draw_cause(box.y, x, brief->cause, brief->busiest, later ? A_DIM : 0);
		} else if (view->index[i] == GRAPH_GAP) {
			attrset(theme(THEME_WARN));
			mvaddch(box.y, x, '?');
		}
	}
}

/* Labels stand at multiples of their step, so they travel with what they are about. */
static void draw_axis(struct view *view, struct box box)
{
	int gutter = layout_gutter(view->columns);
	int64_t interval_ns = view->clock.interval_ns;
	int64_t step = graph_label_step(interval_ns, 12) * NS_PER_S / interval_ns;
	int64_t last = view->first_slot + (int64_t)view->n_slots;
	struct pen rule = pen_part(box, 0, gutter, (int)view->n_slots);
	char time[UNITS_SIZE];

	panel_gutter(view, box, 0, theme(THEME_DIM), "time");
	while (pen_left(&rule) > 0)
		pen_text(&rule, theme(THEME_DIM), draw_glyph(DRAW_RULE));
	if (step < 1)
		step = 1;
	for (int64_t slot = (view->first_slot + step - 1) / step * step; slot < last; slot += step) {
		struct pen pen = pen_part(box, 0, gutter + (int)(slot - view->first_slot), 9);

		if (slot < 0)
			continue;
		units_elapsed(time, (double)slot * (double)interval_ns / NS_PER_S);
		pen_text(&pen, theme(THEME_DIM), draw_glyph(DRAW_TICK));
		pen_text(&pen, theme(THEME_DIM), time);
	}
	if (view->given.replay || view->paused) {
		struct pen pen = pen_part(box, 0, gutter + (int)(view->position_slot - view->first_slot), 1);

		pen_text(&pen, theme(THEME_STRONG), draw_glyph(DRAW_POSITION));
	}
}

static void draw_legend(struct view *view, struct box box)
{
	struct pen pen = panel_pen(view, box, 0);

	for (enum cause c = 0; c < CAUSE_COUNT; c++) {
		const struct cause_info *info = &cause_table[c];
		char letter[2] = {info->letter, '\0'};

		if (info->letter == ' ' || pen_left(&pen) < (int)sizeof "x blocked in the kernel")
			continue;
		pen_text(&pen, info->stall ? theme_on(THEME_INK, theme_cause(c)) : theme(theme_cause(c)),
			 letter);
		pen_format(&pen, theme(THEME_DIM), " %s  ", info->label);
	}
}

static void draw_run(struct view *view, struct box box)
{
	const struct timeline *timeline = view->timeline;
	size_t n = view->n_slots, count = timeline->n_briefs;
	size_t at = timeline_at(timeline, view_position_ns(view));
	int gutter = layout_gutter(view->columns);
	char time[UNITS_SIZE], label[UNITS_SIZE + 8];

	if (count == 0 || n == 0 || box.h == 0)
		return;
	units_elapsed(time, view_elapsed_s(view, timeline->briefs[count - 1].mono_ns));
	snprintf(label, sizeof label, "run %7s", time);
	panel_gutter(view, box, 0, theme(THEME_LABEL), label);
	for (size_t i = 0; i < n; i++) {
		size_t from = i * count / n, to = (i + 1) * count / n;
		enum cause cause;

		if (to == from)
			to = from + 1;
		cause = graph_summary(timeline, from, to);
		if (at >= from && at < to) {
			attrset(A_REVERSE | A_BOLD);
			mvaddstr(box.y, box.x + gutter + (int)i, draw_glyph(DRAW_POSITION));
		} else if (cause < CAUSE_COUNT && cause_table[cause].stall) {
			draw_cause(box.y, box.x + gutter + (int)i, cause, cause, 0);
		} else {
			draw_cause(box.y, box.x + gutter + (int)i, CAUSE_NONE, cause, 0);
		}
	}
}

const struct panel panel_strip = {"strip", draw_strip};
const struct panel panel_axis = {"axis", draw_axis};
const struct panel panel_legend = {"legend", draw_legend};
const struct panel panel_run = {"run", draw_run};
