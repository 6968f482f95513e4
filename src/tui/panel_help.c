/* SPDX-License-Identifier: MIT
 *
 * The help: keys from their table, classes of waiting from theirs.
 */
#include <stdio.h>

#include "keys.h"
#include "panel.h"

#define COLUMN_WIDTH 74

static void draw_key(struct box box, int at, const char *key, const char *help)
{
	int per_column = box.h > 0 ? box.h : 1;
	struct pen pen = pen_part(box, at % per_column, at / per_column * COLUMN_WIDTH, COLUMN_WIDTH - 2);

	pen_field(&pen, theme(THEME_KEY), -14, key);
	pen_skip(&pen, 2);
	pen_text(&pen, theme(THEME_TEXT), help);
}

static void draw_cause(struct box box, int at, enum cause c)
{
	const struct cause_info *info = &cause_table[c];
	int per_column = box.h > 0 ? box.h : 1;
	struct pen pen = pen_part(box, at % per_column, at / per_column * COLUMN_WIDTH, COLUMN_WIDTH - 2);
	char letter[] = {' ', info->letter, ' ', '\0'};

	pen_skip(&pen, 11);
	pen_text(&pen, info->stall ? theme_on(THEME_INK, theme_cause(c)) : theme(theme_cause(c)), letter);
	pen_format(&pen, theme(THEME_TEXT), "  %s: ", info->label);
	pen_text(&pen, theme(THEME_DIM), info->help);
}

static void draw(struct view *view, struct box box)
{
	const char *key, *help;
	int at = 0;
	int total = CAUSE_COUNT + 1;

	for (size_t i = 0; keys_help(i, &key, &help); i++)
		total++;
	/* On a small screen the page is scrolled like the list it hides. */
	if (box.w < 2 * COLUMN_WIDTH - 20 && total > box.h) {
		int most = total - box.h;

		if (view->task_scroll > (size_t)most)
			view->task_scroll = (size_t)most;
		box.y -= (int)view->task_scroll;
		box.h += (int)view->task_scroll;
	}
	for (size_t i = 0; keys_help(i, &key, &help); i++)
		draw_key(box, at++, key, help);
	at++;
	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		draw_cause(box, at++, c);
}

const struct panel panel_help = {"help", draw};
