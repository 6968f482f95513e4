/* SPDX-License-Identifier: MIT
 *
 * A made-up run is judged live and recorded; replay must give the same ticks, in whatever order they are
 * asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/stream/replay_state.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/recorder.h"

#define TICKS 400

static char path[64];
static struct run *run;
static struct tick *live[TICKS];

static uint32_t noise(void)
{
	static uint32_t seed = 12345;

	return seed = seed * 1103515245 + 12345, seed >> 8;
}

static bool is_stalled(size_t i)
{
	return (i >= 20 && i < 45) || (i >= 130 && i < 134) || (i >= 290 && i < 330);
}

static uint32_t add_text(struct sample *sample, const char *text)
{
	return sample_add_string(sample, text, strlen(text));
}

static void add_looks(struct sample *sample, int64_t from_ns, bool stalled)
{
	struct site *site = sample_add_site(sample);
	struct look_row *row;

	site->wchan = add_text(sample, stalled ? "balance_dirty_pages" : "0");
	site->syscall = stalled ? 1 : SITE_CALL_UNREAD;
	site->state = stalled ? 'D' : 'R';
	for (int look = 0; look < 10; look++)
		sample_add_look(sample, from_ns + (look + 1) * 100 * NS_PER_MS);
	row = sample_add_look_row(sample);
	row->tid = 100;
	row->mask = noise() % 8 == 0 ? 0x1ff : 0x3ff;
}

static struct sample *make_sample(size_t i)
{
	static uint64_t cpu_ms, written;
	struct sample *sample = sample_new();
	struct task_row *task = sample_add_task(sample);
	struct mount_row *mount = sample_add_mount(sample);
	bool stalled = is_stalled(i);

	sample->number = i;
	sample->flags = i == 0		 ? SAMPLE_FIRST
			: i == 200	 ? SAMPLE_GAP | SAMPLE_LATE
			: i == TICKS - 1 ? SAMPLE_LAST
					 : 0;
	sample->missed = i == 200 ? 7 : 0;
	sample->mono_ns = run->start_mono_ns + (int64_t)(i + (i >= 200 ? 7 : 0)) * NS_PER_S;
	sample->wall_ns = run->start_wall_ns + sample->mono_ns - run->start_mono_ns;
	cpu_ms += stalled ? 5 : 700 + noise() % 300;
	written += noise() % 100000;
	sample->system[METRIC_SYSTEM_CPU_USER_MS] = cpu_ms;
	sample->system[METRIC_SYSTEM_DIRTY_BYTES] = stalled ? 90000000 : noise() % 30000000;
	sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES] = 100000000;
	sample->system[METRIC_SYSTEM_MEM_TOTAL_BYTES] = 1u << 30;
	task->pid = 100;
	task->ppid = 1;
	task->start_ticks = 77;
	task->flags = TASK_ROOT;
	task->state = stalled ? 'D' : 'R';
	task->comm = add_text(sample, "cc1");
	task->values[METRIC_TASK_USER_MS] = cpu_ms;
	task->values[METRIC_TASK_SYSTEM_MS] = cpu_ms / 10;
	task->values[METRIC_TASK_WRITE_BYTES] = written;
	mount->device = 5;
	mount->point = add_text(sample, "/tmp");
	mount->type = add_text(sample, "tmpfs");
	mount->flags = MOUNT_TMPFS;
	mount->values[METRIC_MOUNT_SIZE_BYTES] = 100000000;
	mount->values[METRIC_MOUNT_USED_BYTES] = 200000 * i;
	if (i > 0)
		add_looks(sample, sample->mono_ns - NS_PER_S, stalled);
	return sample;
}

static void make_run(void)
{

	run = run_new();
	uuid7(run->id, clock_wall_ns());
	run->command = mem_alloc(2, sizeof(char *));
	run->command[0] = mem_dup("make");
	run->machine = mem_dup("x86_64");
	run->ticks_per_s = 100;
	run->cpus = 2;
	run->page_bytes = 4096;
	run->start_mono_ns = 1000 * NS_PER_S;
	run->start_wall_ns = 1700000000 * NS_PER_S;
	run->interval_ns = NS_PER_S;
	run->look_interval_ns = 100 * NS_PER_MS;
}

static void record(void)
{
	struct recorder_options options = {.path = path, .command_lines = true};
	struct diagnose *diagnose = diagnose_new(run);
	struct run_end end = {.complete = true, .known = true, .status = 2, .user_us = 5, .system_us = 6};
	struct inbox *inbox = inbox_new(TICKS + 1);
	struct recorder *recorder;
	struct consumer consumer;

	assert_int_equal(recorder_open(&recorder, &options, NULL), 0);
	consumer = recorder_consumer(recorder);
	consumer.begin(consumer.self, run);
	for (size_t i = 0; i < TICKS; i++) {
		live[i] = diagnose_step(diagnose, make_sample(i));
		inbox_put(inbox, live[i]);
	}
	inbox_close(inbox);
	consumer.serve(consumer.self, inbox);
	consumer.end(consumer.self, &end);
	recorder_close(recorder);
	inbox_free(inbox);
	diagnose_free(diagnose);
}

static int setup(void **state)
{
	(void)state;
	log_init();
	snprintf(path, sizeof path, "/tmp/buildtop-replay-%d.buildtop", (int)getpid());
	make_run();
	record();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (size_t i = 0; i < TICKS; i++)
		tick_unref(live[i]);
	run_free(run);
	return unlink(path);
}

static void assert_same_number(double a, double b)
{
	if (!(isnan(a) && isnan(b)))
		assert_true(a == b);
}

static void assert_same_stall(const struct stall *a, const struct stall *b)
{
	assert_int_equal(a->number, b->number);
	assert_int_equal(a->open, b->open);
	assert_int_equal(a->from_ns, b->from_ns);
	assert_int_equal(a->to_ns, b->to_ns);
	assert_int_equal(a->cause, b->cause);
	assert_same_number(a->task_s, b->task_s);
	assert_same_number(a->share_s, b->share_s);
	assert_int_equal(a->dirty_peak_bytes, b->dirty_peak_bytes);
	assert_string_equal(a->wchan, b->wchan);
	assert_int_equal(a->n_victims, b->n_victims);
	assert_int_equal(a->evidence, b->evidence);
}

static void assert_same_tick(const struct tick *a, const struct tick *b)
{
	assert_int_equal(a->sample->number, b->sample->number);
	assert_int_equal(a->sample->flags, b->sample->flags);
	assert_int_equal(a->sample->missed, b->sample->missed);
	assert_int_equal(a->sample->mono_ns, b->sample->mono_ns);
	assert_same_number(a->interval_s, b->interval_s);
	assert_same_number(a->build_cpu_s, b->build_cpu_s);
	assert_same_number(a->share, b->share);
	assert_same_number(a->some_s, b->some_s);
	assert_same_number(a->unknown_s, b->unknown_s);
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		assert_same_number(a->cause_s[cause], b->cause_s[cause]);
	assert_int_equal(a->stalled, b->stalled);
	if (a->stalled)
		assert_same_stall(&a->stall, &b->stall);
	assert_int_equal(a->n_closed, b->n_closed);
	for (size_t i = 0; i < a->n_closed; i++)
		assert_same_stall(&a->closed[i], &b->closed[i]);
	assert_int_equal(a->mounts[0].alarm, b->mounts[0].alarm);
	assert_int_equal(a->mounts[0].alarm_new, b->mounts[0].alarm_new);
	assert_same_number(a->mounts[0].seconds_to_full, b->mounts[0].seconds_to_full);
	assert_int_equal(a->brief.cause, b->brief.cause);
	assert_int_equal(a->brief.busiest, b->brief.busiest);
}

static struct replay *open_it(const char *name)
{
	struct replay *replay = NULL;
	struct why why = {""};

	if (replay_open(&replay, name, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(replay_think(replay, INT64_MAX, &why), 0);
	return replay;
}

struct eater {
	size_t next;
	bool began, ended;
};

static void eat_begin(void *self, const struct run *from)
{
	struct eater *eater = self;

	assert_string_equal(from->id, run->id);
	eater->began = true;
}

static void eat_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct eater *eater = self;

	assert_int_equal(dropped, 0);
	assert_same_tick(live[eater->next++], tick);
}

static void eat_end(void *self, const struct run_end *end)
{
	struct eater *eater = self;

	assert_int_equal(end->status, 2);
	eater->ended = true;
}

static void feed_whole(struct replay *replay)
{
	struct eater eater = {0};
	struct consumer consumer = {.self = &eater, .begin = eat_begin, .tick = eat_tick, .end = eat_end};

	assert_int_equal(replay_feed(replay, &consumer, 1, NULL), 0);
	assert_int_equal(eater.next, TICKS);
	assert_true(eater.began && eater.ended);
}

static void test_same_as_live(void **state)
{
	struct replay *replay = open_it(path);

	(void)state;
	/* The made-up run is worth comparing only when it stalls. */
	assert_true(replay_timeline(replay)->n_stalls >= 2);
	assert_null(replay_damage(replay));
	assert_true(replay_end(replay)->complete);
	feed_whole(replay);
	feed_whole(replay); /* and again */
	replay_close(replay);
}

