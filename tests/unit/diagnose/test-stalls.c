/* SPDX-License-Identifier: MIT
 *
 * From looks to stalls: opening, closing, who and how long; gaps; what must not be flagged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "words.h"

#define THROTTLED "ld D balance_dirty_pages 1"
#define COMPUTING "cc1 R"

static void close_to(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-6))
		fail_msg("%g, expected %g", value, expected);
}

static int64_t after_ms(int ms)
{
	return WORDS_START_NS + ms * MS;
}

static void a_stall_from_its_first_look_to_its_last(void **state)
{
	struct words words;
	const struct stall *stall;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, COMPUTING, NULL, NULL);
	assert_false(words.tick->stalled);
	assert_int_equal(words.tick->brief.cause, CAUSE_NONE);
	assert_int_equal(words.tick->brief.busiest, CAUSE_CPU);

	words_go_on(&words, 20, THROTTLED, NULL, NULL);
	stall = &words.tick->stall;
	assert_true(words.tick->stalled && stall->open);
	assert_int_equal(stall->number, 1);
	assert_int_equal(stall->cause, CAUSE_DIRTY_THROTTLE);
	assert_int_equal(stall->from_ns, after_ms(1000));
	assert_int_equal(stall->to_ns, after_ms(3000));
	assert_int_equal(words.tick->brief.cause, CAUSE_DIRTY_THROTTLE);
	close_to(stall->task_s, 2);
	close_to(stall->some_s, 2);
	close_to(stall->full_s, 2);
	close_to(stall->share_s, 2);
	close_to(words.tick->share, 1);
	assert_int_equal(stall->blocked_peak, 1);
	assert_int_equal(stall->evidence, STALL_BY_WCHAN);
	assert_string_equal(stall->wchan, "balance_dirty_pages");
	assert_string_equal(stall->victims[0].comm, "ld");
	close_to(stall->victims[0].task_s, 2);
	assert_int_equal(words.tick->n_closed, 0);
	assert_int_equal(words.tick->tasks[0].doing, TICK_STALLED);
	assert_int_equal(words.tick->tasks[0].cause, CAUSE_DIRTY_THROTTLE);
	assert_string_equal(sample_string(words.tick->sample, words.tick->tasks[0].wchan, NULL),
			    "balance_dirty_pages");

	words_go_on(&words, 10, COMPUTING, NULL, NULL);
	assert_false(words.tick->stalled);
	assert_int_equal(words.tick->n_closed, 1);
	assert_int_equal(words.tick->brief.cause, CAUSE_DIRTY_THROTTLE);
	stall = &words.tick->closed[0];
	assert_false(stall->open);
	assert_int_equal(stall->to_ns, after_ms(3000));
	close_to(stall->task_s, 2);
	close_to(stall->cause_s[CAUSE_CPU], 0); /* the tail is no part of it */
	words_go_on(&words, 10, COMPUTING, NULL, NULL);
	assert_int_equal(words.tick->n_closed, 0);
	assert_int_equal(words.tick->brief.cause, CAUSE_NONE);
	words_end(&words);
}

/* Two of ten looks are 20 %, three are 30 %. */
static void opens_at_a_quarter(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 17, COMPUTING, NULL, NULL);
	words_go_on(&words, 2, THROTTLED, NULL, NULL);
	words_go_on(&words, 21, COMPUTING, NULL, NULL);
	assert_false(words.tick->stalled);
	assert_int_equal(words.tick->n_closed, 0);
	words_go_on(&words, 7, COMPUTING, NULL, NULL);
	words_go_on(&words, 3, THROTTLED, NULL, NULL);
	assert_true(words.tick->stalled);
	close_to(words.tick->stall.task_s, 0.3);
	words_end(&words);
}

