/* SPDX-License-Identifier: MIT
 *
 * base/text: nothing but printable text on one line comes out, whatever goes in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

static int use_utf8(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return -1;
	text_init();
	return text_is_utf8() ? 0 : -1;
}

static int use_c(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C");
	text_init();
	return text_is_utf8() ? -1 : 0;
}

static void expect_clean(const char *in, size_t len, const char *out)
{
	char got[256];

	assert_int_equal(text_clean(got, sizeof got, in, len), strlen(out));
	assert_string_equal(got, out);
}

#define EXPECT_CLEAN(in, out) expect_clean(in, sizeof(in) - 1, out)

static void plain_text_stays(void **state)
{
	(void)state;
	EXPECT_CLEAN("", "");
	EXPECT_CLEAN("cc1plus -O2 a.c", "cc1plus -O2 a.c");
	EXPECT_CLEAN("~!@#$%^&*()", "~!@#$%^&*()");
}

static void control_characters_go(void **state)
{
	(void)state;
	EXPECT_CLEAN("ev\x1b[31mil", "ev?[31mil");
	EXPECT_CLEAN("cc\033]0;P\007\033[2J", "cc?]0;P??[2J");
	EXPECT_CLEAN("a\nb\tc\rd", "a b c?d");
	EXPECT_CLEAN("a\0b\x7f", "a?b?");
}

static void utf8_stays(void **state)
{
	(void)state;
	EXPECT_CLEAN("gr\xc3\xb6\303\237er", "gr\xc3\xb6\303\237er");
	EXPECT_CLEAN("\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac");
	EXPECT_CLEAN("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
}

static void treacherous_unicode_goes(void **state)
{
	(void)state;
	EXPECT_CLEAN("\302\23331m", "?31m");   /* C1: CSI */
	EXPECT_CLEAN("\302\2350;x", "?0;x");   /* C1: OSC */
	EXPECT_CLEAN("a\xe2\x80\xaez", "a?z"); /* right-to-left override */
	EXPECT_CLEAN("a\xe2\x81\xa6z", "a?z"); /* isolate */
	EXPECT_CLEAN("a\xe2\x80\x8ez", "a?z"); /* left-to-right mark */
	EXPECT_CLEAN("a\xe2\x80\xa8z", "a?z"); /* line separator */
	EXPECT_CLEAN("a\xd8\x9cz", "a?z");     /* arabic letter mark */
	EXPECT_CLEAN("\xef\xbf\xbf", "?");     /* a noncharacter */
}

static void invalid_utf8_goes(void **state)
{
	(void)state;
	EXPECT_CLEAN("\x80", "?");
	EXPECT_CLEAN("\23331m", "?31m");
	EXPECT_CLEAN("\xc3", "?");
	EXPECT_CLEAN("\xc3(", "?(");
	EXPECT_CLEAN("\xc0\xaf", "??"); /* overlong '/' */
	EXPECT_CLEAN("\xe0\x80\xaf", "???");
	EXPECT_CLEAN("\xf0\x80\x80\xaf", "????");
	EXPECT_CLEAN("\xed\xa0\x80", "???");	  /* a surrogate */
	EXPECT_CLEAN("\xf4\x90\x80\x80", "????"); /* beyond U+10FFFF */
	EXPECT_CLEAN("\xff\xfe", "??");
	EXPECT_CLEAN("\xe6\x97", "??"); /* cut */
}

static void without_utf8_only_ascii_stays(void **state)
{
	(void)state;
	EXPECT_CLEAN("gr\xc3\xb6sser", "gr?sser");
	EXPECT_CLEAN("\xe6\x97\xa5\xff", "??");
	EXPECT_CLEAN("plain", "plain");
}

static void clean_never_cuts_a_character(void **state)
{
	char out[4];

	(void)state;
	assert_int_equal(text_clean(out, 4, "a\xe6\x97\xa5", 4), 1);
	assert_string_equal(out, "a");
	assert_int_equal(text_clean(out, 4, "\xe6\x97\xa5z", 4), 3);
	assert_string_equal(out, "\xe6\x97\xa5");
	assert_int_equal(text_clean(out, 1, "abc", 3), 0);
	assert_string_equal(out, "");
	assert_int_equal(text_clean(out, 0, "abc", 3), 0);
	assert_string_equal(text_clean_string(out, sizeof out, "abcdef"), "abc");
}

