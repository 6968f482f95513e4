/* SPDX-License-Identifier: MIT
 *
 * The tree under want: no children files, no descriptors to keep, more tasks than libproc2 selects at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../src/probe/rows.h"
#include "../../../src/probe/tree.h"

static int told[2];

/* A process with `count` children of its own, all asleep, which end with it. */
static pid_t start_family(int count)
{
	char byte = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; i < count; i++) {
			if (fork())
				continue;
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
		if (write(told[1], &byte, 1) != 1)
			_exit(9);
		for (;;)
			pause();
	}
	assert_int_equal(read(told[0], &byte, 1), 1);
	return pid;
}

static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_without_children_files(void **state)
{
	struct rows rows = {0};
	struct tree tree;
	pid_t pid = start_family(3);

	(void)state;
	tree_init(&tree, false);
	tree.has_children = false;
	rows_open(&rows, tree.has_children);
	tree_add_root(&tree, pid);
	tree_walk(&tree, true);
	assert_int_equal(tree.n_tasks, 1);
	rows_find(&rows, &tree);
	tree_walk(&tree, true);
	assert_int_equal(tree.n_tasks, 4);
	for (size_t i = 1; i < 4; i++)
		assert_int_equal(tree.tasks[i]->ppid, pid);
	rows_close(&rows);
	tree_fini(&tree);
	reap(pid);
}

static void test_without_descriptors(void **state)
{
	struct tree tree;
	pid_t pid = start_family(2);

	(void)state;
	tree_init(&tree, false);
	tree.budget.most = 4;
	tree_add_root(&tree, pid);
	for (int i = 0; i < 5; i++)
		tree_walk(&tree, i == 3);
	assert_int_equal(tree.n_tasks, 3);
	assert_int_equal(tree.budget.kept, 4);
	for (size_t i = 0; i < 3; i++)
		assert_true(tree.tasks[i]->seen && tree.tasks[i]->threads[0].state);
	reap(pid);
	for (int i = 0; i < 1000 && tree.n_tasks; i++) { /* init may take a while to reap the children */
		tree_walk(&tree, false);
		usleep(1000);
	}
	assert_null(tree_find(&tree, pid));
	tree_fini(&tree);
	assert_int_equal(tree.budget.kept, 0);
}

static void test_more_than_one_select(void **state)
{
	enum { MANY = 450 };
	struct rows rows = {0};
	struct tree tree;
	pid_t pid = start_family(MANY);

	(void)state;
	tree_init(&tree, false);
	rows_open(&rows, true);
	tree_add_root(&tree, pid);
	tree_walk(&tree, false);
	assert_int_equal(tree.n_tasks, MANY + 1);
	assert_true(tree.budget.kept <= tree.budget.most);
	rows_read(&rows, &tree);
	assert_int_equal(tree.n_tasks, MANY + 1);
	for (size_t i = 0; i <= MANY; i++) {
		assert_int_equal(tree.tasks[i]->uid, geteuid()); /* known by the select alone */
		assert_int_equal(tree.tasks[i]->ppid, i ? pid : getpid());
	}
	rows_close(&rows);
	tree_fini(&tree);
	reap(pid);
}

/* What ends between a look and the rows is ended by the rows: its time is in its parent's by now. */
static void test_rows_end_what_is_gone(void **state)
{
	struct rows rows = {0};
	struct tree tree;
	pid_t pid = start_family(0);

	(void)state;
	tree_init(&tree, false);
	rows_open(&rows, true);
	tree_add_root(&tree, pid);
	tree_walk(&tree, false);
	reap(pid);
	rows_read(&rows, &tree);
	assert_int_equal(tree.n_tasks, 0);
	assert_int_equal(tree.n_ended, 1);
	assert_true(tree.ended[0]->flags & TASK_ENDED);
	rows_close(&rows);
	tree_fini(&tree);
}

static int open_pipe(void **state)
{
	(void)state;
	return pipe(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_children_files),
		cmocka_unit_test(test_without_descriptors),
		cmocka_unit_test(test_more_than_one_select),
		cmocka_unit_test(test_rows_end_what_is_gone),
	};

	return cmocka_run_group_tests(tests, open_pipe, NULL);
}
