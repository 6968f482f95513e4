/* SPDX-License-Identifier: MIT
 *
 * Sessions with a screen: the build's own terminal, what the screen may ask, and what the session tells it.
 * The screen is a thread of a few lines; the terminal that it has is the test's.
 */
#include "harness.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct trial trial;
static void (*on_output)(struct control *control); /* once "ready" stands on the build's terminal */
static void (*on_told)(struct control *control, enum control_tell tell);
static bool asked;

static bool is_ready(const struct tape *output)
{
	char bytes[4096];
	uint64_t position = 0, lost = 0;
	size_t n = tape_read(output, &position, bytes, sizeof bytes, &lost);

	return memmem(bytes, n, "ready", 5) != NULL;
}

/* A screen: until it is told to end. */
static void serve(struct control *control, struct inbox *inbox, const struct tape *output)
{
	bool ended = false;

	while (!ended) {
		struct pollfd fds[] = {{.fd = inbox_fd(inbox), .events = POLLIN},
				       {.fd = control_told_fd(control), .events = POLLIN}};
		enum control_tell tell;
		int64_t arg;

		if (inbox_ended(inbox))
			fds[0].fd = -1;
		poll(fds, 2, 20);
		tick_unref(inbox_take(inbox, NULL));
		if (!asked && on_output != NULL && is_ready(output)) {
			asked = true;
			on_output(control);
		}
		while (control_told(control, &tell, &arg)) {
			trial.facts->told[tell]++;
			ended |= tell == CONTROL_TELL_END;
			if (on_told != NULL)
				on_told(control, tell);
		}
	}
}

static int setup(void **state)
{
	(void)state;
	trial = (struct trial){.terminal = true, .screen = serve, .interval_ms = 100};
	on_output = NULL;
	on_told = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trial_free(&trial);
	return 0;
}

static void start(const char *script)
{
	static const char *argv[4] = {"sh", "-c"};

	argv[2] = script;
	trial.argv = argv;
	trial_start(&trial);
}

static int end_status(void)
{
	trial_finish(&trial);
	assert_int_equal(trial.facts->error, 0);
	if (trial.facts->result.end.signal != 0)
		return -trial.facts->result.end.signal;
	return trial.facts->result.end.status;
}

static void assert_printed(const char *text)
{
	if (memmem(trial.facts->tape, trial.facts->tape_len, text, strlen(text)) == NULL)
		fail_msg("no \"%s\" in: %.*s", text, (int)trial.facts->tape_len, trial.facts->tape);
}

static void test_a_terminal_of_its_own(void **state)
{
	(void)state;
	start("stty size; tty </dev/tty; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo all three; "
	      "set -- $(cat /proc/$$/stat); [ $6 = $$ ] && echo leads; ls /proc/self/fd | tr '\\n' ' '; exit "
	      "8");
	assert_int_equal(end_status(), 8);
	assert_printed("17 63\r\n");
	assert_printed("all three\r\n");
	assert_printed("leads\r\n");
	assert_printed("0 1 2 3 ");
	assert_int_equal(trial.out_len, 0); /* nothing on ours */
	assert_int_equal(trial.facts->told[CONTROL_TELL_END], 1);
	assert_true(trial.facts->ended);
}

static void dull_terminal(void)
{
	struct termios settings;

	tcgetattr(0, &settings);
	settings.c_lflag &= ~(tcflag_t)ECHO;
	settings.c_cc[VERASE] = 'x';
	tcsetattr(0, TCSANOW, &settings);
}

static void test_settings_are_those_of_ours(void **state)
{
	(void)state;
	trial.prepare = dull_terminal;
	start("stty -a");
	assert_int_equal(end_status(), 0);
	assert_printed(" -echo ");
	assert_printed("erase = x");
}

static void stdin_of_the_build(void)
{
	if (freopen("/etc/hostname", "r", stdin) == NULL)
		_exit(99);
}

/* What is no terminal belongs to the build. */
static void test_a_file_stays_what_it_is(void **state)
{
	(void)state;
	trial.prepare = stdin_of_the_build;
	start("readlink /proc/self/fd/0; [ -t 1 ] && echo tty");
	assert_int_equal(end_status(), 0);
	assert_printed("/etc/hostname\r\n");
	assert_printed("tty\r\n");
}

