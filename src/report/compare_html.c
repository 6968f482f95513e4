/* SPDX-License-Identifier: MIT
 *
 * A comparison as one HTML file that needs nothing else. The timelines stand under each other and are as wide
 * as each other, however long the runs took, so that the same progress stands at the same place. All foreign
 * text is cleaned and escaped.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "compare_sides.h"
#include "html_chart.h"
#include "html_style.h"
#include "number.h"

#define ROW	    22.0
#define BARS_LEFT   260.0
#define BARS_WIDTH  560.0
#define CHANGES_MAX 10

static void add_escaped(struct buf *out, const char *text)
{
	html_escape(out, text, strlen(text));
}

static struct spread spread_side(const struct compare_side *side, size_t figure)
{
	size_t n;
	double *values = compare_values(side, figure, &n);
	struct spread spread = spread_of(values, n);
	free(values);
	return spread;
}

/* Bars */

static void add_rect(struct buf *out, double x, double y, double width, double height, const char *style)
{
	buf_add_string(out, "<rect x=\"");
	number_add(out, x, 1);
	buf_add_string(out, "\" y=\"");
	number_add(out, y, 1);
	buf_add_string(out, "\" width=\"");
	number_add(out, fmax(width, 1), 1);
	buf_add_format(out, "\" height=\"%.0f\" class=\"%s\"/>", height, style);
}

static void add_bar(struct buf *out, const struct compare_side *side, double y, double scale_s)
{
	struct spread wall = spread_side(side, COMPARE_WALL);
	char text[3][UNITS_SIZE];
	buf_add_format(out, "<text x=\"0\" y=\"%.0f\" class=\"h\">", y + 14);
	add_escaped(out, side->name);
	buf_add_string(out, "</text>");
	if (isnan(wall.median)) {
		buf_add_format(out, "<text x=\"%.0f\" y=\"%.0f\">no run succeeded</text>\n", BARS_LEFT,
			       y + 14);
		return;
	}
	double one_s = BARS_WIDTH / scale_s;
	add_rect(out, BARS_LEFT, y + 3, wall.median * one_s, 14, "c-read");
	add_rect(out, BARS_LEFT + wall.least * one_s, y + 9, (wall.most - wall.least) * one_s, 2,
		 "c-dirty_throttle");
	add_rect(out, BARS_LEFT + wall.least * one_s, y + 5, 1.5, 10, "c-dirty_throttle");
	add_rect(out, BARS_LEFT + wall.most * one_s, y + 5, 1.5, 10, "c-dirty_throttle");
	buf_add_format(out, "<text x=\"%.0f\" y=\"%.0f\">%s (%s to %s)</text>\n", BARS_LEFT + BARS_WIDTH + 8,
		       y + 14, units_duration(text[0], wall.median), units_duration(text[1], wall.least),
		       units_duration(text[2], wall.most));
}

static void add_bars(struct buf *out, const struct compare *compare)
{
	double scale_s = 0;
	for (size_t s = 0; s < compare->n_sides; s++)
		scale_s = fmax(scale_s, spread_side(&compare->sides[s], COMPARE_WALL).most);
	buf_add_format(
		out,
		"<h2>Wall time</h2>\n<svg role=\"img\" aria-label=\"Wall time of each side: the median, from "
		"the least to the most\" viewBox=\"0 0 1000 %.0f\">\n",
		ROW * (double)compare->n_sides + 4);
	for (size_t s = 0; s < compare->n_sides && scale_s > 0; s++)
		add_bar(out, &compare->sides[s], ROW * (double)s, scale_s);
	buf_add_string(
		out, "</svg>\n<p class=\"note\">The bar ends at the median; the line goes from the least to "
		     "the most.</p>\n");
}

/* Tables */

