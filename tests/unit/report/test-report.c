/* SPDX-License-Identifier: MIT
 *
 * Each format with a made-up run. Whatever is in it, reports for people are clean text, and those for
 * programs parse.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../../../src/report/lives.h"
#include "../../../src/report/number.h"
#include "base/clock.h"
#include "base/text.h"
#include "fixture.h"
#include "report/report.h"

static char *number(double value, unsigned decimals)
{
	static char text[64];
	struct buf out = {0};
	buf_add_string(&out, "");
	number_add(&out, value, decimals);
	snprintf(text, sizeof text, "%s", out.data != NULL ? out.data : "");
	buf_fini(&out);
	return text;
}

static void numbers_have_a_point(void **state)
{
	(void)state;
	assert_string_equal(number(1.5, 3), "1.500");
	assert_string_equal(number(-0.0004, 3), "0.000");
	assert_string_equal(number(-12.3456, 2), "-12.35");
	assert_string_equal(number(0.9996, 3), "1.000");
	assert_string_equal(number(7, 0), "7");
	assert_string_equal(number(NAN, 3), "");
	assert_string_equal(number(INFINITY, 3), "");
	assert_string_equal(number(1e300, 3), "");
}

static struct buf summary_of(const char *format)
{
	struct run *run = fixture_run();
	struct summary summary;
	struct buf out = {0};
	fixture_summary(&summary, run);
	if (format == NULL)
		report_short(&out, &summary);
	else
		report_format_find(format)->summary(&out, &summary);
	summary_fini(&summary);
	run_free(run);
	return out;
}

static struct buf ticks_of(const char *name)
{
	const struct report_format *format = report_format_find(name);
	struct run *run = fixture_run();
	struct tick *tick = fixture_tick();
	struct run_end end = {
		.complete = true, .known = true, .signal = 9, .user_us = METRIC_NA, .system_us = METRIC_NA};
	struct buf out = {0};
	void *state = format->begin(&out, run);
	format->tick(&out, run, tick, state);
	if (format->end != NULL)
		format->end(&out, run, &end, state);
	tick_unref(tick);
	run_free(run);
	return out;
}

static void assert_clean(const struct buf *out)
{
	for (size_t i = 0; i < out->len; i++) {
		unsigned char byte = (unsigned char)out->data[i];
		assert_true(byte == '\n' || (byte >= ' ' && byte < 0x7f));
	}
	assert_int_equal(out->data[out->len - 1], '\n');
}

static size_t count_lines(const struct buf *out)
{
	size_t lines = 0;
	for (size_t i = 0; i < out->len; i++)
		lines += out->data[i] == '\n';
	return lines;
}

static void short_is_short_and_clean(void **state)
{
	(void)state;
	struct buf out = summary_of(NULL);
	assert_clean(&out);
	assert_true(count_lines(&out) <= 9); /* the recording's name makes ten */
	assert_non_null(strstr(out.data, "make -j2"));
	assert_non_null(strstr(out.data, "failed with status 2"));
	assert_non_null(strstr(out.data, "1.2 of 2 CPUs"));
	assert_non_null(strstr(out.data, "dirty throttling 8.5 s in 1"));
	assert_non_null(strstr(out.data, "from 1:02, dirty throttling on sda1 (ext4)"));
	assert_non_null(strstr(out.data, "95 %"));
	assert_non_null(strstr(out.data, "nearly full"));
	assert_null(strstr(out.data, "page cache")); /* not measured: not told */
	buf_fini(&out);
}

static void short_tells_when_nothing_stalled(void **state)
{
	(void)state;
	struct run *run = fixture_run();
	struct summary summary;
	struct buf out = {0};
	fixture_summary(&summary, run);
	summary.n_stalls = 0;
	report_short(&out, &summary);
	assert_non_null(strstr(out.data, "stalled    never\n"));
	assert_null(strstr(out.data, "longest"));
	buf_fini(&out);
	summary_fini(&summary);
	run_free(run);
}

static void text_is_a_clean_page(void **state)
{
	(void)state;
	struct buf out = summary_of("text");
	assert_clean(&out);
	assert_non_null(strstr(out.data, "psi"));
	assert_null(strstr(out.data, "wchan")); /* readable: no news */
	assert_non_null(strstr(out.data, "##"));
	assert_non_null(strstr(out.data, "page cache   unknown"));
	buf_fini(&out);
}

static void markdown_obeys_no_name(void **state)
{
	(void)state;
	struct buf out = summary_of("markdown");
	assert_clean(&out);
	assert_non_null(strstr(out.data, "/tmp/\\<a\\*b\\>"));
	assert_non_null(strstr(out.data, "c\\|c1"));
	buf_fini(&out);
}

