/* SPDX-License-Identifier: MIT
 *
 * What the build printed: its last lines in the overview, or the whole scrollback on a page of its own.
 */
#include <stdio.h>

#include "base/units.h"
#include "errors.h"
#include "panel.h"

static attr_t line_attr(const char *line)
{
	switch (errors_kind(line)) {
	case ERRORS_ERROR:
		return theme(THEME_ALARM);
	case ERRORS_WARNING:
		return theme(THEME_WARN);
	case ERRORS_NONE:
		break;
	}
	return theme(THEME_TEXT);
}

static void draw_title(struct view *view, struct box box, size_t back)
{
	struct pen pen = pen_at(box, 0);
	char time[UNITS_SIZE];

	pen_text(&pen, theme(THEME_LABEL), view->page == VIEW_OUTPUT ? "output of the build " : "output ");
	if (back) {
		units_elapsed(time, view_elapsed_s(view, scrollback_time(view->output, back)));
		pen_format(&pen, theme(THEME_WARN), "of %s, %zu lines back; End: to the newest ", time, back);
	}
	while (pen_left(&pen) > 0)
		pen_text(&pen, theme(THEME_DIM), draw_glyph(DRAW_RULE));
}

static void draw(struct view *view, struct box box)
{
	bool page = view->page == VIEW_OUTPUT;
	size_t lines = box.h > 1 ? (size_t)box.h - 1 : 0, count, newest, back;
	struct pen pen = pen_at(box, 0);

	if (box.h == 0)
		return;
	if (!view->output) {
		pen_text(&pen, theme(THEME_LABEL), "output of the build ");
		pen_text(&pen, theme(THEME_DIM),
			 view->given.replay ? "is not part of a recording" : "goes where it went before");
		return;
	}
	count = scrollback_count(view->output);
	newest = count > 1 && !*scrollback_line(view->output, 0); /* a line just begun takes no room */
	if (view->output_scroll + newest + lines > count)
		view->output_scroll = count > lines + newest ? count - lines - newest : 0;
	back = page || view_is_held(view) ? view_output_back(view) : 0;
	draw_title(view, box, back);
	for (size_t i = 0; i < lines; i++) {
		size_t at = (back ? 0 : newest) + back + lines - 1 - i;
		const char *line = at < count ? scrollback_line(view->output, at) : "";

		pen = pen_at(box, (int)i + 1);
		pen_text(&pen, line_attr(line), line);
		if (view->prompt == VIEW_TYPING && at == 0)
			pen_text(&pen, A_REVERSE, " ");
	}
}

const struct panel panel_output = {"output", draw};
