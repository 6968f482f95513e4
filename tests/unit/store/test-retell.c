/* SPDX-License-Identifier: MIT
 *
 * Command lines told as changes to another: what comes back is what went in, a changed file name costs once,
 * and a telling that is wrong is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../../src/store/retell.h"

/* Tells text after model and hears it again; the size of the telling. */
static size_t told_size(const char *text, size_t len, const char *model, size_t model_len)
{
	struct buf told = {0}, heard = {0};
	retell_put(&told, text, len, scan_of(model, model_len));
	struct scan scan = scan_of(told.data, told.len);
	retell_get(&scan, scan_of(model, model_len), &heard, 1 << 20);
	assert_false(scan.bad);
	assert_int_equal(scan_left(&scan), 0);
	assert_int_equal(heard.len, len);
	assert_memory_equal(heard.data ? heard.data : "", text, len);
	size_t size = told.len;
	buf_fini(&told);
	buf_fini(&heard);
	return size;
}

#define TOLD(text, model) told_size(text, sizeof text - 1, model, sizeof model - 1)

static void what_was_told_is_heard(void **state)
{
	(void)state;
	TOLD("", "");
	TOLD("a", "");
	TOLD("", "a");
	TOLD("a", "a");
	TOLD("a b c", "b c");
	TOLD("b c", "a b c");
	TOLD("gcc\0-c\0x.c", "gcc\0-c\0y.c");
	TOLD("gcc\0-c\0-O2\0x.c", "gcc\0-c\0x.c");
	TOLD("x.cc", "x.c");
	TOLD("x.c", "x.cc");
	TOLD("////", "..");
	TOLD("\0\0\0", "\0");
}

static void a_name_in_many_places_costs_once(void **state)
{
	(void)state;
	size_t once = TOLD("gcc\0-c\0lib/some_file.c", "gcc\0-c\0lib/other.c");
	size_t often = TOLD("gcc\0-MF\0lib/.some_file.d\0-o\0lib/some_file.o\0-c\0lib/some_file.c",
			    "gcc\0-MF\0lib/.other.d\0-o\0lib/other.o\0-c\0lib/other.c");
	assert_true(once <= 17);
	assert_true(often <= once + 4);
	assert_int_equal(TOLD("make\0-j8", "make\0-j8"), 2);
}

static void refused(const char *bytes, size_t len, size_t max)
{
	struct buf heard = {0};
	struct scan scan = scan_of(bytes, len);
	retell_get(&scan, scan_of("0123456789", 10), &heard, max);
	assert_true(scan.bad);
	buf_fini(&heard);
}

static void what_is_wrong_is_refused(void **state)
{
	(void)state;
	refused("", 0, 100);
	refused("\x0a", 1, 100);		     /* no code */
	refused("\x0b\0", 2, 100);		     /* more than the model has */
	refused("\x05\x02\x05\0", 4, 100);	     /* no replacement was told */
	refused("\0\1\x0b\0\0\0", 6, 100);	     /* passes over more than the model has */
	refused("\0\1\0\x05xy", 6, 100);	     /* ends within a string */
	refused("\x0a\0", 2, 9);		     /* too long */
	refused("\0\1\0\4abcd\0\2\0\2\0\0", 14, 11); /* too long by what it repeats */
}

static void models_are_the_last_of_their_name(void **state)
{
	static struct models models;
	char name[16];
	(void)state;
	models_put(&models, "cc1", 3, "one", 3);
	models_put(&models, "as", 2, "three", 5);
	models_put(&models, "cc1", 3, "two!", 4);
	struct scan found = models_find(&models, "cc1", 3);
	assert_int_equal(scan_left(&found), 4);
	found = models_find(&models, "ld", 2);
	assert_int_equal(scan_left(&found), 0);
	for (int i = 0; i < 300; i++)
		models_put(&models, name, (size_t)snprintf(name, sizeof name, "name%d", i), "x", 1);
	assert_int_equal(models.count, MODELS_MAX);
	found = models_find(&models, "name299", 7);
	assert_int_equal(scan_left(&found), 0);
	models_clear(&models);
	found = models_find(&models, "cc1", 3);
	assert_int_equal(scan_left(&found), 0);
	models_fini(&models);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_told_is_heard),
		cmocka_unit_test(a_name_in_many_places_costs_once),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(models_are_the_last_of_their_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