/* Every pair of bytes, and random strings: what comes out is printable, cleaning it again changes nothing. */
static void clean_is_final(void **state)
{
	char in[16], out[64], again[64];
	unsigned seed = 1;

	(void)state;
	for (unsigned i = 0; i < 65536 + 20000; i++) {
		size_t len = 2, got;

		in[0] = (char)(i & 255);
		in[1] = (char)(i >> 8 & 255);
		if (i >= 65536)
			for (len = 0; len < sizeof in; len++)
				in[len] = (char)((seed = seed * 1103515245 + 12345) >> 16);
		got = text_clean(out, sizeof out, in, len);
		assert_int_equal(strlen(out), got);
		for (size_t k = 0; k < got; k++)
			assert_true((unsigned char)out[k] >= 0x20 && out[k] != 0x7f);
		assert_int_equal(text_clean(again, sizeof again, out, got), got);
		assert_string_equal(again, out);
		assert_true(text_width(out) <= got);
	}
}

static void clean_add_appends(void **state)
{
	struct buf buf = {0};

	(void)state;
	buf_add_string(&buf, "x:");
	text_clean_add(&buf, "a\x1b\xc3\xb6", 4);
	text_clean_add(&buf, "", 0);
	assert_string_equal(buf.data, "x:a?\xc3\xb6");
	assert_int_equal(buf.len, 6);
	buf_fini(&buf);
}

static void expect_utf8(const char *in, size_t len, size_t max, const char *out)
{
	struct buf buf = {0};

	text_utf8_add(&buf, in, len, max);
	assert_string_equal(buf.len ? buf.data : "", out);
	buf_fini(&buf);
}

static void documents_get_valid_utf8(void **state)
{
	(void)state;
	expect_utf8("a\x1b\xe2\x80\xae", 5, SIZE_MAX, "a\x1b\xe2\x80\xae");
	expect_utf8("a\xffz", 3, SIZE_MAX, "a\xef\xbf\xbdz");
	expect_utf8("\xc3\xb6\xc3\xb6", 4, 3, "\xc3\xb6");
	expect_utf8("a\xff", 2, 3, "a");
	expect_utf8("abc", 3, 0, "");
}

static void width_counts_columns(void **state)
{
	size_t used = 99;

	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\xc3\xb6"), 1);
	assert_int_equal(text_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);
	assert_int_equal(text_width("a\xcc\x88"), 1); /* a, combining diaeresis */
	assert_int_equal(text_fit("\xe6\x97\xa5\xe6\x9c\xac", 3, &used), 3);
	assert_int_equal(used, 2);
	assert_int_equal(text_fit("a\xcc\x88z", 1, &used), 3);
	assert_int_equal(used, 1);
	assert_int_equal(text_fit("abc", 0, &used), 0);
	assert_int_equal(used, 0);
	assert_int_equal(text_fit("abc", 10, NULL), 3);
}

static void command_is_readable(void **state)
{
	static char quote[] = "it's", escape[] = "x\x1b[2J", lines[] = "a\nb", blank[] = "CC=gcc -m32";
	static char make[] = "make", jobs[] = "-j4", nothing[] = "";
	char *const argv[] = {make, jobs, blank, nothing, quote, escape, lines, NULL};
	char *const none[] = {NULL};
	struct buf buf = {0};

	(void)state;
	text_command(&buf, argv);
	assert_string_equal(buf.data, "make -j4 'CC=gcc -m32' '' 'it'\\''s' x?[2J 'a b'");
	buf_clear(&buf);
	text_command(&buf, none);
	assert_int_equal(buf.len, 0);
	buf_fini(&buf);
}

int main(void)
{
	const struct CMUnitTest utf8[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(control_characters_go),
		cmocka_unit_test(utf8_stays),
		cmocka_unit_test(treacherous_unicode_goes),
		cmocka_unit_test(invalid_utf8_goes),
		cmocka_unit_test(clean_never_cuts_a_character),
		cmocka_unit_test(clean_is_final),
		cmocka_unit_test(clean_add_appends),
		cmocka_unit_test(documents_get_valid_utf8),
		cmocka_unit_test(width_counts_columns),
		cmocka_unit_test(command_is_readable),
	};
	const struct CMUnitTest ascii[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(control_characters_go),
		cmocka_unit_test(without_utf8_only_ascii_stays),
		cmocka_unit_test(clean_is_final),
		cmocka_unit_test(documents_get_valid_utf8),
	};
	int failed = cmocka_run_group_tests_name("text, UTF-8", utf8, use_utf8, NULL);

	return failed + cmocka_run_group_tests_name("text, ASCII", ascii, use_c, NULL);
}
