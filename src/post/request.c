/* SPDX-License-Identifier: MIT
 *
 * One POST by libcurl, and the rules of what an answer means. Redirects are never followed: one turns the
 * POST into a GET and reports a false success, another carries our headers to a stranger. The answer is read
 * up to a limit and believed in nothing but its status. A multi handle is used for one request only so that a
 * signal ends the wait at once.
 */
#include "request.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gzip.h"
#include "libcurl.h"
#include "target.h"

#define ANSWER_BYTES_MAX (64 * 1024)
#define GZIP_BYTES_MIN	 1024

struct answer {
	size_t len; /* of all that came */
	char start[REQUEST_ANSWER_SHOWN];
};

static size_t take_answer(char *bytes, size_t size, size_t count, void *self)
{
	struct answer *answer = self;
	size_t len = size * count;
	if (answer->len < sizeof answer->start) {
		size_t room = sizeof answer->start - answer->len;
		memcpy(answer->start + answer->len, bytes, len < room ? len : room);
	}
	answer->len += len;
	return answer->len > ANSWER_BYTES_MAX ? 0 : len;
}

static void set_protocols(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	libcurl.easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	libcurl.easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
	libcurl.easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	libcurl.easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_tls(CURL *curl, const struct post_target *target)
{
	libcurl.easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (target->cacert != NULL)
		libcurl.easy_setopt(curl, CURLOPT_CAINFO, target->cacert);
	if (target->cert != NULL)
		libcurl.easy_setopt(curl, CURLOPT_SSLCERT, target->cert);
	if (target->key != NULL)
		libcurl.easy_setopt(curl, CURLOPT_SSLKEY, target->key);
	if (target->insecure != NULL) {
		libcurl.easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
		libcurl.easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
	}
}

/* Gives the name of the header that carries the token, or NULL: libcurl makes it. */
static const char *set_auth(CURL *curl, const struct request *request)
{
	const struct post_target *target = request->target;
	const char *usual = strstr(target->name, "/api/v2/write") != NULL ? "token" : "bearer";
	const char *auth = target->auth != NULL ? target->auth : usual;
	if (target->netrc != NULL) {
		libcurl.easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
		if (target->netrc[0] != '\0')
			libcurl.easy_setopt(curl, CURLOPT_NETRC_FILE, target->netrc);
	}
	if (request->token == NULL || request->token->len == 0)
		return NULL;
	if (strcmp(auth, "bearer") == 0) {
		libcurl.easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		libcurl.easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, request->token->data);
	} else if (strcmp(auth, "basic") == 0) {
		libcurl.easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		libcurl.easy_setopt(curl, CURLOPT_USERPWD, request->token->data);
	} else {
		return strcmp(auth, "token") == 0 ? "Authorization: Token" : auth + strlen("header:");
	}
	return NULL;
}

static void set_options(CURL *curl, const struct request *request)
{
	set_protocols(curl);
	libcurl.easy_setopt(curl, CURLOPT_URL, request->part->url.data);
	libcurl.easy_setopt(curl, CURLOPT_POST, 1L);
	libcurl.easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->part->method);
	libcurl.easy_setopt(curl, CURLOPT_USERAGENT, PACKAGE_NAME "/" PACKAGE_VERSION);
	libcurl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	libcurl.easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	libcurl.easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, request->connect_ms);
	libcurl.easy_setopt(curl, CURLOPT_TIMEOUT_MS, request->timeout_ms);
#if LIBCURL_VERSION_NUM >= 0x075700
	libcurl.easy_setopt(curl, CURLOPT_QUICK_EXIT,
			    1L); /* a name server that is silent is not waited for */
#endif
	set_tls(curl, request->target);
}

static struct curl_slist *add_header(struct curl_slist *headers, const char *name, const char *value)
{
	struct buf line = {0};
	bool has_colon = strchr(name, ':') != NULL;
	buf_add_format(&line, "%s%s %s", name, has_colon ? "" : ":", value);
	headers = libcurl.slist_append(headers, line.data);
	explicit_bzero(line.data, line.len);
	buf_fini(&line);
	return headers;
}

/* The body as it goes; true: compressed. */
static bool set_body(CURL *curl, const struct request *request, struct buf *zipped)
{
	const struct buf *body = &request->part->body;
	const char *wish = request->target->gzip;
	bool wanted = wish != NULL ? strcmp(wish, "yes") == 0 : !format_of(request->target)->plain;
	bool zips = wanted && body->len > GZIP_BYTES_MIN && gzip(zipped, body);
	const struct buf *goes = zips ? zipped : body;
	libcurl.easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)goes->len);
	libcurl.easy_setopt(curl, CURLOPT_POSTFIELDS, goes->data != NULL ? goes->data : "");
	return zips;
}

struct curl_slist *request_prepare(CURL *curl, const struct request *request, struct buf *zipped)
{
	set_options(curl, request);
	const char *name = set_auth(curl, request);
	struct curl_slist *headers = add_header(NULL, "Content-Type", request->part->content_type);
	if (set_body(curl, request, zipped))
		headers = add_header(headers, "Content-Encoding", "gzip");
	if (name != NULL)
		headers = add_header(headers, name, request->token->data);
	headers = add_header(headers, "Idempotency-Key", request->id);
	headers = libcurl.slist_append(headers, "Expect:"); /* else a second's wait where it is not known */
	libcurl.easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	return headers;
}

