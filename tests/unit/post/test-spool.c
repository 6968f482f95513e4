/* SPDX-License-Identifier: MIT
 *
 * What could not be sent waits, goes later, and goes once.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "history/history.h"
#include "post/post.h"
#include "server.h"

#define OK                                                                                                   \
	{                                                                                                    \
		SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0                             \
	}
#define BUSY                                                                                                 \
	{                                                                                                    \
		SERVER_ANSWER, "HTTP/1.1 503 Busy\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n", 0       \
	}
#define MANY                                                                                                 \
	{                                                                                                    \
		SERVER_ANSWER, "HTTP/1.1 429 Many\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n", 0       \
	}
#define NO                                                                                                   \
	{                                                                                                    \
		SERVER_ANSWER, "HTTP/1.1 400 Bad\r\nContent-Length: 3\r\n\r\nbad", 0                         \
	}

static char place[] = "/tmp/buildtop-spool.XXXXXX";
static struct why why;
static struct post_tally tally;
static char asked[65536];

static char *make_document(unsigned number)
{
	char *text = malloc(1000);
	snprintf(
		text, 1000,
		"{\"schema_version\":1,\"id\":\"0197b0c2-8a31-7c55-9d1e-0000000000%02u\",\"host\":{\"name\":"
		"\"h\"},"
		"\"labels\":{\"project\":\"p\"},\"start_time\":\"2026-11-30T18:51:%02u.000Z\","
		"\"end_time\":\"2026-11-30T19:04:%02u.468Z\",\"exit\":{\"status\":0,\"outcome\":\"success\"},"
		"\"wall_seconds\":%u.5,\"stalls\":{\"by_cause\":[]}}",
		number, number, number, number);
	return text;
}

static struct history *begin(unsigned documents, const char *target)
{
	struct history *history;
	const struct history_target to = {.name = target, .settings = ""};
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s/buildtop", place);
	assert_int_equal(system(command), 0);
	assert_int_equal(history_open(&history, 1000, &why), 0);
	for (unsigned i = 0; i < documents; i++) {
		char *document = make_document(i);
		assert_int_equal(history_add(history, document, &to, 1, &why), 0);
		free(document);
	}
	return history;
}

static bool count(void *self, const struct history_parcel *parcel)
{
	unsigned *counts = self;
	counts[parcel->rejected]++;
	return true;
}

static unsigned waiting(struct history *history, unsigned *rejected)
{
	unsigned counts[2] = {0};
	assert_int_equal(history_parcels(history, count, counts, &why), 0);
	if (rejected != NULL)
		*rejected = counts[1];
	return counts[0];
}

static void forget_lines(void)
{
	char line[LOG_LINE_SIZE];
	while (log_take(line))
		;
}

static unsigned send_pending(struct history *history, bool retry_rejected)
{
	assert_int_equal(post_pending(history, NULL, 0, NULL, NULL, retry_rejected, &tally, &why), 0);
	forget_lines();
	return tally.sent;
}

static void all_that_waits_goes(void **state)
{
	(void)state;
	struct server server;
	char url[80];
	const struct server_step steps[20] = {OK, OK, OK, OK, OK, OK, OK, OK, OK, OK,
					      OK, OK, OK, OK, OK, OK, OK, OK, OK, OK};
	server_start(&server, steps, 20);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/write?db=x", server.port);
	struct history *history = begin(20, url);
	assert_int_equal(send_pending(history, false), 20);
	assert_int_equal(waiting(history, NULL), 0);
	assert_int_equal(server_stop(&server, asked, sizeof asked), 20);
	for (unsigned i = 0; i < 20; i++) {
		char field[60];
		snprintf(field, sizeof field, "wall_seconds=%u.5,", i);
		assert_non_null(strstr(asked, field));
		snprintf(field, sizeof field, " 17960654%02u468000000\n", 40 + i);
		assert_non_null(strstr(asked, field));
	}
	history_close(history);
}

static void a_server_that_fails_is_asked_once(void **state)
{
	(void)state;
	struct server server;
	char url[80];
	const struct server_step steps[] = {BUSY, OK, OK, OK};
	server_start(&server, steps, 4);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
	struct history *history = begin(3, url);
	assert_int_equal(send_pending(history, false), 0);
	assert_int_equal(tally.kept, 3);
	assert_int_equal(waiting(history, NULL), 3);
	assert_int_equal(send_pending(history, false), 3);
	server_stop(&server, asked, sizeof asked);
	history_close(history);
}

static void a_wish_to_be_left_alone_is_respected(void **state)
{
	(void)state;
	struct server server;
	char url[80];
	const struct server_step steps[] = {MANY, OK, OK, OK};
	server_start(&server, steps, 4);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
	struct history *history = begin(1, url);
	send_pending(history, false);
	assert_int_equal(send_pending(history, false), 0);
	assert_int_equal(server_stop(&server, asked, sizeof asked), 1);
	history_close(history);
}

static void what_was_refused_is_kept_and_not_repeated(void **state)
{
	(void)state;
	struct server server;
	char url[80];
	unsigned rejected;
	const struct server_step steps[] = {NO, OK, OK};
	server_start(&server, steps, 3);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
	struct history *history = begin(2, url);
	assert_int_equal(send_pending(history, false), 1);
	assert_int_equal(tally.rejected, 1);
	assert_int_equal(send_pending(history, false), 0);
	assert_int_equal(waiting(history, &rejected), 0);
	assert_int_equal(rejected, 1);
	assert_int_equal(send_pending(history, true), 1);
	server_stop(&server, asked, sizeof asked);
	history_close(history);
}

static void only_the_newest_goes_where_only_that_counts(void **state)
{
	(void)state;
	struct server server;
	char url[80];
	const struct server_step steps[] = {OK, OK};
	server_start(&server, steps, 2);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/metrics/job/x", server.port);
	struct history *history = begin(5, url);
	assert_int_equal(send_pending(history, false), 1);
	assert_int_equal(waiting(history, NULL), 0);
	assert_int_equal(server_stop(&server, asked, sizeof asked), 1);
	assert_int_equal(strncmp(asked, "PUT /metrics/job/x ", 19), 0);
	assert_non_null(strstr(asked, "wall_seconds 4.5") != NULL ? asked : strstr(asked, "} 4.5\n"));
	history_close(history);
}

static void a_build_takes_some_along(void **state)
{
	(void)state;
	struct server server;
	struct post_target target;
	char url[80], *document = make_document(50);
	const struct server_step steps[8] = {OK, OK, OK, OK, OK, OK, OK, OK};
	server_start(&server, steps, 8);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
	struct history *history = begin(9, url);
	post_target_init(&target, url);
	assert_int_equal(post_deliver(history, document, &target, 1, &tally), 0);
	assert_int_equal(tally.sent, 6);
	assert_int_equal(waiting(history, NULL), 4);
	server_stop(&server, asked, sizeof asked);
	post_target_fini(&target);
	history_close(history);
	free(document);
}

static int make_place(void **state)
{
	(void)state;
	log_init();
	if (mkdtemp(place) == NULL)
		return -1;
	return setenv("XDG_STATE_HOME", place, 1);
}

static int remove_place(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", place);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_waits_goes),
		cmocka_unit_test(a_server_that_fails_is_asked_once),
		cmocka_unit_test(a_wish_to_be_left_alone_is_respected),
		cmocka_unit_test(what_was_refused_is_kept_and_not_repeated),
		cmocka_unit_test(only_the_newest_goes_where_only_that_counts),
		cmocka_unit_test(a_build_takes_some_along),
	};
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	return cmocka_run_group_tests(tests, make_place, remove_place);
}
