/* SPDX-License-Identifier: MIT
 *
 * The comparison as text, Markdown and JSON. The two for people are one table in two clothes. Every name is
 * cleaned.
 */
#include "compare_sides.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "field.h"
#include "words.h"

#define CHANGES_MAX 10
#define CELLS	    4
#define CELL_SIZE   96

/* How a line of cells and a heading look. */
struct clothes {
	void (*heading)(struct buf *out, const char *text);
	void (*line)(struct buf *out, const char *text);
	void (*cells)(struct buf *out, char cells[CELLS][CELL_SIZE], bool first);
};

static void text_heading(struct buf *out, const char *text)
{
	buf_add_format(out, "\n%s\n", text);
}

static void text_line(struct buf *out, const char *text)
{
	buf_add_format(out, "  %s\n", text);
}

static void add_padded(struct buf *out, const char *text, size_t width, bool right)
{
	size_t used = text_width(text), pad = used < width ? width - used : 0;
	buf_add_format(out, "%*s%s%*s", right ? (int)pad : 0, "", text, right ? 0 : (int)pad, "");
}

static void text_cells(struct buf *out, char cells[CELLS][CELL_SIZE], bool first)
{
	(void)first;
	buf_add_string(out, "  ");
	add_padded(out, cells[0], 24, false);
	for (int i = 1; i < CELLS; i++)
		add_padded(out, cells[i], i < 3 ? 32 : 10, true);
	buf_add_byte(out, '\n');
}

static void add_escaped(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("\\`*_[]<>|#~&", *text) != NULL)
			buf_add_byte(out, '\\');
		buf_add_byte(out, (unsigned char)*text);
	}
}

static void markdown_heading(struct buf *out, const char *text)
{
	buf_add_string(out, "\n### ");
	add_escaped(out, text);
	buf_add_string(out, "\n\n");
}

static void markdown_line(struct buf *out, const char *text)
{
	add_escaped(out, text);
	buf_add_string(out, "\n\n");
}

static void markdown_cells(struct buf *out, char cells[CELLS][CELL_SIZE], bool first)
{
	for (int i = 0; i < CELLS; i++) {
		buf_add_string(out, "| ");
		add_escaped(out, cells[i]);
		buf_add_byte(out, ' ');
	}
	buf_add_string(out, first ? "|\n|---|---:|---:|---:|\n" : "|\n");
}

/* The table */

void compare_tell(char *out, size_t size, enum compare_unit unit, double value)
{
	char text[UNITS_SIZE];
	if (isnan(value))
		snprintf(out, size, "unknown");
	else if (unit == COMPARE_SECONDS)
		snprintf(out, size, "%s", units_duration(text, value));
	else if (unit == COMPARE_BYTES)
		snprintf(out, size, "%s", units_bytes(text, (uint64_t)value));
	else
		snprintf(out, size, "%lld", llround(value));
}

/* "1:43", or "1:43 (1:42 to 1:45)" of several. */
static void tell_spread(char out[CELL_SIZE], const struct compare_side *side, size_t figure,
			enum compare_unit unit)
{
	size_t n;
	double *values = compare_values(side, figure, &n);
	struct spread spread = spread_of(values, n);
	char median[24], least[24], most[24];
	free(values);
	compare_tell(median, sizeof median, unit, spread.median);
	compare_tell(least, sizeof least, unit, spread.least);
	compare_tell(most, sizeof most, unit, spread.most);
	if (n < 2 || strcmp(least, most) == 0)
		snprintf(out, CELL_SIZE, "%s", median);
	else
		snprintf(out, CELL_SIZE, "%s (%s to %s)", median, least, most);
}

static void tell_change(char out[CELL_SIZE], double base, double new)
{
	if (isnan(base) || isnan(new) || base <= 0)
		snprintf(out, CELL_SIZE, "%s", new > 0 && base <= 0 ? "new" : "");
	else
		snprintf(out, CELL_SIZE, "%+lld %%", llround(100 * (new / base - 1)));
}

