/* SPDX-License-Identifier: MIT
 *
 * Counted lists: there and back, for a person, and what a broken recording may hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/counted.h"

static void there_and_back(void **state)
{
	struct buf list = {0};
	struct counted entry;
	const char *at;

	(void)state;
	counted_add(&list, 3, COUNTED_TASKS, "cc1 plus", 8);
	counted_add(&list, UINT64_MAX, COUNTED_BYTES, "tmp/\n", 5);
	at = list.data;
	assert_true(counted_next(&at, list.data + list.len, &entry));
	assert_int_equal(entry.amount, 3);
	assert_int_equal(entry.unit, COUNTED_TASKS);
	assert_int_equal(entry.len, 8);
	assert_memory_equal(entry.name, "cc1 plus", 8);
	assert_true(counted_next(&at, list.data + list.len, &entry));
	assert_int_equal(entry.len, 5);
	assert_false(counted_next(&at, list.data + list.len, &entry));
	buf_fini(&list);
}

static void assert_said(const char *list, size_t len, size_t most, const char *expected)
{
	struct buf out = {0};

	counted_say(&out, list, len, most);
	assert_string_equal(out.data ? out.data : "", expected);
	buf_fini(&out);
}

#define SAID(list, most, expected) assert_said(list, sizeof list - 1, most, expected)

static void for_a_person(void **state)
{
	(void)state;
	SAID("3T cc1\0001T ld", 5, "cc1 (3), ld");
	SAID("3T cc1\0001T ld", 1, "cc1 (3)");
	SAID("1073741824B tmp/work\0001F a\00012F b", 5, "tmp/work 1.0 GiB, a 1 file, b 12 files");
	SAID("1T \033[2J", 5, "?[2J");
}

static void broken_ones(void **state)
{
	(void)state;
	SAID("", 5, "");
	SAID("\0\0\0", 5, "");
	SAID("ld\0T ld\0001X ld\0001T", 5, "");
	SAID("junk\0002T ld\0", 5, "ld (2)");
	SAID("99999999999999999999999999T ld", 5, "ld (18446744073709551614)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(for_a_person),
		cmocka_unit_test(broken_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
