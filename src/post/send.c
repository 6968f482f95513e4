/* SPDX-License-Identifier: MIT
 *
 * Tries within a budget. A build's end must not wait for a server that is down, so the budget is small and
 * nothing outlives it. A document that is too large is made smaller once; a 500 is tried again only where it
 * may pass. Any thread that has the time.
 */
#include "send.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "interrupt.h"
#include "request.h"
#include "target.h"

/* Before another try: half a second to one, so that builds that ended together do not come back together. */
static long pause_ms(const struct request_result *result)
{
	long jitter_ms = 500 + (long)(clock_mono_ns() / NS_PER_US % 500);
	return result->retry_after_ms > jitter_ms ? result->retry_after_ms : jitter_ms;
}

static long left_ms(const struct send_budget *budget)
{
	return (long)((budget->deadline_ns - clock_mono_ns()) / NS_PER_MS);
}

static long request_limit_ms(const struct post_target *target, const struct send_budget *budget)
{
	double seconds;
	if (target->timeout != NULL && units_parse_number(target->timeout, &seconds))
		return (long)(seconds * 1000);
	return budget->request_ms;
}

static long request_ms(const struct post_target *target, const struct send_budget *budget)
{
	long limit = request_limit_ms(target, budget), left = left_ms(budget);
	long ms = limit < left ? limit : left;
	return ms > 0 ? ms : 1;
}

static void send_within(struct request *request, const struct send_budget *budget,
			struct request_result *result)
{
	const struct post_format *format = format_of(request->target);
	for (int try = 1;; try++) {
		request->timeout_ms = request_ms(request->target, budget);
		request_send(request, result);
		if (result->status == 500 && !format->retries_500)
			result->outcome = REQUEST_KEEP;
		if (result->outcome != REQUEST_RETRY || try == budget->tries)
			return;
		long wait_ms = pause_ms(result);
		/* one that took all of its time is not given the time of the next server as well */
		if (wait_ms + request_limit_ms(request->target, budget) > left_ms(budget))
			return;
		if (!interrupt_rest(budget->interrupt_fd, wait_ms)) {
			result->outcome = REQUEST_INTERRUPTED;
			return;
		}
	}
}

static int outcome_error(enum request_outcome outcome)
{
	switch (outcome) {
	case REQUEST_OK:
		return 0;
	case REQUEST_RETRY:
		return -EAGAIN;
	case REQUEST_TOO_LARGE:
		return -EFBIG;
	case REQUEST_REJECTED:
		return -EBADMSG;
	case REQUEST_INTERRUPTED:
		return -EINTR;
	case REQUEST_KEEP:
		break;
	}
	return -EIO;
}

static int send_part(struct request *request, const struct send_budget *budget, struct send_result *result,
		     struct why *why)
{
	struct request_result got = {.outcome = REQUEST_KEEP};
	const struct post_format *format = format_of(request->target);
	send_within(request, budget, &got);
	result->status = got.status;
	result->retry_after_ms = got.retry_after_ms;
	snprintf(result->answer, sizeof result->answer, "%s", got.answer);
	const char *warning = format->warning != NULL ? format->warning(got.status, got.answer) : NULL;
	if (warning != NULL) {
		char *host = target_host(request->target->url);
		why_set(&result->warning, 0, "posted to %s, but %s: %.200s", host, warning, got.answer);
		free(host);
		return 0;
	}
	int error = outcome_error(got.outcome);
	return error == 0 ? 0 : why_set(why, error, "%s", got.why.text);
}

int send_letter(const struct post_target *target, const struct letter *letter,
		const struct send_budget *budget, struct send_result *result, struct why *why)
{
	struct buf token = {0};
	*result = (struct send_result){0};
	int error = target_read_token(target, &token, why);
	for (size_t i = 0; error == 0 && i < letter->n_parts; i++) {
		struct request request = {
			.target = target,
			.part = &letter->parts[i],
			.token = &token,
			.id = letter->id,
			.connect_ms = budget->connect_ms,
			.interrupt_fd = budget->interrupt_fd,
		};
		error = send_part(&request, budget, result, why);
	}
	target_wipe_token(&token);
	return error;
}

int send_document(const struct post_target *target, const char *document, const struct send_budget *budget,
		  struct send_result *result, struct why *why)
{
	struct letter letter;
	int error = 0;
	*result = (struct send_result){0};
	for (int small = 0; small < 2; small++) {
		error = format_write(&letter, target, document, small, why);
		if (error < 0)
			return error;
		error = send_letter(target, &letter, budget, result, why);
		letter_fini(&letter);
		if (error != -EFBIG)
			return error;
	}
	return -EBADMSG;
}