/* The second begins while the window still has a look of the first, which is not counted twice. */
static void two_stalls_close_together(void **state)
{
	struct words words;
	int64_t ended_ns;

	(void)state;
	words_begin(&words);
	for (int look = 0; look < 10; look++)
		words_look(&words, THROTTLED, NULL);
	/* 9 % of the window when it closes: one of eleven threads, all the time */
	for (int look = 0; look < 10; look++)
		words_look(&words, THROTTLED, "a R", "b R", "c R", "d R", "e R", "f R", "g R", "h R", "i R",
			   "j R", NULL);
	words_tick(&words);
	assert_int_equal(words.tick->n_closed, 1);
	ended_ns = words.tick->closed[0].to_ns;
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	assert_true(words.tick->stalled);
	assert_true(words.tick->stall.from_ns >= ended_ns);
	close_to(words.tick->stall.task_s, 1 + (double)(after_ms(2000) - ended_ns) / 1e9);
	words_end(&words);
}

/* One thread of four, all the time: exactly 25 %. One of five: never. */
static void a_quarter_of_the_threads(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (int i = 0; i < 10; i++)
		words_look(&words, THROTTLED, "cc1 R", "cc1#2 R", "cc1#3 R", NULL);
	assert_true(words_tick(&words)->stalled);
	close_to(words.tick->share, 0.25);
	close_to(words.tick->stall.some_s, 1);
	close_to(words.tick->stall.full_s, 0);
	words_end(&words);

	words_begin(&words);
	for (int i = 0; i < 20; i++)
		words_look(&words, THROTTLED, "cc1 R", "cc1#2 R", "cc1#3 R", "cc1#4 R", NULL);
	assert_false(words_tick(&words)->stalled);
	words_end(&words);
}

/* It stays open while the window has a tenth of it, and closes when there is less. */
static void closes_under_a_tenth(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	words_go_on(&words, 9, COMPUTING, NULL, NULL);
	words_tick(&words);
	assert_true(words.tick->stalled); /* one look of ten is left */
	words_look(&words, COMPUTING, NULL);
	words_tick(&words);
	assert_false(words.tick->stalled);
	assert_int_equal(words.tick->n_closed, 1);
	words_end(&words);
}

static void two_causes_in_one_stall(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	words_go_on(&words, 20, "dpkg D jbd2_log_wait_commit 74", "rm D folio_wait_bit 263", NULL);
	assert_true(words.tick->stalled);
	assert_int_equal(words.tick->stall.number, 1);
	assert_int_equal(words.tick->stall.cause, CAUSE_FLUSH_WAIT);
	close_to(words.tick->stall.cause_s[CAUSE_DIRTY_THROTTLE], 1);
	close_to(words.tick->stall.cause_s[CAUSE_FLUSH_WAIT], 4);
	close_to(words.tick->stall.explicit_s, 2);
	close_to(words.tick->explicit_s, 1);
	assert_int_equal(words.tick->stall.blocked_peak, 2);
	assert_int_equal(words.tick->stall.n_victims, 3);
	assert_string_equal(words.tick->stall.victims[2].comm, "ld");
	words_end(&words);
}

static void two_groups_at_once(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (int i = 0; i < 20; i++)
		words_look(&words, THROTTLED, "ld#2 D balance_dirty_pages 1", "cc1 D folio_wait_bit_common 0",
			   NULL);
	words_tick(&words);
	assert_int_equal(words.tick->stall.cause, CAUSE_DIRTY_THROTTLE); /* the larger one */
	words_go_on(&words, 10, COMPUTING, NULL, NULL);
	assert_int_equal(words.tick->n_closed, 2);
	assert_int_equal(words.tick->closed[0].number, 1);
	assert_int_equal(words.tick->closed[1].number, 2);
	assert_int_not_equal(words.tick->closed[0].cause, words.tick->closed[1].cause);
	words_end(&words);
}

