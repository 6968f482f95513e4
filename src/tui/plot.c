/* SPDX-License-Identifier: MIT
 *
 * Cells of a graph. In a cell where both series end, the lower one decides the form and the upper one the
 * ground. Columns behind the position (replay, or a paused view) are dim.
 */
#include "plot.h"

#include <math.h>

#include "base/text.h"

struct cell {
	int low, high; /* eighths */
	int line;      /* index of the line through it; -1: none */
	bool stalled, later;
};

static attr_t on_ground(enum theme_role role, const struct cell *cell)
{
	if (cell->later)
		role = THEME_DIM;
	return cell->stalled ? theme_on(role, THEME_SHADE) : theme(role);
}

static void draw_cell(const struct plot *plot, int y, int x, const struct cell *cell)
{
	const char *glyph;

	if (cell->line >= 0 && cell->high < GRAPH_LEVELS / 2) {
		attrset(on_ground(plot->lines[cell->line].role, cell));
		glyph = draw_glyph(DRAW_LINE);
	} else if (cell->low > 0 && cell->low < GRAPH_LEVELS && cell->high == GRAPH_LEVELS &&
		   theme_has_colour() && text_is_utf8() && !cell->later) {
		attrset(theme_on(plot->low, plot->high));
		glyph = draw_level(cell->low);
	} else if (cell->low >= cell->high && cell->low > 0) {
		attrset(on_ground(plot->low, cell));
		glyph = draw_level(cell->low);
	} else if (cell->high > 0) {
		attrset(on_ground(cell->low * 2 > cell->high ? plot->low : plot->high, cell));
		glyph = cell->high == GRAPH_LEVELS && !theme_has_colour() ? draw_glyph(DRAW_SECOND)
									  : draw_level(cell->high);
	} else if (cell->stalled) {
		attrset(on_ground(THEME_DIM, cell));
		glyph = theme_has_shades() ? " " : draw_glyph(DRAW_SHADE);
	} else {
		return;
	}
	mvaddstr(y, x, glyph);
}

static void draw_gutter(struct view *view, struct box box, const struct plot *plot, int row, int line)
{
	int gutter = layout_gutter(view->columns);
	struct pen pen = pen_part(box, row, gutter - 1, 1);
	bool lowest = row == box.h - 1;

	if (gutter == 0)
		return;
	if (lowest)
		panel_gutter(view, box, row, theme(plot->now_role), plot->now);
	else if (line >= 0)
		panel_gutter(view, box, row, theme(plot->lines[line].role), plot->lines[line].label);
	else if (row == box.h - 2 && plot->mid[0])
		panel_gutter(view, box, row, theme(plot->mid_role), plot->mid);
	else if (row == 0)
		panel_gutter(view, box, row, theme(THEME_DIM), plot->top);
	pen_text(&pen, line >= 0 ? theme(plot->lines[line].role) : theme(THEME_DIM),
		 draw_glyph(line >= 0 ? DRAW_AXIS_LINE : DRAW_AXIS));
}

void plot_draw(struct view *view, struct box box, const struct plot *plot)
{
	int gutter = layout_gutter(view->columns);
	int line_rows[2];

	for (int i = 0; i < 2; i++)
		line_rows[i] = box.h > 1 ? graph_row(plot->lines[i].value / plot->scale, box.h) : -1;
	for (int row = 0; row < box.h; row++) {
		int line = row == line_rows[0] ? 0 : row == line_rows[1] ? 1 : -1;

		draw_gutter(view, box, plot, row, line);
		for (size_t i = 0; i < view->n_slots; i++) {
			const struct brief *brief = columns_at(&view->slots, i);
			struct cell cell = {.line = line};

			if (brief) {
				cell.low = graph_level(view->low[i] / plot->scale, box.h, row);
				cell.high = graph_level(view->high[i] / plot->scale, box.h, row);
				cell.stalled = brief->cause < CAUSE_COUNT;
			}
			cell.later = view->first_slot + (int64_t)i > view->position_slot;
			draw_cell(plot, box.y + row, box.x + gutter + (int)i, &cell);
		}
	}
}