static double median_of(const struct compare_side *side, size_t figure)
{
	size_t n;
	double *values = compare_values(side, figure, &n);
	double median = spread_of(values, n).median;
	free(values);
	return median;
}

static void add_figure(struct buf *out, const struct clothes *clothes, const struct compare *compare,
		       size_t side, size_t figure, const char *label, enum compare_unit unit)
{
	double base = median_of(&compare->sides[0], figure), new = median_of(&compare->sides[side], figure);
	char cells[CELLS][CELL_SIZE];
	if ((isnan(base) && isnan(new)) || (figure >= COMPARE_OWN && !(base >= 0.05) && !(new >= 0.05)))
		return; /* a class nothing was in */
	snprintf(cells[0], sizeof cells[0], "%s", label);
	tell_spread(cells[1], &compare->sides[0], figure, unit);
	tell_spread(cells[2], &compare->sides[side], figure, unit);
	tell_change(cells[3], base, new);
	clothes->cells(out, cells, false);
}

static void add_head(struct buf *out, const struct clothes *clothes, const char *what)
{
	char cells[CELLS][CELL_SIZE] = {"", "base", "new", "change"};
	snprintf(cells[0], sizeof cells[0], "%s", what);
	clothes->cells(out, cells, true);
}

static void add_changes(struct buf *out, const struct clothes *clothes, const struct compare *compare,
			size_t side, enum compare_list list)
{
	struct compare_change changes[CHANGES_MAX];
	struct buf title = {0};
	size_t n = compare_changes(compare, side, list, changes, CHANGES_MAX);
	if (n == 0)
		return;
	compare_changes_title(&title, compare, side, list);
	clothes->heading(out, title.data);
	buf_fini(&title);
	add_head(out, clothes, list == COMPARE_STEPS ? "step" : "command");
	for (size_t i = 0; i < n; i++) {
		char cells[CELLS][CELL_SIZE];
		text_clean_string(cells[0], sizeof cells[0], changes[i].name);
		compare_tell(cells[1], sizeof cells[1], COMPARE_SECONDS, changes[i].base_s);
		compare_tell(cells[2], sizeof cells[2], COMPARE_SECONDS, changes[i].new_s);
		tell_change(cells[3], changes[i].base_s, changes[i].new_s);
		clothes->cells(out, cells, false);
	}
}

static void add_tables(struct buf *out, const struct clothes *clothes, const struct compare *compare,
		       size_t side)
{
	add_head(out, clothes, "median (least to most)");
	for (size_t i = 0; i < COMPARE_OWN; i++)
		add_figure(out, clothes, compare, side, i, compare_figures[i].label, compare_figures[i].unit);
	clothes->heading(out, "Time of the build's tasks");
	add_head(out, clothes, "class");
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		add_figure(out, clothes, compare, side, COMPARE_OWN + cause, cause_table[cause].label,
			   COMPARE_SECONDS);
	add_changes(out, clothes, compare, side, COMPARE_STEPS);
	add_changes(out, clothes, compare, side, COMPARE_COMMANDS);
}

static void add_left_out(struct buf *out, const struct clothes *clothes, const struct compare_side *side)
{
	for (size_t r = 0; r < side->n_runs; r++) {
		struct buf line = {0};
		if (side->runs[r].reason == NULL)
			continue;
		buf_add_string(&line, "left out: ");
		words_clean(&line, side->runs[r].name);
		buf_add_format(&line, ", %s", side->runs[r].reason);
		clothes->line(out, line.data);
		buf_fini(&line);
	}
}

