/* SPDX-License-Identifier: MIT
 *
 * The tally: what a run comes to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "diagnose/tally.h"
#include "words.h"

#define THROTTLED "ld D balance_dirty_pages 1"
#define COMPUTING "cc1 R"

static void close_to(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-5))
		fail_msg("%g, expected %g", value, expected);
}

/* n looks, and the tick of them into the tally. */
static void second(struct words *words, struct tally *tally, const char *a, const char *b)
{
	for (int i = 0; i < 10; i++)
		words_look(words, a, b, NULL);
	words_tick(words);
	tally_add(tally, words->tick, 0);
}

static struct run_end end_of(const struct words *words)
{
	return (struct run_end){.complete = true,
				.known = true,
				.mono_ns = words->now_ns,
				.user_us = METRIC_NA,
				.system_us = METRIC_NA,
				.max_rss_bytes = METRIC_NA};
}

static void a_run_with_a_stall(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	tally_add(tally, words.tick, 0);
	for (int i = 0; i < 6; i++)
		second(&words, tally, COMPUTING, NULL);
	for (int i = 0; i < 3; i++)
		second(&words, tally, THROTTLED, NULL);
	second(&words, tally, COMPUTING, NULL);
	end = end_of(&words);
	end.user_us = 6000000;
	end.system_us = 1000000;
	tally_summary(tally, &end, &summary);
	close_to(summary.wall_s, 10);
	assert_string_equal(summary.cpu_source, "rusage");
	close_to(summary.user_s, 6);
	close_to(summary.some_s, 3);
	close_to(summary.full_s, 3);
	close_to(summary.flush_s, 3);
	close_to(summary.stalled_s, 3);
	close_to(summary.cause_stalled_s[CAUSE_DIRTY_THROTTLE], 3);
	assert_int_equal(summary.cause_episodes[CAUSE_DIRTY_THROTTLE], 1);
	close_to(summary.time_s[CAUSE_CPU], 7);
	close_to(summary.time_s[CAUSE_DIRTY_THROTTLE], 3);
	assert_int_equal(summary.n_stalls, 1);
	assert_int_equal(summary.verdict, CAUSE_DIRTY_THROTTLE);
	close_to(summary.bound_min_s, 7);
	close_to(summary.bound_max_s, 7);
	assert_non_null(strstr(summary.verdict_text, "dirty throttling"));
	assert_non_null(strstr(summary.verdict_text, "ld waited most"));
	assert_int_equal(summary.samples, 11);
	close_to(summary.unknown_s, 0);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* Stalled writers beside a computation that takes all the time: little or nothing to be gained. */
static void the_bound(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (int i = 0; i < 4; i++)
		second(&words, tally, COMPUTING, THROTTLED);
	for (int i = 0; i < 6; i++)
		second(&words, tally, COMPUTING, NULL);
	end = end_of(&words);
	end.user_us = 14000000; /* of 20 that two CPUs have: 3 s of wall time were not computing */
	end.system_us = 0;
	tally_summary(tally, &end, &summary);
	close_to(summary.bound_max_s, 10);
	close_to(summary.bound_min_s, 7);
	summary_fini(&summary);
	end.user_us = 19900000;
	tally_summary(tally, &end, &summary);
	assert_true(isnan(summary.bound_min_s) && isnan(summary.bound_max_s)); /* under 2 % */
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void nothing_but_computing(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (int i = 0; i < 30; i++)
		second(&words, tally, COMPUTING, i == 3 ? THROTTLED : NULL);
	end = end_of(&words);
	end.user_us = 29000000;
	end.system_us = 0;
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.verdict, CAUSE_CPU);
	assert_non_null(strstr(summary.verdict_text, "computing"));
	close_to(summary.stalled_s, 1);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void a_cold_cache(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (int i = 0; i < 5; i++)
		second(&words, tally, "cc1 D folio_wait_bit_common 0", NULL);
	second(&words, tally, COMPUTING, NULL);
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.verdict, CAUSE_READ);
	close_to(summary.flush_s, 0);
	close_to(summary.stalled_s, 5);
	assert_true(isnan(summary.bound_min_s));
	assert_string_equal(summary.cpu_source, "proc");
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* Two stalls at one time are one second lost, not two; one that is open at the end counts. */
static void overlapping_and_open(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (int i = 0; i < 3; i++)
		second(&words, tally, THROTTLED, "cc1 D folio_wait_bit_common 0");
	second(&words, tally, COMPUTING, NULL);
	for (int i = 0; i < 2; i++)
		second(&words, tally, THROTTLED, NULL);
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.n_stalls, 3);
	close_to(summary.stalled_s, 5);
	close_to(summary.flush_s, 5);
	close_to(summary.cause_stalled_s[CAUSE_READ], 3);
	assert_true(stall_seconds(&summary.stalls[0]) >= stall_seconds(&summary.stalls[2]));
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* The tick in which it closed was dropped on the way: it is kept as it was, and the time is unknown. */
static void dropped_ticks(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	second(&words, tally, THROTTLED, NULL);
	words_go_on(&words, 20, COMPUTING, NULL, NULL);
	for (int i = 0; i < 10; i++)
		words_look(&words, COMPUTING, NULL);
	words_tick(&words);
	tally_add(tally, words.tick, 2);
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.n_stalls, 1);
	assert_int_equal(summary.samples, 4);
	close_to(summary.unknown_s, 2);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void row(struct words *words, const char *name, const char *comm, uint64_t cpu_ms, uint32_t flags)
{
	struct task_row *task = words_task(words, name);

	task->values[METRIC_TASK_USER_MS] = cpu_ms;
	task->values[METRIC_TASK_SYSTEM_MS] = 0;
	task->values[METRIC_TASK_RSS_BYTES] = cpu_ms * 1000;
	task->start_ticks = 100100;
	task->flags = flags;
	task->comm = sample_add_string(words->sample, comm, strlen(comm));
}

static void commands_by_name(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	words_pass(&words, 1000);
	tally_add(tally, words_tick(&words), 0);
	row(&words, "a", "sh", 10, TASK_NEW); /* exec to come */
	row(&words, "b", "cc1", 100, TASK_NEW);
	words_pass(&words, 1000);
	tally_add(tally, words_tick(&words), 0);
	row(&words, "a", "cc1", 510, 0);
	row(&words, "b", "cc1", 300, TASK_ENDED);
	words_pass(&words, 1000);
	tally_add(tally, words_tick(&words), 0);
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.processes_started, 2);
	assert_int_equal(summary.n_commands, 2);
	assert_string_equal(summary.commands[0].name, "cc1");
	assert_int_equal(summary.commands[0].count, 2);
	close_to(summary.commands[0].cpu_s, 0.8);
	close_to(summary.commands[0].wall_s, 1 + 1 + 0.5);
	assert_int_equal(summary.commands[0].rss_peak_bytes, 510000);
	assert_string_equal(summary.commands[1].name, "sh");
	close_to(summary.commands[1].cpu_s, 0.01);
	assert_int_equal(summary.rss_peak_bytes, 510000);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void peaks(void **state)
{
	static const uint64_t used[] = {100, 950, 20};
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (size_t i = 0; i < 3; i++) {
		struct mount_row *mount = words_mount(&words, "/tmp", "tmpfs", "tmpfs", MOUNT_TMPFS);

		mount->values[METRIC_MOUNT_SIZE_BYTES] = 1000 * MIB;
		mount->values[METRIC_MOUNT_USED_BYTES] = used[i] * MIB;
		*words_system(&words, METRIC_SYSTEM_DIRTY_BYTES) = used[i];
		*words_system(&words, METRIC_SYSTEM_SWAP_TOTAL_BYTES) = 1000;
		*words_system(&words, METRIC_SYSTEM_SWAP_FREE_BYTES) = 1000 - used[i];
		words_pass(&words, 1000);
		tally_add(tally, words_tick(&words), 0);
	}
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_int_equal(summary.n_tmpfs, 1);
	assert_string_equal(summary.tmpfs[0].mount, "/tmp");
	assert_int_equal(summary.tmpfs[0].peak_bytes, 950 * MIB);
	close_to(summary.tmpfs[0].peak_at_s, 2);
	assert_true(summary.tmpfs[0].alarmed);
	assert_int_equal(summary.tmpfs[0].inodes, METRIC_NA);
	assert_int_equal(summary.dirty_peak_bytes, 950);
	assert_int_equal(summary.swap_peak_bytes, 950);
	assert_int_equal(summary.writeback_peak_bytes, METRIC_NA);
	assert_true(isnan(summary.monitor_cpu_s));
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* A build on a disk: its directory held 1000 MiB, counted when the disk had grown by 100; others had 5000. */
static void a_tmpfs_for_the_directory(void **state)
{
	static const uint64_t used[] = {6000, 6050, 6100, 6400, 6900, 6500};
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (size_t i = 0; i < 6; i++) {
		struct mount_row *mount = words_mount(&words, "/build", "ext4", "/dev/sda1", MOUNT_WORKDIR);

		mount->values[METRIC_MOUNT_USED_BYTES] = used[i] * MIB;
		if (i >= 2)
			*words_system(&words, METRIC_SYSTEM_WORKDIR_BYTES) = 1100 * MIB;
		words_pass(&words, 1000);
		tally_add(tally, words_tick(&words), 0);
	}
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_string_equal(summary.disk.mount, "/build");
	assert_int_equal(summary.disk.peak_bytes, 900 * MIB);
	assert_int_equal(summary.disk.before_bytes, 1000 * MIB);
	assert_int_equal(summary.disk.fails_bytes, 1536 * MIB); /* 1000 + 900 do not fit */
	assert_in_range(summary.disk.fails_at_s * 1000, 4270,
			4275); /* 536 of it: from 400 at 4 s to 900 at 5 s */
	assert_int_equal(summary.disk.enough_bytes, 3072 * MIB);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void who_filled_it(void **state)
{
	struct words words;
	struct tally *tally;
	struct summary summary;
	struct run_end end;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	for (uint64_t i = 0; i < 4; i++) {
		struct mount_row *mount = words_mount(&words, "/tmp", "tmpfs", "tmpfs", MOUNT_TMPFS);

		mount->values[METRIC_MOUNT_SIZE_BYTES] = 1000 * MIB;
		mount->values[METRIC_MOUNT_USED_BYTES] = (100 + 270 * i) * MIB;
		if (i >= 2)
			mount->writers =
				sample_add_string(words.sample, i == 2 ? "1T cc1" : "2T ld", i == 2 ? 6 : 5);
		words_pass(&words, 1000);
		tally_add(tally, words_tick(&words), 0);
	}
	end = end_of(&words);
	tally_summary(tally, &end, &summary);
	assert_string_equal(summary.tmpfs[0].writers.data, "2T ld");
	assert_int_equal(summary.tmpfs[0].largest.len, 0);
	assert_int_equal(summary.tmpfs[0].before_bytes, 100 * MIB);
	assert_int_equal(summary.n_alerts, 1);
	assert_string_equal(summary.alerts[0].writers.data, "2T ld");
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_with_a_stall),	     cmocka_unit_test(the_bound),
		cmocka_unit_test(nothing_but_computing),     cmocka_unit_test(a_cold_cache),
		cmocka_unit_test(overlapping_and_open),	     cmocka_unit_test(dropped_ticks),
		cmocka_unit_test(commands_by_name),	     cmocka_unit_test(peaks),
		cmocka_unit_test(a_tmpfs_for_the_directory), cmocka_unit_test(who_filled_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
