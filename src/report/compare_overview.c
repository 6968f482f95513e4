/* SPDX-License-Identifier: MIT
 *
 * Variants of one build side by side, as text and Markdown: the runs in one table, bars, a sentence for each
 * pair. Names are cleaned.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "compare_sides.h"
#include "words.h"

#define RUNS_SHOWN 6
#define BAR	   48

void compare_sentence(struct buf *out, const struct compare *compare, size_t base, size_t side)
{
	struct spread_ratio ratio = compare_ratio_between(compare, base, side, COMPARE_WALL);
	words_clean(out, compare->sides[side].name);
	buf_add_string(out, " against ");
	words_clean(out, compare->sides[base].name);
	buf_add_string(out, ": ");
	spread_words(out, &ratio, "faster", "slower");
}

static void add_padded(struct buf *out, const char *text, size_t width, bool right)
{
	size_t used = text_width(text), pad = used < width ? width - used : 0;
	buf_add_format(out, "%*s%s%*s", right ? (int)pad : 0, "", text, right ? 0 : (int)pad, "");
}

static size_t runs_most(const struct compare *compare)
{
	size_t most = 0;
	for (size_t s = 0; s < compare->n_sides; s++)
		most = compare->sides[s].n_runs > most ? compare->sides[s].n_runs : most;
	return most < RUNS_SHOWN ? most : RUNS_SHOWN;
}

static void tell_run(char *out, const struct compare_side *side, size_t run, size_t figure)
{
	if (run >= side->n_runs)
		*out = '\0';
	else if (side->runs[run].reason != NULL)
		snprintf(out, UNITS_SIZE, "%s", figure == COMPARE_WALL ? "failed" : "");
	else
		compare_tell(out, UNITS_SIZE, COMPARE_SECONDS, side->runs[run].figures[figure]);
}

static struct spread spread_side(const struct compare_side *side, size_t figure)
{
	size_t n;
	double *values = compare_values(side, figure, &n);
	struct spread spread = spread_of(values, n);
	free(values);
	return spread;
}

static size_t name_width(const struct compare *compare)
{
	size_t width = 8;
	for (size_t s = 0; s < compare->n_sides; s++)
		width = strlen(compare->sides[s].name) > width ? strlen(compare->sides[s].name) : width;
	return width < 40 ? width + 2 : 42;
}

static void add_name(struct buf *out, const struct compare_side *side, size_t width)
{
	struct buf name = {0};
	words_clean(&name, side->name);
	add_padded(out, name.data != NULL ? name.data : "", width, false);
	buf_fini(&name);
}

static void text_table(struct buf *out, const struct compare *compare)
{
	char cell[UNITS_SIZE];
	size_t width = name_width(compare), runs = runs_most(compare);
	add_padded(out, "wall, CPU", width, false);
	for (size_t r = 0; r < runs; r++) {
		snprintf(cell, sizeof cell, "run %zu", r + 1);
		add_padded(out, cell, 18, true);
	}
	add_padded(out, "median", 18, true);
	buf_add_byte(out, '\n');
	for (size_t s = 0; s < compare->n_sides; s++) {
		const struct compare_side *side = &compare->sides[s];
		add_name(out, side, width);
		for (size_t r = 0; r <= runs; r++) {
			for (size_t f = COMPARE_WALL; f <= COMPARE_CPU; f++) {
				if (r < runs)
					tell_run(cell, side, r, f);
				else
					compare_tell(cell, sizeof cell, COMPARE_SECONDS,
						     spread_side(side, f).median);
				add_padded(out, cell, 9, true);
			}
		}
		buf_add_byte(out, '\n');
	}
}

static double wall_most(const struct compare *compare)
{
	double most = 0;
	for (size_t s = 0; s < compare->n_sides; s++)
		most = fmax(most, spread_side(&compare->sides[s], COMPARE_WALL).most);
	return most;
}

/* "#####==|==": to the least, to the most, and the median in it. */
static void add_bar(struct buf *out, const struct compare_side *side, double scale_s)
{
	struct spread wall = spread_side(side, COMPARE_WALL);
	char bar[BAR + 1], text[3][UNITS_SIZE];
	memset(bar, ' ', BAR);
	bar[BAR] = '\0';
	if (isnan(wall.median) || scale_s <= 0) {
		buf_add_string(out, "no run succeeded");
		return;
	}
	long median = lround(wall.median / scale_s * (BAR - 1));
	for (long i = 0; i < BAR && i <= lround(wall.most / scale_s * (BAR - 1)); i++)
		bar[i] = i < lround(wall.least / scale_s * (BAR - 1)) ? '#' : '=';
	bar[median] = '|';
	buf_add_format(out, "%s  %s (%s to %s)", bar, units_duration(text[0], wall.median),
		       units_duration(text[1], wall.least), units_duration(text[2], wall.most));
}