/* Judged while it is handed on, without a look before. */
static void test_same_in_one_pass(void **state)
{
	struct replay *replay = NULL;

	(void)state;
	assert_int_equal(replay_open(&replay, path, NULL), 0);
	assert_int_equal(replay_think(replay, 1, NULL), 1); /* and a bit of it before */
	assert_true(replay_count(replay) > 0 && replay_count(replay) < TICKS);
	feed_whole(replay);
	assert_int_equal(replay_count(replay), TICKS);
	replay_close(replay);
}

static void check_at(struct replay *replay, size_t i)
{
	struct tick *tick = NULL;

	assert_int_equal(replay_seek(replay, i), 0);
	assert_true(replay->next <= i);
	do {
		tick_unref(tick);
		tick = replay_next(replay);
		assert_non_null(tick);
	} while (replay->next <= i);
	assert_same_tick(live[i], tick);
	tick_unref(tick);
}

static void test_same_after_any_jump(void **state)
{
	struct replay *replay = open_it(path);

	(void)state;
	assert_true(replay->n_marks > 3);
	for (size_t i = TICKS; i-- > 0; i -= i > 0 && i % 3 == 0)
		check_at(replay, i);
	check_at(replay, 200);
	check_at(replay, TICKS - 1);
	assert_null(replay_next(replay));
	replay_close(replay);
}

