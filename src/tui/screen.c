/* SPDX-License-Identifier: MIT
 *
 * The table of panels and the order of drawing. Each frame is drawn whole; ncurses sends the difference.
 */
#include "screen.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "panel.h"

static const struct panel *const overview[LAYOUT_COUNT] = {
	[LAYOUT_HEADER] = &panel_header, [LAYOUT_PRESSURE] = &panel_pressure, [LAYOUT_CPU] = &panel_cpu,
	[LAYOUT_DIRTY] = &panel_dirty,	 [LAYOUT_CACHE] = &panel_cache,	      [LAYOUT_STRIP] = &panel_strip,
	[LAYOUT_AXIS] = &panel_axis,	 [LAYOUT_LEGEND] = &panel_legend,     [LAYOUT_TMPFS] = &panel_tmpfs,
	[LAYOUT_STALLS] = &panel_stalls, [LAYOUT_TASKS] = &panel_tasks,	      [LAYOUT_OUTPUT] = &panel_output,
	[LAYOUT_RUN] = &panel_run,	 [LAYOUT_FOOTER] = &panel_footer,
};

static const struct panel *const pages[] = {
	[VIEW_OVERVIEW] = NULL,		 [VIEW_TASKS] = &panel_tasks,	[VIEW_STALLS] = &panel_stall_page,
	[VIEW_STORAGE] = &panel_storage, [VIEW_MEMORY] = &panel_memory, [VIEW_OUTPUT] = &panel_output,
	[VIEW_HELP] = &panel_help,
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

void panel_not_kept(struct box box)
{
	struct pen pen = pen_at(box, 0);

	pen_text(&pen, theme(THEME_DIM),
		 "not kept of this moment on the screen; the recording has it (buildtop replay)");
}

int panel_wrap(struct box box, int row, int indent, attr_t attr, const char *clean)
{
	while (*clean && row < box.h && box.w > indent) {
		struct pen pen = pen_part(box, row++, indent, box.w - indent);
		size_t len = text_fit(clean, (size_t)pen_left(&pen), NULL), cut = len;
		char line[512];

		if (clean[len])
			while (cut > 0 && clean[cut] != ' ')
				cut--;
		if (cut == 0)
			cut = len ? len : strlen(clean);
		snprintf(line, sizeof line, "%.*s", (int)cut, clean);
		pen_text(&pen, attr, line);
		clean += cut + (clean[cut] == ' ');
	}
	return row;
}

static void draw_page(struct view *view, const struct panel *page)
{
	struct box header = {.h = 1, .w = view->columns};
	struct box footer = {.y = view->rows - 1, .h = 1, .w = view->columns};

	struct box strip = {.y = 1, .h = 1, .w = view->columns};
	struct box axis = {.y = 2, .h = 1, .w = view->columns};

	if (view->rows >= LAYOUT_TIME_FROM) {
		panel_strip.draw(view, strip);
		panel_axis.draw(view, axis);
	}
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
	if (pages[view->page]) {
		draw_page(view, pages[view->page]);
	} else {
		for (int i = 0; i < LAYOUT_COUNT; i++)
			if (view->layout.box[i].h > 0)
				overview[i]->draw(view, view->layout.box[i]);
	}
	refresh();
}
