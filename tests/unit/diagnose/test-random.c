/* SPDX-License-Identifier: MIT
 *
 * Samples that make no sense, from a fixed seed: nothing breaks, the sums hold, and a clone goes on as the
 * original does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diagnose/tally.h"
#include "words.h"

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % n;
}

static uint64_t random_value(void)
{
	return random_below(8) ? random_below(1 << 20) * random_below(1 << 12) : METRIC_NA;
}

static uint32_t random_string(struct sample *sample)
{
	static const char *const strings[] = {"",
					      "0",
					      "balance_dirty_pages",
					      "folio_wait_bit",
					      "folio_wait_bit_common",
					      "do_wait",
					      "reclaim_throttle",
					      "\x1b[2J\xff",
					      "a name of over fifteen bytes and of over forty-eight of them",
					      "cc1"};
	const char *string = strings[random_below(sizeof strings / sizeof *strings)];

	return sample_add_string(sample, string, strlen(string));
}

static void random_rows(struct sample *sample)
{
	for (uint64_t n = random_below(20); n > 0; n--) {
		struct task_row *row = sample_add_task(sample);
		uint32_t comm = random_string(sample);

		row->pid = (int32_t)random_below(30);
		row->ppid = (int32_t)random_below(30);
		row->start_ticks = random_below(3) ? 100000 : random_below(UINT32_MAX);
		row->state = "RSDZTtXI?"[random_below(9)];
		row->flags = (uint32_t)random_below(32);
		row->comm = comm;
		for (size_t m = 0; m < METRIC_TASK_COUNT; m++)
			row->values[m] = random_value();
	}
	for (uint64_t n = random_below(4); n > 0; n--) {
		uint32_t string = random_string(sample);
		struct mount_row *row = sample_add_mount(sample);

		row->device = random_below(5);
		row->point = row->type = row->source = string;
		row->flags = (uint32_t)random_below(8);
		for (size_t m = 0; m < METRIC_MOUNT_COUNT; m++)
			row->values[m] = random_value();
	}
	for (uint64_t n = random_below(4); n > 0; n--) {
		uint32_t string = random_string(sample);
		struct disk_row *row = sample_add_disk(sample);

		row->device = random_below(5);
		row->name = string;
		for (size_t m = 0; m < METRIC_DISK_COUNT; m++)
			row->values[m] = random_value();
	}
}

static struct sample *random_sample(uint64_t number, int64_t *now_ns)
{
	struct sample *sample = sample_new();
	int64_t from_ns = *now_ns;

	*now_ns += (int64_t)random_below(random_below(20) ? 1500 : 10000) * MS;
	sample->number = number;
	sample->mono_ns = *now_ns;
	sample->flags = (uint32_t)(random_below(10) ? 0 : random_below(128));
	for (size_t m = 0; m < METRIC_SYSTEM_COUNT; m++)
		sample->system[m] = random_value();
	random_rows(sample);
	for (uint64_t n = random_below(140), i = 0; i < n; i++)
		sample_add_look(sample, from_ns + (int64_t)i * (int64_t)random_below(20) * MS);
	for (uint64_t n = random_below(12); n > 0; n--) {
		uint32_t string = random_string(sample);
		struct site *site = sample_add_site(sample);

		site->wchan = string;
		site->syscall = (int32_t)random_below(320) - 4;
		site->state = "RSDDDZTI?"[random_below(9)];
	}
	for (uint64_t n = random_below(80); n > 0; n--)
		*sample_add_look_row(sample) = (struct look_row){
			.task = (uint32_t)random_below(sample->n_tasks + 2),
			.tid = (int32_t)random_below(40),
			.site = (uint16_t)random_below(sample->n_sites + 2),
			.block = (uint16_t)(n > 40   ? 0
					    : n > 10 ? 1
						     : random_below(5)),
			.mask = random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX),
		};
	return sample;
}

static void sums_hold(const struct tick *tick)
{
	for (int cause = 0; cause < CAUSE_COUNT; cause++) {
		double sum = 0;

		for (size_t i = 0; i < tick->sample->n_tasks; i++)
			sum += tick->tasks[i].cause_s[cause];
		assert_true(fabs(sum - tick->cause_s[cause]) <= 1e-3 * (1 + sum));
	}
	assert_true(tick->full_s <= tick->some_s + 1e-9);
	assert_true(!(tick->share < 0) && !(tick->share > 1 + 1e-9));
	for (size_t i = 0; i < tick->n_closed; i++) {
		const struct stall *stall = &tick->closed[i];

		assert_true(stall->from_ns <= stall->to_ns &&
			    stall->to_ns <= tick->sample->mono_ns + 3000 * MS);
		assert_true(stall->full_s <= stall->some_s && stall->some_s <= stall_seconds(stall) + 1e-6);
		assert_true(stall->share_s <= stall->some_s + 1e-6 &&
			    stall->explicit_s <= stall->task_s + 1e-6);
		assert_true(cause_table[stall->cause].stall);
	}
}

/* Numbers and bytes alike: every value of the two ticks. */
static void same_tick(const struct tick *a, const struct tick *b)
{
	size_t from = offsetof(struct tick, interval_s), to = offsetof(struct tick, stall);

	assert_memory_equal((const char *)a + from, (const char *)b + from, to - from);
	assert_memory_equal(&a->brief, &b->brief, sizeof a->brief);
	if (a->stalled)
		assert_memory_equal(&a->stall, &b->stall, sizeof a->stall);
	assert_int_equal(a->n_closed, b->n_closed);
	if (a->n_closed)
		assert_memory_equal(a->closed, b->closed, a->n_closed * sizeof *a->closed);
	if (a->sample->n_tasks)
		assert_memory_equal(a->tasks, b->tasks, a->sample->n_tasks * sizeof *a->tasks);
	if (a->sample->n_mounts)
		assert_memory_equal(a->mounts, b->mounts, a->sample->n_mounts * sizeof *a->mounts);
	if (a->sample->n_disks)
		assert_memory_equal(a->disks, b->disks, a->sample->n_disks * sizeof *a->disks);
}

