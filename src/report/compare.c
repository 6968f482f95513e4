/* SPDX-License-Identifier: MIT
 *
 * Reads summary documents, those of this program or of an older one: a field that is not there is unknown.
 * Knows how runs are set against each other, and nothing of how that is shown.
 */
#include "compare_sides.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/units.h"

const struct compare_figure compare_figures[COMPARE_OWN] = {
	[COMPARE_WALL] = {NULL, "wall_seconds", "wall time", COMPARE_SECONDS},
	[COMPARE_CPU] = {"cpu", NULL, "CPU time", COMPARE_SECONDS}, /* user and system */
	{"stalls", "stalled_seconds", "stalled", COMPARE_SECONDS},
	{"stalls", "flush_seconds", "of it flushing", COMPARE_SECONDS},
	{"memory", "rss_peak_bytes", "build's memory, peak", COMPARE_BYTES},
	{"memory", "page_cache_peak_bytes", "page cache, peak", COMPARE_BYTES},
	{"memory", "dirty_peak_bytes", "dirty, peak", COMPARE_BYTES},
	{"memory", "writeback_peak_bytes", "writeback, peak", COMPARE_BYTES},
	{"processes", "started", "processes", COMPARE_COUNT},
};

struct compare *compare_new(void)
{
	return mem_alloc(1, sizeof(struct compare));
}

static void run_fini(struct compare_run *run)
{
	for (size_t list = 0; list < COMPARE_LISTS; list++) {
		for (size_t i = 0; i < run->n_parts[list]; i++)
			free(run->parts[list][i].name);
		free(run->parts[list]);
	}
	free(run->name);
	free(run->reason);
}

void compare_free(struct compare *compare)
{
	if (compare == NULL)
		return;
	for (size_t s = 0; s < compare->n_sides; s++) {
		for (size_t r = 0; r < compare->sides[s].n_runs; r++)
			run_fini(&compare->sides[s].runs[r]);
		free(compare->sides[s].runs);
		buf_fini(&compare->sides[s].picture);
		free(compare->sides[s].name);
	}
	free(compare->sides);
	free(compare);
}

void compare_add_side(struct compare *compare, const char *name)
{
	MEM_GROW(compare->sides, compare->n_sides, compare->cap_sides);
	compare->sides[compare->n_sides++] = (struct compare_side){.name = mem_dup(name)};
}

/* Documents */

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void read_figures(struct compare_run *run, const json_t *document)
{
	for (size_t i = 0; i < COMPARE_OWN; i++) {
		const struct compare_figure *figure = &compare_figures[i];
		const json_t *object =
			figure->object != NULL ? json_object_get(document, figure->object) : document;
		run->figures[i] = figure->key != NULL ? number_of(object, figure->key) : NAN;
	}
	const json_t *cpu = json_object_get(document, "cpu");
	run->figures[COMPARE_CPU] = number_of(cpu, "user_seconds") + number_of(cpu, "system_seconds");
	const json_t *times = json_object_get(document, "time_seconds");
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		run->figures[COMPARE_OWN + cause] = number_of(times, cause_table[cause].key);
}

static void read_parts(struct compare_run *run, enum compare_list list, const json_t *parts, const char *key)
{
	size_t n = json_array_size(parts);
	run->parts[list] = mem_alloc(n + 1, sizeof *run->parts[list]);
	for (size_t i = 0; i < n; i++) {
		const json_t *part = json_array_get(parts, i);
		const char *name = json_string_value(json_object_get(part, "name"));
		double seconds = number_of(part, key);
		if (name != NULL)
			run->parts[list][run->n_parts[list]++] = (struct compare_part){
				.name = mem_dup(name), .seconds = isnan(seconds) ? 0 : seconds};
	}
}

/* Why a run cannot be compared; NULL: it can. */
static const char *reason_of(const struct compare_run *run, const json_t *document)
{
	static const struct {
		const char *outcome, *reason;
	} reasons[] = {{"failure", "it failed"},
		       {"signal", "it was killed"},
		       {"interrupted", "it was interrupted"},
		       {"unknown", "how it ended is not known"}};
	const char *outcome =
		json_string_value(json_object_get(json_object_get(document, "exit"), "outcome"));
	for (size_t i = 0; outcome != NULL && i < sizeof reasons / sizeof *reasons; i++) {
		if (strcmp(outcome, reasons[i].outcome) == 0)
			return reasons[i].reason;
	}
	if (outcome == NULL || strcmp(outcome, "success") != 0)
		return "how it ended is not known";
	if (json_is_false(json_object_get(document, "complete")))
		return "its recording breaks off";
	return run->figures[COMPARE_WALL] > 0 ? NULL : "its wall time is not known";
}

int compare_add_run(struct compare *compare, const char *name, const char *document, size_t len,
		    struct why *why)
{
	struct compare_side *side = &compare->sides[compare->n_sides - 1];
	json_t *json = json_loadb(document, len, 0, NULL);
	const char *schema = json_string_value(json_object_get(json, "schema"));
	if (schema == NULL || strcmp(schema, "buildtop.summary") != 0) {
		json_decref(json);
		return why_set(why, -EINVAL, "%s is neither a recording nor a summary", name);
	}
	MEM_GROW(side->runs, side->n_runs, side->cap_runs);
	struct compare_run *run = &side->runs[side->n_runs++];
	*run = (struct compare_run){.name = mem_dup(name)};
	read_figures(run, json);
	read_parts(run, COMPARE_COMMANDS, json_object_get(json, "commands"), "cpu_seconds");
	read_parts(run, COMPARE_STEPS, json_object_get(json, "steps"), "wall_seconds");
	const char *reason = reason_of(run, json);
	run->reason = reason != NULL ? mem_dup(reason) : NULL;
	side->n_used += reason == NULL;
	json_decref(json);
	return 0;
}

