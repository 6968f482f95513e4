/* SPDX-License-Identifier: MIT
 *
 * The process list: order, tree, sums, filter; and trees that are none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <string.h>

#include "../../../src/tui/tasklist.h"
#include "base/text.h"

static struct sample *sample;
static struct tick *tick;
static struct tasklist list;

static int fresh(void **state)
{
	(void)state;
	sample = sample_new();
	return 0;
}

static int gone(void **state)
{
	(void)state;
	tasklist_fini(&list);
	tick_unref(tick);
	return 0;
}

static void add(int pid, int ppid, const char *comm, const char *command, size_t len)
{
	struct task_row *row = sample_add_task(sample);

	row->pid = pid;
	row->ppid = ppid;
	row->comm = sample_add_string(sample, comm, strlen(comm));
	row->cmdline = sample_add_string(sample, command, len);
	row->values[METRIC_TASK_RSS_BYTES] = (uint64_t)pid * 1024;
}

static void think(void)
{
	tick = tick_new(sample);
	for (size_t i = 0; i < sample->n_tasks; i++)
		tick->tasks[i].cpu = tick->tasks[i].write_bytes_per_s = 0;
}

static int pid_at(size_t row)
{
	assert_true(row < list.n);
	return sample->tasks[list.rows[row].task].pid;
}

static void who_waits_comes_first(void **state)
{
	(void)state;
	for (int pid = 1; pid <= 4; pid++)
		add(pid, 0, "cc1", "", 0);
	think();
	tick->tasks[1].cpu = 0.9;
	tick->tasks[2].cause_s[CAUSE_FLUSH_WAIT] = 0.8;
	tick->tasks[3].cause_s[CAUSE_WAIT] = 1; /* waits for others: not held up */
	tasklist_build(&list, tick, TASKLIST_BY_WAIT, TASKLIST_FLAT, NULL, 100);
	assert_int_equal(pid_at(0), 3);
	assert_int_equal(pid_at(1), 2);
	assert_int_equal(pid_at(2), 1);
	tasklist_build(&list, tick, TASKLIST_BY_CPU, TASKLIST_FLAT, NULL, 100);
	assert_int_equal(pid_at(0), 2);
	tasklist_build(&list, tick, TASKLIST_BY_RSS, TASKLIST_FLAT, NULL, 100);
	assert_int_equal(pid_at(0), 4);
	tasklist_build(&list, tick, TASKLIST_BY_PID, TASKLIST_FLAT, NULL, 100);
	assert_int_equal(pid_at(0), 1);
}

static void a_tree(void **state)
{
	(void)state;
	add(10, 1, "make", "", 0);
	add(11, 10, "sh", "", 0);
	add(12, 11, "cc1", "", 0);
	add(13, 10, "ld", "", 0);
	add(14, 999, "orphan", "", 0);
	think();
	tasklist_build(&list, tick, TASKLIST_BY_PID, TASKLIST_TREE, NULL, 100);
	assert_int_equal(list.n, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(pid_at((size_t)i), 10 + i);
	assert_int_equal(list.rows[0].depth, 0);
	assert_int_equal(list.rows[2].depth, 2);
	assert_int_equal(list.rows[3].depth, 1);
	assert_int_equal(list.rows[4].depth, 0);
	assert_false(list.rows[1].last & 1U << 1);
	assert_true(list.rows[2].last & 1U << 2);
	assert_true(list.rows[3].last & 1U << 1);
}

static void a_tree_that_is_none(void **state)
{
	(void)state;
	add(1, 2, "a", "", 0); /* each other's parent */
	add(2, 1, "b", "", 0);
	add(3, 3, "c", "", 0);		      /* its own */
	for (int pid = 100; pid < 200; pid++) /* deeper than is drawn */
		add(pid, pid - 1, "deep", "", 0);
	think();
	tasklist_build(&list, tick, TASKLIST_BY_CPU, TASKLIST_TREE, NULL, 100);
	assert_int_equal(list.n, 103);
	for (size_t i = 0; i < list.n; i++)
		assert_true(list.rows[i].depth < TASKLIST_DEPTH_MAX);
}

static void sums_by_command(void **state)
{
	(void)state;
	add(1, 0, "cc1", "", 0);
	add(2, 0, "ld", "", 0);
	add(3, 0, "cc1", "", 0);
	sample->tasks[2].flags = TASK_ENDED; /* used CPU all the same */
	think();
	tick->tasks[0].cpu = 0.5;
	tick->tasks[1].cpu = 0.7;
	tick->tasks[2].cpu = 0.4;
	tasklist_build(&list, tick, TASKLIST_BY_CPU, TASKLIST_COMMANDS, NULL, 100);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.rows[0].count, 2);
	assert_true(list.rows[0].cpu > 0.89 && list.rows[0].cpu < 0.91);
	tasklist_build(&list, tick, TASKLIST_BY_CPU, TASKLIST_FLAT, NULL, 100);
	assert_int_equal(list.n, 2);
}

static void a_filter(void **state)
{
	(void)state;
	add(1, 0, "cc1", "cc1\0-quiet\0Parser.c", 18);
	add(2, 0, "ld", "ld\0-o\0app", 9);
	think();
	tasklist_build(&list, tick, TASKLIST_BY_PID, TASKLIST_FLAT, "parser", 100);
	assert_int_equal(list.n, 1);
	assert_int_equal(pid_at(0), 1);
	tasklist_build(&list, tick, TASKLIST_BY_PID, TASKLIST_TREE, "nothing", 100);
	assert_int_equal(list.n, 0);
}

static void commands_are_clean(void **state)
{
	char out[64];

	(void)state;
	add(1, 0, "ev\x1b[2J", "", 0);
	add(2, 0, "x", "a\0b\x1b]0;t\x07\0", 10);
	think();
	tasklist_command(out, sizeof out, sample, &sample->tasks[0]);
	assert_string_equal(out, "ev?[2J");
	tasklist_command(out, sizeof out, sample, &sample->tasks[1]);
	assert_string_equal(out, "a b?]0;t?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(who_waits_comes_first, fresh, gone),
		cmocka_unit_test_setup_teardown(a_tree, fresh, gone),
		cmocka_unit_test_setup_teardown(a_tree_that_is_none, fresh, gone),
		cmocka_unit_test_setup_teardown(sums_by_command, fresh, gone),
		cmocka_unit_test_setup_teardown(a_filter, fresh, gone),
		cmocka_unit_test_setup_teardown(commands_are_clean, fresh, gone),
	};

	setlocale(LC_ALL, "C.UTF-8");
	text_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
