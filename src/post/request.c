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

#include <curl/curl.h>

#include "base/text.h"
#include "target.h"

#define ANSWER_BYTES_MAX (64 * 1024)
#define ANSWER_SHOWN	 160

struct answer {
	size_t len; /* of all that came */
	char start[ANSWER_SHOWN];
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
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_options(CURL *curl, const struct request *request)
{
	const struct post_target *target = request->target;
	set_protocols(curl);
	curl_easy_setopt(curl, CURLOPT_URL, target->url);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->len);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, PACKAGE_NAME "/" PACKAGE_VERSION);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, request->connect_ms);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, request->timeout_ms);
	curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (target->cacert != NULL)
		curl_easy_setopt(curl, CURLOPT_CAINFO, target->cacert);
	if (target->insecure) {
		curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (request->token != NULL) {
		curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, request->token);
	}
}

static struct curl_slist *make_headers(const struct request *request)
{
	char key[128];
	snprintf(key, sizeof key, "Idempotency-Key: %s", request->id);
	struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
	headers = curl_slist_append(headers, key);
	return curl_slist_append(headers, "Expect:"); /* else a second's wait where it is not known */
}

/* Runs the transfer; false: told to stop. */
static bool perform(CURLM *multi, int interrupt_fd, CURLcode *code)
{
	for (;;) {
		int running = 0, left;
		CURLMcode error = curl_multi_perform(multi, &running);
		CURLMsg *message = curl_multi_info_read(multi, &left);
		if (message != NULL && message->msg == CURLMSG_DONE) {
			*code = message->data.result;
			return true;
		}
		struct curl_waitfd interrupt = {.fd = interrupt_fd, .events = CURL_WAIT_POLLIN};
		if (error == CURLM_OK)
			error = curl_multi_poll(multi, &interrupt, 1, 1000, NULL);
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
	conclude(result, outcome, host, detail[0] != '\0' ? detail : curl_easy_strerror(code));
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
	char text[600], start[ANSWER_SHOWN * 2];
	char *redirect = NULL;
	size_t shown = answer->len < sizeof answer->start ? answer->len : sizeof answer->start;
	text_clean(start, sizeof start, answer->start, shown);
	curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
	enum request_outcome outcome = status_outcome(status);
	if (redirect != NULL)
		snprintf(text, sizeof text, "redirected to %s; set --post to that URL", redirect);
	else if (outcome == REQUEST_REJECTED)
		snprintf(text, sizeof text, "it refuses the document (%ld)%s%s", status,
			 shown > 0 ? ": " : "", start);
	else if (status == 401 || status == 403 || status == 407)
		snprintf(text, sizeof text, "it wants a valid token (%ld); see --post-token-file", status);
	else
		snprintf(text, sizeof text, "it answered %ld", status);
	conclude(result, outcome, host, text);
	curl_off_t retry_after = 0;
	curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after);
	if (retry_after > 0)
		result->retry_after_ms = retry_after < 600 ? (long)retry_after * 1000 : 600 * 1000;
}

static void run(CURL *curl, CURLM *multi, const struct request *request, const char *host,
		struct request_result *result)
{
	struct answer answer = {0};
	char detail[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = make_headers(request);
	set_options(curl, request);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
	curl_multi_add_handle(multi, curl);
	CURLcode code = CURLE_OK;
	long status = 0;
	if (!perform(multi, request->interrupt_fd, &code)) {
		conclude(result, REQUEST_INTERRUPTED, host, "interrupted");
	} else {
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
		/* an answer longer than we care to read is still an answer */
		if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && status > 0))
			judge_status(result, curl, status, host, &answer);
		else
			judge_failure(result, code, host, detail);
	}
	curl_multi_remove_handle(multi, curl);
	curl_slist_free_all(headers);
}

void request_send(const struct request *request, struct request_result *result)
{
	*result = (struct request_result){.outcome = REQUEST_KEEP};
	char *host = target_host(request->target->url);
	CURL *curl = curl_easy_init();
	CURLM *multi = curl_multi_init();
	if (curl != NULL && multi != NULL)
		run(curl, multi, request, host, result);
	else
		conclude(result, REQUEST_KEEP, host, "libcurl could not be started");
	curl_easy_cleanup(curl);
	curl_multi_cleanup(multi);
	free(host);
}
