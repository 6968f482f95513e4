/* SPDX-License-Identifier: MIT
 *
 * Rates, CPU time of the build, and file systems that fill.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mem.h"
#include "words.h"

static void close_to(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-6))
		fail_msg("%g, expected %g", value, expected);
}

static void cpu_set(struct words *words, const char *name, uint64_t user_ms, uint64_t reaped_ms)
{
	struct task_row *row = words_task(words, name);

	row->values[METRIC_TASK_USER_MS] = user_ms;
	row->values[METRIC_TASK_SYSTEM_MS] = 0;
	row->values[METRIC_TASK_REAPED_USER_MS] = reaped_ms;
	row->values[METRIC_TASK_REAPED_SYSTEM_MS] = 0;
}

static void reaped_set(struct words *words, uint64_t ms)
{
	*words_system(words, METRIC_SYSTEM_REAPED_USER_US) = ms * 1000;
	*words_system(words, METRIC_SYSTEM_REAPED_SYSTEM_US) = 0;
}

/* The first sample's counters are since boot: no rate comes of them. */
static void the_first_sample_has_no_rates(void **state)
{
	struct words words = {.run = words_run(), .now_ns = WORDS_START_NS};

	(void)state;
	words.diagnose = diagnose_new(words.run);
	words.sample = sample_new();
	words.sample->flags = SAMPLE_FIRST;
	*words_system(&words, METRIC_SYSTEM_CPU_USER_MS) = 36384;
	*words_system(&words, METRIC_SYSTEM_CPU_SYSTEM_MS) = 301988;
	*words_system(&words, METRIC_SYSTEM_PSI_IO_SOME_US) = 1;
	cpu_set(&words, "cc1", 5000, 0);
	words_task(&words, "cc1")->flags = TASK_NEW;
	words_tick(&words);
	close_to(words.tick->interval_s, 0);
	assert_true(isnan(words.tick->cpus_busy) && isnan(words.tick->psi_io) &&
		    isnan(words.tick->build_cpus));
	assert_true(isnan(words.tick->tasks[0].cpu));
	assert_true(words.tick->brief.interval_s <= 0);
	words_end(&words);
}

/* Stopped for 5 s: one long interval, and no more than the two CPUs there are. */
static void late_ticks_are_divided_by_real_time(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	cpu_set(&words, "busy", 0, 0);
	*words_system(&words, METRIC_SYSTEM_CPU_USER_MS) = 0;
	*words_system(&words, METRIC_SYSTEM_CPU_SYSTEM_MS) = 0;
	words_pass(&words, 1000);
	words_tick(&words);
	cpu_set(&words, "busy", 10000, 0);
	*words_system(&words, METRIC_SYSTEM_CPU_USER_MS) = 10000;
	*words_system(&words, METRIC_SYSTEM_CPU_SYSTEM_MS) = 0;
	words.sample->flags = SAMPLE_LATE | SAMPLE_GAP;
	words_pass(&words, 5000);
	words_tick(&words);
	close_to(words.tick->interval_s, 5);
	close_to(words.tick->tasks[0].cpu, 2);
	close_to(words.tick->cpus_busy, 2);
	words_end(&words);
}

static void a_pid_used_again_is_another_task(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	cpu_set(&words, "sh", 2000, 0);
	words_pass(&words, 1000);
	words_tick(&words);
	cpu_set(&words, "sh", 50, 0);
	words_task(&words, "sh")->start_ticks = 100100;
	words_task(&words, "sh")->flags = TASK_NEW;
	words_pass(&words, 1000);
	words_tick(&words);
	close_to(words.tick->tasks[0].cpu, 0.05);
	words_end(&words);
}

/* New to us is not new: what it used before was not used in this interval. */
static void an_old_task_that_was_found_late(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_pass(&words, 1000);
	words_tick(&words);
	cpu_set(&words, "daemon", 50000, 0);
	words_task(&words, "daemon")->start_ticks = 10;
	words_task(&words, "daemon")->flags = TASK_NEW;
	words_pass(&words, 1000);
	words_tick(&words);
	assert_true(isnan(words.tick->tasks[0].cpu));
	words_end(&words);
}

static void counters_that_go_backwards(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (uint64_t i = 2; i > 0; i--) {
		*words_system(&words, METRIC_SYSTEM_CPU_IOWAIT_MS) = i * 100;
		cpu_set(&words, "cc1", i * 100, 0);
		words_pass(&words, 1000);
		words_tick(&words);
	}
	assert_true(isnan(words.tick->cpus_iowait) && isnan(words.tick->tasks[0].cpu));
	words_end(&words);
}

