/* SPDX-License-Identifier: MIT
 *
 * Columns, gaps, levels, lines and scales of graphs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../../src/tui/graph.h"
#include "base/clock.h"

#define ORIGIN_NS (1000 * NS_PER_S)

static const struct graph_clock second = {ORIGIN_NS, NS_PER_S};

static struct brief briefs[64];
static struct timeline timeline = {.briefs = briefs};

static void add(double at_s, double interval_s, unsigned flags)
{
	briefs[timeline.n_briefs++] = (struct brief){
		.mono_ns = ORIGIN_NS + (int64_t)(at_s * (double)NS_PER_S),
		.interval_s = (float)interval_s,
		.flags = (uint16_t)flags,
		.cause = CAUSE_NONE,
		.busiest = CAUSE_CPU,
	};
}

static int clear(void **state)
{
	(void)state;
	memset(briefs, 0, sizeof briefs);
	timeline.n_briefs = 0;
	return 0;
}

static void one_column_a_tick(void **state)
{
	long index[6];

	(void)state;
	for (int i = 0; i < 4; i++)
		add(i + 0.003, 1, i ? 0 : SAMPLE_FIRST);
	graph_columns(&timeline, &second, 0, 6, index);
	for (int i = 0; i < 4; i++)
		assert_int_equal(index[i], i);
	assert_int_equal(index[4], GRAPH_EMPTY);
	assert_int_equal(index[5], GRAPH_EMPTY);
}

static void a_window_in_the_middle(void **state)
{
	long index[3];

	(void)state;
	for (int i = 0; i < 10; i++)
		add(i, 1, 0);
	graph_columns(&timeline, &second, 5, 3, index);
	assert_int_equal(index[0], 5);
	assert_int_equal(index[2], 7);
	graph_columns(&timeline, &second, 20, 3, index);
	assert_int_equal(index[0], GRAPH_EMPTY);
}

static void a_gap_is_a_gap(void **state)
{
	long index[8];

	(void)state;
	add(0, 0, SAMPLE_FIRST);
	add(1, 1, 0);
	add(5, 4, SAMPLE_GAP);
	add(6, 1, 0);
	graph_columns(&timeline, &second, 0, 8, index);
	assert_int_equal(index[1], 1);
	for (int i = 2; i < 5; i++)
		assert_int_equal(index[i], GRAPH_GAP);
	assert_int_equal(index[5], 2);
	assert_int_equal(index[6], 3);
	/* and when the window starts inside of it */
	graph_columns(&timeline, &second, 3, 4, index);
	assert_int_equal(index[0], GRAPH_GAP);
	assert_int_equal(index[2], 2);
}

static void a_late_tick_fills_its_interval(void **state)
{
	long index[4];

	(void)state;
	add(0, 0, SAMPLE_FIRST);
	add(1, 1, 0);
	add(2.7, 1.7, SAMPLE_LATE); /* slot 2 has none of its own */
	graph_columns(&timeline, &second, 0, 4, index);
	assert_int_equal(index[2], 2);
	assert_int_equal(index[3], 2);
}

static void nothing_yet(void **state)
{
	long index[2];

	(void)state;
	graph_columns(&timeline, &second, 0, 2, index);
	assert_int_equal(index[0], GRAPH_EMPTY);
	graph_columns(&timeline, &second, 0, 0, index);
}

static void the_window_fills_then_scrolls(void **state)
{
	(void)state;
	assert_int_equal(graph_window(5, 5, 60), 0);
	assert_int_equal(graph_window(59, 59, 60), 0);
	assert_int_equal(graph_window(60, 60, 60), 1);
	/* replay: some of what follows stays in sight, and the position is always in it */
	for (int64_t position = 0; position <= 500; position++) {
		int64_t first = graph_window(position, 500, 60);

		assert_true(first <= position && position < first + 60);
	}
	assert_int_equal(graph_window(300, 500, 60), 300 + 15 - 59);
}

static void levels(void **state)
{
	(void)state;
	assert_int_equal(graph_level(0, 2, 1), 0);
	assert_int_equal(graph_level(NAN, 2, 1), 0);
	assert_int_equal(graph_level(-1, 2, 1), 0);
	assert_int_equal(graph_level(0.0001, 2, 1), 1); /* a little is not nothing */
	assert_int_equal(graph_level(0.5, 2, 1), 8);
	assert_int_equal(graph_level(0.5, 2, 0), 0);
	assert_int_equal(graph_level(0.75, 2, 0), 4);
	assert_int_equal(graph_level(7, 2, 0), 8);
	assert_int_equal(graph_level(INFINITY, 2, 0), 8);
}

static void lines_stand_in_the_cell_their_value_fills(void **state)
{
	(void)state;
	assert_int_equal(graph_row(0, 4), 3);
	assert_int_equal(graph_row(0.5, 4), 1);
	assert_int_equal(graph_row(1, 4), 0);
	assert_int_equal(graph_row(1.01, 4), -1);
	assert_int_equal(graph_row(NAN, 4), -1);
}

static void scales_are_round(void **state)
{
	(void)state;
	assert_true(graph_scale_bytes(1.1 * 1024 * 1024 * 1024) == 2.0 * 1024 * 1024 * 1024);
	assert_true(graph_scale_bytes(300e6) == 500.0 * 1024 * 1024);
	assert_true(graph_scale_bytes(0) > 0);
	assert_true(graph_scale_bytes(NAN) > 0);
	assert_true(graph_scale_bytes(999.5 * 1024 * 1024) >= 999.5 * 1024 * 1024);
}

static void a_stretch_shows_its_stall(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++)
		add(i, 1, 0);
	assert_int_equal(graph_summary(&timeline, 0, 10), CAUSE_CPU);
	briefs[4].cause = CAUSE_READ;
	briefs[5].cause = briefs[6].cause = CAUSE_FLUSH_WAIT;
	assert_int_equal(graph_summary(&timeline, 0, 10), CAUSE_FLUSH_WAIT);
	assert_int_equal(graph_summary(&timeline, 0, 5), CAUSE_READ);
	assert_int_equal(graph_summary(&timeline, 9, 99), CAUSE_CPU);
	briefs[0].busiest = 255; /* from a damaged file */
	assert_int_equal(graph_summary(&timeline, 0, 1), CAUSE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_column_a_tick, clear),
		cmocka_unit_test_setup(a_window_in_the_middle, clear),
		cmocka_unit_test_setup(a_gap_is_a_gap, clear),
		cmocka_unit_test_setup(a_late_tick_fills_its_interval, clear),
		cmocka_unit_test_setup(nothing_yet, clear),
		cmocka_unit_test(the_window_fills_then_scrolls),
		cmocka_unit_test(levels),
		cmocka_unit_test(lines_stand_in_the_cell_their_value_fills),
		cmocka_unit_test(scales_are_round),
		cmocka_unit_test_setup(a_stretch_shows_its_stall, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
