/* SPDX-License-Identifier: MIT
 *
 * Tries within a budget. A build's end must not wait for a server that is down, so the budget is small and
 * nothing outlives it; whoever presses Ctrl-C here wants the prompt back and not the build's status changed,
 * so the signals are taken from a descriptor meanwhile and end the sending only. Main thread, while there is
 * no other.
 */
#include "send.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/clock.h"
#include "base/fd.h"
#include "request.h"
#include "target.h"

struct interrupt {
	sigset_t before;
	int fd; /* -1: none to be had; then there is only the budget */
};

static void interrupt_begin(struct interrupt *interrupt)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &interrupt->before);
	interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (interrupt->fd >= 0)
		interrupt->fd = fd_raise(interrupt->fd);
}

static void interrupt_end(struct interrupt *interrupt)
{
	struct signalfd_siginfo taken;
	if (interrupt->fd >= 0) {
		while (read(interrupt->fd, &taken, sizeof taken) > 0)
			; /* they were for the sending */
		close(interrupt->fd);
	}
	sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}

/* Waits; false: told to stop. */
static bool rest(const struct interrupt *interrupt, long ms)
{
	struct pollfd wait = {.fd = interrupt->fd, .events = POLLIN};
	return poll(&wait, 1, (int)ms) == 0;
}

/* Before another try: half a second to one, so that builds that ended together do not come back together. */
static long pause_ms(const struct request_result *result)
{
	long jitter_ms = 500 + (long)(clock_mono_ns() / NS_PER_US % 500);
	return result->retry_after_ms > jitter_ms ? result->retry_after_ms : jitter_ms;
}

static void send_within(struct request *request, const struct send_budget *budget,
			const struct interrupt *interrupt, struct request_result *result)
{
	int64_t deadline_ns = clock_mono_ns() + budget->total_ms * NS_PER_MS;
	for (int try = 1;; try++) {
		long left_ms = (long)((deadline_ns - clock_mono_ns()) / NS_PER_MS);
		request->timeout_ms = budget->request_ms < left_ms ? budget->request_ms : left_ms;
		request_send(request, result);
		if (result->outcome != REQUEST_RETRY || try == budget->tries)
			return;
		long wait_ms = pause_ms(result);
		left_ms = (long)((deadline_ns - clock_mono_ns()) / NS_PER_MS);
		if (wait_ms + 200 > left_ms)
			return;
		if (!rest(interrupt, wait_ms)) {
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
	case REQUEST_REJECTED:
		return -EBADMSG;
	case REQUEST_INTERRUPTED:
		return -EINTR;
	case REQUEST_KEEP:
		break;
	}
	return -EIO;
}

int send_document(const struct post_target *target, const char *id, const char *body, size_t len,
		  const struct send_budget *budget, struct why *why)
{
	struct buf token = {0};
	int error = target->token_file != NULL ? target_read_token(target->token_file, &token, why) : 0;
	if (error < 0)
		return error;
	struct interrupt interrupt;
	interrupt_begin(&interrupt);
	struct request request = {
		.target = target,
		.token = token.data,
		.id = id,
		.body = body,
		.len = len,
		.connect_ms = budget->connect_ms,
		.interrupt_fd = interrupt.fd,
	};
	struct request_result result = {.outcome = REQUEST_KEEP};
	curl_global_init(CURL_GLOBAL_DEFAULT);
	send_within(&request, budget, &interrupt, &result);
	curl_global_cleanup();
	interrupt_end(&interrupt);
	target_wipe_token(&token);
	error = outcome_error(result.outcome);
	return error == 0 ? 0 : why_set(why, error, "%s", result.why.text);
}
