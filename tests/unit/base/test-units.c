/* SPDX-License-Identifier: MIT
 *
 * base/units and base/clock: quantities to and from text, the same in every locale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

static void bytes(void **state)
{
	char out[UNITS_SIZE];

	(void)state;
	assert_string_equal(units_bytes(out, 0), "0 B");
	assert_string_equal(units_bytes(out, 999), "999 B");
	assert_string_equal(units_bytes(out, 1023), "1023 B");
	assert_string_equal(units_bytes(out, 1024), "1.0 KiB");
	assert_string_equal(units_bytes(out, 234 * MIB / 10), "23.4 MiB");
	assert_string_equal(units_bytes(out, 16 * GIB / 10), "1.6 GiB");
	assert_string_equal(units_bytes(out, 9994 * KIB / 100), "99.9 KiB");
	assert_string_equal(units_bytes(out, 9996 * KIB / 100), "100 KiB");
	assert_string_equal(units_bytes(out, MIB - 1), "1.0 MiB");
	assert_string_equal(units_bytes(out, 1023 * KIB), "1023 KiB");
	assert_string_equal(units_bytes(out, UINT64_MAX), "16.0 EiB");
	assert_string_equal(units_rate(out, 12.4 * (double)MIB), "12.4 MiB/s");
	assert_string_equal(units_rate(out, NAN), "-");
	assert_string_equal(units_rate(out, 1e300), "8.0 EiB/s");
}

static void bytes_short(void **state)
{
	char out[UNITS_SIZE];

	(void)state;
	assert_string_equal(units_bytes_short(out, 999), "999B");
	assert_string_equal(units_bytes_short(out, 1024), "1.0K");
	assert_string_equal(units_bytes_short(out, 23 * MIB), "23M");
	assert_string_equal(units_bytes_short(out, 16 * GIB / 10), "1.6G");
	assert_string_equal(units_bytes_short(out, 996 * MIB / 100), "10M");
	assert_string_equal(units_bytes_short(out, 1023 * KIB), "1023K");
}

/* Over the whole range: the promised columns, and never a step down. */
static void bytes_keep_their_columns(void **state)
{
	char out[UNITS_SIZE];

	(void)state;
	for (uint64_t value = 1; value < UINT64_MAX / 2; value += value / 7 + 1) {
		uint64_t near[] = {value - 1, value, value + 1};

		for (int i = 0; i < 3; i++) {
			assert_true(strlen(units_bytes(out, near[i])) <= 8);
			assert_true(strlen(units_bytes_short(out, near[i])) <= 5);
		}
	}
}

static void durations(void **state)
{
	char out[UNITS_SIZE];

	(void)state;
	assert_string_equal(units_duration(out, 0), "0.0 s");
	assert_string_equal(units_duration(out, 0.41), "0.4 s");
	assert_string_equal(units_duration(out, 12.34), "12.3 s");
	assert_string_equal(units_duration(out, 59.94), "59.9 s");
	assert_string_equal(units_duration(out, 59.96), "1:00");
	assert_string_equal(units_duration(out, 299), "4:59");
	assert_string_equal(units_duration(out, 299.6), "5:00");
	assert_string_equal(units_duration(out, 3723), "1:02:03");
	assert_string_equal(units_duration(out, NAN), "-");
	assert_string_equal(units_duration(out, -1), "-");
	assert_string_equal(units_elapsed(out, 0), "0:00");
	assert_string_equal(units_elapsed(out, 59.96), "0:59");
	assert_string_equal(units_elapsed(out, 754.2), "12:34");
	assert_string_equal(units_elapsed(out, 36000), "10:00:00");
	assert_true(strlen(units_duration(out, INFINITY)) < UNITS_SIZE);
	assert_true(strlen(units_elapsed(out, INFINITY)) < UNITS_SIZE);
}

static void percents(void **state)
{
	char out[UNITS_SIZE];

	(void)state;
	assert_string_equal(units_percent(out, 0), "0 %");
	assert_string_equal(units_percent(out, 0.041), "4.1 %");
	assert_string_equal(units_percent(out, 0.0996), "10 %");
	assert_string_equal(units_percent(out, 0.98), "98 %");
	assert_string_equal(units_percent(out, 1), "100 %");
	assert_string_equal(units_percent(out, 15.2), "1520 %");
	assert_string_equal(units_percent(out, NAN), "-");
	assert_true(strlen(units_percent(out, INFINITY)) < UNITS_SIZE);
}

static void expect_bytes(const char *text, uint64_t expected)
{
	uint64_t got = 1;

	if (!units_parse_bytes(text, &got))
		fail_msg("not taken: %s", text);
	assert_int_equal(got, expected);
}

