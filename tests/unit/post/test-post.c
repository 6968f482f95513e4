/* SPDX-License-Identifier: MIT
 *
 * Posting to a server that answers well, badly, slowly or not at all.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../src/post/interrupt.h"
#include "../../../src/post/send.h"
#include "base/clock.h"
#include "server.h"

#define ID   "0197b0c2-8a31-7c55-9d1e-2f6f1f4f2a01"
#define BODY "{\n  \"id\": \"" ID "\"\n}\n"

struct limits {
	long connect_ms, request_ms, total_ms;
};

static const struct limits budget = {2000, 3000, 6000};
static const struct limits small = {200, 300, 2000};

static struct why why;
static char asked[65536];
static size_t n_asked;
static double took_s;

/* Sends the document as a build's end would. */
static int send_within(const struct post_target *target, const char *document, const struct limits *limits)
{
	struct interrupt interrupt;
	struct send_result result;
	interrupt_begin(&interrupt);
	struct send_budget within = {.connect_ms = limits->connect_ms,
				     .request_ms = limits->request_ms,
				     .deadline_ns = clock_mono_ns() + limits->total_ms * NS_PER_MS,
				     .tries = 2,
				     .interrupt_fd = interrupt.fd};
	int64_t start_ns = clock_mono_ns();
	why.text[0] = '\0';
	int error = send_document(target, document, &within, &result, &why);
	took_s = (double)(clock_mono_ns() - start_ns) / NS_PER_S;
	interrupt_end(&interrupt);
	return error;
}

static int send_document_to(const struct server_step *steps, size_t n, const struct limits *limits,
			    const char *document, const char *key, const char *value)
{
	struct server server;
	struct post_target target;
	char url[64];
	server_start(&server, steps, n);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/builds?key=secret", server.port);
	post_target_init(&target, url);
	if (key != NULL)
		assert_int_equal(post_target_set(&target, key, value, &why), 0);
	int error = send_within(&target, document, limits);
	n_asked = server_stop(&server, asked, sizeof asked);
	post_target_fini(&target);
	assert_null(strstr(why.text, "secret"));
	return error;
}

static int send_to_steps(const struct server_step *steps, size_t n, const struct limits *limits,
			 const char *token_file)
{
	return send_document_to(steps, n, limits, BODY, token_file != NULL ? "token-file" : NULL, token_file);
}

static int send_to_answer(const char *answer)
{
	struct server_step steps[] = {{SERVER_ANSWER, answer, 0}, {SERVER_ANSWER, answer, 0}};
	return send_to_steps(steps, 2, &budget, NULL);
}

static void good_request(void **state)
{
	(void)state;
	assert_int_equal(send_to_answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 0);
	assert_int_equal(n_asked, 1);
	assert_int_equal(strncmp(asked, "POST /builds?key=secret HTTP/1.1\r\n", 34), 0);
	assert_non_null(strstr(asked, "\r\nContent-Type: application/json\r\n"));
	assert_non_null(strstr(asked, "\r\nIdempotency-Key: " ID "\r\n"));
	assert_non_null(strstr(asked, "\r\nUser-Agent: buildtop/"));
	assert_null(strcasestr(asked, "\r\nExpect:"));
	assert_null(strcasestr(asked, "\r\nAuthorization:"));
	assert_non_null(strstr(asked, "\r\n\r\n" BODY));
	assert_int_equal(send_to_answer("HTTP/1.1 204 No Content\r\n\r\n"), 0);
}

static void refused_document(void **state)
{
	(void)state;
	const char *answer = "HTTP/1.1 422 No\r\nContent-Length: 12\r\n\r\ntoo \x1b[2J big";
	assert_int_equal(send_to_answer(answer), -EBADMSG);
	assert_int_equal(n_asked, 1);
	assert_non_null(strstr(why.text, "422"));
	assert_non_null(strstr(why.text, "too ?[2J big"));
}

/* With the episodes and then without, and no third time. */
static void too_large_is_made_smaller_once(void **state)
{
	(void)state;
	static const char document[] = "{\"id\":\"" ID "\",\"stalls\":{\"episodes\":[{\"cause\":\"read\"}],"
				       "\"episodes_dropped\":3}}";
	const char *no = "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n";
	const struct server_step refuse[] = {
		{SERVER_ANSWER, no, 0}, {SERVER_ANSWER, no, 0}, {SERVER_ANSWER, no, 0}};
	const struct server_step accept[] = {
		{SERVER_ANSWER, no, 0}, {SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0}};
	assert_int_equal(send_document_to(refuse, 3, &budget, document, NULL, NULL), -EBADMSG);
	assert_int_equal(n_asked, 2);
	assert_int_equal(send_document_to(accept, 2, &budget, document, NULL, NULL), 0);
	const char *second = strchr(asked, '\001');
	assert_non_null(strstr(asked, "\"cause\": \"read\""));
	assert_null(strstr(second, "\"cause\""));
	assert_non_null(strstr(second, "\"episodes_dropped\": 4"));
}