static void what_is_no_stall(void **state)
{
	static const char *const quiet[] = {"make D kernel_clone 58", "ld D __mmap_region 9",
					    "cc1 S folio_wait_bit 1", "sh S do_wait 61", "make Z"};
	struct words words;

	(void)state;
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
		words_begin(&words);
		words_go_on(&words, 30, quiet[i], NULL, NULL);
		assert_false(words.tick->stalled);
		assert_int_equal(words.tick->n_closed, 0);
		close_to(words.tick->share, 0);
		words_end(&words);
	}
}

/* Nothing of the build could have run, unless something waits for the world outside. */
static void full_and_the_world_outside(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, THROTTLED, "make S do_wait 61", NULL);
	close_to(words.tick->some_s, 1);
	close_to(words.tick->full_s, 1);
	words_go_on(&words, 10, THROTTLED, "sleep S hrtimer_nanosleep 230", NULL);
	close_to(words.tick->some_s, 1);
	close_to(words.tick->full_s, 0);
	words_end(&words);
}

static void a_name_of_zero_keeps_the_class_before(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_look(&words, THROTTLED, NULL);
	words_tick(&words); /* over the border of a sample */
	words_look(&words, "ld D 0 1", NULL);
	words_tick(&words);
	close_to(words.tick->cause_s[CAUSE_DIRTY_THROTTLE], 0.1);
	words_end(&words);
}

static void five_zeros_are_unreadable(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, "ld D 0 9", NULL, NULL);
	close_to(words.tick->cause_s[CAUSE_BLOCKED], 0.6);
	close_to(words.tick->cause_s[CAUSE_LOCK], 0.4);
	assert_int_equal(words.tick->stall.cause, CAUSE_BLOCKED);
	assert_int_equal(words.tick->stall.evidence, STALL_BY_STATE);
	assert_string_equal(words.tick->stall.wchan, "");
	words_end(&words);
}

/* A thread that has shown a name before can be read: "0" is a wait that ended between two reads. */
static void zeros_of_short_waits(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_look(&words, "cc1 D folio_wait_bit_common fault", NULL);
	words_look(&words, "cc1 R", NULL);
	for (int look = 0; look < 8; look++)
		words_look(&words, "cc1 D 0 fault", NULL);
	words_tick(&words);
	close_to(words.tick->cause_s[CAUSE_READ], 0.9);
	close_to(words.tick->cause_s[CAUSE_BLOCKED], 0);
	words_end(&words);
}

static void a_kernel_without_wait_channels(void **state)
{
	struct run *run = words_run();
	struct words words;

	(void)state;
	run_set_source(run, "wchan", "no: this kernel shows none", NULL);
	words_begin_run(&words, run);
	words_go_on(&words, 10, "ld D 0 1", NULL, NULL);
	close_to(words.tick->cause_s[CAUSE_BLOCKED], 1);
	words_end(&words);
}

static void without_looks_the_states(void **state)
{
	struct run *run = words_run();
	struct words words;

	(void)state;
	run->look_interval_ns = 0;
	words_begin_run(&words, run);
	for (int i = 0; i < 4; i++) {
		words_task(&words, "ld")->state = 'D';
		words_task(&words, "cc1")->state = 'R';
		words_pass(&words, 1000);
		words_tick(&words);
	}
	assert_true(words.tick->stalled);
	assert_int_equal(words.tick->stall.cause, CAUSE_BLOCKED);
	assert_int_equal(words.tick->stall.evidence, STALL_BY_STATE);
	close_to(words.tick->stall.task_s, 4);
	close_to(words.tick->brief.share, 0.5);
	assert_int_equal(words.tick->tasks[0].doing, TICK_STALLED);
	words_end(&words);
}

