/* SPDX-License-Identifier: MIT
 *
 * What the build printed: its last lines in the overview, or the whole scrollback on a page of its own.
 */
#include <stdio.h>

#include "panel.h"

static void draw(struct view *view, struct box box)
{
	bool page = view->page == VIEW_OUTPUT;
	size_t lines = box.h > 1 ? (size_t)box.h - 1 : 0, count, newest, back;
	struct pen pen = pen_at(box, 0);

	if (box.h == 0)
		return;
	pen_text(&pen, theme(THEME_LABEL), page ? "output of the build " : "output ");
	if (!view->output) {
		pen_text(&pen, theme(THEME_DIM),
			 view->given.replay ? "is not part of a recording" : "goes where it went before");
		return;
	}
	count = scrollback_count(view->output);
	newest = count > 1 && !*scrollback_line(view->output, 0); /* a line just begun takes no room */
	if (view->output_scroll + newest + lines > count)
		view->output_scroll = count > lines + newest ? count - lines - newest : 0;
	back = page ? view->output_scroll : 0;
	if (back)
		pen_format(&pen, theme(THEME_WARN), "%zu lines back; End: to the newest ", back);
	while (pen_left(&pen) > 0)
		pen_text(&pen, theme(THEME_DIM), draw_glyph(DRAW_RULE));
	for (size_t i = 0; i < lines; i++) {
		size_t at = newest + back + lines - 1 - i;

		pen = pen_at(box, (int)i + 1);
		if (at < count)
			pen_text(&pen, theme(THEME_TEXT), scrollback_line(view->output, at));
	}
}

const struct panel panel_output = {"output", draw};
