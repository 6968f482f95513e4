/* SPDX-License-Identifier: MIT
 *
 * The last lines of a build's output: colours pass, all else that steers a terminal does not.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../../../src/cmd/tail.h"

static void assert_tail(const char *in, size_t lines, const char *expected)
{
	struct buf out = {0};
	tail_clean(&out, in, strlen(in), lines);
	assert_string_equal(out.data != NULL ? out.data : "", expected);
	buf_fini(&out);
}

static void newest_lines(void **state)
{
	(void)state;
	assert_tail("", 3, "");
	assert_tail("a", 3, "a\n");
	assert_tail("a\nb\nc\n", 2, "b\nc\n");
	assert_tail("a\nb\nc\n", 3, "a\nb\nc\n");
	assert_tail("a\nb\nc", 9, "a\nb\nc\n");
	assert_tail("a\n\n\n", 2, "\n\n");
	assert_tail("a\nb\n", 0, "");
	assert_tail("\n", 5, "\n");
}

static void colours_pass(void **state)
{
	(void)state;
	assert_tail("\x1b[1;31merror:\x1b[m x\n", 9, "\x1b[1;31merror:\x1b[m x\x1b[0m\n");
	assert_tail("\x1b[38:5:9mx", 9, "\x1b[38:5:9mx\x1b[0m\n");
}

static void nothing_else_does(void **state)
{
	(void)state;
	assert_tail("a\x1b[2Jb\x1b[5;1Hc\x1b[?25ld\n", 9, "abcd\n");
	assert_tail("a\x1b]0;title\ab\x1b]52;c;x\x1b\\c\n", 9, "abc\n");
	assert_tail("a\x1bPdevice\x1b\\b\x1b(Bc\x1b"
		    "7d\n",
		    9, "abcd\n");
	assert_tail("a\x1b[>1mb\n", 9, "ab\n"); /* ends like a colour and is none */
	assert_tail("a\a\x08\x7f"
		    "b\tc\n",
		    9, "a?b\tc\n");
	assert_tail("cut\x1b[31", 9, "cut\n");
	assert_tail("cut\x1b", 9, "cut\n");
	assert_tail("cut\x1b]0;", 9, "cut\n");
}

static void overwritten_lines_as_left(void **state)
{
	(void)state;
	assert_tail("10 %\r20 %\r30 %\r\nend\r\n", 9, "30 %\nend\n");
	assert_tail("10 %\r20 %", 9, "20 %\n");
}

static void newest_of_a_tape(void **state)
{
	(void)state;
	struct tape *tape = tape_new(1024 * 1024);
	struct buf out = {0};
	for (int i = 0; i < 20000; i++) {
		char line[32];
		int len = snprintf(line, sizeof line, "line %d\n", i);
		tape_write(tape, line, (size_t)len);
	}
	tail_take(&out, tape, 2);
	assert_string_equal(out.data, "line 19998\nline 19999\n");
	buf_fini(&out);
	tape_free(tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newest_lines),	     cmocka_unit_test(colours_pass),
		cmocka_unit_test(nothing_else_does), cmocka_unit_test(overwritten_lines_as_left),
		cmocka_unit_test(newest_of_a_tape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