static void json_is_the_document(void **state)
{
	(void)state;
	struct buf out = summary_of("json");
	json_t *document = json_loads(out.data, 0, NULL);
	assert_non_null(document);
	assert_string_equal(json_string_value(json_object_get(document, "schema")), "buildtop.summary");
	json_decref(document);
	buf_fini(&out);
}

/* The field of the named column in the only row. */
static const char *csv_field(const struct buf *csv, const char *name)
{
	static char field[64];
	char *text = strdup(csv->data);
	char *row = strstr(text, "\r\n");
	*row = '\0';
	row += 2;
	char *head = text;
	const char *found = NULL;
	for (char *column; (column = strsep(&head, ",")) != NULL;) {
		char *value = strsep(&row, ",\r");
		if (strcmp(column, name) == 0) {
			snprintf(field, sizeof field, "%s", value);
			found = field;
		}
	}
	free(text);
	return found;
}

static void csv_row_fits_its_header(void **state)
{
	(void)state;
	struct buf out = ticks_of("csv");
	size_t commas[2] = {0}, line = 0;
	for (size_t i = 0; i < out.len; i++) {
		if (out.data[i] == ',')
			commas[line]++;
		if (out.data[i] == '\n')
			assert_true(out.data[i - 1] == '\r' && ++line <= 2);
	}
	assert_int_equal(commas[0], commas[1]);
	assert_int_equal(strncmp(out.data, "time,elapsed_seconds,", 21), 0);
	assert_string_equal(csv_field(&out, "time"), "2026-11-30T19:04:19.500Z");
	assert_string_equal(csv_field(&out, "elapsed_seconds"), "2.500");
	assert_string_equal(csv_field(&out, "cause"), "dirty_throttle");
	assert_string_equal(csv_field(&out, "dirty_throttle_task_seconds"), "0.500");
	assert_string_equal(csv_field(&out, "dirty_bytes"), "4096");
	assert_string_equal(csv_field(&out, "writeback_bytes"), ""); /* not measured */
	assert_string_equal(csv_field(&out, "cpus_busy"), "1.500");
	buf_fini(&out);
}

static void csv_ignores_the_locale(void **state)
{
	(void)state;
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
		skip();
	csv_row_fits_its_header(state);
	numbers_have_a_point(state);
	setlocale(LC_NUMERIC, "C");
}

static void ndjson_lines_parse(void **state)
{
	(void)state;
	struct buf out = ticks_of("ndjson");
	char *rest = out.data;
	json_t *lines[3];
	for (size_t i = 0; i < 3; i++) {
		lines[i] = json_loads(strsep(&rest, "\n"), 0, NULL);
		assert_non_null(lines[i]);
	}
	assert_string_equal(rest, "");
	assert_string_equal(json_string_value(json_object_get(lines[0], "type")), "run");
	assert_string_equal(json_string_value(json_object_get(lines[2], "type")), "end");
	assert_int_equal(json_integer_value(json_object_get(lines[2], "signal")), 9);
	json_t *task = json_array_get(json_object_get(lines[1], "tasks"), 0);
	assert_string_equal(json_string_value(json_object_get(task, "comm")), "c\xef\xbf\xbd\x1b");
	assert_int_equal(json_array_size(json_object_get(task, "command")), 2);
	assert_int_equal(json_integer_value(json_object_get(task, "write_bytes")), 8192);
	assert_null(json_object_get(task, "read_bytes"));
	json_t *looks = json_object_get(lines[1], "looks");
	json_t *site = json_array_get(json_object_get(looks, "sites"), 0);
	assert_string_equal(json_string_value(json_object_get(site, "wchan")), "balance_dirty_pages");
	json_t *seen = json_array_get(json_object_get(looks, "seen"), 0);
	assert_int_equal(json_integer_value(json_object_get(seen, "pid")), 42);
	json_t *at = json_object_get(seen, "at");
	assert_int_equal(json_array_size(at), 2);
	assert_int_equal(json_integer_value(json_array_get(at, 1)), 2);
	for (size_t i = 0; i < 3; i++)
		json_decref(lines[i]);
	buf_fini(&out);
}

/* The first event of that kind and name. */
static json_t *trace_event(json_t *events, const char *phase, const char *name)
{
	for (size_t i = 0; i < json_array_size(events); i++) {
		json_t *event = json_array_get(events, i);
		if (strcmp(json_string_value(json_object_get(event, "ph")), phase) == 0 &&
		    strcmp(json_string_value(json_object_get(event, "name")), name) == 0)
			return event;
	}
	return NULL;
}

