/* SPDX-License-Identifier: MIT
 *
 * Variants as they are written, and the order of the runs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "bench/plan.h"

static void variants_are_read(void **state)
{
	(void)state;
	struct bench_variant variant;
	struct why why;
	assert_int_equal(bench_variant_parse(&variant, "disk", &why), 0);
	assert_string_equal(variant.name, "disk");
	assert_string_equal(variant.path, ".");
	bench_variant_fini(&variant);
	assert_int_equal(bench_variant_parse(&variant, "tmpfs:8G", &why), 0);
	assert_string_equal(variant.name, "tmpfs-8G");
	assert_int_equal(variant.kind, BENCH_TMPFS);
	assert_int_equal(variant.size_bytes, UINT64_C(8) << 30);
	bench_variant_fini(&variant);
	assert_int_equal(bench_variant_parse(&variant, "ssd=dir:/mnt/a=b", &why), 0);
	assert_string_equal(variant.name, "ssd");
	assert_string_equal(variant.path, "/mnt/a=b");
	bench_variant_fini(&variant);
	assert_int_equal(bench_variant_parse(&variant, "dir:/mnt/a=b", &why), 0);
	assert_string_equal(variant.name, "dir--mnt-a-b");
	bench_variant_fini(&variant);
	static const char *const wrong[] = {"",		  "nosuch", "dir:",	  "tmpfs:0",  "tmpfs:x",
					    "../x=tmpfs", "=disk",  ".mnt=tmpfs", "a/b=disk", "a b=disk"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(bench_variant_parse(&variant, wrong[i], &why) < 0);
		bench_variant_fini(&variant);
	}
}

static bool same_order(const struct bench_turn *a, const struct bench_turn *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i].variant != b[i].variant || a[i].run != b[i].run)
			return false;
	}
	return true;
}

/* Each round has each variant once, and the rounds are not all alike. */
static void rounds_are_shuffled(void **state)
{
	(void)state;
	struct bench_turn turns[4 * 50], again[4 * 50];
	unsigned first[4] = {0};
	bench_plan(turns, 4, 50, 7);
	bench_plan(again, 4, 50, 7);
	assert_true(same_order(turns, again, 4 * 50));
	for (unsigned round = 0; round < 50; round++) {
		unsigned seen = 0;
		for (size_t i = 0; i < 4; i++) {
			assert_int_equal(turns[4 * round + i].run, round + 1);
			seen |= 1u << turns[4 * round + i].variant;
		}
		assert_int_equal(seen, 0xf);
		first[turns[4 * round].variant]++;
	}
	for (size_t v = 0; v < 4; v++)
		assert_in_range(first[v], 4, 25);
	bench_plan(again, 4, 50, 8);
	assert_false(same_order(turns, again, 4 * 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_are_read),
		cmocka_unit_test(rounds_are_shuffled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
