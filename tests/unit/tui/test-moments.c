/* SPDX-License-Identifier: MIT
 *
 * Moments: ticks that are kept, a live cursor on them, since when a task waits, errors in the output, the
 * mounts that matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../../src/tui/errors.h"
#include "../../../src/tui/mounts.h"
#include "../../../src/tui/stalls.h"
#include "../../../src/tui/view.h"
#include "base/clock.h"

#define START_NS (5000 * NS_PER_S)

static const struct run run = {.start_mono_ns = START_NS, .interval_ns = NS_PER_S, .ticks_per_s = 100};

static struct tick *make_tick(int second, enum tick_doing doing)
{
	struct sample *sample = sample_new();
	struct task_row *task = sample_add_task(sample);
	struct tick *tick;

	task->pid = 7;
	task->start_ticks = 499900; /* a second before the start */
	sample->number = (uint64_t)second;
	sample->mono_ns = START_NS + second * NS_PER_S;
	tick = tick_new(sample);
	tick->interval_s = second ? 1 : 0;
	tick->tasks[0].doing = doing;
	tick->page_cache_bytes = METRIC_NA;
	tick->brief = (struct brief){.mono_ns = sample->mono_ns,
				     .interval_s = (float)tick->interval_s,
				     .cause = CAUSE_NONE,
				     .busiest = CAUSE_CPU,
				     .dirty_bytes = METRIC_NA};
	return tick;
}

static void open_view(struct view *view)
{
	struct tui_options options = {0};

	view_init(view, &options);
	view->run = &run;
}

static void a_cursor_shows_its_moment_while_the_run_goes_on(void **state)
{
	struct view view;

	(void)state;
	open_view(&view);
	for (int i = 0; i <= 20; i++)
		view_take(&view, make_tick(i, TICK_RUNNING));
	view_frame(&view, 24, 80);
	view_seek(&view, START_NS + 5 * NS_PER_S);
	assert_true(view_is_held(&view));
	assert_int_equal(view.shown->sample->number, 5);
	view_take(&view, make_tick(21, TICK_RUNNING));
	view_frame(&view, 24, 80);
	assert_int_equal(view.shown->sample->number, 5);
	assert_int_equal(view.timeline->n_briefs, 22);
	assert_true(view_elapsed_s(&view, view_position_ns(&view)) == 5);
	view_seek(&view, START_NS + 4000 * NS_PER_S); /* not beyond the end, nor before the start */
	assert_int_equal(view.shown->sample->number, 21);
	view_seek(&view, 0);
	assert_int_equal(view.shown->sample->number, 0);
	view_follow(&view);
	assert_false(view_is_held(&view));
	assert_int_equal(view.shown->sample->number, 21);
	view_fini(&view);
}

static void what_is_not_kept_is_not_made_up(void **state)
{
	struct view view;

	(void)state;
	open_view(&view);
	for (int i = 0; i <= RECENT_TICKS + 50; i++)
		view_take(&view, make_tick(i, TICK_RUNNING));
	assert_true(view.recent.n <= RECENT_TICKS);
	view_seek(&view, START_NS + 3 * NS_PER_S);
	assert_null(view.shown);
	view_frame(&view, 24, 80); /* what is known of every moment stays */
	assert_string_equal(view.state.text, "computing");
	assert_int_equal(view_brief(&view)->mono_ns, START_NS + 3 * NS_PER_S);
	view_seek(&view, START_NS + 100 * NS_PER_S);
	assert_int_equal(view.shown->sample->number, 100);
	view_fini(&view);
}

static void heavy_ticks_are_kept_for_a_shorter_time(void **state)
{
	struct recent recent = {0};

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct tick *tick = make_tick(i, TICK_RUNNING);

		tick->sample->cap_strings += 100 * 1000; /* as if */
		recent_add(&recent, tick);
		tick->sample->cap_strings -= 100 * 1000;
		tick_unref(tick);
	}
	assert_true(recent.n < 64);
	assert_true(recent.n >= 16);
	assert_non_null(recent_at(&recent, START_NS + 199 * NS_PER_S));
	assert_null(recent_at(&recent, START_NS + 1 * NS_PER_S));
	recent_fini(&recent);
	assert_int_equal(recent.total_bytes, 0);
}

