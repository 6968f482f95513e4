/* SPDX-License-Identifier: MIT
 *
 * The file: what goes in comes out, whatever state it is in, and whoever else writes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"
#include "history/history.h"

static char place[] = "/tmp/buildtop-history.XXXXXX";
static struct why why;

static void write_document(char *out, size_t size, const char *id, const char *start, double wall_s)
{
	snprintf(out, size,
		 "{\"schema_version\":1,\"id\":\"%s\",\"host\":{\"name\":\"h\",\"cpus\":4},"
		 "\"labels\":{\"project\":\"it's\",\"variant\":\"v\"},\"vcs\":null,"
		 "\"start_time\":\"%s\",\"end_time\":\"2026-11-30T19:04:17.468Z\","
		 "\"exit\":{\"status\":0,\"signal\":null,\"outcome\":\"success\"},\"wall_seconds\":%f,"
		 "\"cpu\":{\"user_seconds\":2.5,\"system_seconds\":0.5},\"memory\":{\"dirty_peak_bytes\":"
		 "null},"
		 "\"stalls\":{\"stalled_seconds\":1.5,\"by_cause\":[{\"cause\":\"read\",\"seconds\":1.5,"
		 "\"episodes\":2}]},"
		 "\"commands\":[{\"name\":\"cc1\",\"count\":7,\"cpu_seconds\":2.0}]}",
		 id, start, wall_s);
}

#define ID    "0197b0c2-8a31-7c55-9d1e-2f6f1f4f2a01"
#define START "2026-11-30T18:51:43.250Z"

static struct history *open_it(void)
{
	struct history *history = NULL;
	assert_int_equal(history_open(&history, 2000, &why), 0);
	return history;
}

static char *path_of(const char *name)
{
	char *path = history_beside(name, &why);
	assert_non_null(path);
	return path;
}

static void clear(void)
{
	char command[200];
	snprintf(command, sizeof command, "rm -rf %s/buildtop", place);
	assert_int_equal(system(command), 0);
}

static bool count_build(void *self, const struct history_build *build)
{
	(void)build;
	++*(unsigned *)self;
	return true;
}

static unsigned count_builds(void)
{
	struct history *history = open_it();
	unsigned count = 0;
	assert_int_equal(history_each(history, &(struct history_filter){0}, count_build, &count, &why), 0);
	history_close(history);
	return count;
}

static bool check_build(void *self, const struct history_build *build)
{
	(void)self;
	assert_string_equal(build->id, ID);
	assert_int_equal(build->start_us, INT64_C(1796064703250000));
	assert_int_equal(build->end_us, INT64_C(1796065457468000));
	assert_string_equal(build->project, "it's");
	assert_string_equal(build->commit, "");
	assert_string_equal(build->outcome, "success");
	assert_int_equal(build->exit_status, 0);
	assert_true(build->wall_s == 4.25 && build->cpu_s == 3 && build->stalled_s == 1.5);
	return true;
}

static void check_stall(void *self, const struct history_sum *sum)
{
	assert_string_equal(sum->name, self);
	assert_true(sum->builds == 1 && sum->seconds > 1);
}

static void a_run_comes_out_as_it_went_in(void **state)
{
	(void)state;
	char document[2000];
	struct stat status;
	struct buf out = {0};
	clear();
	write_document(document, sizeof document, ID, START, 4.25);
	struct history *history = open_it();
	assert_int_equal(history_add(history, document, NULL, 0, &why), 0);
	assert_int_equal(history_add(history, document, NULL, 0, &why), 0);
	struct history_filter by_tail = {.id = "1f4f2a01", .project = "it's", .since_us = 1};
	assert_int_equal(history_each(history, &by_tail, check_build, NULL, &why), 0);
	assert_int_equal(history_stalls(history, &by_tail, check_stall, (char *)"read", &why), 0);
	assert_int_equal(history_commands(history, &by_tail, check_stall, (char *)"cc1", &why), 0);
	assert_int_equal(history_document(history, ID, &out, &why), 0);
	assert_string_equal(out.data, document);
	assert_int_equal(history_document(history, "00000000", &out, &why), -ENOENT);
	buf_fini(&out);
	history_close(history);
	assert_int_equal(count_builds(), 1);
	char *path = path_of("history.db");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	free(path);
}

static const struct history_target target = {.name = "http://h/write",
					     .settings = "format=influx\ntimeout=3\n"};

static bool check_parcel(void *self, const struct history_parcel *parcel)
{
	++*(unsigned *)self;
	assert_string_equal(parcel->id, ID);
	assert_string_equal(parcel->target, target.name);
	assert_string_equal(parcel->settings, target.settings);
	return true;
}

static unsigned count_parcels(struct history *history)
{
	unsigned count = 0;
	assert_int_equal(history_parcels(history, check_parcel, &count, &why), 0);
	return count;
}

static void parcels_wait_and_go(void **state)
{
	(void)state;
	char document[2000];
	clear();
	write_document(document, sizeof document, ID, START, 4.25);
	struct history *history = open_it();
	assert_int_equal(history_add(history, document, &target, 1, &why), 0);
	assert_int_equal(count_parcels(history), 1);
	assert_int_equal(history_post_failed(history, ID, target.name, 5, 503, "busy", false), 0);
	assert_int_equal(count_parcels(history), 1);
	assert_int_equal(history_spool_trim(history, INT64_C(1796064703250000)), 0);
	assert_int_equal(history_posted(history, ID, target.name), 0);
	assert_int_equal(count_parcels(history), 0);
	assert_int_equal(history_post_later(history, ID, &target, &why), 0);
	assert_int_equal(history_spool_trim(history, INT64_C(1796064703250000) * 2), 1);
	assert_int_equal(history_post_later(history, ID, &target, &why), 0);
	assert_int_equal(history_prune(history, 0, &why), 1);
	assert_int_equal(count_parcels(history), 0);
	history_close(history);
}

static int record(const char *id)
{
	char document[2000];
	struct history_standing standing;
	write_document(document, sizeof document, id, START, 4.25);
	int64_t start_ns = clock_mono_ns();
	int status = history_record(document, id, &target, 1, &standing, &why);
	assert_true(clock_mono_ns() - start_ns < 5000 * NS_PER_MS);
	return status;
}

static void a_locked_file_is_waited_for_later(void **state)
{
	(void)state;
	sqlite3 *other;
	clear();
	history_close(open_it());
	char *path = path_of("history.db"), *pending = path_of("pending/" ID ".json");
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(record(ID), 1);
	assert_non_null(strstr(why.text, "lock"));
	assert_int_equal(access(pending, F_OK), 0);
	sqlite3_close(other);
	struct history *history = open_it();
	assert_int_equal(count_parcels(history), 1);
	history_close(history);
	assert_int_equal(access(pending, F_OK), -1);
	assert_int_equal(count_builds(), 1);
	free(path);
	free(pending);
}

static void a_damaged_file_is_left_alone(void **state)
{
	(void)state;
	clear();
	history_close(open_it());
	char *path = path_of("history.db");
	FILE *file = fopen(path, "w");
	for (int i = 0; i < 1000; i++)
		fputs("this is no database\n", file);
	fclose(file);
	assert_int_equal(record(ID), 1);
	assert_non_null(strstr(why.text, "is damaged; move it away"));
	struct history *history = NULL;
	assert_int_equal(history_open(&history, 100, &why), -EUCLEAN);
	unlink(path);
	assert_int_equal(count_builds(), 1);
	free(path);
}

static void a_foreign_file_is_left_alone(void **state)
{
	(void)state;
	sqlite3 *other;
	clear();
	char *path = path_of("history.db");
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "CREATE TABLE x(y)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	struct history *history = NULL;
	assert_int_equal(history_open(&history, 100, &why), -EPROTO);
	assert_non_null(strstr(why.text, "no history of buildtop"));
	free(path);
}

static void what_is_no_summary_is_set_aside(void **state)
{
	(void)state;
	clear();
	history_close(open_it());
	char *directory = path_of("pending"), *path = path_of("pending/x.json"),
	     *aside = path_of("pending/x.json.refused");
	mkdir(directory, 0700);
	const char *const wrong[] = {"{", "{\"id\":\"x\"}"};
	for (size_t i = 0; i < 2; i++) {
		FILE *file = fopen(path, "w");
		fputs(wrong[i], file);
		fclose(file);
		assert_int_equal(count_builds(), 0);
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(unlink(aside), 0);
	}
	free(directory);
	free(path);
	free(aside);
}

static void fifty_at_once_are_fifty_rows(void **state)
{
	(void)state;
	pid_t pids[50];
	clear();
	for (int i = 0; i < 50; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char id[UUID_SIZE];
			snprintf(id, sizeof id, "0197b0c2-8a31-7c55-9d1e-0000000000%02d", i);
			int kept = record(id);
			_exit(kept < 0 && kept != -ETIMEDOUT); /* late is not lost */
		}
	}
	for (int i = 0; i < 50; i++) {
		int status = -1;
		waitpid(pids[i], &status, 0);
		assert_int_equal(status, 0);
	}
	for (int i = 0; i < 600 && count_builds() < 50; i++)
		nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
	assert_int_equal(count_builds(), 50);
}

static void ids_are_told_from_files(void **state)
{
	(void)state;
	assert_true(history_is_id(ID));
	assert_true(history_is_id("1f4f2a01"));
	assert_false(history_is_id("x.buildtop"));
	assert_false(history_is_id("@1"));
	assert_false(history_is_id("1f4f2a0"));
	assert_false(history_is_id("0197b0c2-8a31-7c55-9d1e02f6f1f4f2a01"));
}

static int make_place(void **state)
{
	(void)state;
	if (mkdtemp(place) == NULL)
		return -1;
	return setenv("XDG_STATE_HOME", place, 1);
}

static int remove_place(void **state)
{
	(void)state;
	clear();
	return rmdir(place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_out_as_it_went_in),
		cmocka_unit_test(parcels_wait_and_go),
		cmocka_unit_test(a_locked_file_is_waited_for_later),
		cmocka_unit_test(a_damaged_file_is_left_alone),
		cmocka_unit_test(a_foreign_file_is_left_alone),
		cmocka_unit_test(what_is_no_summary_is_set_aside),
		cmocka_unit_test(fifty_at_once_are_fifty_rows),
		cmocka_unit_test(ids_are_told_from_files),
	};
	return cmocka_run_group_tests(tests, make_place, remove_place);
}
