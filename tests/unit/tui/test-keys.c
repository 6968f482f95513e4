/* SPDX-License-Identifier: MIT
 *
 * The state in words, times that people write, keys and what they ask for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curses.h>

#include "../../../src/tui/keys.h"
#include "../../../src/tui/terminal.h"
#include "base/clock.h"

#define START_NS (5000 * NS_PER_S)

/* 2026-11-30 18:39:43 UTC */
static const struct run run = {
	.start_mono_ns = START_NS, .start_wall_ns = INT64_C(1796063983) * NS_PER_S, .interval_ns = NS_PER_S};

static void times(void **state)
{
	const int64_t end_ns = START_NS + 7200 * NS_PER_S;
	int64_t at;

	(void)state;
	assert_true(keys_parse_time(&run, end_ns, "4:59", &at));
	assert_int_equal(at, START_NS + 299 * NS_PER_S);
	assert_true(keys_parse_time(&run, end_ns, "1:02:03", &at));
	assert_int_equal(at, START_NS + 3723 * NS_PER_S);
	assert_true(keys_parse_time(&run, end_ns, "18:56:43", &at));
	assert_int_equal(at, START_NS + 17 * 60 * NS_PER_S);
	assert_true(keys_parse_time(&run, end_ns, "90", &at));
	assert_int_equal(at, START_NS + 90 * NS_PER_S);
	assert_false(keys_parse_time(&run, end_ns, "soon", &at));
}

static void states(void **state)
{
	struct sample *sample = sample_new();
	struct tick *tick = tick_new(sample);
	struct state now;

	(void)state;
	state_of(&now, NULL, 0);
	assert_int_equal(now.kind, STATE_STARTING);
	tick->interval_s = 1;
	tick->unknown_s = 0;
	tick->brief.cause = CAUSE_NONE;
	tick->brief.busiest = CAUSE_CPU;
	state_of(&now, tick, 0);
	assert_string_equal(now.text, "computing");
	tick->brief.busiest = CAUSE_NONE;
	state_of(&now, tick, 0);
	assert_string_equal(now.text, "waiting");
	tick->brief.busiest = CAUSE_READ;
	state_of(&now, tick, 0);
	assert_string_equal(now.text, "reading");
	tick->unknown_s = 0.9;
	state_of(&now, tick, 0);
	assert_int_equal(now.kind, STATE_UNKNOWN);
	tick->stalled = true;
	tick->stall = (struct stall){.cause = CAUSE_DIRTY_THROTTLE, .from_ns = 0, .to_ns = 14 * NS_PER_S};
	state_of(&now, tick, 0);
	assert_string_equal(now.text, "STALLED: dirty throttling 14 s");
	tick->stall.to_ns = 75 * NS_PER_S;
	state_of(&now, tick, 0);
	assert_string_equal(now.text, "STALLED: dirty throttling 1:15");
	state_of(&now, tick, 9);
	assert_int_equal(now.kind, STATE_UNKNOWN); /* no news is not good news */
	tick_unref(tick);
}

static struct view *open_view(struct view *view, struct control *control, bool replay)
{
	struct tui_options options = {.control = control, .replay = replay};

	view_init(view, &options);
	view->run = &run;
	view_frame(view, 24, 80);
	return view;
}

static void expect(struct control *control, enum control_ask ask, int64_t argument)
{
	enum control_ask asked;
	int64_t with;

	assert_true(control_asked(control, &asked, &with));
	assert_int_equal(asked, ask);
	assert_int_equal(with, argument);
}

static void quitting_asks_what_becomes_of_the_build(void **state)
{
	struct control *control = control_new();
	struct view view;
	enum control_ask ask;
	int64_t argument;

	(void)state;
	open_view(&view, control, false);
	keys_press(&view, 's'); /* sorts; does not stop */
	assert_false(control_asked(control, &ask, &argument));
	keys_press(&view, 'q');
	assert_int_equal(view.prompt, VIEW_ASK_QUIT);
	keys_press(&view, 'x'); /* no answer */
	assert_int_equal(view.prompt, VIEW_ASK_QUIT);
	keys_press(&view, 0x1b);
	assert_int_equal(view.prompt, VIEW_NO_PROMPT);
	assert_false(view.leave);
	keys_press(&view, 'q');
	keys_press(&view, 's');
	expect(control, CONTROL_ASK_STOP, 0);
	assert_false(view.leave);
	keys_press(&view, 'q');
	keys_press(&view, 'w');
	assert_true(view.leave);
	keys_press(&view, 3);
	expect(control, CONTROL_ASK_TYPE, 3);
	view_fini(&view);
	control_free(control);
}