static void trace_holds_counters_slices_and_stalls(void **state)
{
	(void)state;
	struct buf out = ticks_of("trace");
	json_t *document = json_loads(out.data, 0, NULL);
	assert_non_null(document);
	json_t *events = json_object_get(document, "traceEvents");
	json_t *dirty = json_object_get(trace_event(events, "C", "dirty pages"), "args");
	assert_int_equal(json_integer_value(json_object_get(dirty, "dirty_bytes")), 4096);
	assert_null(json_object_get(dirty, "writeback_bytes")); /* not measured */
	json_t *slice = trace_event(events, "X", "c\xef\xbf\xbd\x1b a b");
	assert_non_null(slice);
	assert_int_equal(json_integer_value(json_object_get(slice, "dur")), 2500000);
	json_t *args = json_object_get(slice, "args");
	assert_int_equal(json_integer_value(json_object_get(args, "pid")), 42);
	assert_true(json_is_true(json_object_get(args, "unfinished")));
	json_t *begin = trace_event(events, "b", "dirty_throttle");
	json_t *end = trace_event(events, "e", "dirty_throttle");
	assert_int_equal(json_integer_value(json_object_get(begin, "ts")), 62000000);
	assert_int_equal(json_integer_value(json_object_get(end, "ts")), 70500000);
	json_decref(document);
	buf_fini(&out);
}

static void openmetrics_has_families_and_an_end(void **state)
{
	(void)state;
	struct buf out = ticks_of("openmetrics");
	assert_non_null(strstr(out.data, "# TYPE buildtop_dirty_bytes gauge\n"
					 "# UNIT buildtop_dirty_bytes bytes\n"));
	assert_non_null(strstr(out.data, "\"} 4096 1796065459.500\n"));
	assert_null(strstr(out.data, "buildtop_writeback_bytes")); /* not measured: no family */
	assert_non_null(strstr(out.data, ",class=\"dirty_throttle\"} 0.500 "));
	assert_string_equal(out.data + out.len - 6, "# EOF\n");
	buf_fini(&out);
}

static struct buf rows_of(const char *rows)
{
	const struct report_format *format = report_rows_find(rows);
	struct run *run = fixture_run();
	struct tick *tick = fixture_tick();
	struct run_end end = {.complete = true};
	struct buf out = {0};
	void *state = format->begin(&out, run);
	format->tick(&out, run, tick, state);
	if (format->end != NULL)
		format->end(&out, run, &end, state);
	tick_unref(tick);
	run_free(run);
	return out;
}

static void other_tables_of_csv(void **state)
{
	(void)state;
	struct buf out = rows_of("tasks");
	assert_non_null(strstr(out.data, "2026-11-30T19:04:17.000Z,0.000,2.500,0,42,41,\"c??\",\"cc a b\","));
	buf_fini(&out);
	out = rows_of("stalls");
	assert_non_null(strstr(out.data, ",62.000,8.500,1,dirty_throttle,\"sda1\",\"ext4\",\"\",2,"));
	assert_non_null(strstr(out.data, ",\"l?[2Jd 8.0 s, c|c1 4.0 s\"\r\n"));
	buf_fini(&out);
	out = rows_of("mounts");
	assert_int_equal(count_lines(&out), 1); /* the header */
	buf_fini(&out);
	assert_null(report_rows_find("nosuch"));
	assert_ptr_equal(report_rows_find("ticks"), report_format_find("csv"));
}

/* Two tasks at once have two lanes; a third that begins when the first is over has its lane again. */
static void lives_never_share_a_lane(void **state)
{
	(void)state;
	struct run *run = fixture_run();
	struct lives lives = {0};
	static const struct {
		int32_t pid;
		unsigned second, flags;
	} rows[] = {{1, 1, 0}, {2, 1, 0}, {1, 2, TASK_ENDED}, {2, 2, 0}, {2, 3, 0}, {3, 3, 0}};
	size_t at = 0;
	for (unsigned second = 1; second <= 3; second++) {
		struct sample *sample = sample_new();
		sample->mono_ns = run->start_mono_ns + second * NS_PER_S;
		for (; at < sizeof rows / sizeof *rows && rows[at].second == second; at++) {
			struct task_row *row = sample_add_task(sample);
			row->pid = rows[at].pid;
			row->flags = rows[at].flags;
			row->start_ticks = 100 * 1000 + (rows[at].pid == 3 ? 250 : 50);
		}
		struct tick *tick = tick_new(sample);
		lives_add(&lives, run, tick);
		tick_unref(tick);
		assert_int_equal(lives.n_ended, second == 2);
		if (second == 2)
			assert_int_equal(lives.ended[0].end_ns - lives.ended[0].start_ns, 1500 * NS_PER_MS);
	}
	assert_int_equal(lives.n_alive, 2);
	assert_int_equal(lives.n_lanes, 2);
	assert_int_not_equal(lives.alive[0].lane, lives.alive[1].lane);
	lives_end(&lives);
	assert_int_equal(lives.n_ended, 2);
	lives_fini(&lives);
	run_free(run);
}

