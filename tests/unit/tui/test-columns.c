/* SPDX-License-Identifier: MIT
 *
 * Columns of the timeline: one tick or many, gaps, what is added later.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../../src/tui/columns.h"
#include "base/clock.h"

#define ORIGIN_NS (1000 * NS_PER_S)

static const struct graph_clock second = {ORIGIN_NS, NS_PER_S, 1};

static struct brief briefs[64];
static struct timeline timeline = {.briefs = briefs};
static struct columns columns;

static void add(double at_s, double interval_s, unsigned flags)
{
	briefs[timeline.n_briefs++] = (struct brief){
		.mono_ns = ORIGIN_NS + (int64_t)(at_s * (double)NS_PER_S),
		.interval_s = (float)interval_s,
		.flags = (uint16_t)flags,
		.cause = CAUSE_NONE,
		.busiest = CAUSE_CPU,
		.cpus_busy = (float)timeline.n_briefs,
	};
}

static void update(int64_t first, size_t n)
{
	columns_update(&columns, &timeline, &second, first, n);
}

/* The number of the tick that a column shows; -1: nothing, -2: a gap. */
static long shown(size_t i)
{
	const struct brief *brief = columns_at(&columns, i);

	if (columns_gap(&columns, i))
		return -2;
	return brief ? (long)brief->cpus_busy - 1 : -1;
}

static int clear(void **state)
{
	(void)state;
	memset(briefs, 0, sizeof briefs);
	timeline.n_briefs = 0;
	columns_fini(&columns);
	return 0;
}

static void one_column_a_tick(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		add(i + 0.003, 1, i ? 0 : SAMPLE_FIRST);
	update(0, 6);
	for (int i = 0; i < 4; i++)
		assert_int_equal(shown((size_t)i), i);
	assert_int_equal(shown(4), -1);
	assert_int_equal(shown(99), -1);
}

static void what_is_added_comes_in(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		add(i, 1, 0);
		update(0, 30);
		assert_int_equal(columns.merged, i + 1);
		assert_int_equal(shown((size_t)i), i);
		assert_int_equal(columns.column[i].n, 1); /* once, not again with each frame */
	}
	assert_int_equal(shown(3), 3);
	update(10, 5); /* and another window */
	assert_int_equal(shown(0), 10);
	assert_int_equal(shown(4), 14);
	update(40, 3);
	assert_int_equal(shown(0), -1);
}

static void a_gap_is_a_gap(void **state)
{
	(void)state;
	add(0, 0, SAMPLE_FIRST);
	add(1, 1, 0);
	add(5, 4, SAMPLE_GAP);
	add(6, 1, 0);
	update(0, 8);
	assert_int_equal(shown(1), 1);
	for (size_t i = 2; i < 5; i++)
		assert_int_equal(shown(i), -2);
	assert_int_equal(shown(5), 2);
	assert_int_equal(shown(6), 3);
	update(3, 4); /* and when the window starts inside of it */
	assert_int_equal(shown(0), -2);
	assert_int_equal(shown(2), 2);
}

static void a_late_tick_fills_its_interval(void **state)
{
	(void)state;
	add(0, 0, SAMPLE_FIRST);
	add(1, 1, 0);
	add(2.7, 1.7, SAMPLE_LATE); /* slot 2 has none of its own */
	update(0, 8);
	assert_int_equal(shown(2), 2);
	assert_int_equal(shown(3), 2);
}

static void nothing_yet(void **state)
{
	(void)state;
	update(0, 2);
	assert_int_equal(shown(0), -1);
	update(0, 0);
	assert_int_equal(shown(0), -1);
}

static void a_column_of_many_has_their_peaks_and_means(void **state)
{
	const struct graph_clock ten = {ORIGIN_NS, NS_PER_S, 10};

	(void)state;
	for (int i = 0; i < 40; i++) {
		add(i, 1, 0);
		briefs[i].cpus_busy = i < 10 ? 1 : 3;
		briefs[i].dirty_bytes = i == 15 ? 900 : 100;
		briefs[i].writeback_bytes = 50;
		briefs[i].page_cache_bytes = METRIC_NA;
	}
	briefs[4].cause = CAUSE_READ;
	briefs[5].cause = briefs[6].cause = CAUSE_FLUSH_WAIT;
	briefs[31].busiest = 255; /* from a damaged file */
	columns_update(&columns, &timeline, &ten, 0, 8);
	assert_true(columns_at(&columns, 0)->cpus_busy == 1);
	assert_true(fabsf(columns_at(&columns, 1)->cpus_busy - 3) < 0.001F);
	assert_int_equal(columns_at(&columns, 1)->dirty_bytes, 900); /* the peak is not averaged away */
	assert_int_equal(columns_at(&columns, 2)->dirty_bytes, 100);
	assert_true(columns_at(&columns, 1)->page_cache_bytes == METRIC_NA);
	assert_int_equal(columns_at(&columns, 0)->cause, CAUSE_FLUSH_WAIT);
	assert_int_equal(columns_at(&columns, 1)->cause, CAUSE_NONE);
	assert_int_equal(columns_at(&columns, 3)->busiest, CAUSE_CPU);
	assert_null(columns_at(&columns, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_column_a_tick, clear),
		cmocka_unit_test_setup(what_is_added_comes_in, clear),
		cmocka_unit_test_setup(a_gap_is_a_gap, clear),
		cmocka_unit_test_setup(a_late_tick_fills_its_interval, clear),
		cmocka_unit_test_setup(nothing_yet, clear),
		cmocka_unit_test_setup_teardown(a_column_of_many_has_their_peaks_and_means, clear, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
