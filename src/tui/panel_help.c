/* SPDX-License-Identifier: MIT
 *
 * The help: keys from their table, classes of waiting from theirs.
 */
#include <stdio.h>

#include "keys.h"
#include "panel.h"

#define COLUMN_WIDTH 74

/* Entries go down, then to the right; where there is one column only, it is scrolled. */
struct flow {
	struct box box;
	int at, skip;
	bool one_column;
};

static struct pen flow_next(struct flow *flow)
{
	int rows = flow->box.h > 0 ? flow->box.h : 1, at = flow->at++ - flow->skip;

	if (flow->one_column)
		return pen_at(flow->box, at);
	return pen_part(flow->box, at % rows, at / rows * COLUMN_WIDTH, COLUMN_WIDTH - 2);
}

static void draw_key(struct pen pen, const char *key, const char *help)
{
	pen_field(&pen, theme(THEME_KEY), -14, key);
	pen_skip(&pen, 2);
	pen_text(&pen, theme(THEME_TEXT), help);
}

static void draw_cause(struct pen pen, enum cause c)
{
	const struct cause_info *info = &cause_table[c];
	char letter[] = {' ', info->letter, ' ', '\0'};

	pen_skip(&pen, 11);
	pen_text(&pen, info->stall ? theme_on(THEME_INK, theme_cause(c)) : theme(theme_cause(c)), letter);
	pen_format(&pen, theme(THEME_TEXT), "  %s: ", info->label);
	pen_text(&pen, theme(THEME_DIM), info->help);
}

static void draw(struct view *view, struct box box)
{
	struct flow flow = {.box = box, .one_column = box.w < 2 * COLUMN_WIDTH - 20};
	const char *key, *help;
	int total = CAUSE_COUNT + 1;

	for (size_t i = 0; keys_help(i, &key, &help); i++)
		total++;
	if (total <= box.h)
		flow.one_column = true;
	if (view->task_scroll > (size_t)(total > box.h ? total - box.h : 0))
		view->task_scroll = (size_t)(total > box.h ? total - box.h : 0);
	flow.skip = flow.one_column ? (int)view->task_scroll : 0;
	for (size_t i = 0; keys_help(i, &key, &help); i++)
		draw_key(flow_next(&flow), key, help);
	flow.at++;
	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		draw_cause(flow_next(&flow), c);
}

const struct panel panel_help = {"help", draw};
