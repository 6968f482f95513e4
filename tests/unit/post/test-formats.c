/* SPDX-License-Identifier: MIT
 *
 * Each format read back: what it says is what the document says, also with labels that would break it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../../../src/post/figures.h"
#include "../../../src/post/format.h"

static struct letter letter;
static struct why why;

#define END_NS "1796065457468000000"

static char *make_document(const char *labels)
{
	char *text = malloc(4000);
	snprintf(text, 4000,
		 "{\"id\":\"0197b0c2-8a31-7c55-9d1e-2f6f1f4f2a01\",\"host\":{\"name\":\"build01\",\"cpus\":"
		 "16},"
		 "\"tool\":{\"version\":\"1\"},\"labels\":%s,\"vcs\":{\"commit\":\"0014b243\"},"
		 "\"start_time\":\"2026-11-30T18:51:43.250Z\",\"end_time\":\"2026-11-30T19:04:17.468Z\","
		 "\"complete\":true,\"exit\":{\"status\":0,\"signal\":null,\"outcome\":\"success\"},\"wall_"
		 "seconds\":754,"
		 "\"cpu\":{\"user_seconds\":9213.4,\"system_seconds\":1e-06},"
		 "\"memory\":{\"rss_peak_bytes\":9007199254740993,\"dirty_peak_bytes\":null},"
		 "\"tmpfs\":[{\"mount\":\"/tmp\",\"peak_bytes\":5,\"alarmed\":false},{\"mount\":\"/"
		 "tmp\",\"peak_bytes\":6}],"
		 "\"time_seconds\":{\"cpu\":1.25},"
		 "\"stalls\":{\"stalled_seconds\":88.1,\"by_cause\":[{\"cause\":\"read\",\"seconds\":22.7,"
		 "\"episodes\":4}],"
		 "\"episodes\":[{\"start_time\":\"2026-11-30T18:56:43.250Z\",\"duration_seconds\":8.5,"
		 "\"cause\":\"read\","
		 "\"blocked_peak\":14,\"detail\":\"a \\\"b\\\" \\\\c\\nd\"},"
		 "{\"start_time\":\"2026-11-30T18:56:43.250Z\",\"duration_seconds\":2,\"cause\":\"read\"}]},"
		 "\"command\":[\"curl\",\"-u\",\"user:SECRET1\",\"--password=SECRET2\",\"--token\","
		 "\"SECRET3\",\"x\"],"
		 "\"commands\":[{\"name\":\"cc1\",\"count\":2391,\"cpu_seconds\":8210.1}]}",
		 labels);
	return text;
}

static const char *write_as(const char *format, const char *url, const char *labels)
{
	struct post_target target;
	char *document = make_document(labels);
	letter_fini(&letter);
	post_target_init(&target, url);
	if (format != NULL)
		assert_int_equal(post_target_set(&target, "format", format, &why), 0);
	assert_int_equal(format_write(&letter, &target, document, false, &why), 0);
	post_target_fini(&target);
	free(document);
	return letter.parts[0].body.data;
}

static void has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		print_error("not there: %s\nin: %s\n", part, text);
	assert_non_null(strstr(text, part));
}

static void influx_says_it(void **state)
{
	(void)state;
	const char *text = write_as("influx", "http://h/write?db=b", "{\"project\":\"p\",\"variant\":\"\"}");
	has(text,
	    "buildtop_build,host=build01,project=p wall_seconds=754.0,stalled_seconds=88.1,exit_status=0i,"
	    "success=1i,complete=1i,cpus=16i,rss_peak_bytes=9007199254740993i,build_id=\"0197b0c2-8a31-7c55-"
	    "9d1e-"
	    "2f6f1f4f2a01\",commit=\"0014b243\",outcome=\"success\" " END_NS "\n");
	has(text, "buildtop_build_cpu,host=build01,project=p,mode=user seconds=9213.4 " END_NS "\n");
	has(text, "mode=system seconds=1e-06 ");
	has(text,
	    "buildtop_build_stall,host=build01,project=p,cause=read seconds=22.7,episodes=4i " END_NS "\n");
	has(text,
	    "buildtop_build_tmpfs,host=build01,project=p,mount=/tmp peak_bytes=5i,alarmed=0i " END_NS "\n");
	has(text, "buildtop_build_command,host=build01,project=p,command=cc1 cpu_seconds=8210.1,runs=2391i ");
	has(text, "buildtop_build_time,host=build01,project=p,class=cpu seconds=1.25 ");
	has(text, "cause=read duration_seconds=8.5,blocked_peak=14i,detail=\"a \\\"b\\\" \\\\c d\" "
		  "1796065003250000000\n");
	has(text, "cause=read duration_seconds=2.0 1796065003251000000\n");
	assert_null(strstr(text, "variant"));
	assert_null(strstr(text, "dirty_peak"));
	assert_null(strstr(text, "SECRET"));
	assert_string_equal(letter.parts[0].url.data, "http://h/write?db=b&precision=ns");
	text = write_as("influx-numeric", "http://h/write", "{}");
	assert_null(strchr(text, '"'));
}

/* Reads one line of the protocol: the value of a tag. */
static char *read_tag(const char *line, const char *key)
{
	static char value[600];
	size_t len = 0;
	char wanted[80];
	snprintf(wanted, sizeof wanted, ",%s=", key);
	const char *at = strstr(line, wanted);
	assert_non_null(at);
	for (at += strlen(wanted); *at != ',' && *at != ' '; at++) {
		if (*at == '\\' && strchr(",= ", at[1]) != NULL)
			at++;
		assert_true(*at != '\n' && *at != '\0');
		value[len++] = *at;
	}
	value[len] = '\0';
	return value;
}

