/* SPDX-License-Identifier: MIT
 *
 * The grid of looks and ticks, in words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../../src/stream/schedule.h"
#include "base/clock.h"

#define MS NS_PER_MS

static struct sample *sample_at(int64_t mono_ns)
{
	struct sample *sample = sample_new();

	sample->mono_ns = mono_ns;
	return sample;
}

static void test_ten_looks_a_second(void **state)
{
	struct schedule schedule;

	(void)state;
	schedule_init(&schedule, 5000 * MS, 1000 * MS, 100 * MS);
	for (int i = 1; i <= 10; i++) {
		assert_int_equal(schedule_next(&schedule), (5000 + 100 * i) * MS);
		assert_int_equal(schedule_next(&schedule) == schedule.tick_due_ns, i == 10);
		if (i < 10)
			schedule_looked(&schedule, (5000 + 100 * i) * MS + 3 * MS);
	}
}

static void test_a_late_look_is_not_made_up_for(void **state)
{
	struct schedule schedule;

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 100 * MS);
	schedule_looked(&schedule, 370 * MS);
	assert_int_equal(schedule_next(&schedule), 400 * MS);
	schedule_looked(&schedule, 1200 * MS);
	assert_int_equal(schedule_next(&schedule), 1000 * MS);
}

static void test_a_look_just_before_the_tick_is_left_out(void **state)
{
	struct schedule schedule;

	(void)state;
	schedule_init(&schedule, 0, 250 * MS, 100 * MS);
	schedule_looked(&schedule, 100 * MS);
	assert_int_equal(schedule_next(&schedule), 200 * MS);
	schedule_looked(&schedule, 200 * MS);
	assert_int_equal(schedule_next(&schedule), 250 * MS);
	schedule_init(&schedule, 0, 230 * MS, 100 * MS);
	schedule_looked(&schedule, 100 * MS);
	assert_int_equal(schedule_next(&schedule), 230 * MS);
}

static void test_without_looks(void **state)
{
	struct schedule schedule;

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 0);
	assert_int_equal(schedule_next(&schedule), 1000 * MS);
}

static void test_in_time(void **state)
{
	struct schedule schedule;
	struct sample *sample = sample_at(1099 * MS);

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 100 * MS);
	schedule_ticked(&schedule, sample);
	assert_int_equal(sample->flags, 0);
	assert_int_equal(sample->missed, 0);
	assert_int_equal(schedule.tick_due_ns, 2000 * MS);
	sample_free(sample);
}

static void test_late_but_none_missed(void **state)
{
	struct schedule schedule;
	struct sample *sample = sample_at(1101 * MS);

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 100 * MS);
	schedule_ticked(&schedule, sample);
	assert_int_equal(sample->flags, SAMPLE_LATE);
	assert_int_equal(schedule.tick_due_ns, 2000 * MS);
	assert_int_equal(schedule_next(&schedule), 1200 * MS);
	sample_free(sample);
}

/* Stopped for five seconds: one gap, and the grid stays where it was. */
static void test_gap(void **state)
{
	struct schedule schedule;
	struct sample *sample = sample_at(6300 * MS);

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 100 * MS);
	schedule_ticked(&schedule, sample);
	assert_int_equal(sample->flags, SAMPLE_LATE | SAMPLE_GAP);
	assert_int_equal(sample->missed, 5);
	assert_int_equal(schedule.tick_due_ns, 7000 * MS);
	assert_int_equal(schedule_next(&schedule), 6400 * MS);
	sample_free(sample);
}

static void test_the_last_one_comes_early(void **state)
{
	struct schedule schedule;
	struct sample *sample = sample_at(40 * MS);

	(void)state;
	schedule_init(&schedule, 0, 1000 * MS, 100 * MS);
	schedule_ticked(&schedule, sample);
	assert_int_equal(sample->flags, 0);
	assert_int_equal(sample->missed, 0);
	sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ten_looks_a_second),
		cmocka_unit_test(test_a_late_look_is_not_made_up_for),
		cmocka_unit_test(test_a_look_just_before_the_tick_is_left_out),
		cmocka_unit_test(test_without_looks),
		cmocka_unit_test(test_in_time),
		cmocka_unit_test(test_late_but_none_missed),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_the_last_one_comes_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
