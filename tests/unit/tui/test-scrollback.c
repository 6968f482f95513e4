/* SPDX-License-Identifier: MIT
 *
 * The build's output as lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "../../../src/tui/scrollback.h"
#include "base/text.h"

static struct scrollback *s;

static int fresh(void **state)
{
	(void)state;
	s = scrollback_new();
	return 0;
}

static int gone(void **state)
{
	(void)state;
	scrollback_free(s);
	return 0;
}

static void add(const char *text)
{
	scrollback_add(s, text, strlen(text));
}

static void lines(void **state)
{
	(void)state;
	add("one\r\ntwo\nthr");
	add("ee");
	assert_int_equal(scrollback_count(s), 3);
	assert_string_equal(scrollback_line(s, 0), "three");
	assert_string_equal(scrollback_line(s, 1), "two");
	assert_string_equal(scrollback_line(s, 2), "one");
	assert_string_equal(scrollback_line(s, 3), "");
}

static void the_status_line_of_ninja(void **state)
{
	(void)state;
	add("\r[1/2] compiling something long\x1b[K\r[2/2] linking\x1b[K");
	assert_string_equal(scrollback_line(s, 0), "[2/2] linking");
	assert_int_equal(scrollback_count(s), 1);
	add("\rAB\b\bX");
	assert_string_equal(scrollback_line(s, 0), "XB/2] linking");
	add("\r\x1b[2Ka\tb");
	assert_string_equal(scrollback_line(s, 0), "a       b");
}

static void escapes_are_read_over_however_they_are_cut(void **state)
{
	static const char text[] = "a\x1b[1;31mb\x1b]0;title\x07"
				   "c\x1b]8;;http://x\x1b\\d\x1b(Be\x1bP1$r\x1b\\f\x1b=g\x1b[?1049hh";

	(void)state;
	for (size_t i = 0; i < sizeof text - 1; i++)
		scrollback_add(s, &text[i], 1);
	assert_string_equal(scrollback_line(s, 0), "abcdefgh");
}

static void invalid_bytes(void **state)
{
	(void)state;
	add("a\xff"
	    "b\xc3"
	    "c\xe2\x82"
	    "d\x9b"
	    "e\xed\xa0\x80"
	    "f");
	assert_null(strpbrk(scrollback_line(s, 0), "\x1b\x9b\xff"));
	assert_non_null(strchr(scrollback_line(s, 0), 'f'));
}

static void whole_characters(void **state)
{
	(void)state;
	add("\xc3\xa4\xe8\xa7\xa3\xf0\x9f\x98\x80");
	if (text_is_utf8())
		assert_string_equal(scrollback_line(s, 0), "\xc3\xa4\xe8\xa7\xa3\xf0\x9f\x98\x80");
	else
		assert_string_equal(scrollback_line(s, 0), "???");
}

static void bounded(void **state)
{
	char line[32];

	(void)state;
	for (int i = 0; i < SCROLLBACK_LINES + 500; i++) {
		snprintf(line, sizeof line, "line %d\n", i);
		add(line);
	}
	assert_int_equal(scrollback_count(s), SCROLLBACK_LINES);
	snprintf(line, sizeof line, "line %d", SCROLLBACK_LINES + 499);
	assert_string_equal(scrollback_line(s, 1), line);
	assert_string_equal(scrollback_line(s, SCROLLBACK_LINES - 1), "line 501");
	for (int i = 0; i < 100000; i++)
		add("xxxxxxxxxx");
	assert_int_equal(strlen(scrollback_line(s, 0)), SCROLLBACK_COLUMNS);
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	add("before\x1b[3");
	scrollback_lost(s, 2048);
	add("after");
	assert_string_equal(scrollback_line(s, 0), "after");
	assert_non_null(strstr(scrollback_line(s, 1), "2.0 KiB"));
	assert_string_equal(scrollback_line(s, 2), "before");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines, fresh, gone),
		cmocka_unit_test_setup_teardown(the_status_line_of_ninja, fresh, gone),
		cmocka_unit_test_setup_teardown(escapes_are_read_over_however_they_are_cut, fresh, gone),
		cmocka_unit_test_setup_teardown(invalid_bytes, fresh, gone),
		cmocka_unit_test_setup_teardown(whole_characters, fresh, gone),
		cmocka_unit_test_setup_teardown(bounded, fresh, gone),
		cmocka_unit_test_setup_teardown(what_is_missing_is_said, fresh, gone),
	};

	setlocale(LC_ALL, "C.UTF-8");
	text_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