/* Runs the transfer; false: told to stop. */
static bool perform(CURLM *multi, int interrupt_fd, CURLcode *code)
{
	for (;;) {
		int running = 0, left;
		CURLMcode error = libcurl.multi_perform(multi, &running);
		CURLMsg *message = libcurl.multi_info_read(multi, &left);
		if (message != NULL && message->msg == CURLMSG_DONE) {
			*code = message->data.result;
			return true;
		}
		struct curl_waitfd interrupt = {.fd = interrupt_fd, .events = CURL_WAIT_POLLIN};
		if (error == CURLM_OK)
			error = libcurl.multi_poll(multi, &interrupt, 1, 1000, NULL);
		if (error != CURLM_OK) {
			*code = CURLE_FAILED_INIT;
			return true;
		}
		if (interrupt.revents != 0)
			return false;
	}
}

static void conclude(struct request_result *result, enum request_outcome outcome, const char *host,
		     const char *text)
{
	char clean[300];
	result->outcome = outcome;
	why_set(&result->why, 0, "could not post to %s: %s", host,
		text_clean_string(clean, sizeof clean, text));
}

static bool proxy_is_set(void)
{
	return getenv("http_proxy") != NULL || getenv("https_proxy") != NULL ||
	       getenv("HTTPS_PROXY") != NULL || getenv("all_proxy") != NULL || getenv("ALL_PROXY") != NULL;
}

static void judge_failure(struct request_result *result, CURLcode code, const char *host, const char *detail)
{
	static const CURLcode passing[] = {
		CURLE_COULDNT_RESOLVE_PROXY,
		CURLE_COULDNT_RESOLVE_HOST,
		CURLE_COULDNT_CONNECT,
		CURLE_OPERATION_TIMEDOUT,
		CURLE_SSL_CONNECT_ERROR,
		CURLE_GOT_NOTHING,
		CURLE_SEND_ERROR,
		CURLE_RECV_ERROR,
	};
	enum request_outcome outcome = REQUEST_KEEP;
	for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
		if (code == passing[i])
			outcome = REQUEST_RETRY;
	}
	char text[CURL_ERROR_SIZE + 60];
	bool reached_none = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_PROXY;
	snprintf(text, sizeof text, "%s%s", detail[0] != '\0' ? detail : libcurl.easy_strerror(code),
		 reached_none && proxy_is_set() ? " (a proxy is set in the environment)" : "");
	conclude(result, outcome, host, text);
}

static enum request_outcome status_outcome(long status)
{
	switch (status) {
	case 200:
	case 201:
	case 202:
	case 204:
		return REQUEST_OK;
	case 408:
	case 425:
	case 429:
	case 500:
	case 502:
	case 503:
	case 504:
		return REQUEST_RETRY;
	case 413:
		return REQUEST_TOO_LARGE;
	case 401:
	case 403:
	case 404:
	case 405:
	case 407:
		return REQUEST_KEEP;
	default:
		return status >= 400 && status < 500 ? REQUEST_REJECTED : REQUEST_KEEP;
	}
}

static void judge_status(struct request_result *result, CURL *curl, long status, const char *host,
			 const struct answer *answer)
{
	char text[600], start[160];
	char *redirect = NULL;
	size_t shown = answer->len < sizeof answer->start ? answer->len : sizeof answer->start;
	text_clean(result->answer, sizeof result->answer, answer->start, shown);
	snprintf(start, sizeof start, "%.150s", result->answer);
	libcurl.easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
	enum request_outcome outcome = status_outcome(status);
	if (redirect != NULL)
		snprintf(text, sizeof text, "redirected to %s; set --post to that URL", redirect);
	else if (outcome == REQUEST_REJECTED || outcome == REQUEST_TOO_LARGE)
		snprintf(text, sizeof text, "it refuses the document (%ld)%s%s", status,
			 shown > 0 ? ": " : "", start);
	else if (status == 401 || status == 403 || status == 407)
		snprintf(text, sizeof text, "it wants a valid token (%ld); see --post-token-file", status);
	else
		snprintf(text, sizeof text, "it answered %ld", status);
	conclude(result, outcome, host, text);
	curl_off_t retry_after = 0;
	libcurl.easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after);
	if (retry_after > 0)
		result->retry_after_ms = retry_after < 600 ? (long)retry_after * 1000 : 600 * 1000;
}

static void run(CURL *curl, CURLM *multi, const struct request *request, const char *host,
		struct request_result *result)
{
	struct answer answer = {0};
	char detail[CURL_ERROR_SIZE] = "";
	struct buf zipped = {0};
	struct curl_slist *headers = request_prepare(curl, request, &zipped);
	libcurl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
	libcurl.easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
	libcurl.easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
	libcurl.multi_add_handle(multi, curl);
	CURLcode code = CURLE_OK;
	long status = 0;
	if (!perform(multi, request->interrupt_fd, &code)) {
		conclude(result, REQUEST_INTERRUPTED, host, "interrupted");
	} else {
		libcurl.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
		result->status = status;
		/* an answer longer than we care to read is still an answer */
		if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && status > 0))
			judge_status(result, curl, status, host, &answer);
		else
			judge_failure(result, code, host, detail);
	}
	libcurl.multi_remove_handle(multi, curl);
	libcurl.slist_free_all(headers);
	buf_fini(&zipped);
}

void request_send(const struct request *request, struct request_result *result)
{
	*result = (struct request_result){.outcome = REQUEST_KEEP};
	if (libcurl_load(&result->why) < 0)
		return;
	char *host = target_host(request->target->url);
	CURL *curl = libcurl.easy_init();
	CURLM *multi = libcurl.multi_init();
	if (curl != NULL && multi != NULL)
		run(curl, multi, request, host, result);
	else
		conclude(result, REQUEST_KEEP, host, "libcurl could not be started");
	libcurl.easy_cleanup(curl);
	libcurl.multi_cleanup(multi);
	free(host);
}
