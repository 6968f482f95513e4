/* SPDX-License-Identifier: MIT
 *
 * How alarms read, one line each, once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "alert/alert.h"
#include "base/log.h"

#define GIB (UINT64_C(1) << 30)

static struct tick *tick;
static struct tick_mount *mount;
static struct mount_row *row;

static int setup(void **state)
{
	static const char point[] = "/tmp\033[31m";
	struct sample *sample = sample_new();

	(void)state;
	log_init();
	row = sample_add_mount(sample);
	row->point = sample_add_string(sample, point, sizeof point - 1);
	row->flags = MOUNT_TMPFS;
	row->values[METRIC_MOUNT_SIZE_BYTES] = 6 * GIB;
	row->values[METRIC_MOUNT_USED_BYTES] = 5 * GIB;
	row->values[METRIC_MOUNT_INODES] = 1000;
	row->values[METRIC_MOUNT_INODES_USED] = 990;
	tick = tick_new(sample);
	row = sample->mounts;
	mount = tick->mounts;
	mount->alarm_new = true;
	mount->used = 5.0 / 6;
	mount->inodes_used = 0.99;
	mount->growth_bytes_per_s = NAN;
	mount->seconds_to_full = INFINITY;
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
	struct alert *alert = alert_new();
	struct consumer consumer = alert_consumer(alert);
	char said[LOG_LINE_SIZE] = "";

	consumer.tick(consumer.self, tick, 0);
	assert_int_equal(log_take(said), line != NULL);
	if (line != NULL)
		assert_string_equal(said, line);
	assert_false(log_take(said));
	alert_free(alert);
}

static void test_filling(void **state)
{
	(void)state;
	mount->alarm = TICK_ALARM_FILLING;
	mount->seconds_to_full = 42;
	mount->growth_bytes_per_s = 21 * 1048576.0;
	expect("tmpfs /tmp?[31m will be full in about 42.0 s (5.0 GiB of 6.0 GiB, growing 21.0 MiB/s)");
}

static void test_nearly_full(void **state)
{
	(void)state;
	mount->alarm = TICK_ALARM_NEARLY_FULL;
	expect("tmpfs /tmp?[31m is 83 % full (5.0 GiB of 6.0 GiB)");
}

static void test_inodes(void **state)
{
	(void)state;
	mount->alarm = TICK_ALARM_NEARLY_FULL;
	mount->by_inodes = true;
	expect("tmpfs /tmp?[31m has 99 % of its inodes in use (990 of 1000 inodes)");
	mount->alarm = TICK_ALARM_FILLING;
	mount->seconds_to_full = 5;
	expect("tmpfs /tmp?[31m will be out of inodes in about 5.0 s (990 of 1000 inodes)");
}

static void test_unknown_sizes(void **state)
{
	(void)state;
	mount->alarm = TICK_ALARM_NEARLY_FULL;
	row->values[METRIC_MOUNT_SIZE_BYTES] = METRIC_NA;
	mount->used = NAN;
	expect("tmpfs /tmp?[31m is nearly full");
}

static void test_told_once(void **state)
{
	(void)state;
	mount->alarm = TICK_ALARM_NEARLY_FULL;
	mount->alarm_new = false;
	expect(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_filling),	  TEST(test_nearly_full), TEST(test_inodes),
		TEST(test_unknown_sizes), TEST(test_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
