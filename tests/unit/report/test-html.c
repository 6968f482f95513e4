/* SPDX-License-Identifier: MIT
 *
 * The HTML report of a made-up run of ten hours: small, whole, its extremes in it, and no foreign byte that
 * is obeyed. With BUILDTOP_TEST_HTML=FILE the page is left there, to be looked at.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "fixture.h"
#include "report/report.h"

#define GIB (UINT64_C(1) << 30)

/* A wave between 0 and 1. */
static double wave(double tick, double period)
{
	return 0.5 - 0.5 * cos(6.283185307 * tick / period);
}

static struct stall stall_at(const struct run *run, unsigned number, double from_s, double length_s)
{
	struct stall stall = {.number = number,
			      .from_ns = run->start_mono_ns + (int64_t)(from_s * 1e9),
			      .cause = number % 3 == 0	 ? CAUSE_READ
				       : number % 3 == 1 ? CAUSE_DIRTY_THROTTLE
							 : CAUSE_FLUSH_WAIT,
			      .blocked_peak = 9,
			      .dirty_peak_bytes = 2 * GIB,
			      .threshold_bytes = 3 * GIB,
			      .device_name = "sda1",
			      .filesystem = "ext4",
			      .n_victims = 1};
	stall.to_ns = stall.from_ns + (int64_t)(length_s * 1e9);
	snprintf(stall.victims[0].comm, sizeof stall.victims[0].comm, "<b>ld\"&");
	stall.victims[0].task_s = 4 * length_s;
	stall.task_s = 4 * length_s;
	return stall;
}

static void add_tasks(struct sample *sample, unsigned i)
{
	char comm[16], words[64];
	for (unsigned t = 0; t < 12; t++) {
		unsigned length = 20 + 37 * t, begun = i - i % length;
		snprintf(comm, sizeof comm, t % 3 ? "cc1" : "<i>x");
		int len = snprintf(words, sizeof words, "%s%c-O2%c/src/file%u.c", comm, 0, 0, begun % 997);
		uint32_t name = sample_add_string(sample, comm, strlen(comm));
		uint32_t cmdline = sample_add_string(sample, words, (size_t)len);
		struct task_row *row = sample_add_task(sample);
		row->pid = (int32_t)(1000 + t + 12 * (i / length));
		row->start_ticks = 100 * (1000 + begun);
		row->comm = name;
		row->cmdline = cmdline;
		row->flags = i % length == length - 1 ? TASK_ENDED : 0;
	}
}

static struct tick *tick_at(const struct run *run, unsigned i)
{
	struct sample *sample = sample_new();
	double throttle = wave(i, 4000);
	sample->number = i;
	sample->mono_ns = run->start_mono_ns + (int64_t)i * NS_PER_S;
	sample->wall_ns = run->start_wall_ns + (int64_t)i * NS_PER_S;
	sample->flags = i == 0 ? SAMPLE_FIRST : 0;
	sample->system[METRIC_SYSTEM_DIRTY_BYTES] = (uint64_t)(throttle * 3.0 * (double)GIB);
	sample->system[METRIC_SYSTEM_WRITEBACK_BYTES] = (uint64_t)(wave(i, 700) * 0.6 * (double)GIB);
	sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES] = 3 * GIB;
	sample->system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES] = 3 * GIB / 2;
	add_tasks(sample, i);
	struct tick *tick = tick_new(sample);
	tick->interval_s = i == 0 ? 0 : 1;
	tick->cpus_busy = 2 * wave(i, 91);
	tick->build_cpus = 1.7 * wave(i, 91);
	tick->page_cache_bytes = (uint64_t)((1 + wave(i, 20000)) * 5 * (double)GIB);
	if (i == 17777) /* one moment of ten hours */
		tick->cpus_busy = 7.25;
	tick->brief.psi_io = (float)throttle;
	tick->brief.psi_cpu = (float)wave(i, 300) / 2;
	tick->brief.psi_memory = NAN;
	tick->brief.tmpfs_used = (float)i / 36000;
	tick->brief.cause = throttle > 0.9
				    ? (uint8_t)(i % 4000 < 2000 ? CAUSE_DIRTY_THROTTLE : CAUSE_FLUSH_WAIT)
				    : CAUSE_NONE;
	tick->share = throttle > 0.9 ? 0.8 : 0;
	if (i % 500 == 499) {
		tick->closed = malloc(sizeof *tick->closed);
		tick->closed[0] = stall_at(run, i / 500 + 1, i - 120, 100);
		tick->n_closed = 1;
	}
	return tick;
}