/* tmpfs is counted as cache by the kernel, and is none. */
static void page_cache_without_tmpfs(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	*words_system(&words, METRIC_SYSTEM_CACHED_BYTES) = 3000 * MIB;
	*words_system(&words, METRIC_SYSTEM_BUFFERS_BYTES) = 10 * MIB;
	*words_system(&words, METRIC_SYSTEM_SHMEM_BYTES) = 2048 * MIB;
	words_tick(&words);
	assert_int_equal(words.tick->page_cache_bytes, 962 * MIB);
	words_end(&words);
}

static double build_cpu(struct words *words)
{
	words_pass(words, 1000);
	return words_tick(words)->build_cpu_s;
}

/* cc1 under make: alive, a zombie, reaped by make; make reaped by us. Never twice, never less. */
static void cpu_time_changes_hands(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	reaped_set(&words, 0);
	cpu_set(&words, "make", 100, 0);
	cpu_set(&words, "cc1", 900, 0);
	close_to(build_cpu(&words), 1);
	reaped_set(&words, 0);
	cpu_set(&words, "make", 100, 0);
	cpu_set(&words, "cc1", 1500, 0);
	words_task(&words, "cc1")->state = 'Z';
	close_to(build_cpu(&words), 1.6);
	close_to(words.tick->build_cpus, 0.6);
	assert_int_equal(words.tick->build_tasks, 1);
	reaped_set(&words, 0);
	cpu_set(&words, "make", 100, 0); /* read before it waited, and cc1 is gone: on its way */
	close_to(build_cpu(&words), 1.6);
	reaped_set(&words, 0);
	cpu_set(&words, "make", 100, 1500);
	cpu_set(&words, "cc1", 1500, 0);
	words_task(&words, "cc1")->flags = TASK_ENDED;
	close_to(build_cpu(&words), 1.6);
	reaped_set(&words, 1650);
	cpu_set(&words, "make", 100, 1500);
	words_task(&words, "make")->flags = TASK_ENDED;
	words.sample->flags = SAMPLE_LAST;
	close_to(build_cpu(&words), 1.65);
	words_end(&words);
}

/* Watching others' processes: from the first sample on, and what a root used stays when it ends. */
static void cpu_time_of_a_tree_that_is_watched(void **state)
{
	struct words words = {.run = words_run(), .now_ns = WORDS_START_NS};

	(void)state;
	words.diagnose = diagnose_new(words.run);
	words.sample = sample_new();
	words.sample->flags = SAMPLE_FIRST;
	cpu_set(&words, "make", 100, 60000);
	close_to(words_tick(&words)->build_cpu_s, 0);
	cpu_set(&words, "make", 200, 60500);
	cpu_set(&words, "cc1", 300, 0);
	words_task(&words, "cc1")->ppid = words_task(&words, "make")->pid;
	close_to(build_cpu(&words), 0.9);
	cpu_set(&words, "make", 200, 60500);
	cpu_set(&words, "cc1", 300, 0);
	words_task(&words, "cc1")->ppid = words_task(&words, "make")->pid;
	words_task(&words, "cc1")->flags = TASK_ENDED;
	close_to(build_cpu(&words), 0.9); /* make will have it */
	cpu_set(&words, "make", 200, 60900);
	close_to(build_cpu(&words), 1);
	cpu_set(&words, "make", 200, 60900);
	words_task(&words, "make")->flags = TASK_ENDED;
	close_to(build_cpu(&words), 1);
	cpu_set(&words, "ninja", 70, 0);
	close_to(build_cpu(&words), 1.07);
	words_end(&words);
}

/* One second of a tmpfs of 1000 MiB and 1000 inodes. */
static const struct tick_mount *fill(struct words *words, uint64_t used_mib, uint64_t inodes)
{
	struct mount_row *mount = words_mount(words, "/tmp", "tmpfs", "tmpfs", MOUNT_TMPFS);

	mount->values[METRIC_MOUNT_SIZE_BYTES] = 1000 * MIB;
	mount->values[METRIC_MOUNT_USED_BYTES] = used_mib * MIB;
	mount->values[METRIC_MOUNT_AVAILABLE_BYTES] = (1000 - used_mib) * MIB;
	mount->values[METRIC_MOUNT_INODES] = 1000;
	mount->values[METRIC_MOUNT_INODES_USED] = inodes;
	words_pass(words, 1000);
	words_tick(words);
	return &words->tick->mounts[0];
}

static void a_tmpfs_that_fills(void **state)
{
	struct words words;
	const struct tick_mount *told = NULL;
	unsigned filling = 0, nearly_full = 0;

	(void)state;
	words_begin(&words);
	for (uint64_t second = 0; second <= 95; second++) {
		told = fill(&words, second * 10, 5);
		filling += told->alarm_new && told->alarm == TICK_ALARM_FILLING;
		nearly_full += told->alarm_new && told->alarm == TICK_ALARM_NEARLY_FULL;
		if (second == 6)
			close_to(told->growth_bytes_per_s, 10 * (double)MIB);
		if (second == 39)
			assert_int_equal(told->alarm, TICK_ALARM_NONE);
		if (second == 40)
			assert_int_equal(told->alarm, TICK_ALARM_FILLING);
		if (second == 89)
			assert_int_equal(told->alarm, TICK_ALARM_FILLING);
		if (second == 90)
			assert_int_equal(told->alarm, TICK_ALARM_NEARLY_FULL);
	}
	close_to(told->seconds_to_full, 5);
	close_to(told->used, 0.95);
	close_to(words.tick->brief.tmpfs_used, (double)0.95f);
	assert_false(told->by_inodes);
	assert_int_equal(filling, 1);
	assert_int_equal(nearly_full, 1);
	words_end(&words);
}

