/* SPDX-License-Identifier: MIT
 *
 * The language of --alert: what it takes, and what it refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "model/alert.h"

static void takes_what_it_should(void **state)
{
	static const struct {
		const char *text;
		enum alert_subject subject;
		enum alert_measure measure;
		bool above;
		double limit;
		const char *path;
	} cases[] = {
		{"tmpfs>=90%", ALERT_TMPFS, ALERT_SHARE, true, 0.9, NULL},
		{"tmpfs:/tmp>=6G", ALERT_TMPFS, ALERT_BYTES, true, 6442450944.0, "/tmp"},
		{"tmpfs<60s", ALERT_TMPFS, ALERT_SECONDS, false, 60, NULL},
		{"tmpfs<1:30", ALERT_TMPFS, ALERT_SECONDS, false, 90, NULL},
		{"tmpfs:/a:b<c >=2m<2h", ALERT_TMPFS, ALERT_SECONDS, false, 7200, "/a:b<c >=2m"},
		{"tmpfs:/a b\n>1M", ALERT_TMPFS, ALERT_BYTES, true, 1048576, "/a b\n"},
		{"inodes>=95%", ALERT_INODES, ALERT_SHARE, true, 0.95, NULL},
		{"inodes:/x<5m", ALERT_INODES, ALERT_SECONDS, false, 300, "/x"},
		{"memory<2G", ALERT_MEMORY, ALERT_BYTES, false, 2147483648.0, NULL},
		{"memory<10%", ALERT_MEMORY, ALERT_SHARE, false, 0.1, NULL},
		{"disk:/build<5G", ALERT_DISK, ALERT_BYTES, false, 5368709120.0, "/build"},
		{"stall>30s", ALERT_STALL, ALERT_SECONDS, true, 30, NULL},
		{"dirty>=80%", ALERT_DIRTY, ALERT_SHARE, true, 0.8, NULL},
		{"none", ALERT_NONE, ALERT_SHARE, false, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct alert_spec spec;
		struct why why = {""};

		if (alert_spec_parse(&spec, cases[i].text, &why) < 0)
			fail_msg("%s: %s", cases[i].text, why.text);
		assert_string_equal(spec.text, cases[i].text);
		assert_int_equal(spec.subject, cases[i].subject);
		assert_int_equal(spec.measure, cases[i].measure);
		assert_int_equal(spec.above, cases[i].above);
		assert_true(fabs(spec.limit - cases[i].limit) < 1e-9);
		assert_int_equal(spec.path == NULL, cases[i].path == NULL);
		if (spec.path)
			assert_string_equal(spec.path, cases[i].path);
		alert_spec_fini(&spec);
	}
}

static void refuses_what_it_should(void **state)
{
	static const char *const texts[] = {
		"",	     "tmpfs",	      "tmpfs>=",   "tmpfs>=101%",  "tmpfs>=x",	 "tmpfs>=60s",
		"disk<5G",   "disk:<5G",      "memory>2G", "memory:/x<2G", "stall<30s",	 "stall>30%",
		"dirty<80%", "tmpfs:tmp>=6G", "swap<1G",   "tmpfs=90%",	   "inodes>=6G", "tmpfs>=-1%",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct alert_spec spec;
		struct why why = {""};

		if (alert_spec_parse(&spec, texts[i], &why) != -EINVAL)
			fail_msg("'%s' was taken", texts[i]);
		assert_non_null(strstr(why.text, texts[i]));
	}
}

static void expect_list(const char *const *texts, size_t n, const char *first, size_t count)
{
	struct run *run = run_new();

	alert_fill_run(run, texts, n);
	assert_int_equal(run->n_alerts, count);
	assert_string_equal(run->alerts[0], first);
	run_free(run);
}

static void defaults_stand_until_tmpfs_is_spoken_of(void **state)
{
	(void)state;
	expect_list(NULL, 0, "tmpfs>=90%", 2);
	expect_list((const char *const[]){"stall>30s"}, 1, "tmpfs>=90%", 3);
	expect_list((const char *const[]){"tmpfs>=50%"}, 1, "tmpfs>=50%", 1);
	expect_list((const char *const[]){"none"}, 1, "none", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_it_should),
		cmocka_unit_test(refuses_what_it_should),
		cmocka_unit_test(defaults_stand_until_tmpfs_is_spoken_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
