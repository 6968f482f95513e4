/* SPDX-License-Identifier: MIT
 *
 * base/log: many say, one takes; nothing is lost in silence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static bool waits(void)
{
	struct pollfd entry = {.fd = log_fd(), .events = POLLIN};

	return poll(&entry, 1, 0) == 1;
}

/* First: before log_init() there is no descriptor, but lines are kept. */
static void lines_are_kept_before_init(void **state)
{
	char line[LOG_LINE_SIZE];

	(void)state;
	assert_int_equal(log_fd(), -1);
	log_say("early %d", 1);
	assert_true(log_take(line));
	assert_string_equal(line, "early 1");
	assert_false(log_take(line));
	log_init();
	log_init();
	assert_true(log_fd() >= 0);
}

static void lines_come_in_order_and_the_fd_tells(void **state)
{
	char line[LOG_LINE_SIZE];

	(void)state;
	assert_false(waits());
	log_say("one");
	log_say("two");
	assert_true(waits());
	assert_true(log_take(line));
	assert_string_equal(line, "one");
	assert_true(waits());
	assert_true(log_take(line));
	assert_string_equal(line, "two");
	assert_false(log_take(line));
	assert_false(waits());
}

static void long_lines_are_cut(void **state)
{
	char line[LOG_LINE_SIZE];

	(void)state;
	log_say("%2000d", 1);
	assert_true(log_take(line));
	assert_int_equal(strlen(line), LOG_LINE_SIZE - 1);
	assert_false(log_take(line));
}

static void lost_lines_are_counted(void **state)
{
	char line[LOG_LINE_SIZE], expected[32];

	(void)state;
	for (int lap = 0; lap < 3; lap++) {
		for (int i = 0; i < 70; i++)
			log_say("line %d", i);
		for (int i = 0; i < 64; i++) {
			assert_true(log_take(line));
			snprintf(expected, sizeof expected, "line %d", i);
			assert_string_equal(line, expected);
		}
		assert_true(waits());
		assert_true(log_take(line));
		assert_string_equal(line, "6 more messages were lost");
		assert_false(log_take(line));
	}
	for (int i = 0; i < 65; i++)
		log_say("x");
	for (int i = 0; i < 65; i++)
		assert_true(log_take(line));
	assert_string_equal(line, "1 more message was lost");
	assert_false(log_take(line));
}

#define SAYERS 3
#define SAID   20000

static void *sayer(void *argument)
{
	int name = *(int *)argument;

	for (int i = 0; i < SAID; i++)
		log_say("%d %d %d", name, i, name * 1000000 + i);
	return NULL;
}

/* Lines whole, each thread's in order, and with the lost ones they are as many as were said. */
static void threads_do_not_mix_lines(void **state)
{
	pthread_t threads[SAYERS];
	int names[SAYERS], next[SAYERS] = {0};
	unsigned long taken = 0, lost = 0;
	char line[LOG_LINE_SIZE];

	(void)state;
	for (int i = 0; i < SAYERS; i++) {
		names[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, sayer, &names[i]), 0);
	}
	while (taken + lost < SAYERS * SAID) {
		struct pollfd entry = {.fd = log_fd(), .events = POLLIN};
		int name, number, check;
		unsigned long some;

		/* Nothing is slept through: lines are due, so the descriptor must wake us. */
		assert_int_equal(poll(&entry, 1, 20000), 1);
		while (log_take(line)) {
			if (sscanf(line, "%d %d %d", &name, &number, &check) == 3) {
				assert_in_range(name, 0, SAYERS - 1);
				assert_int_equal(check, name * 1000000 + number);
				assert_true(number >= next[name]);
				next[name] = number + 1;
				taken++;
			} else {
				assert_int_equal(sscanf(line, "%lu more message", &some), 1);
				lost += some;
			}
		}
	}
	for (int i = 0; i < SAYERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(taken + lost, SAYERS * SAID);
	assert_false(log_take(line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_kept_before_init),
		cmocka_unit_test(lines_come_in_order_and_the_fd_tells),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(lost_lines_are_counted),
		cmocka_unit_test(threads_do_not_mix_lines),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
