/* SPDX-License-Identifier: MIT
 *
 * The last row: a question, what is being typed, a message, or the keys one needs most.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "marks.h"
#include "panel.h"

static void hint(struct pen *pen, const char *key, const char *help)
{
	if (pen_left(pen) < (int)(text_width(key) + text_width(help)) + 2)
		return;
	pen_text(pen, theme(THEME_KEY), key);
	pen_format(pen, theme(THEME_DIM), " %s  ", help);
}

static void draw_prompt(struct view *view, struct pen *pen)
{
	char clean[160];

	if (view->prompt == VIEW_ASK_QUIT) {
		pen_text(pen, theme(THEME_STRONG), "The build runs.  ");
		hint(pen, "w", "wait without the screen");
		hint(pen, "s", "stop the build");
		hint(pen, "Esc", "back");
		return;
	}
	if (view->prompt == VIEW_TYPING) {
		pen_text(pen, theme_on(THEME_INK, THEME_WARN), " What you type goes to the build. ");
		pen_skip(pen, 2);
		hint(pen, "Ctrl-]", "back to the screen");
		return;
	}
	pen_text(pen, theme(THEME_KEY),
		 view->prompt == VIEW_ASK_FILTER ? "show only: " : "go to (4:59, 1:02:03, 18:56:43): ");
	pen_text(pen, theme(THEME_STRONG), text_clean_string(clean, sizeof clean, view->typed));
	pen_text(pen, A_REVERSE, " ");
}

static const char *page_name(enum view_page page)
{
	static const char *const names[] = {"overview", "processes", "stalls", "storage",
					    "memory",	"output",    "help"};

	return names[page];
}

static void draw_hints(struct view *view, struct pen *pen)
{
	hint(pen, "?", "help");
	hint(pen, "q", "quit");
	if (view->page != VIEW_OVERVIEW)
		hint(pen, "Esc", "back");
	if (view->given.replay) {
		hint(pen, "Space", view->speed_eighths ? "pause" : "play");
		hint(pen, "[ ]", "speed");
	} else {
		hint(pen, "Space", view_is_held(view) ? "go on" : "hold");
	}
	if (view->page == VIEW_HELP) {
		hint(pen, "j k", "scroll");
		return;
	}
	hint(pen, text_is_utf8() ? "←→" : "<- ->", "time");
	hint(pen, "n N", "stalls");
	hint(pen, "Tab", page_name(view->page + 1 < VIEW_PAGES ? view->page + 1 : VIEW_OVERVIEW));
	hint(pen, "+ -", "zoom");
	if (view->page == VIEW_OUTPUT) {
		hint(pen, "e", "errors");
	} else {
		hint(pen, "s", tasklist_sort_name(view->sort));
		hint(pen, "t", tasklist_shape_name(view->shape));
		hint(pen, "/", "filter");
	}
	hint(pen, "i", "type");
	hint(pen, "g", "go to");
}

/* Where a replay stands, at the right end. */
static void draw_place(struct view *view, struct pen *pen)
{
	char place[64];
	struct pen right = *pen;

	if (!view->given.replay || !view->shown)
		return;
	snprintf(place, sizeof place, " tick %llu of %zu", (unsigned long long)view->shown->sample->number,
		 view->timeline->n_briefs ? view->timeline->n_briefs - 1 : 0);
	right.x = right.end - (int)strlen(place);
	if (right.x < pen->x + 40)
		return;
	pen->end = right.x;
	pen_text(&right, theme(THEME_DIM), place);
}

static void draw(struct view *view, struct box box)
{
	struct pen pen = pen_at(box, 0);
	char clean[256];

	if (view->prompt != VIEW_NO_PROMPT) {
		draw_prompt(view, &pen);
		return;
	}
	if (view->message[0]) {
		pen_text(&pen, theme(THEME_WARN), text_clean_string(clean, sizeof clean, view->message));
		return;
	}
	if (view->mark_ns) {
		marks_draw(view, &pen);
		return;
	}
	draw_place(view, &pen);
	if (view->asks) {
		pen_text(&pen, theme_on(THEME_INK, THEME_WARN), " the build asks ");
		pen_foreign(&pen, theme(THEME_STRONG), pen_left(&pen) / 3, scrollback_line(view->output, 0));
		pen_skip(&pen, 1);
		hint(&pen, "i", "type");
	}
	draw_hints(view, &pen);
}

const struct panel panel_footer = {"footer", draw};
