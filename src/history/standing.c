/* SPDX-License-Identifier: MIT
 *
 * Is this run slower than usual? Medians and the median of the deviations are used throughout, so that one
 * odd run neither makes nor hides a verdict. The middle is that of the last 10, so that it follows what has
 * changed; the spread is taken over the last 50, since that of 10 figures is a guess. One run must stick out
 * by more than two in a row have to. Pure, but for the query.
 */
#include "history/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sql.h"

#define RUNS_MIN    5
#define RUNS_MIDDLE 10
#define RUNS_SPREAD 50
#define CHANGE_MIN  0.05
#define SPREAD_MIN  0.01 /* of the median: less is not known of a machine */
#define ONE_SPREADS 3.3
#define TWO_SPREADS 2.6
#define TO_SIGMA    1.4826

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
	double sorted[RUNS_SPREAD];
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_numbers);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static double spread(const double *values, size_t n)
{
	double away[RUNS_SPREAD], middle = median(values, n);
	for (size_t i = 0; i < n; i++)
		away[i] = fabs(values[i] - middle);
	/* the fewer there are, the more the figure is too small by chance */
	return TO_SIGMA * median(away, n) * (1 + 2.0 / (double)n);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How far `value` is from the n figures before `values`: fraction of their median, and in spreads. */
static void measure(const double *end, size_t n, double value, struct history_standing *standing,
		    double *spreads)
{
	size_t middle_n = least(n, RUNS_MIDDLE), spread_n = least(n, RUNS_SPREAD);
	double middle = median(end - middle_n, middle_n);
	double width = fmax(spread(end - spread_n, spread_n), SPREAD_MIN * middle);
	standing->runs = (unsigned)middle_n;
	standing->median_s = middle;
	standing->spread = middle > 0 ? width / middle : 0;
	standing->change = middle > 0 ? value / middle - 1 : 0;
	*spreads = width > 0 ? (value - middle) / width : 0;
}

static bool sticks_out(double change, double spreads, double least_spreads)
{
	return fabs(change) > CHANGE_MIN && fabs(spreads) > least_spreads;
}

/* Together with the run before, when both are off to the same side. */
static bool two_stick_out(const double *wall_s, size_t n)
{
	struct history_standing both;
	double spreads, one = wall_s[n - 2], two = wall_s[n - 1];
	if (n < RUNS_MIN + 2)
		return false;
	measure(wall_s + n - 2, n - 2, (one + two) / 2, &both, &spreads);
	bool same_side = (one > both.median_s) == (two > both.median_s) &&
			 fmin(fabs(one - both.median_s), fabs(two - both.median_s)) > 0.02 * both.median_s;
	return same_side && sticks_out(both.change, spreads, TWO_SPREADS);
}

void history_judge(const double *wall_s, size_t n, struct history_standing *standing)
{
	double spreads;
	*standing = (struct history_standing){.verdict = HISTORY_FEW, .runs = n > 0 ? (unsigned)(n - 1) : 0};
	if (n < RUNS_MIN + 1)
		return;
	measure(wall_s + n - 1, n - 1, wall_s[n - 1], standing, &spreads);
	standing->verdict = HISTORY_USUAL;
	if (sticks_out(standing->change, spreads, ONE_SPREADS) || two_stick_out(wall_s, n))
		standing->verdict = standing->change > 0 ? HISTORY_SLOWER : HISTORY_FASTER;
}

int history_standing(struct history *history, const char *id, struct history_standing *standing,
		     struct why *why)
{
	static const char query[] =
		"WITH me AS (SELECT * FROM build WHERE id=@id AND outcome='success')"
		" SELECT b.wall_seconds FROM build b, me WHERE b.project=me.project AND b.variant=me.variant"
		" AND b.host=me.host AND b.cpus IS me.cpus AND b.outcome='success'"
		" AND (b.start_us<me.start_us OR b.id=me.id) ORDER BY b.id=me.id DESC, b.start_us DESC LIMIT "
		"51";
	double wall_s[RUNS_SPREAD + 1];
	size_t n = 0, room = RUNS_SPREAD + 1;
	sqlite3_stmt *statement = sql_prepare(history, query, why);
	sql_bind_text(statement, "@id", id);
	while (statement != NULL && n < room && sqlite3_step(statement) == SQLITE_ROW)
		wall_s[room - ++n] = sqlite3_column_double(statement, 0);
	int error = sql_finish(history, statement, why);
	history_judge(wall_s + room - n, n, standing);
	return error;
}