static void odd_labels_arrive(void **state)
{
	(void)state;
	const struct {
		const char *json, *influx, *prom;
	} odd[] = {
		{"a \\\"b\\\"", "a \"b\"", "a \\\"b\\\""},
		{"a,b=c d", "a,b=c d", "a,b=c d"},
		{"a\\nb", "a b", "a\\nb"},
		{"C:\\\\dir", "C:\\dir", "C:\\\\dir"},
		{"end\\\\", "end/", "end\\\\"},
		{"a\\\\,b", "a/,b", "a\\\\,b"},
		{"\\u00e9\\ud83d\\ude80", "\xc3\xa9\xf0\x9f\x9a\x80", "\xc3\xa9\xf0\x9f\x9a\x80"},
	};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		char labels[200], expected[200];
		snprintf(labels, sizeof labels, "{\"odd\":\"%s\",\"zone\":\"z\"}", odd[i].json);
		const char *text = write_as("influx", "http://h/write", labels);
		assert_string_equal(read_tag(text, "odd"), odd[i].influx);
		assert_string_equal(read_tag(text, "zone"), "z");
		text = write_as("pushgateway", "http://h/", labels);
		snprintf(expected, sizeof expected, "odd=\"%s\",zone=\"z\"", odd[i].prom);
		has(text, expected);
		json_t *document = json_loads(write_as("json", "http://h/", labels), 0, NULL);
		json_t *own = json_loads(labels, 0, NULL);
		assert_true(json_equal(json_object_get(document, "labels"), own));
		json_decref(document);
		json_decref(own);
	}
}

static void taken_names_are_moved(void **state)
{
	(void)state;
	const char *text =
		write_as("influx", "http://h/write", "{\"host\":\"x\",\"cause\":\"y\",\"__name__\":\"z\"}");
	has(text, ",host=build01,label___name__=z,label_cause=y,label_host=x ");
}

static void pushgateway_groups(void **state)
{
	(void)state;
	const char *text = write_as("pushgateway", "http://h/", "{\"project\":\"a/b\",\"variant\":\"x y\"}");
	assert_string_equal(letter.parts[0].method, "PUT");
	assert_string_equal(
		letter.parts[0].url.data,
		"http://h/metrics/job/buildtop/project@base64/YS9i/variant/x%20y/instance/build01");
	has(text, "# TYPE buildtop_build_wall_seconds gauge\nbuildtop_build_wall_seconds{host=\"build01\"} "
		  "754.0\n");
	has(text, "buildtop_build_end_timestamp_seconds{host=\"build01\"} 1796065457.468\n");
	has(text, "buildtop_build_stall_seconds{host=\"build01\",cause=\"read\"} 22.7\n");
	assert_null(strstr(text, "project="));
	write_as(NULL, "http://h/metrics/job/x", "{}");
	assert_string_equal(letter.parts[0].url.data, "http://h/metrics/job/x");
	write_as("pushgateway", "http://h", "{}");
	assert_string_equal(
		letter.parts[0].url.data,
		"http://h/metrics/job/buildtop/project@base64/=/variant@base64/=/instance/build01");
}