static void subject_is_the_file(void **state)
{
	(void)state;
	char words[] = "cc1\0-quiet\0/src/x/foo.c\0-o\0-";
	struct life life = {.command = words, .command_len = sizeof words - 1};
	const char *subject;
	assert_int_equal(lives_subject(&life, &subject), 5);
	assert_memory_equal(subject, "foo.c", 5);
	life.command_len = 3;
	assert_int_equal(lives_subject(&life, &subject), 0);
}

static void formats_are_found(void **state)
{
	(void)state;
	assert_null(report_format_find("nosuch"));
	for (size_t i = 0; report_formats[i] != NULL; i++) {
		const struct report_format *format = report_formats[i];
		assert_ptr_equal(report_format_find(format->name), format);
		assert_true((format->summary != NULL) != (format->tick != NULL));
	}
}

/* The advice of a made-up run, all lines one after the other. */
static char *advice_of(double wall_s, double cpu_s, double runqueue_s, double least_s, double most_s)
{
	struct run *run = fixture_run();
	struct summary summary = {
		.run = run, .wall_s = wall_s, .user_s = cpu_s, .bound_min_s = least_s, .bound_max_s = most_s};
	struct buf out = {0};
	run->cpus = 2;
	summary.time_s[CAUSE_RUNQUEUE] = runqueue_s;
	summary.time_s[CAUSE_FLUSH_WAIT] = 0.2;
	buf_add_string(&out, "");
	report_advice(&out, &summary, 6);
	run_free(run);
	return out.data;
}

static void advice_has_its_figures(void **state)
{
	(void)state;
	char *text = advice_of(100, 190, 20, 62, 71);
	assert_non_null(
		strstr(text, "a quicker disk: at most 38 % (38.0 s of 1:40), at least 29.0 s; estimated"));
	assert_non_null(strstr(text, "more jobs: at most 5 % (5.0 s of 1:40); measured"));
	free(text);
	text = advice_of(100, 199, 20, 99.2, 100);
	assert_non_null(strstr(text, "a quicker disk: at most 1 % (0.8 s of 1:40), not worth it"));
	assert_non_null(strstr(text, "more jobs: at most 1 % (0.5 s of 1:40), not worth it; measured"));
	free(text);
	text = advice_of(100, 100, 20, NAN, NAN); /* no bound was told: what was waited in all */
	assert_non_null(strstr(text, "a quicker disk: at most 1 % (0.2 s of 1:40), not worth it"));
	assert_non_null(strstr(text, "more jobs: 1.0 of 2 CPUs were used"));
	assert_non_null(strstr(text, "at most 50 % (50.0 s of 1:40); measured"));
	free(text);
	text = advice_of(100, 190, 400, NAN, NAN);
	assert_non_null(
		strstr(text, "fewer jobs: tasks waited 6:40 for a CPU and had one for 3:10; measured"));
	free(text);
	text = advice_of(3, 1, 0, 1, 1); /* too short for any */
	assert_true(text == NULL || *text == '\0');
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_has_its_figures),
		cmocka_unit_test(numbers_have_a_point),
		cmocka_unit_test(short_is_short_and_clean),
		cmocka_unit_test(short_tells_when_nothing_stalled),
		cmocka_unit_test(text_is_a_clean_page),
		cmocka_unit_test(markdown_obeys_no_name),
		cmocka_unit_test(json_is_the_document),
		cmocka_unit_test(csv_row_fits_its_header),
		cmocka_unit_test(csv_ignores_the_locale),
		cmocka_unit_test(ndjson_lines_parse),
		cmocka_unit_test(trace_holds_counters_slices_and_stalls),
		cmocka_unit_test(openmetrics_has_families_and_an_end),
		cmocka_unit_test(other_tables_of_csv),
		cmocka_unit_test(lives_never_share_a_lane),
		cmocka_unit_test(subject_is_the_file),
		cmocka_unit_test(formats_are_found),
	};
	text_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
