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

static void draw_columns(const struct columns *columns, int y, int x, size_t position)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct brief *brief = columns_at(columns, i);

		if (brief && brief->interval_s > 0) {
			draw_cause(y, x + (int)i, brief->cause, brief->busiest, i > position ? A_DIM : 0);
		} else if (columns_gap(columns, i)) {
			attrset(theme(THEME_WARN));
			mvaddch(y, x + (int)i, '?');
		}
	}
}

static void draw_strip(struct view *view, struct box box)
{
	panel_gutter(view, box, 0, theme(THEME_LABEL), "cause");
	if (box.h > 0)
		draw_columns(&view->slots, box.y, box.x + layout_gutter(view->columns),
			     (size_t)(view->position_slot - view->first_slot));
}

static void draw_point(struct view *view, struct box box, int64_t mono_ns, attr_t attr, const char *glyph)
{
	int64_t at = graph_slot(&view->clock, mono_ns) - view->first_slot;
	struct pen pen = pen_part(box, 0, layout_gutter(view->columns) + (int)at, 1);

	if (at >= 0 && at < (int64_t)view->n_slots)
		pen_text(&pen, attr, glyph);
}

/* Labels stand at multiples of their step, so they travel with what they are about. */
static void draw_axis(struct view *view, struct box box)
{
	int gutter = layout_gutter(view->columns);
	int64_t column_ns = graph_column_ns(&view->clock), first_ns, last_ns, step_ns;
	struct pen rule = pen_part(box, 0, gutter, (int)view->n_slots);
	char time[UNITS_SIZE], label[UNITS_SIZE];

	snprintf(label, sizeof label, "1 = %s", units_duration(time, (double)column_ns / NS_PER_S));
	panel_gutter(view, box, 0, theme(THEME_DIM), view->zoom ? label : "time");
	while (pen_left(&rule) > 0)
		pen_text(&rule, theme(THEME_DIM), draw_glyph(DRAW_RULE));
	step_ns = graph_label_step(column_ns, 12) * NS_PER_S;
	first_ns = graph_slot_start_ns(&view->clock, view->first_slot) - view->clock.origin_ns;
	last_ns = first_ns + (int64_t)view->n_slots * column_ns;
	for (int64_t at_ns = first_ns > 0 ? first_ns / step_ns * step_ns : 0; at_ns <= last_ns;
	     at_ns += step_ns) {
		int64_t slot = graph_slot(&view->clock, view->clock.origin_ns + at_ns) - view->first_slot;
		struct pen pen = pen_part(box, 0, gutter + (int)slot, 9);

		if (at_ns < first_ns || slot < 0 || slot >= (int64_t)view->n_slots)
			continue;
		units_elapsed(time, (double)at_ns / NS_PER_S);
		pen_text(&pen, theme(THEME_DIM), draw_glyph(DRAW_TICK));
		pen_text(&pen, theme(THEME_DIM), time);
	}
	if (view->mark_ns)
		draw_point(view, box, view->mark_ns, theme(THEME_WARN), draw_glyph(DRAW_MARK));
	if (view->given.replay || view_is_held(view))
		draw_point(view, box, view_position_ns(view), theme(THEME_STRONG), draw_glyph(DRAW_POSITION));
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

/* The whole run, whatever the window shows. */
static void draw_run(struct view *view, struct box box)
{
	int gutter = layout_gutter(view->columns);
	struct graph_clock clock = view->clock;
	char time[UNITS_SIZE], label[UNITS_SIZE + 8];
	int64_t last, at;

	if (view->timeline->n_briefs == 0 || view->n_slots == 0 || box.h == 0)
		return;
	clock.slots = 1;
	last = graph_slot(&clock, view_end_ns(view));
	clock.slots = last / (int64_t)view->n_slots + 1;
	columns_update(&view->whole, view->timeline, &clock, 0, view->n_slots);
	units_elapsed(time, view_elapsed_s(view, view_end_ns(view)));
	snprintf(label, sizeof label, "run %7s", time);
	panel_gutter(view, box, 0, theme(THEME_LABEL), label);
	at = graph_slot(&clock, view_position_ns(view));
	draw_columns(&view->whole, box.y, box.x + gutter, view->n_slots);
	if (at >= 0 && at < (int64_t)view->n_slots) {
		attrset(A_REVERSE | A_BOLD);
		mvaddstr(box.y, box.x + gutter + (int)at, draw_glyph(DRAW_POSITION));
	}
}

const struct panel panel_strip = {"strip", draw_strip};
const struct panel panel_axis = {"axis", draw_axis};
const struct panel panel_legend = {"legend", draw_legend};
const struct panel panel_run = {"run", draw_run};
