/* SPDX-License-Identifier: MIT
 *
 * Alerts on the screen: which one, in which words, and how a terminal is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "../src/tui/notice.h"
#include "../src/tui/warn.h"

static struct tick_alert *add(struct tick *tick, enum alert_subject subject, uint32_t mount,
			      enum tick_alert_change change)
{
	struct tick_alert *alert = tick_add_alert(tick, "made up");

	alert->subject = subject;
	alert->mount = mount;
	alert->change = change;
	return alert;
}

static struct tick *make_tick(uint32_t *point)
{
	struct sample *sample = sample_new();

	*point = sample_add_string(sample, "/tmp/\033]0;x", 10);
	sample_add_mount(sample)->point = *point;
	return tick_new(sample);
}

static void assert_text(const struct tick *tick, const struct tick_alert *alert, const char *expected)
{
	char text[128];

	warn_text(text, sizeof text, tick, alert);
	assert_string_equal(text, expected);
}

static void the_worst_one(void **state)
{
	uint32_t point;
	struct tick *tick = make_tick(&point);
	struct tick_alert *alert;

	(void)state;
	assert_null(warn_worst(tick));
	add(tick, ALERT_TMPFS, point, TICK_ALERT_CLEARED);
	assert_null(warn_worst(tick));
	assert_false(warn_mount(tick, 0));
	alert = add(tick, ALERT_MEMORY, 0, TICK_ALERT_STANDS);
	alert->used = UINT64_C(6) << 30;
	alert->size = UINT64_C(8) << 30;
	assert_text(tick, warn_worst(tick), "2.0 GiB of memory left");
	assert_null(warn_raised(tick));
	alert = add(tick, ALERT_TMPFS, point, TICK_ALERT_RAISED);
	alert->measure = ALERT_SECONDS;
	alert->seconds_to_full = 45.4;
	assert_text(tick, warn_worst(tick), "/tmp/?]0;x full in 45 s");
	assert_ptr_equal(warn_raised(tick), warn_worst(tick));
	assert_true(warn_mount(tick, 0));
	alert = add(tick, ALERT_HELD, point, TICK_ALERT_STANDS);
	alert->used = 98;
	alert->size = 100;
	assert_text(tick, warn_worst(tick), "/tmp/?]0;x 98 % full");
	tick_unref(tick);
}

static void assert_sequence(unsigned ways, const char *text, const char *expected)
{
	struct buf out = {0};

	notice_sequence(ways, text, &out);
	assert_string_equal(out.data ? out.data : "", expected);
	buf_fini(&out);
}

static void notifications(void **state)
{
	struct buf words = {0};

	(void)state;
	assert_int_equal(notice_parse("bell"), NOTICE_BELL);
	assert_int_equal(notice_parse("flash,osc9 osc777,hooter"),
			 NOTICE_FLASH | NOTICE_OSC9 | NOTICE_OSC777);
	assert_int_equal(notice_parse("none"), 0);
	notice_words(NOTICE_FLASH | NOTICE_OSC9, &words);
	assert_string_equal(words.data, "flash,osc9");
	buf_fini(&words);
	assert_sequence(NOTICE_BELL | NOTICE_FLASH, "/tmp full", "");
	assert_sequence(NOTICE_OSC9, "/tmp full", "\033]9;buildtop: /tmp full\033\\");
	assert_sequence(NOTICE_OSC777, "/t;mp full", "\033]777;notify;buildtop;/t,mp full\033\\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_one),
		cmocka_unit_test(notifications),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