static void without_tasks_the_pressure(void **state)
{
	struct run *run = words_run();
	struct words words;

	(void)state;
	run->look_interval_ns = 0;
	words_begin_run(&words, run);
	for (uint64_t i = 0; i < 5; i++) {
		*words_system(&words, METRIC_SYSTEM_PSI_IO_SOME_US) = 600000 * i;
		words_pass(&words, 1000);
		words_tick(&words);
	}
	assert_true(words.tick->stalled);
	assert_int_equal(words.tick->stall.evidence, STALL_BY_PSI);
	assert_int_equal(words.tick->stall.cause, CAUSE_BLOCKED);
	close_to(words.tick->psi_io, 0.6);
	words_end(&words);
}

/* The sampler was held up itself: that time is neither clear nor stalled. */
static void a_gap_is_unknown(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	words_pass(&words, 5000);
	words_look(&words, THROTTLED, NULL);
	words_tick(&words);
	close_to(words.tick->unknown_s, 5);
	close_to(words.tick->cause_s[CAUSE_DIRTY_THROTTLE], 0.1);
	assert_int_equal(words.tick->n_closed, 1);
	assert_int_equal(words.tick->closed[0].to_ns, after_ms(1000));
	assert_false(words.tick->stalled);
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	assert_int_equal(words.tick->stall.number, 2);
	assert_int_equal(words.tick->stall.from_ns, after_ms(6000));
	words_pass(&words, 900);
	words_tick(&words); /* no look at all in it */
	close_to(words.tick->unknown_s, 0.9);
	assert_true(isnan(words.tick->brief.share) || words.tick->brief.share <= 0);
	words_end(&words);
}

/* A look that comes late, but not very late, stands for more time. */
static void late_looks_weigh_more(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_look(&words, COMPUTING, NULL);
	words_pass(&words, 150);
	words_look(&words, THROTTLED, NULL);
	words_tick(&words);
	close_to(words.tick->cause_s[CAUSE_CPU], 0.1);
	close_to(words.tick->cause_s[CAUSE_DIRTY_THROTTLE], 0.25);
	close_to(words.tick->unknown_s, 0);
	words_end(&words);
}

static void reading_what_was_there_is_memory(void **state)
{
	struct words words;

	(void)state;
	for (int thrash = 0; thrash < 2; thrash++) {
		words_begin(&words);
		for (uint64_t tick = 0; tick < 3; tick++) {
			*words_system(&words, METRIC_SYSTEM_PAGED_IN_BYTES) = tick * 4096 * 1000;
			*words_system(&words, METRIC_SYSTEM_REFAULT_FILE_PAGES) = tick * (thrash ? 500 : 499);
			words_go_on(&words, 10, "cc1 D folio_wait_bit_common fault", NULL, NULL);
		}
		assert_int_equal(words.tick->stall.cause, thrash ? CAUSE_MEMORY : CAUSE_READ);
		words_end(&words);
	}
	words_begin(&words);
	for (uint64_t tick = 0; tick < 3; tick++) {
		*words_system(&words, METRIC_SYSTEM_PSI_MEM_SOME_US) = tick * 100000;
		words_go_on(&words, 10, "cc1 D folio_wait_bit_common fault", NULL, NULL);
	}
	assert_int_equal(words.tick->stall.cause, CAUSE_MEMORY);
	assert_true(words.tick->stall.evidence & STALL_BY_PSI);
	words_end(&words);
}

/* Ready time is split by the scheduler's own counters, whatever the looks say. */
static void the_run_queue(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (uint64_t tick = 0; tick < 2; tick++) {
		struct task_row *row = words_task(&words, "cc1");

		row->values[METRIC_TASK_USER_MS] = tick * 250;
		row->values[METRIC_TASK_SYSTEM_MS] = 0;
		row->values[METRIC_TASK_RUNQUEUE_MS] = tick * 750;
		words_go_on(&words, 10, COMPUTING, NULL, NULL);
	}
	close_to(words.tick->cause_s[CAUSE_RUNQUEUE], 0.75);
	close_to(words.tick->cause_s[CAUSE_CPU], 0.25);
	assert_int_equal(words.tick->tasks[0].doing, TICK_QUEUED);
	assert_int_equal(words.tick->tasks[0].cause, CAUSE_RUNQUEUE);
	words_end(&words);
}

