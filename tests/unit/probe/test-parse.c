/* SPDX-License-Identifier: MIT
 *
 * The texts of /proc, hostile and old ones too, on strings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "../../../src/probe/mounts.h"
#include "../../../src/probe/names.h"
#include "../../../src/probe/parse.h"
#include "model/metric.h"
#include "model/sample.h"

/* The stat line of a sleeping process with that name between the brackets. */
static bool stat_of(const char *comm, struct parse_stat *out)
{
	char text[512];
	int len = snprintf(
		text, sizeof text,
		"4711 (%s) S 42 4711 42 34816 4711 4194560 100 200 3 4 55 66 77 88 20 0 5 0 9001 222333 "
		"444 18446744073709551615 1 1 140722333 0 0 0 0 0 65536 1 0 0 17 1 0 0 0 0 0\n",
		comm);

	return parse_stat(text, (size_t)len, out);
}

static void test_stat_fields(void **state)
{
	struct parse_stat stat;

	(void)state;
	assert_true(stat_of("make", &stat));
	assert_string_equal(stat.comm, "make");
	assert_int_equal(stat.state, 'S');
	assert_int_equal(stat.ppid, 42);
	assert_int_equal(stat.major_faults, 3);
	assert_int_equal(stat.user, 55);
	assert_int_equal(stat.system, 66);
	assert_int_equal(stat.reaped_user, 77);
	assert_int_equal(stat.reaped_system, 88);
	assert_int_equal(stat.threads, 5);
	assert_int_equal(stat.start, 9001);
	assert_int_equal(stat.rss_pages, 444);
	assert_int_equal(stat.stack, 140722333);
}

static void test_stat_hostile_comm(void **state)
{
	static const char *const comms[] = {
		"a ) R 1 1", ") R 1 1",	  "((sd-pam))",	  "",	      " ",	")",
		"(",	     "x) S 1 (y", "ev\033[31mil", "\xff\xfe", "a\nb\\c"};
	struct parse_stat stat;

	(void)state;
	for (size_t i = 0; i < sizeof comms / sizeof *comms; i++) {
		assert_true(stat_of(comms[i], &stat));
		assert_string_equal(stat.comm, comms[i]);
		assert_int_equal(stat.state, 'S');
		assert_int_equal(stat.ppid, 42);
		assert_int_equal(stat.start, 9001);
	}
	assert_true(stat_of("a-kernel-thread/with:a-long-name", &stat));
	assert_string_equal(stat.comm, "a-kernel-thread");
}

static void test_stat_broken(void **state)
{
	static const char *const texts[] = {
		"",	   "1",
		"1 (",	   "1 (x",
		"1 (x)",   "1 (x) ",
		"1 (x) S", "1 (x) S 1 2 3",
		")(",	   "1 )x( S 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9"};
	struct parse_stat stat;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(parse_stat(texts[i], strlen(texts[i]), &stat));
}

static void test_schedstat(void **state)
{
	struct parse_schedstat times;

	(void)state;
	assert_true(parse_schedstat("18446744073709551614 12 3\n", &times));
	assert_true(times.run_ns == UINT64_MAX - 1);
	assert_int_equal(times.wait_ns, 12);
	assert_int_equal(times.slices, 3);
	assert_false(parse_schedstat("", &times));
	assert_false(parse_schedstat("1 2\n", &times));
}

static void test_syscall(void **state)
{
	int32_t number;

	(void)state;
	assert_true(parse_syscall("74 0x3 0x0 0x0 0x0 0x0 0x0 0x7ffe 0x7f00\n", &number));
	assert_int_equal(number, 74);
	assert_true(parse_syscall("0 0x3 0x0\n", &number));
	assert_int_equal(number, 0);
	assert_true(parse_syscall("-1 0x7ffe 0x7f00\n", &number));
	assert_int_equal(number, SITE_CALL_NONE);
	assert_true(parse_syscall("running\n", &number));
	assert_int_equal(number, SITE_CALL_UNREAD);
	assert_false(parse_syscall("", &number));
	assert_false(parse_syscall("what\n", &number));
}

static void test_children(void **state)
{
	const char *at = "12 345 6 ";
	int32_t pid;

	(void)state;
	assert_true(parse_next_pid(&at, &pid) && pid == 12);
	assert_true(parse_next_pid(&at, &pid) && pid == 345);
	assert_true(parse_next_pid(&at, &pid) && pid == 6);
	assert_false(parse_next_pid(&at, &pid));
}