static void replay_is_steered(void **state)
{
	struct control *control = control_new();
	struct view view;

	(void)state;
	open_view(&view, control, true);
	keys_press(&view, ' ');
	expect(control, CONTROL_ASK_PLAY, 0);
	keys_press(&view, ']');
	expect(control, CONTROL_ASK_PLAY, 16);
	for (int i = 0; i < 20; i++)
		keys_press(&view, ']');
	assert_int_equal(view.speed_eighths, 64 * 8);
	for (int i = 0; i < 30; i++)
		keys_press(&view, '[');
	assert_int_equal(view.speed_eighths, 1);
	control_free(control);
	view.given.control = control = control_new();
	keys_press(&view, KEY_LEFT);
	expect(control, CONTROL_ASK_STEP, -1);
	keys_press(&view, 'g');
	for (const char *text = "1:30\r"; *text; text++)
		keys_press(&view, *text);
	assert_int_equal(view.prompt, VIEW_NO_PROMPT);
	keys_press(&view, 'q');
	assert_true(view.leave);
	view_fini(&view);
	control_free(control);
}

static void pasted_text_is_no_command(void **state)
{
	struct control *control = control_new();
	struct view view;
	enum control_ask ask;
	int64_t argument;

	(void)state;
	open_view(&view, control, false);
	keys_press(&view, TERMINAL_PASTE_BEGIN);
	for (const char *text = "qsqw\003 123\r"; *text; text++)
		keys_press(&view, *text);
	keys_press(&view, TERMINAL_PASTE_END);
	assert_false(control_asked(control, &ask, &argument));
	assert_int_equal(view.prompt, VIEW_NO_PROMPT);
	assert_int_equal(view.page, VIEW_OVERVIEW);
	keys_press(&view, '/');
	keys_press(&view, TERMINAL_PASTE_BEGIN);
	for (const char *text = "l\033d\r"; *text; text++)
		keys_press(&view, *text);
	keys_press(&view, TERMINAL_PASTE_END);
	assert_string_equal(view.typed, "ld"); /* text, and the question still stands */
	assert_int_equal(view.prompt, VIEW_ASK_FILTER);
	view_fini(&view);
	control_free(control);
}

static void typing_goes_to_the_build(void **state)
{
	struct control *control = control_new();
	struct tape *tape = tape_new(4096);
	struct view view;
	enum control_ask ask;
	int64_t argument;

	(void)state;
	open_view(&view, control, false);
	keys_press(&view, 'i'); /* the build has no terminal of ours */
	assert_int_equal(view.prompt, VIEW_NO_PROMPT);
	view_fini(&view);
	struct tui_options options = {.control = control, .output = tape};
	view_init(&view, &options);
	view.run = &run;
	view_frame(&view, 24, 80);
	keys_press(&view, 'i');
	assert_int_equal(view.page, VIEW_OUTPUT);
	for (const char *text = "q\003\r"; *text; text++) {
		keys_press(&view, *text);
		expect(control, CONTROL_ASK_TYPE, *text);
	}
	keys_press(&view, KEY_UP);
	expect(control, CONTROL_ASK_TYPE, 0x1b);
	expect(control, CONTROL_ASK_TYPE, '[');
	expect(control, CONTROL_ASK_TYPE, 'A');
	keys_press(&view, 0x1d);
	assert_int_equal(view.page, VIEW_OVERVIEW);
	keys_press(&view, '2');
	assert_int_equal(view.page, VIEW_TASKS);
	assert_false(control_asked(control, &ask, &argument));
	view_fini(&view);
	tape_free(tape);
	control_free(control);
}

static void typing_a_filter(void **state)
{
	struct view view;

	(void)state;
	open_view(&view, NULL, false);
	keys_press(&view, '/');
	keys_press(&view, 'q'); /* text, not quitting */
	keys_press(&view, 'l');
	keys_press(&view, 0x7f);
	assert_string_equal(view.filter, "q");
	keys_press(&view, '\r');
	assert_string_equal(view.filter, "q");
	keys_press(&view, 0x1b);
	assert_string_equal(view.filter, "");
	keys_press(&view, '/');
	for (int i = 0; i < 500; i++)
		keys_press(&view, 'x');
	assert_true(strlen(view.filter) < sizeof view.filter);
	view_fini(&view);
}

static void every_key_has_a_word(void **state)
{
	const struct tui_key_info *table = tui_keys();

	(void)state;
	assert_non_null(table[0].key);
	for (; table->key; table++)
		assert_true(strlen(table->key) && strlen(table->help));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(states),
		cmocka_unit_test(quitting_asks_what_becomes_of_the_build),
		cmocka_unit_test(replay_is_steered),
		cmocka_unit_test(pasted_text_is_no_command),
		cmocka_unit_test(typing_goes_to_the_build),
		cmocka_unit_test(typing_a_filter),
		cmocka_unit_test(every_key_has_a_word),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