static void test_all_output_is_kept(void **state)
{
	(void)state;
	start("head -c 30000 /dev/zero | tr '\\0' x; echo; echo the last line");
	assert_int_equal(end_status(), 0);
	/* The first bytes are in the facts; the end must have come as well. */
	assert_int_equal(trial.facts->tape_len, sizeof trial.facts->tape - 1);
	assert_memory_equal(trial.facts->tape_end, "the last line\r\n", 15);
}

static void type_a_line(struct control *control)
{
	for (const char *c = "hello\n"; *c != '\0'; c++)
		control_ask(control, CONTROL_ASK_TYPE, *c);
}

static void test_typing(void **state)
{
	(void)state;
	on_output = type_a_line;
	start("echo ready; read x; echo got $x; exit 2");
	assert_int_equal(end_status(), 2);
	assert_printed("got hello\r\n");
	assert_false(trial.facts->result.end.interrupted);
}

static void type_ctrl_c(struct control *control)
{
	control_ask(control, CONTROL_ASK_TYPE, 3);
}

static void test_ctrl_c(void **state)
{
	(void)state;
	on_output = type_ctrl_c;
	start("echo ready; exec sleep 300");
	assert_int_equal(end_status(), -SIGINT);
	assert_true(trial.facts->result.end.interrupted);
	assert_false(trial.facts->result.raised);
}

static void ask_size(struct control *control)
{
	control_ask(control, CONTROL_ASK_PTY_SIZE, 40 << 16 | 132);
}

static void test_resize(void **state)
{
	(void)state;
	on_output = ask_size;
	start("trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.02; done");
	assert_int_equal(end_status(), 0);
	assert_printed("40 132\r\n");
}

static void test_winch_is_told(void **state)
{
	(void)state;
	start("echo ready; read x");
	WAIT_UNTIL(trial.facts->job != 0 && trial.facts->ticks > 0);
	kill(trial.facts->job, SIGWINCH);
	WAIT_UNTIL(trial.facts->told[CONTROL_TELL_RESIZE] > 0);
	kill(trial.facts->job, SIGTERM);
	assert_int_equal(end_status(), -SIGTERM);
	assert_true(trial.facts->result.raised);
}

static void ask_stop(struct control *control)
{
	control_ask(control, CONTROL_ASK_STOP, 0);
}

static void test_stop(void **state)
{
	(void)state;
	on_output = ask_stop;
	start("sleep 300 & echo $! is ready; wait");
	assert_int_equal(end_status(), -SIGTERM);
	assert_true(trial.facts->result.end.interrupted);
	/* The whole group: */
	WAIT_UNTIL(strchr("-ZX", trial_state_of(atoi(trial.facts->tape))) != NULL);
}

static void ask_stop_twice(struct control *control)
{
	control_ask(control, CONTROL_ASK_STOP, 0);
	control_ask(control, CONTROL_ASK_STOP, 0);
}

static void test_stop_by_force(void **state)
{
	(void)state;
	on_output = ask_stop_twice;
	start("trap '' TERM; echo ready; while :; do sleep 0.02; done");
	assert_int_equal(end_status(), -SIGKILL);
}

static void ask_close(struct control *control)
{
	control_ask(control, CONTROL_ASK_CLOSE, 0);
	control_ask(control, CONTROL_ASK_TYPE, '\n');
}

/* The screen is left: what it had shown and what comes from then on is seen on our terminal; the build goes
 * on to its end. */
static void test_going_on_without_the_screen(void **state)
{
	(void)state;
	on_output = ask_close;
	start("echo ready; read x; stty size; echo afterwards; exit 9");
	assert_int_equal(end_status(), 9);
	assert_true(trial.facts->result.output_copied);
	assert_non_null(strstr(trial.out, "afterwards\r"));
	assert_non_null(strstr(trial.out, "30 90\r")); /* the whole of our terminal is its now */
	assert_non_null(strstr(trial.out, "ready"));
	assert_printed("ready");
	assert_printed("afterwards");
}