static void run_once(int64_t look_interval_ns)
{
	struct run *run = words_run();
	struct diagnose *diagnose, *clone = NULL;
	struct tally *tally;
	struct summary summary;
	int64_t now_ns = WORDS_START_NS;
	double cpu_s = 0;

	run->look_interval_ns = look_interval_ns;
	diagnose = diagnose_new(run);
	tally = tally_new(run);
	for (uint64_t i = 0; i < 120; i++) {
		struct sample *sample = random_sample(i, &now_ns), *copy = sample_new();
		struct tick *tick, *again;

		sample_copy(copy, sample);
		if (i % 7 == 0) {
			diagnose_free(clone);
			clone = diagnose_clone(diagnose);
		}
		tick = diagnose_step(diagnose, sample);
		again = diagnose_step(clone, copy);
		sums_hold(tick);
		same_tick(tick, again);
		assert_true(tick->build_cpu_s >= cpu_s);
		cpu_s = tick->build_cpu_s;
		tally_add(tally, tick, random_below(10) ? 0 : 1);
		tick_unref(tick);
		tick_unref(again);
	}
	tally_summary(tally, &(struct run_end){.user_us = METRIC_NA, .system_us = METRIC_NA}, &summary);
	assert_true(summary.flush_s >= 0 && summary.stalled_s >= 0);
	assert_true(memchr(summary.verdict_text, '\x1b', sizeof summary.verdict_text) == NULL);
	summary_fini(&summary);
	tally_free(tally);
	diagnose_free(diagnose);
	diagnose_free(clone);
	run_free(run);
}

static void nonsense(void **state)
{
	(void)state;
	seed = 20261130;
	for (int i = 0; i < 12; i++)
		run_once(i % 4 ? 100 * MS : 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nonsense)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
