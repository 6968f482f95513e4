/* SPDX-License-Identifier: MIT
 *
 * Made-up times: of one build they must not differ, of one that is 8 % slower they must.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "diagnose/spread.h"

static uint64_t chance;

static double uniform(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return (double)(chance >> 11) / 0x1p53;
}

/* About 100 s with a deviation of `part`, a little skewed to the slow side as builds are; in hundredths. */
static double build_s(double part)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += uniform();
	double slow = uniform() < 0.1 ? 2 * part * uniform() : 0;
	return round(1e4 * exp(part * sum + slow)) / 100;
}

static unsigned differences(const double *pool, size_t n, size_t side, unsigned splits)
{
	unsigned found = 0;
	for (unsigned s = 0; s < splits; s++) {
		double mixed[20];
		memcpy(mixed, pool, n * sizeof *mixed);
		for (size_t i = n - 1; i > 0; i--) {
			size_t j = (size_t)(uniform() * (double)(i + 1));
			double other = mixed[j];
			mixed[j] = mixed[i];
			mixed[i] = other;
		}
		enum spread_verdict verdict = spread_compare(mixed, side, mixed + side, side).verdict;
		found += verdict == SPREAD_LESS || verdict == SPREAD_MORE;
	}
	return found;
}

/* Twenty runs of one build in two sets, split twenty times: for each of many pools. */
static void equal_sets_do_not_differ(void **state)
{
	(void)state;
	static const double deviations[] = {0.003, 0.01, 0.03, 0.10};
	chance = 88172645463325252u;
	for (size_t d = 0; d < 4; d++) {
		unsigned all = 0, pools_bad = 0;
		for (int pool = 0; pool < 40; pool++) {
			double times[20];
			for (int i = 0; i < 20; i++)
				times[i] = build_s(deviations[d]);
			unsigned found = differences(times, 20, 10, 20);
			all += found;
			pools_bad += found > 1;
		}
		assert_true(all <= 40 * 20 / 50); /* 2 % */
		assert_true(pools_bad <= 2);
	}
}

static void few_runs_do_not_differ_either(void **state)
{
	(void)state;
	chance = 362436069;
	for (size_t side = 3; side <= 5; side += 2) {
		unsigned all = 0;
		for (int pool = 0; pool < 400; pool++) {
			double times[10];
			for (int i = 0; i < 10; i++)
				times[i] = build_s(0.02);
			enum spread_verdict verdict = spread_compare(times, side, times + 5, side).verdict;
			all += verdict != SPREAD_SAME;
		}
		assert_true(all <= 400 / 20);
	}
}

static void eight_percent_are_found(void **state)
{
	(void)state;
	chance = 123456789;
	unsigned found = 0;
	for (int trial = 0; trial < 200; trial++) {
		double base[5], new[5];
		for (int i = 0; i < 5; i++) {
			base[i] = build_s(0.015);
			new[i] = 1.08 * build_s(0.015);
		}
		found += spread_compare(base, 5, new, 5).verdict == SPREAD_MORE;
	}
	assert_true(found >= 190);
}

static void one_run_a_side_says_nothing(void **state)
{
	(void)state;
	const double base[] = {100, 101}, new[] = {50, 51};
	struct spread_ratio ratio = spread_compare(base, 2, new, 2);
	struct buf words = {0};
	assert_int_equal(ratio.verdict, SPREAD_TOO_FEW);
	assert_true(fabs(ratio.ratio - 0.5025) < 1e-3 && isnan(ratio.least));
	spread_words(&words, &ratio, "faster", "slower");
	assert_string_equal(words.data, "50 % faster, but too few runs to tell that from chance");
	buf_fini(&words);
}

static void words_of_a_difference(void **state)
{
	(void)state;
	struct spread_ratio ratio = {.ratio = 0.94, .least = 0.92, .most = 0.965, .verdict = SPREAD_LESS};
	struct buf words = {0};
	spread_words(&words, &ratio, "faster", "slower");
	assert_string_equal(words.data, "6 % faster (3.5 to 8)");
	buf_clear(&words);
	ratio = (struct spread_ratio){.ratio = 1.001, .missed = 0.031, .verdict = SPREAD_SAME};
	spread_words(&words, &ratio, "faster", "slower");
	assert_string_equal(
		words.data,
		"no difference that these runs could show (a change under 3.1 % would be missed)");
	buf_fini(&words);
}

static void odd_values(void **state)
{
	(void)state;
	const double same[] = {5, 5, 5}, more[] = {5.01, 5.01, 5.01}, nothing[] = {0, 1, 2};
	assert_int_equal(spread_compare(same, 3, same, 3).verdict, SPREAD_SAME);
	assert_int_equal(spread_compare(same, 3, more, 3).verdict, SPREAD_SAME); /* less than the grain */
	assert_true(isnan(spread_compare(same, 3, nothing, 3).ratio));
	assert_true(isnan(spread_compare(same, 0, same, 3).ratio));
	struct spread spread = spread_of((const double[]){4, 1, 3, 2}, 4);
	assert_true(spread.median == 2.5 && spread.least == 1 && spread.most == 4);
	assert_true(isnan(spread_of(NULL, 0).median));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_sets_do_not_differ), cmocka_unit_test(few_runs_do_not_differ_either),
		cmocka_unit_test(eight_percent_are_found),  cmocka_unit_test(one_run_a_side_says_nothing),
		cmocka_unit_test(words_of_a_difference),    cmocka_unit_test(odd_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