/* A first run that stands out, as with a cold cache: what can be done about it. */
static void add_cold(struct buf *out, const struct clothes *clothes, const struct compare_side *side)
{
	size_t n;
	double *values = compare_values(side, COMPARE_WALL, &n);
	double most = n > 1 ? spread_of(values + 1, n - 1).most : NAN;
	if (n >= 3 && values[0] > 1.1 * most) {
		struct buf line = {0};
		words_clean(&line, side->name);
		buf_add_string(&line,
			       ": the first run was slower than all that followed, as with a cold cache; "
			       "leave it out, or begin each run as cold");
		clothes->line(out, line.data);
		buf_fini(&line);
	}
	free(values);
}

static void add_runs(struct buf *out, const struct clothes *clothes, const struct compare_side *side)
{
	struct buf line = {0};
	words_clean(&line, side->name);
	buf_add_string(&line, ":");
	for (size_t r = 0; r < side->n_runs; r++) {
		char text[UNITS_SIZE];
		if (side->runs[r].reason == NULL)
			buf_add_format(&line, " %s",
				       units_duration(text, side->runs[r].figures[COMPARE_WALL]));
	}
	clothes->line(out, line.data);
	buf_fini(&line);
}

static void add_side(struct buf *out, const struct clothes *clothes, const struct compare *compare,
		     size_t side)
{
	const struct compare_side *sides[] = {&compare->sides[0], &compare->sides[side]};
	struct spread_ratio ratio = compare_ratio(compare, side, COMPARE_WALL);
	struct buf line = {0};
	words_clean(&line, sides[1]->name);
	buf_add_string(&line, " against ");
	words_clean(&line, sides[0]->name);
	clothes->heading(out, line.data);
	buf_clear(&line);
	buf_add_format(&line, "%zu run%s against %zu: ", sides[1]->n_used, sides[1]->n_used == 1 ? "" : "s",
		       sides[0]->n_used);
	spread_words(&line, &ratio, "faster", "slower");
	clothes->line(out, line.data);
	buf_fini(&line);
	for (size_t s = 0; s < 2; s++)
		add_left_out(out, clothes, sides[s]);
	for (size_t s = 0; s < 2 && sides[0]->n_used + sides[1]->n_used > 2; s++)
		add_runs(out, clothes, sides[s]);
	for (size_t s = 0; s < 2; s++)
		add_cold(out, clothes, sides[s]);
	buf_add_string(out, "\n");
	add_tables(out, clothes, compare, side);
}

static void add_sides(struct buf *out, const struct clothes *clothes, const struct compare *compare)
{
	struct buf all = {0};
	for (size_t s = 1; s < compare->n_sides && compare->sides[0].n_used > 0; s++) {
		if (compare->sides[s].n_used > 0)
			add_side(&all, clothes, compare, s);
	}
	if (all.len > 0)
		buf_add_string(out, all.data + (all.data[0] == '\n'));
	buf_fini(&all);
}

static void add_text(struct buf *out, const struct compare *compare)
{
	static const struct clothes clothes = {text_heading, text_line, text_cells};
	add_sides(out, &clothes, compare);
}

static void add_markdown(struct buf *out, const struct compare *compare)
{
	static const struct clothes clothes = {markdown_heading, markdown_line, markdown_cells};
	add_sides(out, &clothes, compare);
}

/* JSON */

static const char *figure_key(size_t figure)
{
	if (figure == COMPARE_CPU)
		return "cpu_seconds";
	return figure < COMPARE_OWN ? compare_figures[figure].key : cause_table[figure - COMPARE_OWN].key;
}

static json_t *figure_json(const struct compare_side *side, size_t figure)
{
	json_t *object = json_object(), *list = json_array();
	size_t n;
	double *values = compare_values(side, figure, &n);
	struct spread spread = spread_of(values, n);
	field_real(object, "median", spread.median);
	field_real(object, "min", spread.least);
	field_real(object, "max", spread.most);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_real(values[i]));
	json_object_set_new(object, "values", list);
	free(values);
	return object;
}