static void threads_of_one_process(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 10, "ld S futex_do_wait 202", "ld+1 R", "ld+2 D balance_dirty_pages 1");
	assert_int_equal(words.tick->sample->n_tasks, 1);
	assert_int_equal(words.tick->tasks[0].doing, TICK_RUNNING);
	close_to(words.tick->tasks[0].cause_s[CAUSE_LOCK], 1);
	close_to(words.tick->tasks[0].cause_s[CAUSE_CPU], 1);
	close_to(words.tick->tasks[0].cause_s[CAUSE_DIRTY_THROTTLE], 1);
	close_to(words.tick->share, 0.5);
	words_end(&words);
}

static void disk_story(struct words *words, uint64_t second)
{
	struct mount_row *mount;
	struct disk_row *disk;
	struct task_row *row;

	*words_system(words, METRIC_SYSTEM_DIRTY_BYTES) = 100 * MIB + second * MIB;
	*words_system(words, METRIC_SYSTEM_WRITEBACK_BYTES) = 10 * MIB;
	*words_system(words, METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES) = 110 * MIB;
	*words_system(words, METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES) = 50 * MIB;
	mount = words_mount(words, "/build", "ext4", "/dev/mapper/vg-build", MOUNT_WORKDIR);
	disk = words_disk(words, mount->device, "dm-3");
	disk->values[METRIC_DISK_WRITE_BYTES] = second * 5 * MIB;
	disk->values[METRIC_DISK_BUSY_MS] = second * 500;
	row = words_task(words, "ld");
	row->values[METRIC_TASK_WRITE_BYTES] = second * 3 * MIB;
	row = words_task(words, "ar");
	row->values[METRIC_TASK_WRITE_BYTES] = second * 4 * MIB;
}

/* Each second the build writes 4 MiB and all of it reaches its disk; who else writes? */
static const struct stall *neighbour_story(struct words *words, uint64_t dirtied_mib, uint64_t flushed_mib)
{
	words_begin(words);
	for (uint64_t second = 0; second < 5; second++) {
		struct mount_row *mount = words_mount(words, "/build", "ext4", "/dev/sdb", MOUNT_WORKDIR);
		struct disk_row *disk = words_disk(words, mount->device, "sdb");

		disk->values[METRIC_DISK_WRITE_BYTES] = second * flushed_mib * MIB;
		*words_system(words, METRIC_SYSTEM_DIRTY_BYTES) = 8 * MIB;
		*words_system(words, METRIC_SYSTEM_WRITEBACK_BYTES) = 2 * MIB;
		*words_system(words, METRIC_SYSTEM_DIRTIED_BYTES) = second * dirtied_mib * MIB;
		words_task(words, "ld")->values[METRIC_TASK_WRITE_BYTES] = second * 4 * MIB;
		words_go_on(words, 10, second ? THROTTLED : COMPUTING, NULL, NULL);
	}
	return &words->tick->stall;
}

static void whose_dirty_pages_are_in_the_way(void **state)
{
	struct words words;
	const struct stall *stall;

	(void)state;
	stall = neighbour_story(&words, 4, 4); /* nobody */
	assert_false(stall_from_outside(stall));
	words_end(&words);
	stall = neighbour_story(&words, 12, 4); /* others, and what we wrote is on the disk */
	close_to(stall->outside, 1);
	assert_true(stall_from_outside(stall));
	words_end(&words);
	stall = neighbour_story(&words, 12, 1); /* others too, but what we wrote waits */
	assert_false(stall_from_outside(stall));
	words_end(&words);
}

/* The kernel adds a child's bytes to its parent's when the child is waited for: also those that were written
 * since the child was seen last. */
