/* SPDX-License-Identifier: MIT
 *
 * How alerts read, one line each, once; and the command that is run for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "alert/alert.h"
#include "base/log.h"

#define GIB (UINT64_C(1) << 30)

static struct tick *tick;
static struct tick_alert *told;

static int setup(void **state)
{
	static const char point[] = "/tmp\033[31m";
	struct sample *sample = sample_new();

	(void)state;
	log_init();
	tick = tick_new(sample);
	told = tick_add_alert(tick, "tmpfs>=80%");
	told->subject = ALERT_TMPFS;
	told->above = true;
	told->change = TICK_ALERT_RAISED;
	told->mount = sample_add_string(sample, point, sizeof point - 1);
	told->used = 5 * GIB;
	told->size = 6 * GIB;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tick_unref(tick);
	return 0;
}

static void expect(const char *line)
{
	const struct alert_options options = {0};
	struct consumer consumer;
	struct alert *alert;
	char said[LOG_LINE_SIZE] = "";

	assert_int_equal(alert_open(&alert, &options, NULL), 0);
	consumer = alert_consumer(alert, true);
	consumer.tick(consumer.self, tick, 0);
	assert_int_equal(log_take(said), line != NULL);
	if (line != NULL)
		assert_string_equal(said, line);
	assert_false(log_take(said));
	alert_close(alert);
}

static void test_filling(void **state)
{
	(void)state;
	told->measure = ALERT_SECONDS;
	told->above = false;
	told->seconds_to_full = 42;
	told->growth_bytes_per_s = 21 * 1048576.0;
	expect("tmpfs /tmp?[31m will be full in about 42.0 s (5.0 GiB of 6.0 GiB, growing 21.0 MiB/s)");
	told->room_by = TICK_ROOM_CGROUP;
	expect("tmpfs /tmp?[31m will be full in about 42.0 s (5.0 GiB of 6.0 GiB that its control group "
	       "leaves, growing 21.0 MiB/s)");
}

static void test_nearly_full(void **state)
{
	(void)state;
	expect("tmpfs /tmp?[31m is 83 % full (5.0 GiB of 6.0 GiB)");
	told->subject = ALERT_DISK;
	expect("disk /tmp?[31m is 83 % full (5.0 GiB of 6.0 GiB)");
}

static void test_inodes(void **state)
{
	(void)state;
	told->by_inodes = true;
	told->used = 990;
	told->size = 1000;
	expect("tmpfs /tmp?[31m has 99 % of its inodes in use (990 of 1000 inodes)");
	told->measure = ALERT_SECONDS;
	told->seconds_to_full = 5;
	expect("tmpfs /tmp?[31m will be out of inodes in about 5.0 s (990 of 1000 inodes)");
}

static void test_unknown_sizes(void **state)
{
	(void)state;
	told->size = METRIC_NA;
	expect("tmpfs /tmp?[31m is nearly full");
}

static void test_no_mount(void **state)
{
	(void)state;
	told->mount = 0;
	told->subject = ALERT_MEMORY;
	expect("1.0 GiB of memory are left, of 6.0 GiB");
	told->subject = ALERT_DIRTY;
	expect("dirty pages are at 83 % of the threshold (5.0 GiB of 6.0 GiB)");
	told->subject = ALERT_STALL;
	told->seconds_to_full = 31;
	expect("flushing has stalled the build for 31.0 s");
}

/* With the numbers to make room. */
static void test_held(void **state)
{
	(void)state;
	told->subject = ALERT_HELD;
	expect("the build is held: tmpfs /tmp?[31m is 83 % full (5.0 GiB of 6.0 GiB); make room: "
	       "mount -o remount,size=8G '/tmp?[31m'; it goes on by itself then, or by SIGCONT");
	told->change = TICK_ALERT_CLEARED;
	expect("the build goes on");
	told->change = TICK_ALERT_STANDS;
	expect(NULL);
}

static void test_told_once(void **state)
{
	(void)state;
	told->change = TICK_ALERT_STANDS;
	expect(NULL);
	told->change = TICK_ALERT_CLEARED;
	expect(NULL);
}

/* What a command leaves in a file, and what is said of it; it is no child of ours. */
static void run(const char *command, const char *failure)
{
	const struct alert_options options = {.command = command};
	struct consumer consumer;
	struct alert *alert;
	char said[LOG_LINE_SIZE] = "";
	struct rusage before, after;

	getrusage(RUSAGE_CHILDREN, &before);
	assert_int_equal(alert_open(&alert, &options, NULL), 0);
	consumer = alert_consumer(alert, false);
	consumer.tick(consumer.self, tick, 0);
	alert_finish(alert);
	assert_int_equal(log_take(said), failure != NULL);
	if (failure)
		assert_string_equal(said, failure);
	getrusage(RUSAGE_CHILDREN, &after);
	assert_memory_equal(&before.ru_utime, &after.ru_utime, sizeof before.ru_utime);
	alert_close(alert);
}

static void test_command(void **state)
{
	char text[256] = "", command[512];
	char path[] = "/tmp/test-alert-XXXXXX";
	int fd = mkstemp(path);
	ssize_t len;

	(void)state;
	assert_true(fd >= 0);
	snprintf(command, sizeof command,
		 "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; "
		 "echo \"$BUILDTOP_ALERT|$BUILDTOP_MOUNT|$BUILDTOP_USED_BYTES|$BUILDTOP_SIZE_BYTES|"
		 "$BUILDTOP_SECONDS_TO_FULL\" >%s",
		 path);
	run(command, NULL);
	len = read(fd, text, sizeof text - 1);
	assert_true(len > 0);
	assert_string_equal(text, "tmpfs>=80%|/tmp\033[31m|5368709120|6442450944|\n");
	close(fd);
	unlink(path);
	run("exit 3", "--on-alert: the command failed with status 3");
	run("kill -9 $$", "--on-alert: the command died of signal 9");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_filling),  TEST(test_nearly_full), TEST(test_inodes),	   TEST(test_unknown_sizes),
		TEST(test_no_mount), TEST(test_held),	     TEST(test_told_once), TEST(test_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
