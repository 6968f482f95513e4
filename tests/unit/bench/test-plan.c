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

#include "base/buf.h"
#include "bench/plan.h"
#include "bench/variant.h"

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

static void settings_are_read(void **state)
{
	(void)state;
	struct bench_variant variant, other;
	struct why why;
	const char *spec = "tmpfs:1G,cache=cold,ccache=filled,jobs=5,env=A=b=c,sysctl=vm.dirty_ratio=5";
	assert_int_equal(bench_variant_parse(&variant, spec, &why), 0);
	assert_string_equal(variant.name, "tmpfs-1G-cold-ccache-filled-j5-A-b-c-vm.dirty_ratio-5");
	assert_int_equal(variant.cache, BENCH_CACHE_COLD);
	assert_int_equal(variant.ccache, BENCH_CCACHE_FILLED);
	assert_int_equal(variant.jobs, 5);
	assert_string_equal(variant.env.words[0], "A=b=c");
	assert_string_equal(variant.sysctl.words[0], "vm.dirty_ratio=5");
	spec = "x=tmpfs:1G,cache=warm,ccache=filled,jobs=5,env=A=b=c";
	assert_int_equal(bench_variant_parse(&other, spec, &why), 0);
	assert_string_equal(other.name, "x");
	assert_int_equal(bench_variant_distance(&variant, &other), 2);
	assert_int_equal(bench_variant_distance(&variant, &variant), 0);
	bench_variant_fini(&variant);
	bench_variant_fini(&other);
	static const char *const wrong[] = {"disk,",
					    "disk,cache",
					    "disk,cache=hot",
					    "disk,jobs=-1",
					    "disk,jobs=2x",
					    "disk,env=A",
					    "disk,env==b",
					    "disk,sysctl=vm.=1",
					    "disk,jobs=",
					    "disk,nosuch=1",
					    "disk,sysctl=vm.a=x",
					    "disk,sysctl=vm.a.b=1",
					    "disk,sysctl=vm.a/../../kernel/panic=1"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(bench_variant_parse(&variant, wrong[i], &why) < 0);
		bench_variant_fini(&variant);
	}
}

static int add_line(void *self, const char *spec, struct why *why)
{
	(void)why;
	buf_add_format(self, "%s\n", spec);
	return 0;
}

static void a_matrix_is_multiplied(void **state)
{
	(void)state;
	struct buf specs = {0};
	struct why why;
	const char *text = "# all\nplace = disk tmpfs:1G\n\n jobs=1 5 # two\ncache = - cold\n";
	assert_int_equal(bench_matrix_read(text, add_line, &specs, &why), 0);
	assert_string_equal(specs.data, "disk,jobs=1\ndisk,jobs=1,cache=cold\n"
					"disk,jobs=5\ndisk,jobs=5,cache=cold\n"
					"tmpfs:1G,jobs=1\ntmpfs:1G,jobs=1,cache=cold\n"
					"tmpfs:1G,jobs=5\ntmpfs:1G,jobs=5,cache=cold\n");
	buf_clear(&specs);
	assert_true(bench_matrix_read("place disk\n", add_line, &specs, &why) < 0);
	assert_true(bench_matrix_read("place =\n", add_line, &specs, &why) < 0);
	assert_true(bench_matrix_read("# nothing\n", add_line, &specs, &why) < 0);
	buf_fini(&specs);
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
		cmocka_unit_test(settings_are_read),
		cmocka_unit_test(a_matrix_is_multiplied),
		cmocka_unit_test(rounds_are_shuffled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
