/* SPDX-License-Identifier: MIT
 *
 * What moves ticks about: tick, timeline, inbox, control; the last two between threads as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/control.h"
#include "model/inbox.h"
#include "model/timeline.h"

static struct tick *tick_at(int64_t mono_ns)
{
	struct sample *sample = sample_new();

	sample->mono_ns = mono_ns;
	sample->number = (uint64_t)mono_ns;
	return tick_new(sample);
}

static bool readable(int fd)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};

	return poll(&entry, 1, 0) == 1;
}

static void tick_starts_unset(void **state)
{
	struct sample *sample = sample_new();
	struct tick *tick;

	(void)state;
	sample->mono_ns = 42;
	sample->flags = SAMPLE_FIRST;
	sample_add_task(sample);
	sample_add_mount(sample);
	sample_add_disk(sample);
	tick = tick_new(sample);
	assert_true(isnan(tick->cpus_busy) && isnan(tick->psi_memory_full) && isnan(tick->share));
	assert_true(tick->page_cache_bytes == METRIC_NA && tick->interval_s == 0);
	assert_true(isnan(tick->tasks[0].cpu) && tick->tasks[0].cause == CAUSE_NONE);
	assert_true(isnan(tick->mounts[0].used) && tick->mounts[0].alarm == TICK_ALARM_NONE);
	assert_true(isnan(tick->disks[0].busy));
	assert_true(tick->brief.mono_ns == 42 && tick->brief.flags == SAMPLE_FIRST);
	assert_true(isnan(tick->brief.psi_io) && tick->brief.dirty_bytes == METRIC_NA);
	assert_int_equal(tick->brief.cause, CAUSE_NONE);
	assert_ptr_equal(tick_ref(tick), tick);
	tick_unref(tick);
	assert_int_equal(tick->brief.mono_ns, 42); /* one reference is left */
	tick_unref(tick);
	tick_unref(NULL);
}

static void timeline_put(struct timeline *timeline, int64_t mono_ns, const struct stall *closed,
			 size_t n_closed, const struct stall *open)
{
	struct tick *tick = tick_at(mono_ns);

	if (n_closed) {
		tick->closed = malloc(n_closed * sizeof *closed);
		memcpy(tick->closed, closed, n_closed * sizeof *closed);
		tick->n_closed = n_closed;
	}
	if (open) {
		tick->stalled = true;
		tick->stall = *open;
	}
	timeline_add(timeline, tick);
	tick_unref(tick);
}

