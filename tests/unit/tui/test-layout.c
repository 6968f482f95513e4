/* SPDX-License-Identifier: MIT
 *
 * At every size: panels follow each other without overlap, none leaves the screen, and a larger screen takes
 * nothing away.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../src/tui/layout.h"

static void compute(struct layout *layout, int rows, int columns, bool replay, bool output)
{
	struct layout_wish wish = {
		.rows = rows, .columns = columns, .tmpfs = 2, .output = output, .replay = replay};

	layout_compute(layout, &wish);
}

static void panels_tile_the_screen(void **state)
{
	(void)state;
	for (int rows = 1; rows <= 300; rows++)
		for (int columns = 1; columns <= 100; columns += 9)
			for (int kind = 0; kind < 4; kind++) {
				struct layout layout;
				int y = 0;

				compute(&layout, rows, columns, kind & 1, kind & 2);
				for (int i = 0; i < LAYOUT_COUNT; i++) {
					assert_int_equal(layout.box[i].y, y);
					assert_true(layout.box[i].h >= 0);
					assert_int_equal(layout.box[i].w, columns);
					y += layout.box[i].h;
				}
				assert_int_equal(y, rows);
			}
}

static void larger_only_adds(void **state)
{
	(void)state;
	for (int rows = 7; rows < 300; rows++)
		for (int kind = 0; kind < 4; kind++) {
			struct layout small, large;

			compute(&small, rows, 80, kind & 1, kind & 2);
			compute(&large, rows + 1, 80, kind & 1, kind & 2);
			for (int i = 0; i < LAYOUT_COUNT; i++)
				assert_true(large.box[i].h >= small.box[i].h);
		}
}

static void what_80x24_must_show(void **state)
{
	struct layout layout;

	(void)state;
	compute(&layout, 24, 80, false, true);
	assert_int_equal(layout.box[LAYOUT_HEADER].h, 1);
	assert_int_equal(layout.box[LAYOUT_STRIP].h, 1);
	assert_true(layout.box[LAYOUT_DIRTY].h >= 3); /* two thresholds and the value */
	assert_true(layout.box[LAYOUT_TMPFS].h >= 1);
	assert_true(layout.box[LAYOUT_STALLS].h >= 2);
	assert_true(layout.box[LAYOUT_TASKS].h >= 6);
	assert_int_equal(layout.box[LAYOUT_FOOTER].h, 1);
}

static void rows_that_tmpfs_cannot_fill_go_to_tasks(void **state)
{
	struct layout layout;

	(void)state;
	compute(&layout, 100, 80, false, false);
	assert_int_equal(layout.box[LAYOUT_TMPFS].h, 2);
	assert_int_equal(layout.box[LAYOUT_OUTPUT].h, 0);
}

static void degenerate_sizes(void **state)
{
	struct layout layout;

	(void)state;
	compute(&layout, 0, 0, true, true);
	for (int i = 0; i < LAYOUT_COUNT; i++)
		assert_int_equal(layout.box[i].h, 0);
	compute(&layout, 1, 1, false, false);
	assert_int_equal(layout.box[LAYOUT_HEADER].h, 1);
	assert_int_equal(layout_full(1, 1).h, 0);
	assert_int_equal(layout_full(24, 80).h, 20); /* strip and time axis above */
	assert_int_equal(layout_full(10, 80).h, 8);
	for (int columns = 0; columns < 200; columns++)
		assert_true(layout_gutter(columns) <= columns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(panels_tile_the_screen),
		cmocka_unit_test(larger_only_adds),
		cmocka_unit_test(what_80x24_must_show),
		cmocka_unit_test(rows_that_tmpfs_cannot_fill_go_to_tasks),
		cmocka_unit_test(degenerate_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