static void what_a_parent_reaped_it_did_not_write(void **state)
{
	struct words words;
	struct task_row *row;

	(void)state;
	words_begin(&words);
	words_task(&words, "make")->values[METRIC_TASK_WRITE_BYTES] = 0;
	words_task(&words, "dd")->values[METRIC_TASK_WRITE_BYTES] = 0;
	words_go_on(&words, 10, "make S do_wait 61", "dd D balance_dirty_pages 1", NULL);
	row = words_task(&words, "dd");
	row->values[METRIC_TASK_WRITE_BYTES] = 9 * MIB;
	row->flags |= TASK_ENDED;
	row->ppid = words_task(&words, "make")->pid;
	words_task(&words, "make")->values[METRIC_TASK_WRITE_BYTES] = 10 * MIB;
	words_go_on(&words, 10, "make S do_wait 61", "dd D balance_dirty_pages 1", NULL);
	assert_int_equal(words.tick->build_write_bytes, 10 * MIB);
	assert_string_equal(words.tick->stall.writers[0].comm, "dd");
	assert_int_equal(words.tick->stall.writers[0].bytes, 10 * MIB); /* make wrote none: it waited */
	assert_int_equal(words.tick->stall.n_writers, 1);
	words_end(&words);
}

/* Here the one between ended too, and the heir is the first that lives. */
static void what_is_left_goes_to_the_first_that_lives(void **state)
{
	struct words words;
	struct task_row *row;

	(void)state;
	words_begin(&words);
	words_task(&words, "sh")->values[METRIC_TASK_WRITE_BYTES] = 0;
	words_go_on(&words, 10, "sh S do_wait 61", "dpkg S do_wait 61", "tar D balance_dirty_pages 1");
	words_task(&words, "dpkg")->ppid = words_task(&words, "sh")->pid;
	words_task(&words, "tar")->ppid = words_task(&words, "dpkg")->pid;
	for (int i = 0; i < 2; i++) {
		row = words_task(&words, i ? "tar" : "dpkg");
		row->values[METRIC_TASK_WRITE_BYTES] = i ? 7 * MIB : 0;
		row->flags |= TASK_ENDED;
	}
	words_task(&words, "sh")->values[METRIC_TASK_WRITE_BYTES] = 9 * MIB;
	words_go_on(&words, 10, "sh S do_wait 61", "dpkg S do_wait 61", "tar D balance_dirty_pages 1");
	assert_string_equal(words.tick->stall.writers[0].comm, "tar");
	assert_int_equal(words.tick->stall.writers[0].bytes, 2 * MIB); /* of this second */
	words_end(&words);
}

/* Files that those who wait have open say where they wait; else it is where the build is. */
static void the_place_is_where_they_write(void **state)
{
	struct words words;
	struct mount_row *disk;

	(void)state;
	words_begin(&words);
	for (int second = 0; second < 2; second++) {
		words_mount(&words, "/build", "ext4", "/dev/sda", MOUNT_WORKDIR);
		disk = words_mount(&words, "/var/tmp", "xfs", "/dev/sdb", MOUNT_WAITED);
		words_task(&words, "ld")->values[METRIC_TASK_WAIT_DEVICE] = disk->device;
		words_go_on(&words, 10, THROTTLED, COMPUTING, NULL);
	}
	assert_string_equal(words.tick->stall.filesystem, "xfs");
	assert_string_equal(words.tick->stall.device_name, "sdb");
	words_mount(&words, "/build", "ext4", "/dev/sda",
		    MOUNT_WORKDIR); /* nothing open now: in unlink, say */
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	assert_string_equal(words.tick->stall.filesystem, "xfs");
	words_end(&words);
	words_begin(&words);
	words_mount(&words, "/build", "ext4", "/dev/sda", MOUNT_WORKDIR);
	words_go_on(&words, 10, THROTTLED, NULL, NULL);
	assert_string_equal(words.tick->stall.filesystem, "ext4");
	words_end(&words);
}

