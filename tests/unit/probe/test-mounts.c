/* SPDX-License-Identifier: MIT
 *
 * Real tmpfs mounts in a mount namespace of our own; as an ordinary user it takes a user namespace, where
 * these are allowed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/probe/mounts.h"
#include "base/clock.h"

static bool allowed;
static char top[] = "/tmp/test-mounts-XXXXXX";

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0) {
		if (write(fd, text, strlen(text)) < 0)
			allowed = false;
		close(fd);
	}
}

static int isolate(void **state)
{
	char users[64], groups[64];

	(void)state;
	snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
	snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
	if (geteuid() == 0) {
		allowed = unshare(CLONE_NEWNS) == 0;
	} else if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) {
		allowed = true;
		write_file("/proc/self/setgroups", "deny");
		write_file("/proc/self/uid_map", users);
		write_file("/proc/self/gid_map", groups);
	}
	allowed = allowed && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mkdtemp(top) &&
		  mount("top", top, "tmpfs", 0, "size=1m") == 0 && chdir(top) == 0;
	return !allowed && getenv("CI") ? -1 : 0;
}

static int restore(void **state)
{
	(void)state;
	if (allowed && (chdir("/") < 0 || umount2(top, MNT_DETACH) < 0))
		return -1;
	rmdir(top);
	return 0;
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", top, name);
	return path;
}

static void put(const char *name, const char *source, const char *options)
{
	assert_true(mkdir(name, 0755) == 0 || access(name, F_OK) == 0);
	assert_int_equal(mount(source, name, "tmpfs", 0, options), 0);
}

static const struct mount_row *row_from(const struct sample *sample, const char *source)
{
	const struct mount_row *found = NULL;

	for (size_t i = 0; i < sample->n_mounts; i++)
		if (!strcmp(sample_string(sample, sample->mounts[i].source, NULL), source)) {
			assert_null(found); /* one row a device */
			found = &sample->mounts[i];
		}
	return found;
}

static const char *point(const struct sample *sample, const struct mount_row *row)
{
	assert_non_null(row);
	return sample_string(sample, row->point, NULL);
}

static struct sample *read_at(struct mounts *mounts, int64_t s)
{
	struct sample *sample = sample_new();

	mounts_read(mounts, sample, s * NS_PER_S);
	return sample;
}

static void test_names_and_workdir(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;
	const struct mount_row *row;

	(void)state;
	if (!allowed)
		skip();
	put("x - y", "blanks", "size=4m");
	put("a\nb#c\\", "newline", "size=4m,nr_inodes=20");
	mounts_open(&mounts, path_of("x - y/below"));
	sample = read_at(&mounts, 1);
	row = row_from(sample, "blanks");
	assert_string_equal(point(sample, row), path_of("x - y"));
	assert_int_equal(row->flags, MOUNT_TMPFS | MOUNT_WORKDIR);
	assert_int_equal(row->values[METRIC_MOUNT_SIZE_BYTES], 4 << 20);
	assert_int_equal(row->values[METRIC_MOUNT_USED_BYTES], 0);
	row = row_from(sample, "newline");
	assert_string_equal(point(sample, row), path_of("a\nb#c\\"));
	assert_int_equal(row->values[METRIC_MOUNT_INODES], 20);
	assert_int_equal(row->values[METRIC_MOUNT_INODES_USED], 1);
	sample_free(sample);
	mounts_close(&mounts);
}

/* A file system that only an alert names, found by a path below it. */
static void test_wanted_path(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;
	bool found = false;

	(void)state;
	mounts_open(&mounts, NULL);
	mounts_add_path(&mounts, "/");
	sample = read_at(&mounts, 1);
	for (size_t i = 0; i < sample->n_mounts; i++)
		found |= !strcmp(point(sample, &sample->mounts[i]), "/") &&
			 sample->mounts[i].values[METRIC_MOUNT_SIZE_BYTES] != METRIC_NA;
	assert_true(found);
	sample_free(sample);
	mounts_close(&mounts);
}

/* Without a limit there is nothing to divide by: not available, not 0. */
static void test_no_limit(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;
	const struct mount_row *row;

	(void)state;
	if (!allowed)
		skip();
	put("unlimited", "unlimited", "size=0,nr_inodes=0");
	mounts_open(&mounts, NULL);
	sample = read_at(&mounts, 1);
	row = row_from(sample, "unlimited");
	assert_non_null(row);
	for (size_t i = 0; i < METRIC_MOUNT_COUNT; i++)
		assert_true(row->values[i] == METRIC_NA);
	sample_free(sample);
	mounts_close(&mounts);
}

/* A file system mounted twice has one row; one that another hides is asked by its other path. */
static void test_bound_and_hidden(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;

	(void)state;
	if (!allowed)
		skip();
	put("n", "first", "size=8m");
	assert_int_equal(mkdir("p2", 0755), 0);
	assert_int_equal(mount("n", "p2", NULL, MS_BIND, NULL), 0);
	put("n", "second", "size=16m");
	mounts_open(&mounts, NULL);
	sample = read_at(&mounts, 1);
	assert_string_equal(point(sample, row_from(sample, "first")), path_of("p2"));
	assert_int_equal(row_from(sample, "first")->points, 2);
	assert_int_equal(row_from(sample, "first")->values[METRIC_MOUNT_SIZE_BYTES], 8 << 20);
	assert_string_equal(point(sample, row_from(sample, "second")), path_of("n"));
	assert_int_equal(row_from(sample, "second")->values[METRIC_MOUNT_SIZE_BYTES], 16 << 20);
	sample_free(sample);
	mounts_close(&mounts);
}

/* We do not keep a mount busy; that it went is told once. */
static void test_gone_once(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;

	(void)state;
	if (!allowed)
		skip();
	put("short", "short", "size=4m");
	mounts_open(&mounts, NULL);
	sample = read_at(&mounts, 1);
	assert_int_equal(row_from(sample, "short")->flags, MOUNT_TMPFS);
	sample_free(sample);
	assert_int_equal(umount2("short", 0), 0);
	sample = read_at(&mounts, 2);
	assert_true(row_from(sample, "short")->flags & MOUNT_GONE);
	assert_string_equal(point(sample, row_from(sample, "short")), path_of("short"));
	assert_int_equal(row_from(sample, "short")->values[METRIC_MOUNT_SIZE_BYTES], 4 << 20);
	sample_free(sample);
	sample = read_at(&mounts, 3);
	assert_null(row_from(sample, "short"));
	sample_free(sample);
	mounts_close(&mounts);
}

/* Of many, only those in use have rows. */
static void test_many(void **state)
{
	struct mounts mounts = {0};
	struct sample *sample;
	char name[16];
	int fd;

	(void)state;
	if (!allowed)
		skip();
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "many%d", i);
		put(name, name, "size=64k");
	}
	fd = open("many39/f", O_WRONLY | O_CREAT, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, top, sizeof top), sizeof top);
	close(fd);
	mounts_open(&mounts, NULL);
	sample = read_at(&mounts, 1);
	assert_non_null(row_from(sample, "many39"));
	assert_null(row_from(sample, "many0"));
	sample_free(sample);
	mounts_close(&mounts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_and_workdir), cmocka_unit_test(test_wanted_path),
		cmocka_unit_test(test_no_limit),	  cmocka_unit_test(test_bound_and_hidden),
		cmocka_unit_test(test_gone_once),	  cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, isolate, restore);
}
