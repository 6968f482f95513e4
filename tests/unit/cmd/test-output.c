/* SPDX-License-Identifier: MIT
 *
 * Files that are there whole or not at all.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/cmd/output.h"
#include "base/buf.h"
#include "base/fd.h"

static char dir[64], path[80];
static struct why why;

static int enter(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/buildtop-test.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/file", dir);
	return 0;
}

static size_t count_files(void)
{
	size_t count = 0;
	DIR *handle = opendir(dir);
	for (struct dirent *entry; (entry = readdir(handle)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(handle);
	return count;
}

static int leave(void **state)
{
	(void)state;
	char link[80];
	snprintf(link, sizeof link, "%s/link", dir);
	unlink(link);
	unlink(path);
	return rmdir(dir);
}

static void assert_content(const char *expected)
{
	struct buf content = {0};
	assert_true(fd_read_file(path, &content, 1000) >= 0);
	assert_string_equal(content.data != NULL ? content.data : "", expected);
	buf_fini(&content);
}

static void file_appears_when_complete(void **state)
{
	(void)state;
	struct output output;
	struct stat status;
	assert_int_equal(output_open(&output, path, &why), 0);
	assert_int_equal(output_write(&output, "one", 3, &why), 0);
	assert_int_equal(stat(path, &status), -1);
	assert_int_equal(output_close(&output, &why), 0);
	assert_content("one");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
}

static void discarded_leaves_what_was_there(void **state)
{
	(void)state;
	struct output output;
	assert_int_equal(output_put(path, "old", 3, &why), 0);
	assert_int_equal(output_open(&output, path, &why), 0);
	assert_int_equal(output_write(&output, "new", 3, &why), 0);
	output_discard(&output);
	assert_content("old");
	assert_int_equal(count_files(), 1);
}

static void link_stays_a_link(void **state)
{
	(void)state;
	char link[80];
	struct stat status;
	snprintf(link, sizeof link, "%s/link", dir);
	assert_int_equal(output_put(path, "old", 3, &why), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(output_put(link, "new", 3, &why), 0);
	assert_content("new");
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

static void check_leaves_nothing(void **state)
{
	(void)state;
	assert_int_equal(output_check(path, &why), 0);
	assert_int_equal(count_files(), 0);
	assert_int_equal(output_check("-", &why), 0);
	assert_int_equal(output_check("/dev/null", &why), 0);
	assert_true(output_check(dir, &why) < 0);
	assert_true(output_check("/nosuch/file", &why) < 0);
	assert_non_null(strstr(why.text, "/nosuch/file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(file_appears_when_complete, enter, leave),
		cmocka_unit_test_setup_teardown(discarded_leaves_what_was_there, enter, leave),
		cmocka_unit_test_setup_teardown(link_stays_a_link, enter, leave),
		cmocka_unit_test_setup_teardown(check_leaves_nothing, enter, leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
