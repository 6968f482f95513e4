/* SPDX-License-Identifier: MIT
 *
 * The table of panels and the order of drawing. Each frame is drawn whole; ncurses sends the difference.
 */
#include "screen.h"

#include "base/text.h"
#include "panel.h"

static const struct panel *const overview[LAYOUT_COUNT] = {
	[LAYOUT_HEADER] = &panel_header, [LAYOUT_PRESSURE] = &panel_pressure, [LAYOUT_CPU] = &panel_cpu,
	[LAYOUT_DIRTY] = &panel_dirty,	 [LAYOUT_CACHE] = &panel_cache,	      [LAYOUT_STRIP] = &panel_strip,
	[LAYOUT_AXIS] = &panel_axis,	 [LAYOUT_LEGEND] = &panel_legend,     [LAYOUT_TMPFS] = &panel_tmpfs,
	[LAYOUT_STALLS] = &panel_stalls, [LAYOUT_TASKS] = &panel_tasks,	      [LAYOUT_OUTPUT] = &panel_output,
	[LAYOUT_RUN] = &panel_run,	 [LAYOUT_FOOTER] = &panel_footer,
};

void panel_gutter(struct view *view, struct box box, int row, attr_t attr, const char *clean)
{
	int gutter = layout_gutter(view->columns);
	struct pen pen = pen_part(box, row, 0, gutter - 1);

	if (gutter > 0)
		pen_text(&pen, attr, clean);
}

struct pen panel_pen(struct view *view, struct box box, int row)
{
	int gutter = layout_gutter(view->columns);

	return pen_part(box, row, gutter, box.w - gutter);
}

static void draw_page(struct view *view, const struct panel *page)
{
	struct box header = {.h = 1, .w = view->columns};
	struct box footer = {.y = view->rows - 1, .h = 1, .w = view->columns};

	page->draw(view, layout_full(view->rows, view->columns));
	panel_header.draw(view, header);
	if (view->rows > 1)
		panel_footer.draw(view, footer);
}

void screen_draw(struct view *view, int rows, int columns)
{
	view_frame(view, rows, columns);
	attrset(0);
	erase();
	if (view->page == VIEW_HELP) {
		draw_page(view, &panel_help);
	} else if (view->page == VIEW_OUTPUT) {
		draw_page(view, &panel_output);
	} else {
		for (int i = 0; i < LAYOUT_COUNT; i++)
			if (view->layout.box[i].h > 0)
				overview[i]->draw(view, view->layout.box[i]);
	}
	refresh();
}