static void text_bars(struct buf *out, const struct compare *compare)
{
	double scale_s = wall_most(compare);
	for (size_t s = 0; s < compare->n_sides; s++) {
		add_name(out, &compare->sides[s], name_width(compare));
		add_bar(out, &compare->sides[s], scale_s);
		buf_add_byte(out, '\n');
	}
}

static void add_sentences(struct buf *out, const struct compare *compare,
			  const struct compare_overview *overview, const char *before)
{
	for (size_t i = 0; i < overview->n_pairs; i++) {
		buf_add_string(out, before);
		compare_sentence(out, compare, overview->pairs[i].base, overview->pairs[i].side);
		buf_add_byte(out, '\n');
	}
}

void compare_overview_text(struct buf *out, const struct compare *compare,
			   const struct compare_overview *overview)
{
	text_table(out, compare);
	buf_add_string(out, "\nwall time: # to the least, = to the most, | the median\n");
	text_bars(out, compare);
	buf_add_byte(out, '\n');
	add_sentences(out, compare, overview, "");
	if (overview->advice[0] != '\0')
		buf_add_format(out, "\n%s", overview->advice);
	buf_add_format(out, "\n%s", overview->machine);
}

static void markdown_table(struct buf *out, const struct compare *compare)
{
	char cell[UNITS_SIZE];
	size_t runs = runs_most(compare);
	buf_add_string(out, "| variant |");
	for (size_t r = 0; r < runs; r++)
		buf_add_format(out, " run %zu: wall | CPU |", r + 1);
	buf_add_string(out, " median: wall | CPU |\n|---|");
	for (size_t r = 0; r <= runs; r++)
		buf_add_string(out, "---:|---:|");
	buf_add_byte(out, '\n');
	for (size_t s = 0; s < compare->n_sides; s++) {
		const struct compare_side *side = &compare->sides[s];
		buf_add_string(out, "| ");
		words_clean(out, side->name);
		buf_add_string(out, " |");
		for (size_t r = 0; r <= runs; r++) {
			for (size_t f = COMPARE_WALL; f <= COMPARE_CPU; f++) {
				if (r < runs)
					tell_run(cell, side, r, f);
				else
					compare_tell(cell, sizeof cell, COMPARE_SECONDS,
						     spread_side(side, f).median);
				buf_add_format(out, " %s |", cell);
			}
		}
		buf_add_byte(out, '\n');
	}
}

void compare_overview_markdown(struct buf *out, const struct compare *compare,
			       const struct compare_overview *overview)
{
	buf_add_format(out, "## %s\n\n", overview->title);
	markdown_table(out, compare);
	buf_add_string(out, "\n```text\n");
	text_bars(out, compare);
	buf_add_string(out, "```\n\n");
	add_sentences(out, compare, overview, "* ");
	buf_add_format(out, "\n```text\n%s%s%s```\n", overview->advice,
		       overview->advice[0] != '\0' ? "\n" : "", overview->machine);
}
