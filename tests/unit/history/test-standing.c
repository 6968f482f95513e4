/* SPDX-License-Identifier: MIT
 *
 * The word "slower": said of a step, not of noise.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "history/history.h"

#define RUNS 1000

/* Normal deviates from a generator of our own: the same figures on every machine. */
static uint64_t state;

static double uniform(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(state >> 11) + 1) / 9007199254740993.0;
}

static double noise(double spread)
{
	return 1 + spread * sqrt(-2 * log(uniform())) * cos(2 * 3.14159265358979 * uniform());
}

static void fill(double *wall_s, size_t from, size_t to, double middle_s, double spread)
{
	for (size_t i = from; i < to; i++)
		wall_s[i] = middle_s * noise(spread);
}

static enum history_verdict verdict(const double *wall_s, size_t n)
{
	struct history_standing standing;
	size_t from = n > 51 ? n - 51 : 0;
	history_judge(wall_s + from, n - from, &standing);
	return standing.verdict;
}

static void noise_is_the_usual_spread(void **unused)
{
	double wall_s[RUNS];
	(void)unused;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		unsigned false_words = 0;
		state = seed;
		fill(wall_s, 0, RUNS, 754, 0.03);
		for (size_t n = 1; n <= RUNS; n++)
			false_words += verdict(wall_s, n) == HISTORY_SLOWER;
		assert_in_range(false_words, 0, 10);
	}
}

static void a_step_is_slower(void **unused)
{
	double wall_s[42];
	(void)unused;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		state = seed;
		fill(wall_s, 0, 40, 754, 0.015);
		fill(wall_s, 40, 42, 754 * 1.09, 0.015);
		assert_true(verdict(wall_s, 41) == HISTORY_SLOWER || verdict(wall_s, 42) == HISTORY_SLOWER);
	}
}

static void few_runs_give_no_word(void **unused)
{
	const double wall_s[] = {100, 101, 99, 100, 200, 200};
	struct history_standing standing;
	(void)unused;
	for (size_t n = 0; n <= 5; n++) {
		history_judge(wall_s, n, &standing);
		assert_int_equal(standing.verdict, HISTORY_FEW);
	}
	history_judge(wall_s, 6, &standing);
	assert_int_equal(standing.verdict, HISTORY_SLOWER);
	assert_int_equal(standing.runs, 5);
	assert_true(fabs(standing.median_s - 100) < 1e-9);
	assert_true(fabs(standing.change - 1) < 1e-9);
}

static void one_odd_run_counts_little(void **unused)
{
	double wall_s[] = {100, 101, 99, 100, 900, 100, 101, 99, 100, 101};
	(void)unused;
	assert_int_equal(verdict(wall_s, 10), HISTORY_USUAL);
	wall_s[9] = 70;
	assert_int_equal(verdict(wall_s, 10), HISTORY_FASTER);
}

static void the_change_point_is_found(void **unused)
{
	double wall_s[100], before = 0, after = 0;
	(void)unused;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		state = seed;
		fill(wall_s, 0, 60, 754, 0.01);
		fill(wall_s, 60, 100, 754 * 1.09, 0.01);
		assert_int_equal(history_change_point(wall_s, 100, &before, &after), 60);
		assert_true(fabs(after / before - 1.09) < 0.03);
		fill(wall_s, 0, 100, 754, 0.01);
		assert_int_equal(history_change_point(wall_s, 100, &before, &after), 100);
	}
	assert_int_equal(history_change_point(wall_s, 3, &before, &after), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_the_usual_spread), cmocka_unit_test(a_step_is_slower),
		cmocka_unit_test(few_runs_give_no_word),     cmocka_unit_test(one_odd_run_counts_little),
		cmocka_unit_test(the_change_point_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
