/* SPDX-License-Identifier: MIT
 *
 * One HTTP request, and what its outcome means for the document.
 */
#ifndef POST_REQUEST_H
#define POST_REQUEST_H

#include <stddef.h>

#include "post/post.h"

struct request {
	const struct post_target *target;
	const char *token; /* NULL: none */
	const char *id;
	const char *body;
	size_t len;
	long connect_ms;
	long timeout_ms;
	int interrupt_fd; /* gives up when it becomes readable */
};

enum request_outcome {
	REQUEST_OK,
	REQUEST_RETRY,	  /* may work in a moment */
	REQUEST_KEEP,	  /* will not work until a person changes something */
	REQUEST_REJECTED, /* the server does not want this document */
	REQUEST_INTERRUPTED,
};

struct request_result {
	enum request_outcome outcome;
	long retry_after_ms; /* asked for by the server; 0: nothing asked */
	struct why why;	     /* unless OK */
};

void request_send(const struct request *request, struct request_result *result);

#endif