/* Around 90 %: one alarm, until it was under 87 %. */
static void alarms_do_not_flap(void **state)
{
	static const uint64_t levels[] = {900, 880, 900, 871, 905, 869, 900};
	struct words words;
	unsigned alarms = 0;

	(void)state;
	words_begin(&words);
	fill(&words, 500, 5);
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		alarms += fill(&words, levels[i], 5)->alarm_new;
	assert_int_equal(alarms, 2);
	words_end(&words);
}

static void inodes_run_out_too(void **state)
{
	struct words words;
	const struct tick_mount *told;

	(void)state;
	words_begin(&words);
	fill(&words, 1, 800);
	told = fill(&words, 1, 900);
	assert_int_equal(told->alarm, TICK_ALARM_NEARLY_FULL);
	assert_true(told->by_inodes && told->alarm_new);
	words_end(&words);
}

/* Temporary files come and go; a little noise is no growth. */
static void noise_is_no_alarm(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (uint64_t second = 0; second < 60; second++)
		assert_int_equal(fill(&words, second % 4 ? 400 : 500, 5)->alarm, TICK_ALARM_NONE);
	words_end(&words);

	words_begin(&words); /* one step, and then a page now and then */
	for (uint64_t second = 0; second < 90; second++)
		assert_int_equal(fill(&words, second < 30 ? 400 : 895 + second / 30, 5)->alarm,
				 TICK_ALARM_NONE);
	words_end(&words);
}

static void a_tmpfs_without_a_limit(void **state)
{
	struct words words;
	const struct tick_mount *told = NULL;

	(void)state;
	words_begin(&words);
	for (uint64_t second = 0; second < 20; second++) {
		words_mount(&words, "/tmp", "tmpfs", "tmpfs", MOUNT_TMPFS)->values[METRIC_MOUNT_USED_BYTES] =
			second * 100 * MIB;
		words_pass(&words, 1000);
		words_tick(&words);
		told = &words.tick->mounts[0];
	}
	assert_true(isnan(told->used) && isnan(told->inodes_used));
	assert_int_equal(told->alarm, TICK_ALARM_NONE);
	close_to(told->growth_bytes_per_s, 100 * (double)MIB);
	words_end(&words);
}

static void only_a_tmpfs_alarms(void **state)
{
	struct words words;
	struct mount_row *mount;

	(void)state;
	words_begin(&words);
	mount = words_mount(&words, "/build", "ext4", "/dev/sda1", MOUNT_WORKDIR);
	mount->values[METRIC_MOUNT_SIZE_BYTES] = 100;
	mount->values[METRIC_MOUNT_USED_BYTES] = 99;
	words_pass(&words, 1000);
	words_tick(&words);
	close_to(words.tick->mounts[0].used, 0.99);
	assert_int_equal(words.tick->mounts[0].alarm, TICK_ALARM_NONE);
	assert_true(isnan(words.tick->brief.tmpfs_used));
	words_end(&words);
}

/* Not in one sample, and back: its past is known by its device. */
static void a_mount_that_is_missing_once(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	for (uint64_t second = 0; second < 10; second++)
		fill(&words, second * 10, 5);
	words_pass(&words, 1000);
	words_tick(&words);
	close_to(fill(&words, 110, 5)->growth_bytes_per_s, 10 * (double)MIB);
	words_end(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_sample_has_no_rates),
		cmocka_unit_test(late_ticks_are_divided_by_real_time),
		cmocka_unit_test(a_pid_used_again_is_another_task),
		cmocka_unit_test(an_old_task_that_was_found_late),
		cmocka_unit_test(counters_that_go_backwards),
		cmocka_unit_test(page_cache_without_tmpfs),
		cmocka_unit_test(cpu_time_changes_hands),
		cmocka_unit_test(cpu_time_of_a_tree_that_is_watched),
		cmocka_unit_test(a_tmpfs_that_fills),
		cmocka_unit_test(alarms_do_not_flap),
		cmocka_unit_test(inodes_run_out_too),
		cmocka_unit_test(noise_is_no_alarm),
		cmocka_unit_test(a_tmpfs_without_a_limit),
		cmocka_unit_test(only_a_tmpfs_alarms),
		cmocka_unit_test(a_mount_that_is_missing_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
