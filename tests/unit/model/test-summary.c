/* SPDX-License-Identifier: MIT
 *
 * The summary document read back: what is known stands in it as it was, what is not is null or left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "made-up.h"

static json_t *document(const char *name)
{
	for (size_t i = 0; i < sizeof made_up_table / sizeof *made_up_table; i++) {
		json_error_t error;
		json_t *root;
		char *text;

		if (strcmp(made_up_table[i].name, name))
			continue;
		text = made_up_document(&made_up_table[i]);
		assert_int_equal(text[strlen(text) - 1], '\n');
		root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
		free(text);
		assert_non_null(root);
		return root;
	}
	fail_msg("no such document: %s", name);
	return NULL;
}

/* The value at a path like "stalls.episodes.0.cause"; NULL: not there. */
static json_t *at(json_t *value, const char *path)
{
	char word[64];

	while (value && *path) {
		size_t len = strcspn(path, ".");

		memcpy(word, path, len);
		word[len] = '\0';
		value = json_is_array(value) ? json_array_get(value, (size_t)atoi(word))
					     : json_object_get(value, word);
		path += len + (path[len] == '.');
	}
	return value;
}

static const char *text_at(json_t *root, const char *path)
{
	json_t *value = at(root, path);

	if (!json_is_string(value))
		fail_msg("no string: %s", path);
	return json_string_value(value);
}

static double number_at(json_t *root, const char *path)
{
	json_t *value = at(root, path);

	if (!json_is_number(value))
		fail_msg("no number: %s", path);
	return json_number_value(value);
}

static void expect_null(json_t *root, const char *path)
{
	if (!json_is_null(at(root, path)))
		fail_msg("not null: %s", path);
}

static void expect_absent(json_t *root, const char *path)
{
	if (at(root, path))
		fail_msg("there: %s", path);
}

static void known_figures_stand_as_they_were(void **state)
{
	json_t *root = document("ordinary");

	(void)state;
	assert_string_equal(text_at(root, "schema"), "buildtop.summary");
	assert_string_equal(text_at(root, "start_time"), "2026-11-30T18:51:43.250Z");
	assert_string_equal(text_at(root, "end_time"), "2026-11-30T19:04:17.468Z");
	assert_true(number_at(root, "wall_seconds") == 754.218);
	assert_true(number_at(root, "memory.rss_peak_bytes") == 9663676416);
	assert_true(json_is_integer(at(root, "memory.swap_peak_bytes"))); /* 0 was measured */
	assert_true(number_at(root, "exit.status") == 0);
	expect_null(root, "exit.signal");
	assert_string_equal(text_at(root, "exit.outcome"), "success");
	assert_string_equal(text_at(root, "command.1"), "-j16");
	assert_string_equal(text_at(root, "labels.project"), "ffmpeg");
	assert_true(json_is_false(at(root, "vcs.dirty")));
	assert_string_equal(text_at(root, "stalls.episodes.0.start_time"), "2026-11-30T18:56:43.250Z");
	assert_true(number_at(root, "stalls.episodes.0.duration_seconds") == 8.5);
	assert_string_equal(text_at(root, "stalls.episodes.0.cause"), "dirty_throttle");
	assert_string_equal(text_at(root, "stalls.episodes.0.detail"), "14 tasks in balance_dirty_pages");
	assert_string_equal(text_at(root, "stalls.episodes.0.evidence.0"), "wchan");
	assert_string_equal(text_at(root, "stalls.episodes.0.evidence.1"), "vmstat");
	assert_true(number_at(root, "stalls.episodes.0.victims.0.task_seconds") == 31.5);
	assert_true(number_at(root, "stalls.episodes.0.writers.0.written_bytes") == 2634022912);
	expect_null(root, "stalls.episodes.0.filesystem");
	expect_null(root, "stalls.episodes.0.dirty_threshold_bytes");
	assert_int_equal(json_array_size(at(root, "stalls.by_cause")), 1);
	assert_true(number_at(root, "tmpfs.0.peak_inodes") == 48211);
	expect_absent(root, "tmpfs.0.inodes");
	assert_true(number_at(root, "commands.0.cpu_seconds") == 8210.1);
	expect_absent(root, "commands.0.wall_seconds");
	assert_true(number_at(root, "time_seconds.cpu") == 10015.2);
	assert_string_equal(text_at(root, "verdict"), "cpu");
	assert_true(number_at(root, "bound.flush_free_wall_seconds_min") == 680.5);
	assert_string_equal(text_at(root, "sources.wchan"), "yes");
	assert_true(number_at(root, "monitor.sample_interval_seconds") == 0.5);
	json_decref(root);
}

static void the_unknown_is_null_or_left_out(void **state)
{
	json_t *root = document("unknown");

	(void)state;
	expect_null(root, "vcs");
	expect_null(root, "command");
	expect_null(root, "exit.status");
	expect_null(root, "exit.signal");
	assert_string_equal(text_at(root, "exit.outcome"), "unknown");
	expect_null(root, "host.memory_total_bytes");
	expect_absent(root, "host.cpus");
	expect_absent(root, "host.kernel");
	expect_null(root, "memory.dirty_peak_bytes");
	expect_null(root, "bound");
	expect_absent(root, "verdict");
	expect_absent(root, "verdict_text");
	expect_absent(root, "cpu.source");
	expect_absent(root, "monitor.cpu_seconds");
	expect_absent(root, "stalls.flush_seconds");
	assert_int_equal(json_object_size(at(root, "time_seconds")), 0);
	json_decref(root);
}

static void the_hostile_is_tamed(void **state)
{
	json_t *root = document("hostile");

	(void)state;
	assert_string_equal(text_at(root, "command.0"), "m\xef\xbf\xbd\x1b[31m\xe2\x80\xae\n\"\\");
	assert_string_equal(text_at(root, "commands.0.name"), "ev\x1b[31m\xef\xbf\xbd");
	assert_int_equal(strlen(text_at(root, "labels.branch")), 255); /* no half of a character */
	assert_int_equal(json_object_size(at(root, "labels")), 2);
	expect_absent(root, "sources.cgroup");
	assert_string_equal(text_at(root, "exit.signal"), "SIGKILL");
	expect_null(root, "exit.status");
	expect_null(root, "memory.rss_peak_bytes");
	expect_null(root, "tmpfs.0.peak_bytes");
	expect_null(root, "bound");
	assert_int_equal(json_array_size(at(root, "stalls.episodes")), 1000);
	assert_true(number_at(root, "stalls.episodes_dropped") == 507);
	assert_true(number_at(root, "stalls.episodes.3.duration_seconds") == 0);
	expect_absent(root, "stalls.episodes.3.full_seconds");
	assert_string_equal(text_at(root, "end_time"), text_at(root, "start_time"));
	json_decref(root);
}

/* Byte for byte the same where numbers have a comma. */
static void no_locale_changes_it(void **state)
{
	char *plain, *german;

	(void)state;
	plain = made_up_document(&made_up_table[1]);
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		free(plain);
		skip();
	}
	german = made_up_document(&made_up_table[1]);
	setlocale(LC_ALL, "C");
	assert_string_equal(german, plain);
	free(german);
	free(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_figures_stand_as_they_were),
		cmocka_unit_test(the_unknown_is_null_or_left_out),
		cmocka_unit_test(the_hostile_is_tamed),
		cmocka_unit_test(no_locale_changes_it),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
