/* SPDX-License-Identifier: MIT
 *
 * What a comparison knows of each run, and the figures it compares: a table.
 */
#ifndef REPORT_COMPARE_SIDES_H
#define REPORT_COMPARE_SIDES_H

#include "diagnose/spread.h"
#include "model/cause.h"
#include "report/compare.h"

enum compare_unit { COMPARE_SECONDS, COMPARE_BYTES, COMPARE_COUNT };

struct compare_figure {
	const char *object; /* of the summary document; NULL: the document itself */
	const char *key, *label;
	enum compare_unit unit;
};

/* The first ones; those of the classes of task time follow them, in the order of the list of causes. */
enum { COMPARE_WALL, COMPARE_CPU, COMPARE_OWN = 9, COMPARE_FIGURES = COMPARE_OWN + CAUSE_COUNT };

extern const struct compare_figure compare_figures[COMPARE_OWN];

/* What a run is made of: commands by their CPU time, and steps, what an engineer calls the jobs, by the wall
 * time in which somebody worked for them. */
enum compare_list { COMPARE_COMMANDS, COMPARE_STEPS, COMPARE_LISTS };

struct compare_part {
	char *name; /* raw */
	double seconds;
};

struct compare_run {
	char *name;
	char *reason;			 /* why it is left out; NULL: it is not */
	double figures[COMPARE_FIGURES]; /* NAN: unknown */
	struct compare_part *parts[COMPARE_LISTS];
	size_t n_parts[COMPARE_LISTS];
};

struct compare_side {
	char *name;
	struct compare_run *runs;
	size_t n_runs, cap_runs;
	size_t n_used;
	struct buf picture; /* SVG */
};

struct compare {
	struct compare_side *sides;
	size_t n_sides, cap_sides;
};

/* The known values of a figure over the runs that count; free() them. */
double *compare_values(const struct compare_side *side, size_t figure, size_t *n);
/* Medians over the runs that count, 0 where a run has no such part. */
double compare_part_seconds(const struct compare_side *side, enum compare_list list, const char *name);
struct spread_ratio compare_ratio(const struct compare *compare, size_t side, size_t figure);
struct spread_ratio compare_ratio_between(const struct compare *compare, size_t base, size_t side,
					  size_t figure);
/* Lines of one pair for a person: how the runs were, what was left out. "disk against tmpfs: 6 % faster…". */
void compare_sentence(struct buf *out, const struct compare *compare, size_t base, size_t side);
/* A value of a figure in words. */
void compare_tell(char *out, size_t size, enum compare_unit unit, double value);

struct compare_change {
	const char *name; /* raw, of the comparison */
	double base_s, new_s;
};

/* Parts by how much their time changed, most first; at most max. */
size_t compare_changes(const struct compare *compare, size_t side, enum compare_list list,
		       struct compare_change *changes, size_t max);
/* "Where did the 4:00 go? Steps whose wall time changed most". */
void compare_changes_title(struct buf *out, const struct compare *compare, size_t side,
			   enum compare_list list);

#endif
