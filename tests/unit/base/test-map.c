/* SPDX-License-Identifier: MIT
 *
 * base/map against a plain array, and base/uuid.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/uuid.h"

static void empty_map_has_nothing(void **state)
{
	struct map map = {0};
	uint64_t key, value;
	size_t cursor = 0;

	(void)state;
	assert_false(map_get(&map, 1, &value));
	assert_false(map_delete(&map, 1));
	assert_false(map_each(&map, &cursor, &key, &value));
	map_clear(&map);
	map_fini(&map);
}

static void put_renews(void **state)
{
	struct map map = {0};
	uint64_t value = 0;

	(void)state;
	map_put(&map, 0, 1); /* 0 and the largest are keys like any */
	map_put(&map, UINT64_MAX, 2);
	map_put(&map, 0, 3);
	assert_int_equal(map.count, 2);
	assert_true(map_get(&map, 0, &value));
	assert_int_equal(value, 3);
	assert_true(map_get(&map, UINT64_MAX, NULL));
	map_clear(&map);
	assert_int_equal(map.count, 0);
	assert_false(map_get(&map, 0, &value));
	map_fini(&map);
}

#define KEYS 512

/* A long random life: puts and deletes among few keys, so that clusters form and holes are filled. */
static void map_agrees_with_an_array(void **state)
{
	static uint64_t array[KEYS];
	static unsigned char held[KEYS];
	struct map map = {0};
	unsigned seed = 7;
	size_t count = 0;

	(void)state;
	for (int step = 0; step < 200000; step++) {
		unsigned at = (seed = seed * 1103515245 + 12345) >> 16 & (KEYS - 1);
		uint64_t key = (uint64_t)at << 32 | at * 3, value;

		if (seed >> 30) {
			map_put(&map, key, (uint64_t)step);
			count += !held[at];
			held[at] = 1;
			array[at] = (uint64_t)step;
		} else {
			assert_int_equal(map_delete(&map, key), held[at]);
			count -= held[at];
			held[at] = 0;
		}
		assert_int_equal(map.count, count);
		at = step & (KEYS - 1);
		key = (uint64_t)at << 32 | at * 3;
		assert_int_equal(map_get(&map, key, &value), held[at]);
		if (held[at])
			assert_int_equal(value, array[at]);
	}
	map_fini(&map);
}

static void each_visits_all_once(void **state)
{
	struct map map = {0};
	unsigned char seen[1000] = {0};
	uint64_t key, value;
	size_t cursor = 0, visits = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		map_put(&map, i * 4096, i);
	while (map_each(&map, &cursor, &key, &value)) {
		assert_int_equal(key, value * 4096);
		assert_int_equal(seen[value]++, 0);
		visits++;
	}
	assert_int_equal(visits, 1000);
	assert_true(map.capacity <= 4096);
	map_fini(&map);
}

static void hash_is_fnv_1a(void **state)
{
	(void)state;
	assert_true(map_hash("", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(map_hash("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(map_hash("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void uuid_has_the_form_and_sorts(void **state)
{
	char first[UUID_SIZE], second[UUID_SIZE], later[UUID_SIZE];

	(void)state;
	uuid7(first, INT64_C(0x0197b0c28a31) * 1000000);
	uuid7(second, INT64_C(0x0197b0c28a31) * 1000000);
	uuid7(later, INT64_C(0x0197b0c28a32) * 1000000);
	assert_int_equal(strlen(first), 36);
	assert_memory_equal(first, "0197b0c2-8a31-7", 15);
	assert_int_equal(first[18], '-');
	assert_int_equal(first[23], '-');
	assert_non_null(strchr("89ab", first[19]));
	assert_int_equal(strspn(first, "0123456789abcdef-"), 36);
	assert_string_not_equal(first, second);
	assert_true(strcmp(first, later) < 0 && strcmp(second, later) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_map_has_nothing),    cmocka_unit_test(put_renews),
		cmocka_unit_test(map_agrees_with_an_array), cmocka_unit_test(each_visits_all_once),
		cmocka_unit_test(hash_is_fnv_1a),	    cmocka_unit_test(uuid_has_the_form_and_sorts),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
