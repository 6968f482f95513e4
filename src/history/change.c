/* SPDX-License-Identifier: MIT
 *
 * Where did it get slower? For each place the medians of the runs before and after are compared, ten on each
 * side and never fewer than five, and the place where the rise is largest, measured in the spread of the two
 * sides, is the one, provided that it is a rise one would call slower at all. Pure.
 */
#include "history/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE	   10
#define SIDE_MIN   5
#define CHANGE_MIN 0.05
#define SPREAD_MIN 0.01
#define TO_SIGMA   1.4826
#define SPREADS	   2.5

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
	double sorted[2 * SIDE];
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_numbers);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* The rise at wall_s[at], in spreads; 0: none worth the name. */
static double rise(const double *wall_s, size_t at, size_t n, double *before_s, double *after_s)
{
	size_t left = at < SIDE ? at : SIDE, right = n - at < SIDE ? n - at : SIDE;
	double away[2 * SIDE];
	*before_s = median(wall_s + at - left, left);
	*after_s = median(wall_s + at, right);
	for (size_t i = 0; i < left; i++)
		away[i] = fabs(wall_s[at - left + i] - *before_s);
	for (size_t i = 0; i < right; i++)
		away[left + i] = fabs(wall_s[at + i] - *after_s);
	double width = fmax(TO_SIGMA * median(away, left + right), SPREAD_MIN * *before_s);
	double spreads = (*after_s - *before_s) / width;
	return *after_s > *before_s * (1 + CHANGE_MIN) && spreads > SPREADS ? spreads : 0;
}

/* How well the figures of both sides are told apart by a cut here: the sum of what is on the wrong side. */
static double misfit(const double *wall_s, size_t at, size_t n, double before_s, double after_s)
{
	size_t from = at < SIDE ? 0 : at - SIDE, to = n - at < SIDE ? n : at + SIDE;
	double sum = 0;
	for (size_t i = from; i < to; i++)
		sum += fabs(wall_s[i] - (i < at ? before_s : after_s));
	return sum;
}

size_t history_change_point(const double *wall_s, size_t n, double *before_s, double *after_s)
{
	double best = 0;
	size_t found = n;
	for (size_t at = SIDE_MIN; at + SIDE_MIN <= n; at++) {
		double before, after, height = rise(wall_s, at, n, &before, &after);
		if (height > best) {
			best = height;
			found = at;
			*before_s = before;
			*after_s = after;
		}
	}
	/* medians do not mind a run or two on the wrong side: move the cut to where it fits best */
	size_t near = found;
	for (size_t at = found > 4 ? found - 4 : 1; found < n && at <= found + 4 && at < n; at++) {
		if (misfit(wall_s, at, n, *before_s, *after_s) < misfit(wall_s, near, n, *before_s, *after_s))
			near = at;
	}
	return near;
}
