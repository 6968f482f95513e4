/* SPDX-License-Identifier: MIT
 *
 * Alerts: each episode once, at the right time; forecasts whose range holds the truth; room that memory ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/alert.h"
#include "words.h"

static void begin(struct words *words, const char *spec)
{
	struct run *run = words_run();

	if (spec)
		run_add_alert(run, spec);
	words_begin_run(words, run);
}

/* One second of a tmpfs of 500 MiB. */
static void fill(struct words *words, double used_mib)
{
	struct mount_row *mount = words_mount(words, "/tmp", "tmpfs", "tmpfs", MOUNT_TMPFS);

	mount->values[METRIC_MOUNT_SIZE_BYTES] = 500 * MIB;
	mount->values[METRIC_MOUNT_USED_BYTES] = (uint64_t)(used_mib * (double)MIB);
	mount->values[METRIC_MOUNT_AVAILABLE_BYTES] = 500 * MIB - mount->values[METRIC_MOUNT_USED_BYTES];
	words_pass(words, 1000);
	words_tick(words);
}

static unsigned count(const struct words *words, const char *spec, enum tick_alert_change change)
{
	unsigned n = 0;

	for (size_t i = 0; i < words->tick->n_alerts; i++)
		n += !strcmp(words->tick->alerts[i].spec, spec) && words->tick->alerts[i].change == change;
	return n;
}

/* 5 MiB/s into 500 MiB: full after 100 s. */
static void told_in_time_and_once(void **state)
{
	struct words words;
	unsigned filling = 0, full = 0;

	(void)state;
	begin(&words, NULL);
	for (int second = 0; second <= 100; second++) {
		fill(&words, 5.0 * second);
		if (count(&words, "tmpfs<60s", TICK_ALERT_RAISED)) {
			filling++;
			assert_in_range(100 - second, 50, 70);
		}
		if (count(&words, "tmpfs>=90%", TICK_ALERT_RAISED)) {
			full++;
			assert_int_equal(second, 90);
		}
	}
	assert_int_equal(filling, 1);
	assert_int_equal(full, 1);
	words_end(&words);
}

/* Full before the build: that is no news, and no line in each of a hundred short runs. Fuller is. */
static void what_was_full_before(void **state)
{
	struct words words;

	(void)state;
	begin(&words, NULL);
	for (int second = 0; second < 30; second++) {
		fill(&words, 470 + second % 3);
		assert_int_equal(words.tick->n_alerts, 0);
	}
	fill(&words, 480);
	assert_int_equal(count(&words, "tmpfs>=90%", TICK_ALERT_RAISED), 1);
	words_end(&words);

	begin(&words, "tmpfs:/tmp>=90%"); /* who asks for this one is told */
	fill(&words, 470);
	assert_int_equal(count(&words, "tmpfs:/tmp>=90%", TICK_ALERT_RAISED), 1);
	words_end(&words);
}

/* It was full, was cleared, and the build fills it: that is an episode. */
static void full_before_and_again(void **state)
{
	struct words words;

	(void)state;
	begin(&words, NULL);
	fill(&words, 490);
	fill(&words, 100);
	for (int second = 0; second < 20; second++)
		fill(&words, 455);
	assert_int_equal(words.tick->n_alerts, 1);
	words_end(&words);
}

static void what_nobody_can_write_to(void **state)
{
	struct words words;

	(void)state;
	begin(&words, NULL);
	for (int second = 0; second < 30; second++) {
		words_mount(&words, "/ro", "tmpfs", "tmpfs", MOUNT_TMPFS | MOUNT_READONLY);
		words.sample->mounts[0].values[METRIC_MOUNT_SIZE_BYTES] = 100 * MIB;
		words.sample->mounts[0].values[METRIC_MOUNT_USED_BYTES] = (70 + (uint64_t)second) * MIB;
		words_pass(&words, 1000);
		words_tick(&words);
		assert_int_equal(words.tick->n_alerts, 0);
	}
	words_end(&words);
}

/* A tmpfs with size=0, or a ramfs, where the build works: it ends where memory does. */
static void without_a_limit_memory_is(void **state)
{
	struct words words;
	unsigned told = 0;

	(void)state;
	begin(&words, NULL);
	for (int second = 0; second <= 60; second++) {
		*words_system(&words, METRIC_SYSTEM_MEM_AVAILABLE_BYTES) =
			(1000 - 10 * (uint64_t)second) * MIB;
		*words_system(&words, METRIC_SYSTEM_SWAP_FREE_BYTES) = 0;
		words_mount(&words, "/build", "ramfs", "none", MOUNT_TMPFS | MOUNT_WORKDIR);
		words_mount(&words, "/elsewhere", "ramfs", "none", MOUNT_TMPFS);
		words_pass(&words, 1000);
		words_tick(&words);
		if (count(&words, "tmpfs<60s", TICK_ALERT_RAISED)) {
			told++;
			assert_in_range(100 - second, 50, 70);
			assert_int_equal(words.tick->alerts[0].room_by, TICK_ROOM_MEMORY);
		}
		assert_true(isnan(words.tick->mounts[0].used));
	}
	assert_int_equal(told, 1);
	words_end(&words);
}

/* One second in which 300 MiB of swap are in use; how much of that must be of the tmpfs. */
static uint64_t swapped(struct words *words, double used_mib, uint64_t shmem)
{
	*words_system(words, METRIC_SYSTEM_SWAP_TOTAL_BYTES) = 1000 * MIB;
	*words_system(words, METRIC_SYSTEM_SWAP_FREE_BYTES) = 700 * MIB;
	*words_system(words, METRIC_SYSTEM_SHMEM_BYTES) = shmem;
	fill(words, used_mib);
	return words->tick->shmem_swapped_bytes;
}

