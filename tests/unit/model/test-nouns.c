/* SPDX-License-Identifier: MIT
 *
 * The nouns: metric, cause, sample, run, stall. Made-up values, no kernel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cause.h"
#include "model/metric.h"
#include "model/run.h"
#include "model/sample.h"
#include "model/stall.h"

static void metric_tables_are_whole(void **state)
{
	(void)state;
	for (int scope = 0; scope < METRIC_SCOPE_COUNT; scope++) {
		size_t count;
		const struct metric *table = metric_table((enum metric_scope)scope, &count);

		assert_true(count > 0);
		for (size_t i = 0; i < count; i++) {
			const char *key = table[i].key;

			/* A key found elsewhere than at its own place would be there twice. */
			assert_int_equal(metric_find((enum metric_scope)scope, key), i);
			assert_int_equal(strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(key));
			assert_true(*key && *table[i].label && *table[i].help);
		}
	}
	assert_int_equal(metric_find(METRIC_SCOPE_SYSTEM, "dirty_bytes"), METRIC_SYSTEM_DIRTY_BYTES);
	assert_int_equal(metric_find(METRIC_SCOPE_TASK, "dirty_bytes"), -1);
	assert_int_equal(metric_find(METRIC_SCOPE_DISK, "busy_ms"), METRIC_DISK_BUSY_MS);
	assert_int_equal(metric_find(METRIC_SCOPE_MOUNT, ""), -1);
	assert_string_equal(metric_scope_name(METRIC_SCOPE_DISK), "disk");
	assert_string_equal(metric_unit_name(METRIC_UNIT_COUNT), "count");
	assert_string_equal(metric_kind_name(METRIC_KIND_GAUGE), "gauge");
}

static void metric_delta_never_invents(void **state)
{
	(void)state;
	assert_int_equal(metric_delta(7, 5), 2);
	assert_int_equal(metric_delta(5, 5), 0);
	assert_true(metric_delta(4, 5) == METRIC_NA);
	assert_true(metric_delta(METRIC_NA, 5) == METRIC_NA);
	assert_true(metric_delta(5, METRIC_NA) == METRIC_NA);
	assert_true(metric_delta(METRIC_NA, METRIC_NA) == METRIC_NA);
}

/* A capital letter says that the class opens a stall. */
static void cause_table_is_whole(void **state)
{
	(void)state;
	for (int i = 0; i < CAUSE_COUNT; i++) {
		const struct cause_info *info = &cause_table[i];

		assert_int_equal(cause_find(info->key), i);
		assert_int_equal(info->stall != CAUSE_STALL_NONE, info->letter >= 'A' && info->letter <= 'Z');
		for (int k = 0; k < i; k++)
			assert_int_not_equal(cause_table[k].letter, info->letter);
	}
	assert_int_equal(cause_find("none"), -1);
	assert_int_equal(cause_table[CAUSE_DIRTY_THROTTLE].stall, CAUSE_STALL_FLUSH);
	assert_int_equal(cause_table[CAUSE_READ].stall, CAUSE_STALL_BLOCK);
}

static void sample_rows_start_unmeasured(void **state)
{
	struct sample *sample = sample_new();

	(void)state;
	for (int i = 0; i < METRIC_SYSTEM_COUNT; i++)
		assert_true(sample->system[i] == METRIC_NA);
	for (int round = 0; round < 3; round++) {
		for (size_t n = 0; n < 100; n++) {
			struct task_row *task = sample_add_task(sample);
			struct mount_row *mount = sample_add_mount(sample);
			struct disk_row *disk = sample_add_disk(sample);
			struct look_row *look = sample_add_look_row(sample);
			struct site *site = sample_add_site(sample);

			for (int i = 0; i < METRIC_TASK_COUNT; i++)
				assert_true(task->values[i] == METRIC_NA);
			for (int i = 0; i < METRIC_MOUNT_COUNT; i++)
				assert_true(mount->values[i] == METRIC_NA);
			for (int i = 0; i < METRIC_DISK_COUNT; i++)
				assert_true(disk->values[i] == METRIC_NA);
			assert_true(!task->pid && !task->comm && !mount->device && !disk->name);
			assert_true(!look->mask && !look->site && !site->wchan && !site->state);
			assert_int_equal(sample_add_look(sample, (int64_t)n), n);
			task->pid = 5;
			task->values[0] = 1;
			mount->device = mount->values[0] = 1;
			disk->name = 1;
			disk->values[0] = 1;
			look->mask = look->site = 1;
			site->wchan = 1;
			site->state = 'D';
		}
		assert_int_equal(sample->n_tasks, 100);
		sample->system[3] = 0;
		sample->flags = SAMPLE_LAST;
		sample->number = 9;
		sample_reset(sample);
		assert_true(!sample->n_tasks && !sample->n_mounts && !sample->n_disks && !sample->n_looks);
		assert_true(!sample->n_sites && !sample->n_look_rows && !sample->flags && !sample->number);
		assert_true(sample->system[3] == METRIC_NA);
	}
	sample_free(sample);
	sample_free(NULL);
}

static void sample_reset_keeps_its_storage(void **state)
{
	struct sample *sample = sample_new();
	struct task_row *tasks;
	char *strings;

	(void)state;
	for (int i = 0; i < 1000; i++)
		sample_add_task(sample)->comm = sample_add_string(sample, "cc1plus", 7);
	tasks = sample->tasks;
	strings = sample->strings;
	sample_reset(sample);
	for (int i = 0; i < 1000; i++)
		sample_add_task(sample)->comm = sample_add_string(sample, "cc1plus", 7);
	assert_ptr_equal(sample->tasks, tasks);
	assert_ptr_equal(sample->strings, strings);
	sample_free(sample);
}