static void headers_carry_other_tokens(void **state)
{
	(void)state;
	const struct server_step steps[] = {
		{SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0}};
	const char *const ways[][2] = {{"token", "\r\nAuthorization: Token a:b\r\n"},
				       {"basic", "\r\nAuthorization: Basic YTpi\r\n"},
				       {"header:X-Api-Key", "\r\nX-Api-Key: a:b\r\n"}};
	for (size_t i = 0; i < 3; i++) {
		struct server server;
		struct post_target target;
		char url[64];
		server_start(&server, steps, 1);
		snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
		post_target_init(&target, url);
		target.token = strdup("a:b");
		assert_int_equal(post_target_set(&target, "auth", ways[i][0], &why), 0);
		assert_int_equal(send_within(&target, BODY, &budget), 0);
		server_stop(&server, asked, sizeof asked);
		assert_non_null(strstr(asked, ways[i][1]));
		post_target_fini(&target);
	}
}

/* A server error that says what is wrong with the document, for a format whose servers mean that by it. */
static void otlp_is_not_sent_again_after_500(void **state)
{
	(void)state;
	const struct server_step steps[] = {
		{SERVER_ANSWER, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", 0}};
	assert_int_equal(send_document_to(steps, 1, &budget, BODY, "format", "otlp"), -EIO);
	assert_int_equal(n_asked, 1);
}

static void a_part_taken_is_done(void **state)
{
	(void)state;
	const struct server_step influx[] = {{SERVER_ANSWER,
					      "HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n"
					      "partial write: field conflict",
					      0}};
	const struct server_step otlp[] = {{SERVER_ANSWER,
					    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
					    "{\"partialSuccess\":{\"rejectedDataPoints\":\"3\"}}  ",
					    0}};
	assert_int_equal(send_document_to(influx, 1, &budget, BODY, "format", "influx"), 0);
	assert_int_equal(send_document_to(otlp, 1, &budget, BODY, "format", "otlp"), 0);
}

static void missing_token(void **state)
{
	(void)state;
	assert_int_equal(send_to_answer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"), -EIO);
	assert_int_equal(n_asked, 1);
	assert_non_null(strstr(why.text, "--post-token-file"));
}

static void busy_server_is_asked_again(void **state)
{
	(void)state;
	const struct server_step steps[] = {
		{SERVER_ANSWER, "HTTP/1.1 429 Slow\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", 0},
		{SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0},
	};
	assert_int_equal(send_to_steps(steps, 2, &budget, NULL), 0);
	assert_int_equal(n_asked, 2);
	assert_true(took_s >= 1);
}

static void long_wait_is_not_waited(void **state)
{
	(void)state;
	const char *const answers[] = {
		"HTTP/1.1 503 Down\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 503 Down\r\nRetry-After: 99999999999\r\nContent-Length: 0\r\n\r\n",
	};
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(send_to_answer(answers[i]), -EAGAIN);
		assert_int_equal(n_asked, 1);
		assert_true(took_s < 3);
		assert_non_null(strstr(why.text, "503"));
	}
}

static void failing_server_is_tried_twice(void **state)
{
	(void)state;
	assert_int_equal(send_to_answer("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"), -EAGAIN);
	assert_int_equal(n_asked, 2);
}

static void redirects_are_told(void **state)
{
	(void)state;
	const char *answer =
		"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/other\r\nContent-Length: 0\r\n\r\n";
	assert_int_equal(send_to_answer(answer), -EIO);
	assert_int_equal(n_asked, 1);
	assert_non_null(strstr(why.text, "redirected to http://127.0.0.1:1/other; set --post to that URL"));
}

static void silence_ends_with_the_budget(void **state)
{
	(void)state;
	const struct server_step hang[] = {{SERVER_HANG, NULL, 0}, {SERVER_HANG, NULL, 0}};
	const struct server_step drip[] = {{SERVER_DRIP, NULL, 0}, {SERVER_DRIP, NULL, 0}};
	assert_int_equal(send_to_steps(hang, 2, &small, NULL), -EAGAIN);
	assert_true(took_s < 3);
	assert_int_equal(send_to_steps(drip, 2, &small, NULL), -EAGAIN);
	assert_true(took_s < 3);
}

static void long_answers_are_cut_off(void **state)
{
	(void)state;
	const struct server_step steps[] = {
		{SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n", 200000}};
	assert_int_equal(send_to_steps(steps, 1, &budget, NULL), 0);
}

static void interrupt_ends_it_at_once(void **state)
{
	(void)state;
	const struct server_step steps[] = {{SERVER_INTERRUPT, NULL, 0}};
	assert_int_equal(send_to_steps(steps, 1, &budget, NULL), -EINTR);
	assert_true(took_s < 2);
	sigset_t pending;
	sigpending(&pending);
	assert_false(sigismember(&pending, SIGINT));
}

static void nobody_listens(void **state)
{
	(void)state;
	struct server server;
	char url[64];
	server_start(&server, NULL, 0);
	server_stop(&server, asked, sizeof asked);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
	struct post_target target;
	post_target_init(&target, url);
	assert_int_equal(send_within(&target, BODY, &small), -EAGAIN);
	post_target_fini(&target);
	assert_non_null(strstr(why.text, "could not post to 127.0.0.1:"));
}

/* Tokens and addresses */

static char token_path[] = "/tmp/buildtop-token.XXXXXX";

static void write_token(const char *text, mode_t mode)
{
	int fd = open(token_path, O_WRONLY | O_TRUNC | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static int check(const char *url, const char *token_file)
{
	struct post_target target;
	post_target_init(&target, url);
	if (token_file != NULL)
		post_target_set(&target, "token-file", token_file, &why);
	why.text[0] = '\0';
	int error = post_check(&target, &why);
	post_target_fini(&target);
	return error;
}

static void token_is_sent(void **state)
{
	(void)state;
	const struct server_step steps[] = {
		{SERVER_ANSWER, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0}};
	write_token("t0ken\n", 0600);
	assert_int_equal(check("http://localhost/", token_path), 0);
	assert_int_equal(send_to_steps(steps, 1, &budget, token_path), 0);
	assert_non_null(strstr(asked, "\r\nAuthorization: Bearer t0ken\r\n"));
}

static void bad_token_files_are_refused(void **state)
{
	(void)state;
	const char *const wrong[] = {"", "\n", "a\r\n", "a\nX-Evil: 1\n", "a b"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_token(wrong[i], 0600);
		assert_true(check("https://h/", token_path) < 0);
		assert_null(strstr(why.text, "Evil"));
	}
	write_token("t0ken\n", 0640);
	assert_true(check("https://h/", token_path) < 0);
	assert_non_null(strstr(why.text, "chmod 600"));
	assert_true(check("https://h/", "/nosuch") < 0);
	assert_true(check("https://h/", "/dev/null") < 0);
}

static void addresses_are_checked(void **state)
{
	(void)state;
	write_token("t0ken\n", 0600);
	assert_int_equal(check("https://h.example/x", token_path), 0);
	assert_int_equal(check("http://h.example/x", NULL), 0);
	assert_int_equal(check("http://127.1.2.3:8/x", token_path), 0);
	assert_int_equal(check("http://[::1]:8/x", token_path), 0);
	assert_true(check("http://h.example/x", token_path) < 0);
	assert_non_null(strstr(why.text, "in the clear"));
	assert_true(check("http://127.0.0.1.evil.example/", token_path) < 0);
	assert_true(check("https://user:pass@h.example/x", NULL) < 0);
	assert_null(strstr(why.text, "pass@"));
	assert_non_null(strstr(why.text, "--post-token-file"));
	const char *const wrong[] = {"ftp://h/", "file:///etc/passwd", "h.example/x", "",
				     "http://",	 "gopher://h/"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_true(check(wrong[i], NULL) < 0);
}

static int make_token_file(void **state)
{
	(void)state;
	int fd = mkstemp(token_path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_token_file(void **state)
{
	(void)state;
	return unlink(token_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_request),
		cmocka_unit_test(refused_document),
		cmocka_unit_test(too_large_is_made_smaller_once),
		cmocka_unit_test(headers_carry_other_tokens),
		cmocka_unit_test(otlp_is_not_sent_again_after_500),
		cmocka_unit_test(a_part_taken_is_done),
		cmocka_unit_test(missing_token),
		cmocka_unit_test(busy_server_is_asked_again),
		cmocka_unit_test(long_wait_is_not_waited),
		cmocka_unit_test(failing_server_is_tried_twice),
		cmocka_unit_test(redirects_are_told),
		cmocka_unit_test(silence_ends_with_the_budget),
		cmocka_unit_test(long_answers_are_cut_off),
		cmocka_unit_test(interrupt_ends_it_at_once),
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(token_is_sent),
		cmocka_unit_test(bad_token_files_are_refused),
		cmocka_unit_test(addresses_are_checked),
	};
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	return cmocka_run_group_tests(tests, make_token_file, remove_token_file);
}
