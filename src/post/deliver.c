/* SPDX-License-Identifier: MIT
 *
 * The end of a build: its own document first, then some of what waits. The document is in the history before
 * it is sent and its line in the spool goes only after the server has said yes, so whatever dies in between,
 * it is sent at least once; and since the same document gives the same bytes, twice is as good as once. Main
 * thread.
 */
#include "deliver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/log.h"
#include "figures.h"
#include "interrupt.h"
#include "libcurl.h"
#include "spool.h"

#define CONNECT_MS   3000
#define REQUEST_MS   10000
#define TOTAL_MS     14500 /* of the 15 s; the rest is for what stands around it */
#define TRIES	     2
#define TRIES_OF_500 3
#define BACKOFF_MAX  900 /* seconds */

/* Full jitter: builds that failed together come back at different times. */
static int64_t next_try_us(unsigned attempts, long retry_after_ms)
{
	int64_t limit_s = attempts < 10 ? INT64_C(1) << (attempts + 1) : BACKOFF_MAX;
	int64_t wait_us =
		1000000 + clock_mono_ns() % (limit_s < BACKOFF_MAX ? limit_s : BACKOFF_MAX) * 1000000;
	int64_t asked_us = (int64_t)retry_after_ms * 1000;
	return clock_wall_ns() / NS_PER_US + (asked_us > wait_us ? asked_us : wait_us);
}

static void tell(const struct delivery *delivery, const struct why *why, bool rejected)
{
	if (rejected)
		log_say("%s; it is not sent again by itself, see: buildtop post --status", why->text);
	else if (delivery->history != NULL)
		log_say("%s; kept, resend with: buildtop post", why->text);
	else
		log_say("%s", why->text);
}

int deliver(struct delivery *delivery, const struct post_target *target, const char *id, const char *document,
	    unsigned attempts)
{
	struct send_result result;
	struct why why;
	int error = post_check(target, &why);
	if (target->insecure != NULL)
		log_say("--post-insecure: the certificate of the results server is not checked");
	if (error == 0)
		error = send_document(target, document, &delivery->budget, &result, &why);
	else
		result = (struct send_result){0};
	if (error == 0) {
		delivery->tally->sent++;
		if (result.warning.text[0] != '\0')
			log_say("%s", result.warning.text);
		if (delivery->history != NULL) {
			history_posted(delivery->history, id, target->name);
			if (format_of(target)->newest_only)
				history_posted_newest(delivery->history, id, target->name);
		}
		return 0;
	}
	bool rejected = error == -EBADMSG || (result.status == 500 && attempts + 1 >= TRIES_OF_500);
	if (delivery->history != NULL)
		history_post_failed(delivery->history, id, target->name,
				    next_try_us(attempts, result.retry_after_ms), (int)result.status,
				    result.answer[0] != '\0' ? result.answer : why.text, rejected);
	*(rejected ? &delivery->tally->rejected : &delivery->tally->kept) += 1;
	tell(delivery, &why, rejected);
	return rejected ? -EBADMSG : error;
}

static void document_id(char out[UUID_SIZE], const char *text)
{
	json_t *document = json_loads(text, 0, NULL);
	strncpy(out, document_string(document, "id"), UUID_SIZE - 1);
	out[UUID_SIZE - 1] = '\0';
	json_decref(document);
}

struct delivery delivery_begin(struct history *history, const struct post_target *targets, size_t n,
			       struct interrupt *interrupt, struct post_tally *tally)
{
	*tally = (struct post_tally){0};
	if (libcurl_load(NULL) == 0) /* else post_check() says why */
		libcurl.global_init(CURL_GLOBAL_DEFAULT);
	interrupt_begin(interrupt);
	return (struct delivery){
		.history = history,
		.targets = targets,
		.n = n,
		.tally = tally,
		.budget = {.connect_ms = CONNECT_MS,
			   .request_ms = REQUEST_MS,
			   .deadline_ns = clock_mono_ns() + TOTAL_MS * NS_PER_MS,
			   .tries = TRIES,
			   .interrupt_fd = interrupt->fd},
	};
}

void delivery_end(struct interrupt *interrupt)
{
	interrupt_end(interrupt);
	if (libcurl_load(NULL) == 0)
		libcurl.global_cleanup();
}

unsigned post_deliver(struct history *history, const char *document, const struct post_target *targets,
		      size_t n, struct post_tally *tally)
{
	struct interrupt interrupt;
	char id[UUID_SIZE];
	int error = 0;
	struct delivery delivery = delivery_begin(history, targets, n, &interrupt, tally);
	document_id(id, document);
	for (size_t i = 0; i < n && error != -EINTR; i++)
		error = deliver(&delivery, &targets[i], id, document, 0);
	unsigned missed = (unsigned)n - tally->sent;
	if (history != NULL && tally->kept == 0 && error != -EINTR)
		spool_some(&delivery);
	delivery_end(&interrupt);
	return missed;
}