static struct buf page_of(unsigned ticks)
{
	const struct report_format *format = report_format_find("html");
	struct run *run = fixture_run();
	struct run_end end = {.complete = true,
			      .known = true,
			      .mono_ns = run->start_mono_ns + (int64_t)ticks * NS_PER_S,
			      .user_us = METRIC_NA,
			      .system_us = METRIC_NA};
	struct buf out = {0};
	void *state = format->begin(&out, run);
	for (unsigned i = 0; i < ticks; i++) {
		struct tick *tick = tick_at(run, i);
		format->tick(&out, run, tick, state);
		tick_unref(tick);
	}
	format->end(&out, run, &end, state);
	run_free(run);
	return out;
}

/* For a browser: where the variable says. */
static void keep_page(const struct buf *page, const char *variable)
{
	const char *path = getenv(variable);
	FILE *file = path != NULL ? fopen(path, "w") : NULL;
	if (file != NULL) {
		fwrite(page->data, 1, page->len, file);
		fclose(file);
	}
}

static void an_hour_is_a_page(void **state)
{
	(void)state;
	struct buf out = page_of(3600);
	keep_page(&out, "BUILDTOP_TEST_HTML_HOUR");
	assert_true(out.len < 1000 * 1000);
	assert_non_null(strstr(out.data, "id=\"stall-7\""));
	buf_fini(&out);
}

static void ten_hours_are_small_and_keep_extremes(void **state)
{
	(void)state;
	struct buf out = page_of(36000);
	keep_page(&out, "BUILDTOP_TEST_HTML");
	assert_true(out.len < 1000 * 1000);
	assert_non_null(strstr(out.data, "busy, at most 7.3"));
	/* the path of the first panel touches its top: 7.25 CPUs are the scale */
	const char *path_of_busy = strstr(out.data, "<path class=\"a1\" d=\"");
	assert_non_null(path_of_busy);
	assert_non_null(strstr(path_of_busy, " 58.0L"));
	assert_non_null(strstr(out.data, "memory: not available"));
	assert_string_equal(out.data + out.len - 15, "</body></html>\n");
	buf_fini(&out);
}

static void foreign_text_is_shown_and_not_obeyed(void **state)
{
	(void)state;
	struct buf out = page_of(1200);
	assert_null(strstr(out.data, "<b>ld"));
	assert_null(strstr(out.data, "<i>x"));
	assert_non_null(strstr(out.data, "&lt;b&gt;ld&quot;&amp;"));
	assert_non_null(strstr(out.data, "&lt;i&gt;x file"));
	assert_null(strstr(out.data, "http://"));
	assert_null(strstr(out.data, "https://"));
	assert_null(strchr(out.data, '\x1b'));
	assert_non_null(strstr(out.data, "id=\"stall-1\""));
	assert_non_null(strstr(out.data, "href=\"#stall-1\""));
	buf_fini(&out);
}

static void a_run_of_nothing_is_a_page(void **state)
{
	(void)state;
	struct buf out = page_of(0);
	assert_non_null(strstr(out.data, "<svg id=\"chart\""));
	assert_null(strstr(out.data, "nan"));
	buf_fini(&out);
	out = page_of(1);
	assert_non_null(strstr(out.data, "</html>"));
	buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_hour_is_a_page),
		cmocka_unit_test(ten_hours_are_small_and_keep_extremes),
		cmocka_unit_test(foreign_text_is_shown_and_not_obeyed),
		cmocka_unit_test(a_run_of_nothing_is_a_page),
	};
	text_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
