/* SPDX-License-Identifier: MIT
 *
 * All in logarithms, where the ratio is a difference of means. No global state; one seed for ever, so that a
 * report can be made again.
 */
#include "diagnose/spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define RESAMPLES 4000
#define TAIL	  0.005 /* on each side */

struct logs {
	double *values; /* deviations from the mean, widened to those of the population */
	size_t n;
	double mean, variance; /* of the mean */
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct spread spread_of(const double *values, size_t n)
{
	struct spread spread = {NAN, NAN, NAN};
	double *sorted;

	if (n == 0)
		return spread;
	sorted = mem_alloc(n, sizeof *sorted);
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, ascending);
	spread = (struct spread){(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1]};
	free(sorted);
	return spread;
}

static struct logs logs_of(const double *values, size_t n)
{
	struct logs logs = {.values = mem_alloc(n + 1, sizeof *logs.values), .n = n};
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		logs.mean += log(values[i]) / (double)n;
	for (size_t i = 0; i < n; i++) {
		logs.values[i] = log(values[i]) - logs.mean;
		squares += logs.values[i] * logs.values[i];
	}
	if (n < 2)
		return logs;
	logs.variance = squares / (double)(n - 1) / (double)n;
	for (size_t i = 0; i < n; i++)
		logs.values[i] *= sqrt((double)n / (double)(n - 1));
	return logs;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static double resampled_mean(const struct logs *logs, uint64_t *state)
{
	double sum = 0;

	for (size_t i = 0; i < logs->n; i++)
		sum += logs->values[next_random(state) % logs->n];
	return sum / (double)logs->n;
}

/* Of the difference of the means, around 0. */
static void bootstrap(const struct logs *base, const struct logs *new, double *least, double *most)
{
	double *found = mem_alloc(RESAMPLES, sizeof *found);
	uint64_t state = 1;

	for (size_t i = 0; i < RESAMPLES; i++)
		found[i] = resampled_mean(new, &state) - resampled_mean(base, &state);
	qsort(found, RESAMPLES, sizeof *found, ascending);
	*least = found[(size_t)(TAIL * RESAMPLES)];
	*most = found[RESAMPLES - 1 - (size_t)(TAIL * RESAMPLES)];
	free(found);
}

/* The 99.5 % quantile of Student's t: Cornish and Fisher's expansion, and the first ones as they are in every
 * table. */
static double student(double freedom)
{
	static const double first[] = {63.657, 9.925, 5.841, 4.604, 4.032, 3.707};
	const double z = 2.5758293;

	if (freedom < 6) {
		size_t below = freedom < 1 ? 0 : (size_t)freedom - 1;
		double part = freedom < 1 ? 0 : freedom - floor(freedom);

		return first[below] + part * (first[below + 1] - first[below]);
	}
	return z + (pow(z, 3) + z) / (4 * freedom) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * freedom * freedom) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * pow(freedom, 3));
}

/* Welch's degrees of freedom. */
static double freedom_of(const struct logs *base, const struct logs *new)
{
	double both = base->variance + new->variance;
	double below = base->variance * base->variance / (double)(base->n - 1) +
		       new->variance *new->variance / (double)(new->n - 1);

	return below > 0 ? both * both / below : (double)(base->n + new->n - 2);
}

static void interval_put(struct spread_ratio *told, const struct logs *base, const struct logs *new)
{
	double least, most, difference = new->mean - base->mean;
	double wide = student(freedom_of(base, new)) * sqrt(base->variance + new->variance);

	bootstrap(base, new, &least, &most);
	/* what the resamples lie above the difference, the truth may lie below it */
	double below = difference - fmax(wide, most), above = difference + fmax(wide, -least);

	told->least = exp(below);
	told->most = exp(above);
	told->missed = fmax(exp((above - below) / 2) - 1, SPREAD_GRAIN);
	if (told->most < 1 && told->ratio < 1 - SPREAD_GRAIN)
		told->verdict = SPREAD_LESS;
	else if (told->least > 1 && told->ratio > 1 + SPREAD_GRAIN)
		told->verdict = SPREAD_MORE;
	else
		told->verdict = SPREAD_SAME;
}

static bool all_above_0(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0 && isfinite(values[i])))
			return false;
	return n > 0;
}

struct spread_ratio spread_compare(const double *base, size_t n_base, const double *new, size_t n_new)
{
	struct spread_ratio told = {NAN, NAN, NAN, NAN, SPREAD_TOO_FEW};

	if (!all_above_0(base, n_base) || !all_above_0(new, n_new))
		return told;
	struct logs base_logs = logs_of(base, n_base), new_logs = logs_of(new, n_new);

	told.ratio = exp(new_logs.mean - base_logs.mean);
	if (n_base >= SPREAD_RUNS_MIN && n_new >= SPREAD_RUNS_MIN)
		interval_put(&told, &base_logs, &new_logs);
	free(base_logs.values);
	free(new_logs.values);
	return told;
}

/* A part as percent: whole ones from 10 on. */
static void percent_add(struct buf *out, double part)
{
	double percent = fabs(100 * part);
	long long tenths = llround(10 * percent);

	if (percent >= 10 || tenths % 10 == 0)
		buf_add_format(out, "%lld", llround(percent));
	else
		buf_add_format(out, "%lld.%lld", tenths / 10, tenths % 10);
}

void spread_words(struct buf *out, const struct spread_ratio *ratio, const char *less, const char *more)
{
	bool fell = ratio->ratio < 1;

	if (isnan(ratio->ratio)) {
		buf_add_string(out, "unknown");
		return;
	}
	switch (ratio->verdict) {
	case SPREAD_SAME:
		buf_add_string(out, "no difference that these runs could show (a change under ");
		percent_add(out, ratio->missed);
		buf_add_string(out, " % would be missed)");
		return;
	case SPREAD_TOO_FEW:
		percent_add(out, ratio->ratio - 1);
		buf_add_format(out, " %% %s, but too few runs to tell that from chance", fell ? less : more);
		return;
	case SPREAD_LESS:
	case SPREAD_MORE:
		percent_add(out, ratio->ratio - 1);
		buf_add_format(out, " %% %s (", fell ? less : more);
		percent_add(out, (fell ? ratio->most : ratio->least) - 1);
		buf_add_string(out, " to ");
		percent_add(out, (fell ? ratio->least : ratio->most) - 1);
		buf_add_byte(out, ')');
	}
}
