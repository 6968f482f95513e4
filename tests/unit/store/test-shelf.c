/* SPDX-License-Identifier: MIT
 *
 * The shelf in a directory of its own: names, order, limits, locks, and where it is.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "store/shelf.h"

static char home[] = "/tmp/test-shelf-XXXXXX";

static int setup(void **state)
{
	(void)state;
	strcpy(home, "/tmp/test-shelf-XXXXXX");
	if (!mkdtemp(home))
		return -1;
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", home);
	return system(command);
}

static struct run *run_made(const char *command)
{
	struct run *run = run_new();
	strcpy(run->id, "01939a7e-5b1c-7c3d-8e4f-1a2b3c4d5e6f");
	run->start_wall_ns = INT64_C(1796073411123456789);
	if (command) {
		run->command = mem_alloc(2, sizeof *run->command);
		run->command[0] = mem_dup(command);
	}
	return run;
}

static void assert_name(const char *command, enum run_mode mode, const char *name)
{
	char want[200];
	struct run *run = run_made(command);
	run->mode = mode;
	char *path = shelf_new_path(run, NULL);
	snprintf(want, sizeof want, "%s/.local/state/buildtop/20261130T211651Z-%s-3c4d5e6f.buildtop", home,
		 name);
	assert_string_equal(path, want);
	free(path);
	run_free(run);
}

static void names_are_clean(void **state)
{
	(void)state;
	assert_name("make", RUN_COMMAND, "make");
	assert_name("/usr/bin/ninja", RUN_COMMAND, "ninja");
	assert_name("./-a b\033[1m;\xc3\xa4", RUN_COMMAND, "a_b__1m___");
	assert_name("/", RUN_COMMAND, "run");
	assert_name(NULL, RUN_WATCH, "watch");
	assert_name(NULL, RUN_MACHINE, "machine");
	char directory[100];
	struct stat status;
	snprintf(directory, sizeof directory, "%s/.local/state/buildtop", home);
	assert_int_equal(stat(directory, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
}

static void places_are_those_of_xdg(void **state)
{
	(void)state;
	char place[100];
	struct why why;
	struct run *run = run_made("make");
	snprintf(place, sizeof place, "%s/xdg", home);
	setenv("XDG_STATE_HOME", place, 1);
	char *path = shelf_new_path(run, &why);
	assert_int_equal(strncmp(path, place, strlen(place)), 0);
	free(path);
	static const char *const unset[] = {"", "relative/state"};
	for (size_t i = 0; i < 2; i++) {
		setenv("XDG_STATE_HOME", unset[i], 1);
		path = shelf_new_path(run, &why);
		assert_non_null(strstr(path, "/.local/state/buildtop/"));
		free(path);
	}
	unsetenv("HOME");
	assert_null(shelf_new_path(run, &why));
	assert_non_null(strstr(why.text, "HOME"));
	setenv("HOME", home, 1);
	run_free(run);
}

/* A recording of that day on the shelf. */
static void shelf_put(char path[200], int day, off_t bytes, bool with_log)
{
	snprintf(path, 200, "%s/.local/state/buildtop/202611%02dT000000Z-make-00000000.buildtop", home, day);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, bytes), 0);
	close(fd);
	if (with_log) {
		char log[210];
		snprintf(log, sizeof log, "%s.log", path);
		close(open(log, O_WRONLY | O_CREAT, 0600));
		assert_int_equal(truncate(log, bytes), 0);
	}
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void shelf_begin(void)
{
	struct run *run = run_made("make");
	free(shelf_new_path(run, NULL));
	run_free(run);
}

static void the_newest_fifty_stay(void **state)
{
	(void)state;
	static char paths[60][200];
	shelf_begin();
	for (int i = 0; i < 60; i++)
		shelf_put(paths[i], i, 10, true);
	int fd = open(paths[3], O_RDONLY);
	assert_int_equal(flock(fd, LOCK_SH | LOCK_NB), 0); /* as its recorder does */
	shelf_prune();
	for (int i = 0; i < 60; i++) {
		char log[210];
		snprintf(log, sizeof log, "%.200s.log", paths[i]);
		assert_int_equal(is_there(paths[i]), i >= 10 || i == 3);
		assert_int_equal(is_there(log), i >= 10 || i == 3);
	}
	close(fd);
	shelf_prune();
	assert_false(is_there(paths[3]));
}

static void a_gibibyte_stays_logs_included(void **state)
{
	(void)state;
	char paths[4][200];
	shelf_begin();
	for (int i = 0; i < 4; i++)
		shelf_put(paths[i], i, 200 << 20, true); /* sparse; 400 MiB each with its log */
	shelf_prune();
	assert_false(is_there(paths[0]));
	assert_false(is_there(paths[1]));
	assert_true(is_there(paths[2]));
	assert_true(is_there(paths[3]));
	char large[200];
	shelf_put(large, 20, (off_t)2 << 30, false);
	shelf_prune();
	assert_true(is_there(large)); /* what was just recorded stays */
	assert_false(is_there(paths[3]));
}

static void numbers_count_from_the_newest(void **state)
{
	(void)state;
	char old[200], new[200];
	struct why why;
	shelf_begin();
	assert_null(shelf_resolve("@1", &why));
	shelf_put(new, 28, 1, true);
	shelf_put(old, 2, 1, true);
	char *path = shelf_resolve("@1", &why);
	assert_string_equal(path, new);
	free(path);
	path = shelf_resolve("@2", &why);
	assert_string_equal(path, old);
	free(path);
	assert_null(shelf_resolve("@3", &why));
	assert_non_null(strstr(why.text, "2 recordings"));
	static const char *const wrong[] = {"@", "@0", "@-1", "@1x", "@ 1", "@99999999999999999999"};
	for (size_t i = 0; i < 6; i++)
		assert_null(shelf_resolve(wrong[i], &why));
	path = shelf_resolve("a/@1", &why);
	assert_string_equal(path, "a/@1");
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_are_clean, setup, teardown),
		cmocka_unit_test_setup_teardown(places_are_those_of_xdg, setup, teardown),
		cmocka_unit_test_setup_teardown(the_newest_fifty_stay, setup, teardown),
		cmocka_unit_test_setup_teardown(a_gibibyte_stays_logs_included, setup, teardown),
		cmocka_unit_test_setup_teardown(numbers_count_from_the_newest, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