static void timeline_renews_the_open_stall(void **state)
{
	struct timeline timeline = {0};
	struct stall first = {.number = 1, .open = true, .from_ns = 5, .to_ns = 10};
	struct stall both[2], third = {.number = 3, .open = true, .from_ns = 35};

	(void)state;
	timeline_put(&timeline, 10, NULL, 0, &first);
	assert_int_equal(timeline.n_stalls, 1);
	first.to_ns = 20;
	timeline_put(&timeline, 20, NULL, 0, &first);
	assert_int_equal(timeline.n_stalls, 1);
	assert_int_equal(timeline.stalls[0].to_ns, 20);

	first.open = false;
	first.to_ns = 22;
	both[0] = first;
	both[1] = (struct stall){.number = 2, .from_ns = 24, .to_ns = 29};
	timeline_put(&timeline, 30, both, 2, &third);
	assert_int_equal(timeline.n_stalls, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(timeline.stalls[i].number, i + 1);
	assert_false(timeline.stalls[0].open);
	assert_int_equal(timeline.stalls[0].to_ns, 22);
	assert_true(timeline.stalls[2].open);
	timeline_fini(&timeline);
	assert_null(timeline.briefs);
}

static void timeline_ignores_what_it_has(void **state)
{
	struct timeline timeline = {0};
	struct stall stall = {.number = 1, .from_ns = 1, .to_ns = 19};
	struct stall early = {.number = 1, .open = true, .from_ns = 1, .to_ns = 10};

	(void)state;
	timeline_put(&timeline, 10, NULL, 0, &early);
	timeline_put(&timeline, 20, &stall, 1, NULL);
	timeline_put(&timeline, 10, NULL, 0, &early); /* played again */
	timeline_put(&timeline, 20, &stall, 1, NULL);
	assert_int_equal(timeline.n_briefs, 2);
	assert_int_equal(timeline.n_stalls, 1);
	assert_false(timeline.stalls[0].open);
	assert_int_equal(timeline.stalls[0].to_ns, 19);
	timeline_fini(&timeline);
}

static void timeline_finds_a_moment(void **state)
{
	struct timeline timeline = {0};

	(void)state;
	assert_int_equal(timeline_at(&timeline, 5), 0);
	for (int64_t i = 1; i <= 100; i++)
		timeline_put(&timeline, i * 10, NULL, 0, NULL);
	assert_int_equal(timeline_at(&timeline, -1), 0);
	assert_int_equal(timeline_at(&timeline, 9), 0);
	for (int64_t at = 10; at <= 1000; at++)
		assert_int_equal(timeline_at(&timeline, at), at / 10 - 1);
	assert_int_equal(timeline_at(&timeline, INT64_MAX), 99);
	timeline_fini(&timeline);
}

static void inbox_offer(struct inbox *inbox, int64_t number)
{
	struct tick *tick = tick_at(number);

	inbox_put(inbox, tick);
	tick_unref(tick);
}

static void inbox_expect(struct inbox *inbox, int64_t number, uint64_t dropped)
{
	uint64_t lost = 77;
	struct tick *tick = inbox_take(inbox, &lost);

	assert_non_null(tick);
	assert_int_equal(tick->sample->mono_ns, number);
	assert_int_equal(lost, dropped);
	tick_unref(tick);
}

static void inbox_tells_what_was_dropped(void **state)
{
	struct inbox *inbox = inbox_new(3);
	uint64_t lost = 9;

	(void)state;
	assert_false(readable(inbox_fd(inbox)));
	for (int64_t i = 1; i <= 5; i++) /* 4 and 5 do not fit */
		inbox_offer(inbox, i);
	assert_true(readable(inbox_fd(inbox)));
	inbox_expect(inbox, 1, 0);
	inbox_offer(inbox, 6);
	inbox_expect(inbox, 2, 0);
	inbox_expect(inbox, 3, 0);
	inbox_expect(inbox, 6, 2);
	assert_null(inbox_take(inbox, &lost));
	assert_int_equal(lost, 0);
	assert_false(readable(inbox_fd(inbox)));
	assert_false(inbox_ended(inbox));
	inbox_close(inbox);
	assert_true(readable(inbox_fd(inbox)));
	assert_true(inbox_ended(inbox));
	assert_null(inbox_take(inbox, NULL));
	assert_true(readable(inbox_fd(inbox))); /* closed stays readable */
	inbox_free(inbox);
	inbox_free(NULL);
}

/* What was dropped after the last tick is told too, before the inbox has ended. */
static void inbox_tells_the_last_drops(void **state)
{
	struct inbox *inbox = inbox_new(1);
	uint64_t lost = 0;

	(void)state;
	for (int64_t i = 1; i <= 4; i++)
		inbox_offer(inbox, i);
	inbox_close(inbox);
	assert_false(inbox_ended(inbox));
	inbox_expect(inbox, 1, 0);
	assert_false(inbox_ended(inbox));
	assert_null(inbox_take(inbox, &lost));
	assert_int_equal(lost, 3);
	assert_true(inbox_ended(inbox));
	assert_null(inbox_take(inbox, &lost));
	assert_int_equal(lost, 0);
	inbox_free(inbox);
}

static void inbox_lets_go_of_the_rest(void **state)
{
	struct inbox *inbox = inbox_new(4);
	struct tick *tick = tick_at(1);

	(void)state;
	inbox_put(inbox, tick);
	inbox_put(inbox, tick);
	assert_int_equal(atomic_load(&tick->references), 3);
	inbox_free(inbox);
	assert_int_equal(atomic_load(&tick->references), 1);
	tick_unref(tick);
}

#define TICKS 20000

static void *inbox_producer(void *argument)
{
	for (int64_t i = 1; i <= TICKS; i++)
		inbox_offer(argument, i);
	inbox_close(argument);
	return NULL;
}

static void inbox_counts_right_between_threads(void **state)
{
	struct inbox *inbox = inbox_new(8);
	pthread_t thread;
	int64_t last = 0;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, inbox_producer, inbox), 0);
	while (!inbox_ended(inbox)) {
		struct pollfd entry = {.fd = inbox_fd(inbox), .events = POLLIN};
		uint64_t lost;
		struct tick *tick;

		assert_int_equal(poll(&entry, 1, 20000), 1);
		tick = inbox_take(inbox, &lost);
		last += (int64_t)lost;
		if (tick)
			assert_int_equal(tick->sample->mono_ns, ++last);
		tick_unref(tick);
	}
	assert_int_equal(last, TICKS);
	pthread_join(thread, NULL);
	inbox_free(inbox);
}