static void tmpfs_in_swap(void **state)
{
	struct words words;

	(void)state;
	begin(&words, NULL);
	assert_int_equal(swapped(&words, 400, 150 * MIB), 250 * MIB);
	assert_int_equal(swapped(&words, 400, 50 * MIB), 300 * MIB);
	assert_int_equal(swapped(&words, 400, 420 * MIB), 0);
	assert_int_equal(swapped(&words, 400, METRIC_NA), METRIC_NA);
	words_end(&words);
}

static double random_share(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 40) / (double)(1 << 24);
}

/* Each second 2.5 to 7.5 MiB: how often is the true end within the range that was told? */
static void range_holds_the_truth(void **state)
{
	unsigned held = 0, all = 0, once = 0, in_time = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		double levels[200] = {0};
		uint64_t random = seed * 7919;
		struct words words;
		int end = 0;
		unsigned raised = 0;

		while (levels[end] < 500 && end < 199) {
			levels[end + 1] = levels[end] + 2.5 + 5 * random_share(&random);
			end++;
		}
		begin(&words, NULL);
		for (int second = 0; second < end; second++) {
			const struct tick_mount *mount;
			double truth =
				end - 1 + (500 - levels[end - 1]) / (levels[end] - levels[end - 1]) - second;

			fill(&words, levels[second]);
			if (count(&words, "tmpfs<60s", TICK_ALERT_RAISED)) {
				raised++;
				in_time += truth >= 50 && truth <= 70;
			}
			mount = &words.tick->mounts[0];
			if (second < 31 || truth < 5)
				continue;
			all++;
			held += mount->seconds_to_full_min <= truth && truth <= mount->seconds_to_full_max;
		}
		once += raised == 1;
		words_end(&words);
	}
	print_message("range holds %u of %u; once in %u of 200, in time in %u\n", held, all, once, in_time);
	assert_true(held >= all * 9 / 10);
	assert_int_equal(once, 200);
	assert_true(in_time >= 180);
}

/* The limit of the control group is nearer than the size. */
static void a_group_ends_the_room(void **state)
{
	struct words words;
	unsigned told = 0;

	(void)state;
	begin(&words, "tmpfs>=90%");
	for (int second = 0; second <= 45; second++) {
		*words_system(&words, METRIC_SYSTEM_CGROUP_ROOM_BYTES) = (200 - 4 * (uint64_t)second) * MIB;
		*words_system(&words, METRIC_SYSTEM_MEM_AVAILABLE_BYTES) = 9000 * MIB;
		fill(&words, 4.0 * second);
		told += count(&words, "tmpfs>=90%", TICK_ALERT_RAISED);
		assert_int_equal(told, second >= 45);
	}
	assert_int_equal(words.tick->alerts[0].room_by, TICK_ROOM_CGROUP);
	assert_int_equal(words.tick->alerts[0].size, 200 * MIB);
	words_end(&words);
}

/* Up and down every two seconds for a minute: one episode. */
static void no_flood(void **state)
{
	struct words words;
	unsigned raised = 0, cleared = 0;

	(void)state;
	begin(&words, "dirty>=80%");
	for (int second = 0; second < 80; second++) {
		bool high = second < 60 && second / 2 % 2;

		*words_system(&words, METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES) = 100 * MIB;
		*words_system(&words, METRIC_SYSTEM_DIRTY_BYTES) = (high ? 95 : 2) * MIB;
		*words_system(&words, METRIC_SYSTEM_WRITEBACK_BYTES) = 0;
		words_pass(&words, 1000);
		words_tick(&words);
		raised += count(&words, "dirty>=80%", TICK_ALERT_RAISED);
		cleared += count(&words, "dirty>=80%", TICK_ALERT_CLEARED);
	}
	assert_int_equal(raised, 1);
	assert_int_equal(cleared, 1);
	words_end(&words);
}

static void little_memory(void **state)
{
	struct words words;

	(void)state;
	begin(&words, "memory<2G");
	*words_system(&words, METRIC_SYSTEM_MEM_TOTAL_BYTES) = 8192 * MIB;
	*words_system(&words, METRIC_SYSTEM_MEM_AVAILABLE_BYTES) = 2000 * MIB;
	words_pass(&words, 1000);
	words_tick(&words);
	assert_int_equal(count(&words, "memory<2G", TICK_ALERT_RAISED), 1);
	assert_int_equal(words.tick->alerts[0].used, 6192 * MIB);
	words_end(&words);
}

static void a_held_build(void **state)
{
	struct words words;

	(void)state;
	begin(&words, "none");
	*words_system(&words, METRIC_SYSTEM_HELD_US) = 0;
	fill(&words, 490);
	assert_int_equal(words.tick->n_alerts, 0);
	*words_system(&words, METRIC_SYSTEM_HELD_US) = 400000;
	words.sample->flags |= SAMPLE_HELD;
	fill(&words, 490);
	assert_int_equal(count(&words, "pause-on-full", TICK_ALERT_RAISED), 1);
	assert_int_equal(words.tick->alerts[0].size, 500 * MIB);
	assert_true(fabs(words.tick->held_s - 0.4) < 1e-9);
	words_end(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told_in_time_and_once),
		cmocka_unit_test(range_holds_the_truth),
		cmocka_unit_test(what_was_full_before),
		cmocka_unit_test(full_before_and_again),
		cmocka_unit_test(what_nobody_can_write_to),
		cmocka_unit_test(without_a_limit_memory_is),
		cmocka_unit_test(tmpfs_in_swap),
		cmocka_unit_test(a_group_ends_the_room),
		cmocka_unit_test(no_flood),
		cmocka_unit_test(little_memory),
		cmocka_unit_test(a_held_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
