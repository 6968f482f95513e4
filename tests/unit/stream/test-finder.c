/* SPDX-License-Identifier: MIT
 *
 * Who writes where, and what takes the room: on a real directory, by files that a process has open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/stream/largest.h"
#include "../src/stream/writers.h"
#include "base/buf.h"

static char root[] = "/var/tmp/buildtop-finder.XXXXXX";

static void make_file(const char *name, size_t bytes)
{
	char path[256], *zeros = calloc(1, bytes);
	int fd;

	snprintf(path, sizeof path, "%s/%s", root, name);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	memset(zeros, 'x', bytes);
	assert_int_equal(write(fd, zeros, bytes), bytes);
	close(fd);
	free(zeros);
}

static void make_directory(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	make_directory("only");
	make_directory("only/objects");
	make_directory("only/tmp");
	make_directory("only/tmp/deep");
	make_directory("only/many");
	make_file("only/objects/a", 3000000);
	make_file("only/tmp/deep/b", 1000000);
	for (int i = 0; i < 40; i++) {
		char name[32];

		snprintf(name, sizeof name, "only/many/%d", i);
		make_file(name, 1);
	}
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", root);
	return system(command);
}

static uint64_t find(struct largest_walk *walk, struct buf *list)
{
	int fd = open(root, O_RDONLY | O_DIRECTORY);
	struct stat stat;

	assert_int_equal(fstat(fd, &stat), 0);
	walk->device = stat.st_dev;
	return largest_find(walk, fd, list);
}

static const char *entry(const struct buf *list, int at)
{
	const char *found = list->data;

	for (; at > 0; at--)
		found += strlen(found) + 1;
	assert_true(found < list->data + list->len);
	return strchr(found, ' ') + 1;
}

/* All lies in "only", so it is its parts that are told; "tmp" is told by the directory in it. */
static void the_largest(void **state)
{
	struct largest_walk walk = {.files = false};
	struct buf list = {0};
	uint64_t all = find(&walk, &list);

	(void)state;
	assert_in_range(all, 4000000, 5000000);
	assert_string_equal(entry(&list, 0), "only/objects");
	assert_string_equal(entry(&list, 1), "only/tmp/deep");
	assert_int_equal(list.data[strspn(list.data, "0123456789")], 'B');
	buf_fini(&list);
}

static void the_most_files(void **state)
{
	struct largest_walk walk = {.files = true};
	struct buf list = {0};

	(void)state;
	assert_int_equal(find(&walk, &list), 47);
	assert_string_equal(list.data, "40F only/many");
	buf_fini(&list);
}

static bool at_once(void *arg)
{
	(void)arg;
	return true;
}

static void a_walk_that_is_stopped(void **state)
{
	struct largest_walk walk = {.stop = at_once};

	(void)state;
	find(&walk, NULL);
	assert_true(walk.stopped);
}

/* The writers there are when a process has the file open so, and nothing else. */
static void list_writers(struct buf *list, int flags)
{
	struct sample *sample = sample_new();
	struct task_row *task = sample_add_task(sample);
	struct stat stat_of_root;
	uint64_t device;
	int status;

	task->pid = fork();
	if (task->pid == 0) {
		for (int fd = 0; fd < 256; fd++)
			close(fd);
		if (chdir(root) < 0)
			_exit(1);
		open("only/objects/a", flags);
		if (flags != O_RDONLY)
			unlink("only/objects/a"); /* deleted, and still filling */
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(task->pid, &status, WUNTRACED), task->pid);
	task->state = 'T';
	task->comm = sample_add_string(sample, "our\nself", 8);
	assert_int_equal(stat(root, &stat_of_root), 0);
	device = stat_of_root.st_dev;
	writers_find(sample, &device, list, 1);
	kill(task->pid, SIGKILL);
	waitpid(task->pid, &status, 0);
	sample_free(sample);
}

static void who_writes(void **state)
{
	struct buf list = {0};

	(void)state;
	list_writers(&list, O_RDONLY);
	assert_int_equal(list.len, 0); /* who reads does not write */
	list_writers(&list, O_WRONLY);
	assert_int_equal(list.len, strlen("1T our\nself"));
	assert_memory_equal(list.data, "1T our\nself", list.len);
	buf_fini(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest),
		cmocka_unit_test(the_most_files),
		cmocka_unit_test(a_walk_that_is_stopped),
		cmocka_unit_test(who_writes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