/* Our terminal goes: the screen is told to end, the build does not notice. */
static void test_hangup(void **state)
{
	(void)state;
	start("trap 'exit 1' HUP; echo ready; i=0; while [ $i -lt 50 ]; do sleep 0.02; i=$((i + 1)); done; "
	      "exit 6");
	WAIT_UNTIL(trial.facts->job != 0 && trial.facts->ticks > 0);
	close(trial.out_fd);
	trial.out_fd = dup(2);
	kill(trial.facts->job, SIGHUP); /* as a shell does to its jobs when its terminal has gone */
	WAIT_UNTIL(trial.facts->told[CONTROL_TELL_END] > 0);
	WAIT_UNTIL(trial.facts->ended);
	WAIT_UNTIL(trial.facts->result.end.status == 6);
	assert_false(trial.facts->result.end.interrupted);
	kill(trial.pid, SIGKILL);
	trial_finish(&trial);
}

static void leave_when_told(struct control *control, enum control_tell tell)
{
	if (tell == CONTROL_TELL_LEAVE)
		control_ask(control, CONTROL_ASK_SUSPEND, 0);
}

static void suspend_and_continue(void)
{
	WAIT_UNTIL(trial.facts->stops == 1);
	usleep(300000); /* a gap of two ticks at least */
	kill(-trial.facts->job, SIGCONT);
	WAIT_UNTIL(trial.facts->told[CONTROL_TELL_RETURN] > 0);
	WAIT_UNTIL(trial.facts->gaps > 0);
	kill(trial.facts->job, SIGTERM);
}

static void test_suspended_from_outside(void **state)
{
	(void)state;
	on_told = leave_when_told;
	start("echo ready; exec sleep 300");
	WAIT_UNTIL(trial.facts->job != 0 && trial.facts->ticks > 0);
	kill(trial.facts->job, SIGTSTP);
	suspend_and_continue();
	assert_int_equal(trial.facts->told[CONTROL_TELL_LEAVE], 1);
	assert_int_equal(end_status(), -SIGTERM); /* so it was continued too */
}

static void ask_suspend(struct control *control)
{
	control_ask(control, CONTROL_ASK_SUSPEND, 0);
}

static void test_suspended_by_key(void **state)
{
	(void)state;
	on_output = ask_suspend;
	start("echo ready; exec sleep 300");
	suspend_and_continue();
	assert_int_equal(trial.facts->told[CONTROL_TELL_LEAVE], 0);
	assert_int_equal(end_status(), -SIGTERM);
}

/* A screen that does not answer does not keep us from stopping. */
static void test_suspended_without_an_answer(void **state)
{
	(void)state;
	start("echo ready; exec sleep 300");
	WAIT_UNTIL(trial.facts->job != 0 && trial.facts->ticks > 0);
	kill(trial.facts->job, SIGTSTP);
	suspend_and_continue();
	assert_int_equal(end_status(), -SIGTERM);
}

static void hang(struct control *control, struct inbox *inbox, const struct tape *output)
{
	(void)control;
	(void)inbox;
	(void)output;
	for (;;)
		pause();
}

static void test_a_hung_screen_is_left_behind(void **state)
{
	(void)state;
	trial.screen = hang;
	start("exit 4");
	assert_int_equal(end_status(), 4);
	assert_true(trial.facts->result.abandoned);
	assert_true(trial.facts->serve_ended_on_thread); /* the others were waited for */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_terminal_of_its_own),
		TEST(test_settings_are_those_of_ours),
		TEST(test_a_file_stays_what_it_is),
		TEST(test_all_output_is_kept),
		TEST(test_typing),
		TEST(test_ctrl_c),
		TEST(test_resize),
		TEST(test_winch_is_told),
		TEST(test_stop),
		TEST(test_stop_by_force),
		TEST(test_going_on_without_the_screen),
		TEST(test_hangup),
		TEST(test_suspended_from_outside),
		TEST(test_suspended_by_key),
		TEST(test_suspended_without_an_answer),
		TEST(test_a_hung_screen_is_left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