static void feed_fifo(const char *fifo)
{
	char command[256];

	snprintf(command, sizeof command, "cat %s > %s &", path, fifo);
	assert_int_equal(system(command), 0);
}

static void test_from_a_pipe(void **state)
{
	struct replay *replay;
	char fifo[80];

	(void)state;
	snprintf(fifo, sizeof fifo, "%s.fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	feed_fifo(fifo);
	replay = open_it(fifo);
	unlink(fifo);
	feed_whole(replay);
	check_at(replay, 60);
	replay_close(replay);
}

static void test_cut(void **state)
{
	char cut[80], command[256];
	struct stat whole;
	struct replay *replay;

	(void)state;
	assert_int_equal(stat(path, &whole), 0);
	snprintf(cut, sizeof cut, "%s.cut", path);
	snprintf(command, sizeof command, "head -c %ld %s > %s", (long)whole.st_size / 2, path, cut);
	assert_int_equal(system(command), 0);
	replay = open_it(cut);
	unlink(cut);
	assert_true(replay_count(replay) > 50 && replay_count(replay) < TICKS);
	assert_false(replay_end(replay)->complete);
	assert_false(replay_end(replay)->known);
	assert_int_equal(replay_end(replay)->mono_ns, live[replay_count(replay) - 1]->sample->mono_ns);
	assert_non_null(replay_damage(replay));
	check_at(replay, replay_count(replay) - 1);
	check_at(replay, 3);
	replay_close(replay);
}

static void test_not_there(void **state)
{
	struct replay *replay = NULL;
	struct why why = {""};

	(void)state;
	assert_true(replay_open(&replay, "/nonexistent", &why) < 0);
	assert_true(why.text[0] != '\0');
	assert_null(replay);
}

/* A screen that plays, jumps and steps, and checks what it is given. */
struct viewer {
	struct control *control;
	bool ended;
};

static struct tick *take(struct inbox *inbox)
{
	struct pollfd ready = {.fd = inbox_fd(inbox), .events = POLLIN};
	struct tick *tick;

	while ((tick = inbox_take(inbox, NULL)) == NULL)
		if (poll(&ready, 1, 10000) <= 0)
			fail_msg("no tick came");
	return tick;
}

static void take_until(struct inbox *inbox, uint64_t number)
{
	bool found = false;

	while (!found) {
		struct tick *tick = take(inbox);

		found = tick->sample->number == number;
		assert_same_tick(live[tick->sample->number], tick);
		tick_unref(tick);
	}
}

static int64_t take_speed(struct control *control)
{
	struct pollfd ready = {.fd = control_told_fd(control), .events = POLLIN};
	enum control_tell tell = CONTROL_TELL_NONE;
	int64_t arg = -1;

	while (tell != CONTROL_TELL_POSITION)
		if (!control_told(control, &tell, &arg) && poll(&ready, 1, 10000) <= 0)
			fail_msg("no speed was told");
	return arg;
}

static void view(void *self, struct inbox *inbox)
{
	struct viewer *viewer = self;
	struct control *control = viewer->control;

	take_until(inbox, 0);
	control_ask(control, CONTROL_ASK_PLAY, 0);
	assert_int_equal(take_speed(control), 0);
	control_ask(control, CONTROL_ASK_STEP, 61);
	take_until(inbox, 61);
	control_ask(control, CONTROL_ASK_STEP, -2);
	take_until(inbox, 59);
	control_ask(control, CONTROL_ASK_STEP, -1000);
	take_until(inbox, 0);
	control_ask(control, CONTROL_ASK_SEEK, live[300]->sample->mono_ns + 1);
	take_until(inbox, 300);
	control_ask(control, CONTROL_ASK_SEEK, 0);
	take_until(inbox, 0);
	control_ask(control, CONTROL_ASK_STEP, TICKS - 30);
	take_until(inbox, TICKS - 30);
	control_ask(control, CONTROL_ASK_PLAY, 64 * 8); /* half a second for the rest */
	assert_int_equal(take_speed(control), 64 * 8);
	take_until(inbox, TICKS - 1);
	assert_int_equal(take_speed(control), 0); /* at the end it pauses */
	control_ask(control, CONTROL_ASK_CLOSE, 0);
}

static void view_until_told(void *self, struct inbox *inbox)
{
	struct viewer *viewer = self;
	struct pollfd ready = {.fd = control_told_fd(viewer->control), .events = POLLIN};
	enum control_tell tell = CONTROL_TELL_NONE;
	int64_t arg;

	take_until(inbox, 0);
	kill(getpid(), SIGWINCH);
	while (tell != CONTROL_TELL_RESIZE && poll(&ready, 1, 10000) > 0)
		control_told(viewer->control, &tell, &arg);
	assert_int_equal(tell, CONTROL_TELL_RESIZE);
	kill(getpid(), SIGTERM);
	while (tell != CONTROL_TELL_END && poll(&ready, 1, 10000) > 0)
		control_told(viewer->control, &tell, &arg);
	assert_int_equal(tell, CONTROL_TELL_END);
}

static void view_end(void *self, const struct run_end *end)
{
	struct viewer *viewer = self;

	assert_int_equal(end->status, 2);
	viewer->ended = true;
}

static void show(void (*serve)(void *self, struct inbox *inbox))
{
	struct viewer viewer = {.control = control_new()};
	struct consumer screen = {.name = "screen", .self = &viewer, .serve = serve, .end = view_end};
	struct replay *replay = open_it(path);

	assert_int_equal(replay_show(replay, false, &screen, viewer.control, NULL), 0);
	assert_true(viewer.ended);
	replay_close(replay);
	control_free(viewer.control);
}

static void test_show(void **state)
{
	(void)state;
	show(view);
}

static void test_show_ends_on_a_signal(void **state)
{
	(void)state;
	show(view_until_told);
}

/* A recording that grows: its screen sees to that itself. */
struct grower {
	struct viewer viewer;
	char *bytes;
	size_t size;
	int fd;
};

static struct timeline *take_timeline(struct control *control, size_t ticks)
{
	struct pollfd ready = {.fd = control_told_fd(control), .events = POLLIN};
	enum control_tell tell;
	int64_t arg;

	for (;;) {
		struct timeline *timeline = control_take_timeline(control);

		if (timeline != NULL && timeline->n_briefs == ticks)
			return timeline;
		timeline_free(timeline);
		while (control_told(control, &tell, &arg))
			;
		if (poll(&ready, 1, 10000) <= 0)
			fail_msg("no timeline of %zu ticks came", ticks);
	}
}

static void view_growth(void *self, struct inbox *inbox)
{
	struct grower *grower = self;
	struct tick *tick = take(inbox);
	struct timeline *timeline;
	uint64_t first = tick->sample->number;

	/* It begins at the end of what there is. */
	assert_true(first > 100 && first < 300);
	assert_same_tick(live[first], tick);
	tick_unref(tick);
	timeline_free(take_timeline(grower->viewer.control, first + 1));
	assert_int_equal(write(grower->fd, grower->bytes + grower->size / 2, 1000), 1000);
	tick = take(inbox); /* the newest that came in one piece */
	assert_true(tick->sample->number > first);
	assert_same_tick(live[tick->sample->number], tick);
	tick_unref(tick);
	assert_int_equal(write(grower->fd, grower->bytes + grower->size / 2 + 1000,
			       grower->size - grower->size / 2 - 1000),
			 grower->size - grower->size / 2 - 1000);
	take_until(inbox, TICKS - 1);
	timeline = take_timeline(grower->viewer.control, TICKS);
	assert_true(timeline->n_stalls >= 2);
	timeline_free(timeline);
	control_ask(grower->viewer.control, CONTROL_ASK_CLOSE, 0);
}

static void test_follow(void **state)
{
	struct grower grower = {.viewer.control = control_new()};
	struct consumer screen = {.name = "screen", .self = &grower, .serve = view_growth, .end = view_end};
	struct replay *replay = NULL;
	struct stat status;
	char grown[80];
	int fd = open(path, O_RDONLY);

	(void)state;
	assert_int_equal(fstat(fd, &status), 0);
	grower.size = (size_t)status.st_size;
	grower.bytes = mem_alloc(grower.size, 1);
	assert_int_equal(read(fd, grower.bytes, grower.size), grower.size);
	close(fd);
	snprintf(grown, sizeof grown, "%s.grown", path);
	grower.fd = open(grown, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(grower.fd, grower.bytes, grower.size / 2), grower.size / 2);
	assert_int_equal(replay_open(&replay, grown, NULL), 0);
	assert_int_equal(replay_show(replay, true, &screen, grower.viewer.control, NULL), 0);
	assert_true(grower.viewer.ended);
	assert_true(replay_end(replay)->complete);
	assert_null(replay_damage(replay));
	replay_close(replay);
	control_free(grower.viewer.control);
	close(grower.fd);
	unlink(grown);
	free(grower.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_live),
		cmocka_unit_test(test_same_in_one_pass),
		cmocka_unit_test(test_same_after_any_jump),
		cmocka_unit_test(test_from_a_pipe),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_not_there),
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_show_ends_on_a_signal),
		cmocka_unit_test(test_follow),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