/* /proc hides other users' processes, and all that is seen is asleep and hidden. */
static void pressure_of_the_group_where_nothing_is_seen(void **state)
{
	struct run *run = words_run();
	struct words words;

	(void)state;
	run_set_source(run, "other_users", "no: processes of other users are hidden (hidepid)", NULL);
	words_begin_run(&words, run);
	for (uint64_t second = 0; second < 5; second++) {
		words_task(&words, "sudo")->flags |= TASK_HIDDEN;
		*words_system(&words, METRIC_SYSTEM_CGROUP_PSI_IO_SOME_US) = second * 600000;
		words_go_on(&words, 10, "sudo S 0 hidden", NULL, NULL);
	}
	assert_true(words.tick->stalled);
	assert_int_equal(words.tick->stall.cause, CAUSE_BLOCKED);
	assert_int_equal(words.tick->stall.evidence, STALL_BY_PSI);
	close_to(words.tick->cause_s[CAUSE_BLOCKED], 0.6);
	for (uint64_t second = 5; second < 7; second++) { /* seen at work: the states count again */
		words_task(&words, "sudo")->flags |= TASK_HIDDEN;
		*words_system(&words, METRIC_SYSTEM_CGROUP_PSI_IO_SOME_US) = second * 600000;
		words_go_on(&words, 10, "sudo R", NULL, NULL);
	}
	close_to(words.tick->cause_s[CAUSE_BLOCKED], 0);
	words_end(&words);
}

/* Others of the group read again what they had lost; there is memory enough. */
static void a_neighbours_refaults_are_not_the_builds(void **state)
{
	struct words words;

	(void)state;
	for (int is_short = 0; is_short < 2; is_short++) {
		words_begin(&words);
		for (uint64_t second = 0; second < 4; second++) {
			*words_system(&words, METRIC_SYSTEM_MEM_TOTAL_BYTES) = 1000 * MIB;
			*words_system(&words, METRIC_SYSTEM_MEM_AVAILABLE_BYTES) =
				(is_short ? 100 : 900) * MIB;
			*words_system(&words, METRIC_SYSTEM_REFAULT_FILE_PAGES) = second * 1000;
			*words_system(&words, METRIC_SYSTEM_SWAP_IN_PAGES) = 0;
			words_task(&words, "cc1")->values[METRIC_TASK_READ_BYTES] = second * MIB;
			words_go_on(&words, 10, "cc1 D folio_wait_bit_common 0", NULL, NULL);
		}
		close_to(words.tick->cause_s[is_short ? CAUSE_MEMORY : CAUSE_READ], 1);
		words_end(&words);
	}
}

/* One thread, on a CPU in three looks of ten; the scheduler says it was for half of the time. */
static void looks_agree_with_the_scheduler(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (uint64_t tick = 0; tick < 2; tick++) {
		struct task_row *row = words_task(&words, "cc1");

		row->values[METRIC_TASK_USER_MS] = tick * 500;
		row->values[METRIC_TASK_SYSTEM_MS] = 0;
		row->values[METRIC_TASK_RUNQUEUE_MS] = 0;
		for (int look = 0; look < 10; look++)
			words_look(&words, look < 3 ? "cc1 R" : "cc1 D folio_wait_bit 87", NULL);
		words_tick(&words);
	}
	close_to(words.tick->cause_s[CAUSE_CPU], 0.5);
	close_to(words.tick->cause_s[CAUSE_FLUSH_WAIT], 0.5);
	words_end(&words);
}