static void parses_bytes(void **state)
{
	static const char *const wrong[] = {"",	    " 1",	 "-1",	 "K",	"1 K", "1Ki",
					    "1KBs", "1X",	 "0x10", "1e3", ".",   "18446744073709551616",
					    "16E",  "99999999T", "1,5M", "iB",	"1BB"};
	uint64_t got;

	(void)state;
	expect_bytes("0", 0);
	expect_bytes("4096", 4096);
	expect_bytes("4096B", 4096);
	expect_bytes("64K", 64 * KIB);
	expect_bytes("64k", 64 * KIB);
	expect_bytes("1.5M", 3 * MIB / 2);
	expect_bytes("6G", 6 * GIB);
	expect_bytes("6GB", 6 * GIB);
	expect_bytes("6GiB", 6 * GIB);
	expect_bytes("2T", 2048 * GIB);
	expect_bytes(".5K", 512);
	expect_bytes("18446744073709551615", UINT64_MAX);
	expect_bytes("15.5E", UINT64_C(31) << 59);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (units_parse_bytes(wrong[i], &got))
			fail_msg("taken for a size: \"%s\"", wrong[i]);
}

static void expect_duration(const char *text, double seconds)
{
	int64_t got = -1;

	if (!units_parse_duration(text, &got))
		fail_msg("not taken: %s", text);
	assert_int_equal(got, (int64_t)llround(seconds * 1e9));
}

static void parses_durations(void **state)
{
	static const char *const wrong[] = {
		"",   "-1", "s",      "1 s",   "1d",  "1sm", "1:60",	    "1:2:60",	  "1:2:3:4",
		"1:", ":1", "1.5:00", "1:02h", "0,5", "nan", "99999999999", "9999999999h"};
	int64_t got;

	(void)state;
	expect_duration("90", 90);
	expect_duration("0.5", 0.5);
	expect_duration("1.5s", 1.5);
	expect_duration("10m", 600);
	expect_duration("1.5m", 90);
	expect_duration("2h", 7200);
	expect_duration("1:02:03", 3723);
	expect_duration("4:59", 299);
	expect_duration("90:00", 5400);
	expect_duration("0:00.25", 0.25);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (units_parse_duration(wrong[i], &got))
			fail_msg("taken for a time: \"%s\"", wrong[i]);
}

static void parses_numbers(void **state)
{
	static const char *const wrong[] = {"",	   "-",	 ".",	"1,5", "1e3",  "inf",
					    "nan", "1 ", "0x1", "--1", "1.2.3"};
	double got = 0;

	(void)state;
	assert_true(units_parse_number("0.25", &got) && got == 0.25);
	assert_true(units_parse_number("-3", &got) && got == -3);
	assert_true(units_parse_number("1.", &got) && got == 1);
	assert_true(units_parse_number("5.3", &got) && fabs(got - 5.3) < 1e-12);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (units_parse_number(wrong[i], &got))
			fail_msg("taken for a number: \"%s\"", wrong[i]);
}

static void clock_writes_utc(void **state)
{
	char out[CLOCK_UTC_SIZE];

	(void)state;
	assert_string_equal(clock_utc(out, sizeof out, 0), "1970-01-01T00:00:00.000Z");
	assert_string_equal(clock_utc(out, sizeof out, -1), "1969-12-31T23:59:59.999Z");
	assert_string_equal(clock_utc(out, sizeof out, INT64_C(1796064703250999999)),
			    "2026-11-30T18:51:43.250Z");
	assert_string_equal(clock_utc(out, sizeof out, INT64_C(951782400000000000)),
			    "2000-02-29T00:00:00.000Z");
	clock_utc(out, sizeof out, INT64_MAX);
	assert_int_equal(strlen(out), 24);
	clock_utc(out, sizeof out, INT64_MIN);
	assert_int_equal(strlen(out), 24);
}

static void clock_local_follows_tz(void **state)
{
	char out[16];

	(void)state;
	setenv("TZ", "XYZ-2", 1); /* two hours east */
	tzset();
	assert_string_equal(clock_local_hms(out, sizeof out, INT64_C(1796064703250000000)), "20:51:43");
	setenv("TZ", "UTC", 1);
	tzset();
	assert_string_equal(clock_local_hms(out, sizeof out, INT64_C(1796064703250000000)), "18:51:43");
}

static void clocks_run(void **state)
{
	int64_t mono = clock_mono_ns(), boot = clock_boot_ns(), cpu = clock_thread_cpu_ns();

	(void)state;
	while (clock_thread_cpu_ns() == cpu)
		;
	assert_true(clock_mono_ns() > mono);
	assert_true(clock_boot_ns() > boot);
	assert_true(clock_boot_ns() >= clock_mono_ns() - NS_PER_MS);
	assert_true(clock_process_cpu_ns() >= clock_thread_cpu_ns() - NS_PER_MS);
	assert_true(clock_wall_ns() > INT64_C(1500000000) * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes),
		cmocka_unit_test(bytes_short),
		cmocka_unit_test(bytes_keep_their_columns),
		cmocka_unit_test(durations),
		cmocka_unit_test(percents),
		cmocka_unit_test(parses_bytes),
		cmocka_unit_test(parses_durations),
		cmocka_unit_test(parses_numbers),
		cmocka_unit_test(clock_writes_utc),
		cmocka_unit_test(clock_local_follows_tz),
		cmocka_unit_test(clocks_run),
	};
	int failed = cmocka_run_group_tests_name("units", tests, NULL, NULL);

	/* Where the locale is installed, a comma must make no difference. */
	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		failed += cmocka_run_group_tests_name("units, de_DE", tests, NULL, NULL);
	return failed;
}
