/* SPDX-License-Identifier: MIT
 *
 * Sends one document within a budget of time.
 */
#ifndef POST_SEND_H
#define POST_SEND_H

#include <stddef.h>
#include <stdint.h>

#include "format.h"
#include "post/post.h"

struct send_budget {
	long connect_ms;
	long request_ms;
	int64_t deadline_ns; /* CLOCK_MONOTONIC: of all of it */
	int tries;
	int interrupt_fd; /* -1: none */
};

struct send_result {
	long status;	     /* of HTTP; 0: none */
	long retry_after_ms; /* 0: not asked for */
	char answer[512];
	struct why warning; /* "": none */
};

/*
 * 0, or -errno with why: -EBADMSG the server refuses this document for good, -EINTR told to stop, -EAGAIN it
 * may work in a moment, all else: not before somebody changes something.
 */
int send_document(const struct post_target *target, const char *document, const struct send_budget *budget,
		  struct send_result *result, struct why *why);
int send_letter(const struct post_target *target, const struct letter *letter,
		const struct send_budget *budget, struct send_result *result, struct why *why);

#endif