static void what_the_counters_say_of_a_stall(void **state)
{
	struct words words;
	const struct stall *stall;

	(void)state;
	words_begin(&words);
	for (uint64_t second = 0; second < 5; second++) {
		disk_story(&words, second);
		words_go_on(&words, 10, second ? THROTTLED : COMPUTING, NULL, NULL);
	}
	stall = &words.tick->stall;
	assert_int_equal(stall->from_ns, after_ms(1000));
	assert_string_equal(stall->device_name, "vg-build");
	assert_string_equal(stall->filesystem, "ext4");
	assert_int_equal(stall->dirty_start_bytes, 100 * MIB);
	assert_int_equal(stall->dirty_peak_bytes, 104 * MIB);
	assert_int_equal(stall->writeback_peak_bytes, 10 * MIB);
	assert_int_equal(stall->threshold_bytes, 110 * MIB);
	assert_int_equal(stall->background_bytes, 50 * MIB);
	assert_int_equal(stall->flushed_bytes, 20 * MIB);
	assert_int_equal(stall->tree_written_bytes, 28 * MIB);
	assert_int_equal(stall->n_writers, 2);
	assert_string_equal(stall->writers[0].comm, "ar");
	assert_int_equal(stall->writers[0].bytes, 16 * MIB);
	assert_int_equal(stall->evidence, STALL_BY_WCHAN | STALL_BY_VMSTAT);
	close_to(words.tick->disks[0].busy, 0.5);
	close_to(words.tick->disks[0].write_bytes_per_s, 5 * (double)MIB);
	words_end(&words);
}

/* Half of an interval is in the stall: half of what was written counts. */
static void counters_in_proportion(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	disk_story(&words, 0);
	words_go_on(&words, 10, COMPUTING, NULL, NULL);
	disk_story(&words, 1);
	words_go_on(&words, 5, COMPUTING, NULL, NULL);
	words_go_on(&words, 5, THROTTLED, NULL, NULL);
	assert_true(words.tick->stalled);
	assert_int_equal(words.tick->stall.tree_written_bytes, 7 * MIB / 2);
	words_end(&words);
}

static void the_end_closes_all(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_go_on(&words, 5, THROTTLED, NULL, NULL);
	words.sample->flags = SAMPLE_LAST;
	words_tick(&words);
	assert_false(words.tick->stalled);
	assert_int_equal(words.tick->n_closed, 1);
	words_end(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stall_from_its_first_look_to_its_last),
		cmocka_unit_test(opens_at_a_quarter),
		cmocka_unit_test(two_stalls_close_together),
		cmocka_unit_test(a_quarter_of_the_threads),
		cmocka_unit_test(closes_under_a_tenth),
		cmocka_unit_test(two_causes_in_one_stall),
		cmocka_unit_test(two_groups_at_once),
		cmocka_unit_test(what_is_no_stall),
		cmocka_unit_test(full_and_the_world_outside),
		cmocka_unit_test(a_name_of_zero_keeps_the_class_before),
		cmocka_unit_test(five_zeros_are_unreadable),
		cmocka_unit_test(zeros_of_short_waits),
		cmocka_unit_test(whose_dirty_pages_are_in_the_way),
		cmocka_unit_test(what_a_parent_reaped_it_did_not_write),
		cmocka_unit_test(what_is_left_goes_to_the_first_that_lives),
		cmocka_unit_test(the_place_is_where_they_write),
		cmocka_unit_test(pressure_of_the_group_where_nothing_is_seen),
		cmocka_unit_test(a_neighbours_refaults_are_not_the_builds),
		cmocka_unit_test(looks_agree_with_the_scheduler),
		cmocka_unit_test(a_kernel_without_wait_channels),
		cmocka_unit_test(without_looks_the_states),
		cmocka_unit_test(without_tasks_the_pressure),
		cmocka_unit_test(a_gap_is_unknown),
		cmocka_unit_test(late_looks_weigh_more),
		cmocka_unit_test(reading_what_was_there_is_memory),
		cmocka_unit_test(the_run_queue),
		cmocka_unit_test(threads_of_one_process),
		cmocka_unit_test(what_the_counters_say_of_a_stall),
		cmocka_unit_test(counters_in_proportion),
		cmocka_unit_test(the_end_closes_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