static void since_when_a_task_waits(void **state)
{
	struct since since = {0};
	struct tick *tick = NULL;
	double seconds;
	bool more;

	(void)state;
	for (int i = 1; i <= 10; i++) {
		tick_unref(tick);
		tick = make_tick(i, i < 6 ? TICK_RUNNING : TICK_PIPE);
		since_note(&since, tick);
	}
	assert_true(since_seconds(&since, tick, 0, &seconds, &more));
	assert_true(seconds == 5 && !more);
	tick_unref(tick);
	tick = make_tick(20, TICK_PIPE); /* a jump: nobody knows what was in between */
	assert_false(since_seconds(&since, tick, 0, &seconds, &more));
	since_note(&since, tick);
	assert_true(since_seconds(&since, tick, 0, &seconds, &more));
	assert_true(seconds == 1 && more);
	tick_unref(tick);
	since_fini(&since);
}

static void errors_are_told_from_names(void **state)
{
	(void)state;
	assert_int_equal(errors_kind("main.c:3:5: error: expected ';'"), ERRORS_ERROR);
	assert_int_equal(errors_kind("make[1]: *** [Makefile:3: all] Error 1"), ERRORS_ERROR);
	assert_int_equal(errors_kind("FAILED: obj/error.o"), ERRORS_ERROR);
	assert_int_equal(errors_kind("ld: main.o: undefined reference to `f'"), ERRORS_ERROR);
	assert_int_equal(errors_kind("error[E0308]: mismatched types"), ERRORS_ERROR);
	assert_int_equal(errors_kind("a.c:1:2: warning: unused"), ERRORS_WARNING);
	assert_int_equal(errors_kind("cc -c error.c -o error.o"), ERRORS_NONE);
	assert_int_equal(errors_kind(""), ERRORS_NONE);
}

static void add_mount(struct sample *sample, const char *point, uint64_t size, uint64_t used, uint32_t flags)
{
	struct mount_row *row = sample_add_mount(sample);

	row->point = sample_add_string(sample, point, strlen(point));
	row->flags = flags;
	row->values[METRIC_MOUNT_SIZE_BYTES] = size;
	row->values[METRIC_MOUNT_USED_BYTES] = used;
}

static void mounts_that_matter_come_first(void **state)
{
	const uint64_t gib = 1 << 30;
	struct sample *sample = sample_new();
	size_t order[MOUNTS_SHOWN_MAX];
	struct tick *tick;

	(void)state;
	add_mount(sample, "/sys/fs/cgroup", 12 * gib, 0, MOUNT_TMPFS);
	add_mount(sample, "/mnt/tiny", 4096, 0, MOUNT_TMPFS);
	add_mount(sample, "/dev/shm", 12 * gib, 0, MOUNT_TMPFS);
	add_mount(sample, "/tmp", 2 * gib, gib, MOUNT_TMPFS);
	add_mount(sample, "/", 100 * gib, 99 * gib, MOUNT_WORKDIR);
	add_mount(sample, "/old", gib, gib, MOUNT_TMPFS | MOUNT_GONE);
	tick = tick_new(sample);
	for (size_t i = 0; i < sample->n_mounts; i++)
		tick->mounts[i] = (struct tick_mount){.used = i == 3 ? 0.5 : 0, .inodes_used = NAN};
	assert_int_equal(mounts_order(tick, order, false), 2);
	assert_int_equal(order[0], 3);
	assert_int_equal(order[1], 2);
	assert_int_equal(mounts_order(tick, order, true), 5);
	assert_int_equal(order[0], 4);
	tick_add_alert(tick, "tmpfs>=90%")->mount =
		sample->mounts[1].point; /* nothing is of no use when it fills */
	assert_int_equal(mounts_order(tick, order, false), 3);
	assert_int_equal(order[0], 1);
	tick_unref(tick);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cursor_shows_its_moment_while_the_run_goes_on),
		cmocka_unit_test(what_is_not_kept_is_not_made_up),
		cmocka_unit_test(heavy_ticks_are_kept_for_a_shorter_time),
		cmocka_unit_test(since_when_a_task_waits),
		cmocka_unit_test(errors_are_told_from_names),
		cmocka_unit_test(mounts_that_matter_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