int compare_check(const struct compare *compare, struct why *why)
{
	for (size_t s = 0; s < compare->n_sides; s++) {
		const struct compare_side *side = &compare->sides[s];
		if (side->n_used == 0)
			return why_set(why, -ENODATA, "%s cannot be compared: %s", side->name,
				       side->n_runs == 0   ? "there is no run"
				       : side->n_runs == 1 ? side->runs[0].reason
							   : "none of its runs succeeded");
	}
	return 0;
}

/* Sets against each other */

double *compare_values(const struct compare_side *side, size_t figure, size_t *n)
{
	double *values = mem_alloc(side->n_runs + 1, sizeof *values);
	*n = 0;
	for (size_t r = 0; r < side->n_runs; r++) {
		if (side->runs[r].reason == NULL && isfinite(side->runs[r].figures[figure]))
			values[(*n)++] = side->runs[r].figures[figure];
	}
	return values;
}

struct spread_ratio compare_ratio_between(const struct compare *compare, size_t base, size_t side,
					  size_t figure)
{
	size_t n_old, n_new;
	double *old = compare_values(&compare->sides[base], figure, &n_old);
	double *new = compare_values(&compare->sides[side], figure, &n_new);
	struct spread_ratio ratio = spread_compare(old, n_old, new, n_new);
	free(old);
	free(new);
	return ratio;
}

struct spread_ratio compare_ratio(const struct compare *compare, size_t side, size_t figure)
{
	return compare_ratio_between(compare, 0, side, figure);
}

size_t compare_usable(const struct compare *compare, size_t side)
{
	return compare->sides[side].n_used;
}

bool compare_wants_picture(const struct compare *compare)
{
	return compare->n_sides > 0 && compare->sides[compare->n_sides - 1].picture.len == 0;
}

void compare_add_picture(struct compare *compare, const char *svg, size_t len)
{
	if (compare_wants_picture(compare))
		buf_add(&compare->sides[compare->n_sides - 1].picture, svg, len);
}

bool compare_slower(const struct compare *compare, double part)
{
	for (size_t s = 1; s < compare->n_sides; s++) {
		struct spread_ratio ratio = compare_ratio(compare, s, COMPARE_WALL);
		if (ratio.verdict != SPREAD_SAME && ratio.ratio > 1 + part)
			return true;
	}
	return false;
}

double compare_part_seconds(const struct compare_side *side, enum compare_list list, const char *name)
{
	double *values = mem_alloc(side->n_runs + 1, sizeof *values);
	size_t n = 0;
	for (size_t r = 0; r < side->n_runs; r++) {
		const struct compare_run *run = &side->runs[r];
		if (run->reason != NULL)
			continue;
		values[n] = 0;
		for (size_t p = 0; p < run->n_parts[list]; p++) {
			if (strcmp(run->parts[list][p].name, name) == 0)
				values[n] += run->parts[list][p].seconds;
		}
		n++;
	}
	double median = spread_of(values, n).median;
	free(values);
	return median;
}

static int most_changed_first(const void *a, const void *b)
{
	const struct compare_change *x = a, *y = b;
	double xs = fabs(x->new_s - x->base_s), ys = fabs(y->new_s - y->base_s);
	return xs != ys ? (xs < ys ? 1 : -1) : strcmp(x->name, y->name);
}

void compare_changes_title(struct buf *out, const struct compare *compare, size_t side,
			   enum compare_list list)
{
	size_t n;
	char text[UNITS_SIZE];
	double *base = compare_values(&compare->sides[0], COMPARE_WALL, &n), *new = NULL;
	double change_s = -spread_of(base, n).median;
	new = compare_values(&compare->sides[side], COMPARE_WALL, &n);
	change_s += spread_of(new, n).median;
	free(base);
	free(new);
	if (fabs(change_s) >= 1)
		buf_add_format(out, "Where did the %s %s? ", units_duration(text, fabs(change_s)),
			       change_s > 0 ? "go" : "come from");
	buf_add_string(out, list == COMPARE_STEPS ? "Steps whose wall time changed most"
						  : "Commands whose CPU time changed most");
}

size_t compare_changes(const struct compare *compare, size_t side, enum compare_list list,
		       struct compare_change *changes, size_t max)
{
	const size_t sides[] = {0, side};
	struct compare_change *all = NULL;
	size_t n = 0, cap = 0;
	for (size_t s = 0; s < 2; s++) {
		const struct compare_side *from = &compare->sides[sides[s]];
		for (size_t r = 0; r < from->n_runs; r++) {
			const struct compare_run *run = &from->runs[r];
			for (size_t p = 0; run->reason == NULL && p < run->n_parts[list]; p++) {
				const char *name = run->parts[list][p].name;
				size_t i = 0;
				while (i < n && strcmp(all[i].name, name) != 0)
					i++;
				if (i < n)
					continue;
				MEM_GROW(all, n, cap);
				all[n++] = (struct compare_change){
					name, compare_part_seconds(&compare->sides[0], list, name),
					compare_part_seconds(&compare->sides[side], list, name)};
			}
		}
	}
	if (n > 0)
		qsort(all, n, sizeof *all, most_changed_first);
	n = n < max ? n : max;
	while (n > 0 && fabs(all[n - 1].new_s - all[n - 1].base_s) < 0.005)
		n--;
	if (n > 0)
		memcpy(changes, all, n * sizeof *all);
	free(all);
	return n;
}