static json_t *side_json(const struct compare_side *side)
{
	json_t *object = json_object(), *figures = json_object(), *times = json_object(),
	       *left = json_array();
	field_string(object, "name", side->name);
	json_object_set_new(object, "runs", json_integer((json_int_t)side->n_used));
	for (size_t r = 0; r < side->n_runs; r++) {
		if (side->runs[r].reason == NULL)
			continue;
		json_t *run = json_object();
		field_string(run, "name", side->runs[r].name);
		field_string(run, "reason", side->runs[r].reason);
		json_array_append_new(left, run);
	}
	json_object_set_new(object, "left_out", left);
	for (size_t i = 0; i < COMPARE_FIGURES; i++)
		json_object_set_new(i < COMPARE_OWN ? figures : times, figure_key(i), figure_json(side, i));
	json_object_set_new(object, "figures", figures);
	json_object_set_new(object, "time_seconds", times);
	return object;
}

static void put_ratio(json_t *object, const char *key, const struct spread_ratio *ratio)
{
	static const char *const verdicts[] = {[SPREAD_TOO_FEW] = "too_few_runs",
					       [SPREAD_SAME] = "no_difference",
					       [SPREAD_LESS] = "less",
					       [SPREAD_MORE] = "more"};
	json_t *told = json_object();
	field_real(told, "ratio", ratio->ratio);
	field_real(told, "min", ratio->least);
	field_real(told, "max", ratio->most);
	field_real(told, "missed", ratio->missed);
	field_string(told, "verdict", verdicts[ratio->verdict]);
	json_object_set_new(object, key, told);
}

static json_t *against_json(const struct compare *compare, size_t side)
{
	json_t *object = side_json(&compare->sides[side]), *ratios = json_object();
	struct compare_change changes[CHANGES_MAX];
	struct buf words = {0};
	for (size_t i = 0; i < COMPARE_OWN; i++) {
		struct spread_ratio ratio = compare_ratio(compare, side, i);
		put_ratio(ratios, figure_key(i), &ratio);
	}
	json_object_set_new(object, "ratios", ratios);
	struct spread_ratio wall = compare_ratio(compare, side, COMPARE_WALL);
	spread_words(&words, &wall, "faster", "slower");
	field_text(object, "verdict_text", words.data, words.len);
	buf_fini(&words);
	static const struct {
		const char *key, *base_key, *new_key;
	} lists[COMPARE_LISTS] = {{"commands", "base_cpu_seconds", "cpu_seconds"},
				  {"steps", "base_wall_seconds", "wall_seconds"}};
	for (size_t list = 0; list < COMPARE_LISTS; list++) {
		json_t *parts = json_array();
		size_t n = compare_changes(compare, side, list, changes, CHANGES_MAX);
		for (size_t i = 0; i < n; i++) {
			json_t *part = json_object();
			field_string(part, "name", changes[i].name);
			field_real(part, lists[list].base_key, changes[i].base_s);
			field_real(part, lists[list].new_key, changes[i].new_s);
			json_array_append_new(parts, part);
		}
		json_object_set_new(object, lists[list].key, parts);
	}
	return object;
}

static void add_json(struct buf *out, const struct compare *compare)
{
	json_t *document = json_object(), *sides = json_array();
	field_string(document, "schema", "buildtop.comparison");
	json_object_set_new(document, "schema_version", json_integer(1));
	json_object_set_new(document, "base", side_json(&compare->sides[0]));
	for (size_t s = 1; s < compare->n_sides; s++)
		json_array_append_new(sides, against_json(compare, s));
	json_object_set_new(document, "against", sides);
	char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	if (text != NULL) {
		buf_add_string(out, text);
		buf_add_byte(out, '\n');
	}
	free(text);
	json_decref(document);
}

static void add_html(struct buf *out, const struct compare *compare)
{
	compare_html(out, compare, NULL);
}

const struct compare_format compare_formats[] = {
	{"text", false, add_text}, {"markdown", false, add_markdown},
	{"json", false, add_json}, {"html", true, add_html},
	{NULL, false, NULL},
};
