/* SPDX-License-Identifier: MIT
 *
 * Which commit a directory is at, on repositories made of plain files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/stream/vcs.h"

#define HASH  "0123456789abcdef0123456789abcdef01234567"
#define OTHER "fedcba9876543210fedcba9876543210fedcba98"

static char root[64];

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", root, name);
	for (char *slash = path + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void expect(const char *directory, const char *hash)
{
	char path[256], *commit;

	snprintf(path, sizeof path, "%s/%s", root, directory);
	commit = vcs_commit(path);
	if (hash == NULL)
		assert_null(commit);
	else
		assert_string_equal(commit, hash);
	free(commit);
}

static int setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/buildtop-vcs-XXXXXX");
	return mkdtemp(root) == NULL;
}

static int teardown(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", root);
	return system(command);
}

static void test_branch(void **state)
{
	(void)state;
	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/refs/heads/main", HASH "\n");
	put("a/deep/down/file", "");
	expect("a", HASH);
	expect("a/deep/down", HASH);
}

static void test_detached(void **state)
{
	(void)state;
	put("a/.git/HEAD", HASH "\n");
	expect("a", HASH);
}

static void test_packed(void **state)
{
	(void)state;
	put("a/.git/HEAD", "ref: refs/heads/main\n");
	put("a/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" OTHER
				  " refs/heads/mainly\n" HASH " refs/heads/main\n^" OTHER "\n");
	expect("a", HASH);
}

static void test_work_tree(void **state)
{
	char link[128];

	(void)state;
	put("a/.git/refs/heads/side", HASH "\n");
	put("a/.git/worktrees/b/HEAD", "ref: refs/heads/side\n");
	put("a/.git/worktrees/b/commondir", "../..\n");
	snprintf(link, sizeof link, "gitdir: %s/a/.git/worktrees/b\n", root);
	put("b/.git", link);
	expect("b", HASH);
	put("c/.git", "gitdir: ../a/.git/worktrees/b\n");
	expect("c", HASH);
}

static void test_nothing_to_tell(void **state)
{
	(void)state;
	put("none/file", "");
	expect("none", NULL);
	expect("not-there", NULL);
	put("a/.git/HEAD", "ref: refs/heads/unborn\n");
	expect("a", NULL);
	put("a/.git/HEAD", "");
	expect("a", NULL);
}

static void test_hostile(void **state)
{
	(void)state;
	put("secret", HASH "\n");
	put("a/.git/HEAD", "ref: refs/../../../secret\n");
	expect("a", NULL);
	put("a/.git/HEAD", "ref: /etc/hostname\n");
	expect("a", NULL);
	put("a/.git/HEAD", HASH "\033[2J\n");
	expect("a", NULL);
	put("a/.git/HEAD", "0123\n");
	expect("a", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_branch),    TEST(test_detached),	  TEST(test_packed),
		TEST(test_work_tree), TEST(test_nothing_to_tell), TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