static void sample_strings_are_kept_raw(void **state)
{
	struct sample *sample = sample_new();
	uint32_t offsets[500];
	char text[32];
	size_t len = 9;

	(void)state;
	assert_int_equal(sample_add_string(sample, "", 0), 0);
	assert_string_equal(sample_string(sample, 0, &len), "");
	assert_int_equal(len, 0);
	offsets[0] = sample_add_string(sample, "cc\0-c\0\x1b\xff", 8);
	assert_memory_equal(sample_string(sample, offsets[0], &len), "cc\0-c\0\x1b\xff", 9);
	assert_int_equal(len, 8);
	for (int i = 0; i < 500; i++)
		offsets[i] = sample_add_string(sample, text, (size_t)sprintf(text, "string %d", i));
	for (int i = 0; i < 500; i++) {
		sprintf(text, "string %d", i);
		assert_string_equal(sample_string(sample, offsets[i], &len), text);
		assert_int_equal(len, strlen(text));
	}
	sample_free(sample);
}

static void sample_copy_is_whole_and_apart(void **state)
{
	struct sample *from = sample_new(), *to = sample_new();

	(void)state;
	from->number = 3;
	from->mono_ns = 4;
	from->wall_ns = 5;
	from->asleep_ns = 6;
	from->flags = SAMPLE_GAP;
	from->missed = 7;
	from->system[1] = 8;
	sample_add_task(from)->comm = sample_add_string(from, "ld", 2);
	sample_add_mount(from)->device = 1;
	sample_add_disk(from)->device = 2;
	sample_add_site(from)->syscall = 74;
	sample_add_look_row(from)->mask = 3;
	sample_add_look(from, 11);
	for (int i = 0; i < 50; i++)
		sample_add_task(to);
	sample_copy(to, from);
	sample_copy(to, to);
	sample_free(from);
	assert_true(to->number == 3 && to->mono_ns == 4 && to->wall_ns == 5 && to->asleep_ns == 6);
	assert_true(to->flags == SAMPLE_GAP && to->missed == 7 && to->system[1] == 8);
	assert_true(to->n_tasks == 1 && to->n_mounts == 1 && to->n_disks == 1);
	assert_true(to->n_sites == 1 && to->n_looks == 1 && to->n_look_rows == 1);
	assert_string_equal(sample_string(to, to->tasks[0].comm, NULL), "ld");
	assert_true(to->mounts[0].device == 1 && to->disks[0].device == 2 && to->sites[0].syscall == 74);
	assert_true(to->look_rows[0].mask == 3 && to->look_ns[0] == 11);
	sample_add_string(to, "more", 4);
	sample_free(to);
}

static void run_labels_and_sources_are_renewed(void **state)
{
	struct run *run = run_new();

	(void)state;
	assert_int_equal(run->vcs_dirty, -1);
	assert_null(run_label(run, "project"));
	run_add_label(run, "project", "one");
	run_add_label(run, "branch", "main");
	run_add_label(run, "project", run_label(run, "project"));
	run_add_label(run, "project", "two");
	assert_int_equal(run->n_labels, 2);
	assert_string_equal(run_label(run, "project"), "two");
	assert_string_equal(run->labels[1].key, "branch");

	assert_null(run_source(run, "psi"));
	run_set_source(run, "psi", "no: not there", "boot with psi=1");
	run_set_source(run, "wchan", "yes", NULL);
	assert_string_equal(run->sources[0].remedy, "boot with psi=1");
	run_set_source(run, "psi", "yes", NULL);
	assert_int_equal(run->n_sources, 2);
	assert_string_equal(run_source(run, "psi"), "yes");
	assert_null(run->sources[0].remedy);
	run_free(run);
	run_free(NULL);
}

static void signals_have_their_names(void **state)
{
	(void)state;
	assert_string_equal(run_signal_name(9), "SIGKILL");
	assert_string_equal(run_signal_name(15), "SIGTERM");
	assert_null(run_signal_name(0));
	assert_null(run_signal_name(60)); /* a real-time one */
}

static void run_outcome_has_a_word_for_all(void **state)
{
	(void)state;
	assert_string_equal(run_outcome(&(struct run_end){0}), "unknown");
	assert_string_equal(run_outcome(&(struct run_end){.known = true}), "success");
	assert_string_equal(run_outcome(&(struct run_end){.known = true, .status = 2}), "failure");
	assert_string_equal(run_outcome(&(struct run_end){.known = true, .signal = 9}), "signal");
	assert_string_equal(run_outcome(&(struct run_end){.known = true, .signal = 2, .interrupted = true}),
			    "interrupted");
	assert_string_equal(run_outcome(&(struct run_end){.interrupted = true}), "interrupted");
}

static void stall_is_never_negative(void **state)
{
	(void)state;
	assert_true(stall_seconds(&(struct stall){.from_ns = 1000000000, .to_ns = 3500000000}) == 2.5);
	assert_true(stall_seconds(&(struct stall){.from_ns = 5, .to_ns = 4}) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metric_tables_are_whole),
		cmocka_unit_test(metric_delta_never_invents),
		cmocka_unit_test(cause_table_is_whole),
		cmocka_unit_test(sample_rows_start_unmeasured),
		cmocka_unit_test(sample_reset_keeps_its_storage),
		cmocka_unit_test(sample_strings_are_kept_raw),
		cmocka_unit_test(sample_copy_is_whole_and_apart),
		cmocka_unit_test(run_labels_and_sources_are_renewed),
		cmocka_unit_test(signals_have_their_names),
		cmocka_unit_test(run_outcome_has_a_word_for_all),
		cmocka_unit_test(stall_is_never_negative),
	};

	return cmocka_run_group_tests_name("nouns", tests, NULL, NULL);
}