static void add_number(struct buf *out, const char *text, double value)
{
	buf_add_string(out, "<td class=\"r\"");
	if (!isnan(value)) {
		buf_add_string(out, " data-v=\"");
		number_add(out, value, 3);
		buf_add_byte(out, '"');
	}
	buf_add_format(out, ">%s</td>", text);
}

static void add_value(struct buf *out, enum compare_unit unit, double value)
{
	char text[UNITS_SIZE];
	compare_tell(text, sizeof text, unit, value);
	add_number(out, text, value);
}

static void add_change(struct buf *out, double base, double new)
{
	char text[32] = "";
	double change = base > 0 ? 100 * (new / base - 1) : NAN;
	if (!isnan(change))
		snprintf(text, sizeof text, "%+lld %%", llround(change));
	add_number(out, text, change);
}

static void add_runs(struct buf *out, const struct compare *compare)
{
	buf_add_string(
		out,
		"<h2>Runs</h2>\n<div class=\"scroll\"><table class=\"sort\"><thead><tr><th>of</th><th>run"
		"</th><th class=\"r\">wall</th><th class=\"r\">CPU</th><th>note</th></tr></thead><tbody>\n");
	for (size_t s = 0; s < compare->n_sides; s++) {
		const struct compare_side *side = &compare->sides[s];
		for (size_t r = 0; r < side->n_runs; r++) {
			const struct compare_run *run = &side->runs[r];
			const char *slash = strrchr(run->name, '/');
			buf_add_string(out, "<tr><td>");
			add_escaped(out, side->name);
			buf_add_string(out, "</td><td>");
			add_escaped(out, slash != NULL ? slash + 1 : run->name);
			buf_add_string(out, "</td>");
			add_value(out, COMPARE_SECONDS, run->figures[COMPARE_WALL]);
			add_value(out, COMPARE_SECONDS, run->figures[COMPARE_CPU]);
			buf_add_string(out, "<td>");
			add_escaped(out, run->reason != NULL ? run->reason : "");
			buf_add_string(out, "</td></tr>\n");
		}
	}
	buf_add_string(out, "</tbody></table></div>\n");
}

static void add_figures(struct buf *out, const struct compare *compare, size_t side)
{
	buf_add_string(out,
		       "<div class=\"scroll\"><table class=\"sort\"><thead><tr><th>median of</th><th "
		       "class=\"r\">base</th><th class=\"r\">new</th><th class=\"r\">change</th></tr></thead>"
		       "<tbody>\n");
	for (size_t f = 0; f < COMPARE_FIGURES; f++) {
		bool own = f < COMPARE_OWN;
		double base = spread_side(&compare->sides[0], f).median;
		double new = spread_side(&compare->sides[side], f).median;
		if ((isnan(base) && isnan(new)) || (!own && !(base >= 0.05) && !(new >= 0.05)))
			continue;
		buf_add_format(out, "<tr><td>%s%s</td>", own ? "" : "task time: ",
			       own ? compare_figures[f].label : cause_table[f - COMPARE_OWN].label);
		add_value(out, own ? compare_figures[f].unit : COMPARE_SECONDS, base);
		add_value(out, own ? compare_figures[f].unit : COMPARE_SECONDS, new);
		add_change(out, base, new);
		buf_add_string(out, "</tr>\n");
	}
	buf_add_string(out, "</tbody></table></div>\n");
}

static void add_changes(struct buf *out, const struct compare *compare, size_t side, enum compare_list list)
{
	struct compare_change changes[CHANGES_MAX];
	size_t n = compare_changes(compare, side, list, changes, CHANGES_MAX);
	if (n == 0)
		return;
	struct buf title = {0};
	compare_changes_title(&title, compare, side, list);
	buf_add_format(out,
		       "<h3>%s</h3>\n<div class=\"scroll\"><table class=\"sort\"><thead><tr><th>%s</th><th "
		       "class=\"r\">base</th><th class=\"r\">new</th><th "
		       "class=\"r\">change</th></tr></thead><tbody>\n",
		       title.data, list == COMPARE_STEPS ? "step" : "command");
	buf_fini(&title);
	for (size_t i = 0; i < n; i++) {
		buf_add_string(out, "<tr><td>");
		add_escaped(out, changes[i].name);
		buf_add_string(out, "</td>");
		add_value(out, COMPARE_SECONDS, changes[i].base_s);
		add_value(out, COMPARE_SECONDS, changes[i].new_s);
		add_change(out, changes[i].base_s, changes[i].new_s);
		buf_add_string(out, "</tr>\n");
	}
	buf_add_string(out, "</tbody></table></div>\n");
}