static void test_pressure(void **state)
{
	static const char both[] = "some avg10=3.90 avg60=1.75 avg300=0.44 total=6024110\n"
				   "full avg10=2.95 avg60=1.36 avg300=0.35 total=5393070\n";
	uint64_t total;

	(void)state;
	assert_true(parse_pressure(both, "some", &total));
	assert_int_equal(total, 6024110);
	assert_true(parse_pressure(both, "full", &total));
	assert_int_equal(total, 5393070);
	assert_false(parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n", "full", &total));
	assert_false(parse_pressure("", "some", &total));
	assert_false(parse_pressure("some avg10=0.00\n", "some", &total));
}

/* Names are whole, wherever they stand: no prefix counts. */
static void test_named(void **state)
{
	static const char vmstat[] = "pgscan_direct_throttle 9\nnr_dirty_threshold 1214931\nnr_dirty 17\n"
				     "workingset_refault_file 5\npgscan_direct 4\nnr_dirtied 3";
	uint64_t value;

	(void)state;
	assert_true(parse_named(vmstat, "nr_dirty", &value) && value == 17);
	assert_true(parse_named(vmstat, "nr_dirty_threshold", &value) && value == 1214931);
	assert_true(parse_named(vmstat, "pgscan_direct", &value) && value == 4);
	assert_true(parse_named(vmstat, "nr_dirtied", &value) && value == 3);
	assert_false(parse_named(vmstat, "workingset_refault", &value));
	assert_false(parse_named(vmstat, "nr_unstable", &value));
	assert_false(parse_named("", "nr_dirty", &value));
	assert_true(parse_named("MemTotal:       24684084 kB\nMemFree: 12 kB\n", "MemFree", &value) &&
		    value == 12);
}

static void test_flushes(void **state)
{
	const char *at = "   7       0 loop0 1 0 8 0 0 0 0 0 0 1 2 0 0 0 0\n"		 /* 4.18 */
			 " 254       0 vda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 161 17\n" /* 5.5 */
			 " 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0\n";
	struct parse_flushes line;

	(void)state;
	assert_true(parse_next_flushes(&at, &line));
	assert_true(line.device == makedev(7, 0) && line.flushes == METRIC_NA);
	assert_true(parse_next_flushes(&at, &line));
	assert_true(line.device == makedev(254, 0) && line.flushes == 161);
	assert_true(parse_next_flushes(&at, &line));
	assert_true(line.device == makedev(254, 1) && line.flushes == 0);
	assert_false(parse_next_flushes(&at, &line));
}

static void test_shorten(void **state)
{
	static char words[20000];
	size_t len;

	(void)state;
	memcpy(words, "cc\0-c\0x.c\0", 10);
	assert_int_equal(names_shorten(words, 10), 9);
	memset(words, 'a', sizeof words);
	assert_int_equal(names_shorten(words, 4096), 4096);
	memset(words, 'a', 10000);
	memset(words + 10000, 'b', 10000);
	len = names_shorten(words, sizeof words);
	assert_true(len > 4000 && len < 4096);
	assert_int_equal(words[2999], 'a');
	assert_memory_equal(words + 3000, " \xe2\x80\xa6 ", 5);
	assert_int_equal(words[len - 1], 'b');
	memset(words, 0, 10);
	assert_int_equal(names_shorten(words, 10), 0);
}

static void test_may_hang(void **state)
{
	(void)state;
	assert_true(mounts_may_hang("nfs4"));
	assert_true(mounts_may_hang("fuse"));
	assert_true(mounts_may_hang("fuse.sshfs"));
	assert_true(mounts_may_hang("autofs"));
	assert_false(mounts_may_hang("tmpfs"));
	assert_false(mounts_may_hang("ext4"));
	assert_false(mounts_may_hang("fusectl"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat_fields), cmocka_unit_test(test_stat_hostile_comm),
		cmocka_unit_test(test_stat_broken), cmocka_unit_test(test_schedstat),
		cmocka_unit_test(test_syscall),	    cmocka_unit_test(test_children),
		cmocka_unit_test(test_pressure),    cmocka_unit_test(test_named),
		cmocka_unit_test(test_flushes),	    cmocka_unit_test(test_shorten),
		cmocka_unit_test(test_may_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