static void otlp_is_json(void **state)
{
	(void)state;
	json_t *metrics = json_loads(write_as("otlp", "http://h:4318", "{\"project\":\"p\"}"), 0, NULL);
	assert_int_equal(letter.n_parts, 2);
	assert_string_equal(letter.parts[0].url.data, "http://h:4318/v1/metrics");
	assert_string_equal(letter.parts[1].url.data, "http://h:4318/v1/logs");
	json_t *logs = json_loads(letter.parts[1].body.data, 0, NULL);
	assert_non_null(metrics);
	assert_non_null(logs);
	json_t *scope = json_array_get(json_object_get(metrics, "resourceMetrics"), 0);
	json_t *list = json_object_get(json_array_get(json_object_get(scope, "scopeMetrics"), 0), "metrics");
	json_t *first = json_array_get(list, 0);
	assert_string_equal(document_string(first, "name"), "buildtop.build.wall");
	assert_string_equal(document_string(first, "unit"), "s");
	json_t *point = json_array_get(json_object_get(json_object_get(first, "gauge"), "dataPoints"), 0);
	assert_string_equal(document_string(point, "timeUnixNano"), END_NS);
	assert_true(json_real_value(json_object_get(point, "asDouble")) == 754);
	has(letter.parts[0].body.data, "\"asInt\":\"9007199254740993\"");
	has(letter.parts[1].body.data, "\"severityNumber\":13");
	json_decref(metrics);
	json_decref(logs);
}

static void secrets_of_command_lines_are_masked(void **state)
{
	(void)state;
	const char *text = write_as("json", "http://h/x", "{}");
	assert_null(strstr(text, "SECRET"));
	has(text, "\"--password=***\"");
	has(text, "\"x\"");
}

static void formats_are_guessed(void **state)
{
	(void)state;
	const struct {
		const char *url, *format;
	} urls[] = {
		{"http://h/write?db=x", "influx"},
		{"http://h/api/v2/write?bucket=b", "influx"},
		{"http://h/insert/influx/write", "influx"},
		{"http://h/metrics/job/x", "pushgateway"},
		{"http://h/v1/metrics", "otlp"},
		{"http://h/rewrite", "json"},
		{"http://write/", "json"},
		{"http://h/?x=/write", "json"},
	};
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct post_target target;
		post_target_init(&target, urls[i].url);
		assert_string_equal(format_of(&target)->name, urls[i].format);
		post_target_fini(&target);
	}
}

static void names_hold_no_secret(void **state)
{
	(void)state;
	const struct {
		const char *url, *name;
	} urls[] = {
		{"https://u:pw@h:1/write?db=x&p=pw&u=me", "https://h:1/write?db=x&p=***&u=***"},
		{"http://h/a@b?x", "http://h/a@b?x"},
		{"http://h?token=pw#pw", "http://h?token=***"},
	};
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct post_target target;
		post_target_init(&target, urls[i].url);
		assert_string_equal(target.name, urls[i].name);
		post_target_fini(&target);
	}
}

static void settings_come_back(void **state)
{
	(void)state;
	struct post_target one, two;
	struct buf text = {0}, again = {0};
	post_target_init(&one, "http://h/");
	post_target_init(&two, "http://h/");
	assert_int_equal(post_target_set(&one, "format", "influx", &why), 0);
	assert_int_equal(post_target_set(&one, "netrc", NULL, &why), 0);
	assert_int_equal(post_target_set(&one, "insecure", NULL, &why), 0);
	assert_int_equal(post_target_set(&one, "token-file", "/a=b c", &why), 0);
	assert_true(post_target_set(&one, "format", "nosuch", &why) < 0);
	assert_true(post_target_set(&one, "timeout", "99", &why) < 0);
	assert_true(post_target_set(&one, "auth", "header:a b", &why) < 0);
	assert_true(post_target_set(&one, "cacert", "a\nb", &why) < 0);
	assert_true(post_target_set(&one, "nosuch", "x", &why) < 0);
	post_target_settings(&one, &text);
	assert_int_equal(post_target_read_settings(&two, text.data, &why), 0);
	post_target_settings(&two, &again);
	assert_string_equal(text.data, again.data);
	buf_fini(&text);
	buf_fini(&again);
	post_target_fini(&one);
	post_target_fini(&two);
}

static int clear(void **state)
{
	(void)state;
	letter_fini(&letter);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(influx_says_it),
		cmocka_unit_test(odd_labels_arrive),
		cmocka_unit_test(taken_names_are_moved),
		cmocka_unit_test(pushgateway_groups),
		cmocka_unit_test(otlp_is_json),
		cmocka_unit_test(secrets_of_command_lines_are_masked),
		cmocka_unit_test(formats_are_guessed),
		cmocka_unit_test(names_hold_no_secret),
		cmocka_unit_test(settings_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, clear);
}