static void add_pictures(struct buf *out, const struct compare *compare)
{
	bool any = false;
	for (size_t s = 0; s < compare->n_sides; s++) {
		const struct compare_side *side = &compare->sides[s];
		if (side->picture.len == 0)
			continue;
		if (!any)
			buf_add_string(out, "<h2>A run of each, scaled by progress</h2>\n");
		any = true;
		buf_add_string(out, "<h3>");
		add_escaped(out, side->name);
		buf_add_string(out, "</h3>\n");
		buf_add(out, side->picture.data, side->picture.len);
	}
}

static void add_sentence(struct buf *out, const struct compare *compare, size_t base, size_t side,
			 const char *element)
{
	struct buf text = {0};
	compare_sentence(&text, compare, base, side);
	buf_add_format(out, "<%s>", element);
	html_escape(out, text.data, text.len);
	buf_add_format(out, "</%s>\n", element);
	buf_fini(&text);
}

static void add_lines(struct buf *out, const char *lines)
{
	if (*lines == '\0')
		return;
	buf_add_string(out, "<pre class=\"note\" style=\"white-space:pre-wrap\">");
	for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1) {
		html_escape(out, lines, strcspn(lines, "\n"));
		buf_add_byte(out, '\n');
	}
	buf_add_string(out, "</pre>\n");
}

/* Without an overview each side stands against the base. */
static void add_sentences(struct buf *out, const struct compare *compare,
			  const struct compare_overview *overview)
{
	if (overview == NULL) {
		for (size_t s = 1; s < compare->n_sides; s++)
			add_sentence(out, compare, 0, s, "p");
		return;
	}
	buf_add_string(out, "<ul>\n");
	for (size_t i = 0; i < overview->n_pairs; i++)
		add_sentence(out, compare, overview->pairs[i].base, overview->pairs[i].side, "li");
	buf_add_string(out, "</ul>\n");
	add_lines(out, overview->advice);
	add_lines(out, overview->machine);
}

void compare_html(struct buf *out, const struct compare *compare, const struct compare_overview *overview)
{
	const char *title = overview != NULL ? overview->title : "Runs compared";
	buf_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
			    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
	add_escaped(out, title);
	buf_add_format(out, " - buildtop</title>\n<style>\n%s</style></head><body>\n<h1>", html_style);
	add_escaped(out, title);
	buf_add_string(out, "</h1>\n");
	if (overview == NULL)
		add_sentences(out, compare, NULL);
	add_bars(out, compare);
	if (overview != NULL)
		add_sentences(out, compare, overview);
	add_runs(out, compare);
	add_pictures(out, compare);
	for (size_t s = 1; s < compare->n_sides && compare->sides[0].n_used > 0; s++) {
		if (compare->sides[s].n_used == 0)
			continue;
		buf_add_string(out, "<h2>");
		add_escaped(out, compare->sides[s].name);
		buf_add_string(out, " against ");
		add_escaped(out, compare->sides[0].name);
		buf_add_string(out, "</h2>\n");
		add_figures(out, compare, s);
		add_changes(out, compare, s, COMPARE_STEPS);
		add_changes(out, compare, s, COMPARE_COMMANDS);
	}
	buf_add_format(out, "<script>\n%s</script>\n</body></html>\n", html_script);
}
