/* SPDX-License-Identifier: MIT
 *
 * Slots, windows, levels, lines and scales of graphs.
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

static const struct graph_clock second = {ORIGIN_NS, NS_PER_S, 1};

static void the_window_moves_seldom(void **state)
{
	int64_t first = 0, moved = 0;

	(void)state;
	assert_int_equal(graph_window(0, 5, 5, 60, true), 0);
	assert_int_equal(graph_window(0, 59, 59, 60, true), 0);
	for (int64_t now = 0; now <= 600; now++) { /* live: always in it, and with room for what comes */
		int64_t before = first;

		first = graph_window(first, now, now, 60, true);
		assert_true(first <= now && now < first + 60);
		moved += first != before;
	}
	assert_true(moved > 0 && moved <= 600 / 7);
}

static void the_cursor_is_always_in_the_window(void **state)
{
	int64_t first = 0;

	(void)state;
	for (int64_t position = 0; position <= 500; position++) {
		first = graph_window(first, position, 500, 60, false);
		assert_true(first <= position && position < first + 60);
		assert_true(first + 60 <= 501); /* nothing empty behind the end of the run */
	}
	assert_int_equal(graph_window(first, 100, 500, 60, false), 70); /* a jump: in the middle */
	assert_int_equal(graph_window(70, 3, 500, 60, false), 0);
	assert_int_equal(graph_window(7, 3, 9, 0, false), 0);
}

static void a_column_can_stand_for_more(void **state)
{
	const struct graph_clock minute = {
		.origin_ns = second.origin_ns, .interval_ns = NS_PER_S, .slots = 60};

	(void)state;
	assert_int_equal(graph_column_ns(&minute), 60 * NS_PER_S);
	for (int64_t at = -130; at < 200; at++) {
		int64_t slot = graph_slot(&minute, second.origin_ns + at * NS_PER_S);

		assert_true(slot * 60 <= at && at < (slot + 1) * 60);
		assert_true(graph_slot_start_ns(&minute, slot) < second.origin_ns + at * NS_PER_S);
		assert_true(graph_slot_end_ns(&minute, slot) >= second.origin_ns + at * NS_PER_S);
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_moves_seldom),
		cmocka_unit_test(the_cursor_is_always_in_the_window),
		cmocka_unit_test(a_column_can_stand_for_more),
		cmocka_unit_test(levels),
		cmocka_unit_test(lines_stand_in_the_cell_their_value_fills),
		cmocka_unit_test(scales_are_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