static void control_carries_lines(void **state)
{
	struct control *control = control_new();
	enum control_tell tell;
	int64_t arg;
	char *line;

	(void)state;
	assert_null(control_told_line(control));
	control_tell_line(control, "first");
	control_tell_line(control, "second");
	for (int i = 0; i < 2; i++) {
		assert_true(control_told(control, &tell, &arg));
		assert_int_equal(tell, CONTROL_TELL_LINE);
		line = control_told_line(control);
		assert_string_equal(line, i ? "second" : "first");
		free(line);
	}
	for (int i = 0; i < 1000; i++) /* a full box forgets, and leaks nothing */
		control_tell_line(control, "x");
	control_free(control);
}

static void control_carries_both_ways(void **state)
{
	struct control *control = control_new();
	enum control_ask ask;
	enum control_tell tell;
	int64_t arg;

	(void)state;
	assert_false(control_asked(control, &ask, &arg));
	control_ask(control, CONTROL_ASK_SEEK, INT64_MAX);
	control_ask(control, CONTROL_ASK_STEP, -3);
	assert_true(readable(control_asked_fd(control)));
	assert_false(readable(control_told_fd(control)));
	assert_true(control_asked(control, &ask, &arg));
	assert_true(ask == CONTROL_ASK_SEEK && arg == INT64_MAX);
	assert_true(readable(control_asked_fd(control)));
	assert_true(control_asked(control, &ask, &arg));
	assert_true(ask == CONTROL_ASK_STEP && arg == -3);
	assert_false(control_asked(control, &ask, &arg));
	assert_false(readable(control_asked_fd(control)));

	control_tell(control, CONTROL_TELL_POSITION, 8);
	assert_true(readable(control_told_fd(control)));
	assert_true(control_told(control, &tell, &arg));
	assert_true(tell == CONTROL_TELL_POSITION && arg == 8);
	assert_false(control_told(control, &tell, &arg));
	assert_false(readable(control_told_fd(control)));
	control_free(control);
	control_free(NULL);
}

/* However much is pasted, an order still gets through. */
static void control_keeps_room_for_orders(void **state)
{
	struct control *control = control_new();
	enum control_ask ask = CONTROL_ASK_NONE;
	int64_t arg;

	(void)state;
	for (int i = 0; i < 100000; i++)
		control_ask(control, CONTROL_ASK_TYPE, 'a');
	control_ask(control, CONTROL_ASK_STOP, 0);
	while (control_asked(control, &ask, &arg))
		;
	assert_int_equal(ask, CONTROL_ASK_STOP);
	control_free(control);
}

static void *control_asker(void *argument)
{
	for (int64_t i = 1; i <= 2000; i++)
		control_ask(argument, CONTROL_ASK_SEEK, i);
	return NULL;
}

static void control_works_between_threads(void **state)
{
	struct control *control = control_new();
	pthread_t thread;
	int64_t last = 0;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, control_asker, control), 0);
	while (last < 2000) {
		struct pollfd entry = {.fd = control_asked_fd(control), .events = POLLIN};
		enum control_ask ask;
		int64_t arg;

		assert_int_equal(poll(&entry, 1, 20000), 1);
		if (!control_asked(control, &ask, &arg))
			continue;
		assert_int_equal(ask, CONTROL_ASK_SEEK);
		assert_int_equal(arg, ++last);
	}
	pthread_join(thread, NULL);
	control_free(control);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tick_starts_unset),
		cmocka_unit_test(timeline_renews_the_open_stall),
		cmocka_unit_test(timeline_ignores_what_it_has),
		cmocka_unit_test(timeline_finds_a_moment),
		cmocka_unit_test(inbox_tells_what_was_dropped),
		cmocka_unit_test(inbox_tells_the_last_drops),
		cmocka_unit_test(inbox_lets_go_of_the_rest),
		cmocka_unit_test(inbox_counts_right_between_threads),
		cmocka_unit_test(control_carries_both_ways),
		cmocka_unit_test(control_carries_lines),
		cmocka_unit_test(control_keeps_room_for_orders),
		cmocka_unit_test(control_works_between_threads),
	};

	return cmocka_run_group_tests_name("ticks", tests, NULL, NULL);
}
