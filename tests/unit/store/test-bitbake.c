/* SPDX-License-Identifier: MIT
 *
 * Files of buildstats, made up: as they should be, and as they are.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../../src/store/bitbake.h"
#include "../../../src/store/curve.h"
#include "base/clock.h"
#include "model/metric.h"

static void a_log_with_repeated_stamps(void **state)
{
	(void)state;
	static const char text[] = "1550047556\n0.5 5e-05 0.25 \n\n1550047556\n1.0 0.0 0.0\n\n"
				   "1550047555\n9 9 9\n\n" /* back in time */
				   "1550047557\n1 2\n\n"   /* too few */
				   "junk\n1 2 3\n1550047558\n0.125 0.0 1E+2";
	struct bitbake_log log = {0};
	bitbake_log_parse(&log, text, strlen(text), 3);
	assert_int_equal(log.n, 3);
	assert_int_equal(log.rows[0].stamp_s, 1550047556);
	assert_true(fabs(log.rows[0].values[1] - 5e-5) < 1e-12);
	assert_true(isnan(log.rows[0].values[3]));
	assert_int_equal(log.rows[1].stamp_s, 1550047556);
	assert_int_equal(log.rows[2].stamp_s, 1550047558);
	assert_true(fabs(log.rows[2].values[2] - 100) < 1e-9);
	bitbake_log_fini(&log);
}

static void used_bytes_of_disks(void **state)
{
	(void)state;
	static const char text[] = "1550047555\n/dev/sda8: 5963104256\n/dev/a: b: "
				   "7\n\n1550047556\n/dev/sda8: 5963104257\n: 5\nx: y\n";
	struct bitbake_disks disks = {0};
	bitbake_disks_parse(&disks, text, strlen(text));
	assert_int_equal(disks.n, 3);
	assert_int_equal(disks.n_names, 2);
	assert_string_equal(disks.names[1], "/dev/a: b");
	assert_int_equal(disks.rows[2].bytes, 5963104257);
	assert_int_equal(disks.rows[2].name, 0);
	bitbake_disks_fini(&disks);
}

static void ticks_behind_shares(void **state)
{
	(void)state;
	const double real[3] = {0.11754385964912281, 0.04035087719298246, 0.028070175438596492};
	assert_int_equal(bitbake_stat_ticks(real), 570);
	const double few[3] = {0, 0.5, 0.5}, none[3] = {0, 0, 0};
	assert_int_equal(bitbake_stat_ticks(few), 2);
	assert_int_equal(bitbake_stat_ticks(none), 1);
	/* 256 CPUs for a second and a bit */
	const double many[3] = {20011 / 25617.0, 1003 / 25617.0, 1 / 25617.0};
	assert_int_equal(bitbake_stat_ticks(many), 25617);
	const double odd[3] = {NAN, -1, 1e300};
	assert_int_equal(bitbake_stat_ticks(odd), 1);
}

static void a_task_that_was_run_twice(void **state)
{
	(void)state;
	static const char text[] =
		"Event: TaskStarted \nStarted: 1550047569.02 \nutime: 13\ncutime: 7\nstime: 4\n"
		"Status: FAILED \nEnded: 1550047569.21 \n"
		"Event: TaskStarted \nStarted: 1550047570.5\nIO read_bytes: x\n"
		"Event: TaskStarted \nStarted: 1550047580\nrusage ru_utime: 1.25\nStatus: PASSED \n"
		"Ended: 1550047579.0 \n";
	struct bitbake_task task;
	size_t at = 0;
	assert_true(bitbake_task_parse(&task, text, strlen(text), &at));
	assert_int_equal(task.start_ns, 1550047569 * NS_PER_S + 20 * NS_PER_MS);
	assert_int_equal(task.end_ns, 1550047569 * NS_PER_S + 210 * NS_PER_MS);
	assert_true(task.failed && fabs(task.user_s - 0.2) < 1e-9);
	assert_true(bitbake_task_parse(&task, text, strlen(text), &at));
	assert_int_equal(task.start_ns, 1550047570 * NS_PER_S + 500 * NS_PER_MS);
	assert_int_equal(task.end_ns, -1);
	assert_true(task.read_bytes == METRIC_NA && !task.failed);
	assert_true(bitbake_task_parse(&task, text, strlen(text), &at));
	assert_int_equal(task.end_ns, task.start_ns); /* never before it began */
	assert_true(fabs(task.user_s - 1.25) < 1e-9);
	assert_false(bitbake_task_parse(&task, text, strlen(text), &at));
	at = 0;
	assert_false(bitbake_task_parse(&task, "Ended: 5\n", 9, &at));
}

static void a_head(void **state)
{
	(void)state;
	static const char text[] = "Host Info: Linux buildhost 4.15.0-45-generic #48~16.04.1-Ubuntu SMP Tue "
				   "Jan 29 2019 x86_64 x86_64 \n"
				   "Build Started: 1550047551.72 \nElapsed time: 19.43 seconds \n";
	struct bitbake_head head;
	bitbake_head_parse(&head, text, strlen(text));
	assert_string_equal(head.host, "buildhost");
	assert_string_equal(head.kernel, "4.15.0-45-generic");
	assert_string_equal(head.machine, "x86_64");
	assert_int_equal(head.start_ns, 1550047551 * NS_PER_S + 720 * NS_PER_MS);
	assert_true(fabs(head.elapsed_s - 19.43) < 1e-9);
	bitbake_head_parse(&head, "Host Info:", 10);
	assert_true(head.start_ns == -1 && isnan(head.elapsed_s) && head.host[0] == '\0');
}

static void a_curve_runs_straight(void **state)
{
	(void)state;
	struct curve curve = {0};
	curve_add(&curve, 10, 12, 4);
	curve_add(&curve, 11, 13, 100); /* overlaps: left out */
	curve_add(&curve, 12, 12, 100); /* no time at all */
	curve_add(&curve, 14, 15, 2);
	assert_true(curve_count(&curve, 9 * NS_PER_S, 10) == METRIC_NA);
	assert_int_equal(curve_count(&curve, 10 * NS_PER_S, 10), 0);
	assert_int_equal(curve_count(&curve, 11 * NS_PER_S + NS_PER_S / 2, 10), 30);
	assert_int_equal(curve_count(&curve, 13 * NS_PER_S, 10), 40); /* stands still */
	assert_int_equal(curve_count(&curve, 14 * NS_PER_S + NS_PER_S / 2, 10), 50);
	assert_int_equal(curve_count(&curve, 99 * NS_PER_S, 10), 60);
	curve_fini(&curve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_with_repeated_stamps),
		cmocka_unit_test(used_bytes_of_disks),
		cmocka_unit_test(ticks_behind_shares),
		cmocka_unit_test(a_task_that_was_run_twice),
		cmocka_unit_test(a_head),
		cmocka_unit_test(a_curve_runs_straight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
