/* SPDX-License-Identifier: MIT
 *
 * One HTTP request, and what its outcome means for the document.
 */
#ifndef POST_REQUEST_H
#define POST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>

#include "format.h"
#include "post/post.h"

struct request {
	const struct post_target *target;
	const struct letter_part *part;
	const struct buf *token; /* empty: none */
	const char *id;
	long connect_ms;
	long timeout_ms;
	int interrupt_fd; /* gives up when it becomes readable */
};

enum request_outcome {
	REQUEST_OK,
	REQUEST_RETRY,	   /* may work in a moment */
	REQUEST_KEEP,	   /* will not work until a person changes something */
	REQUEST_TOO_LARGE, /* a smaller one may do */
	REQUEST_REJECTED,  /* the server does not want this document */
	REQUEST_INTERRUPTED,
};

#define REQUEST_ANSWER_SHOWN 512

struct request_result {
	enum request_outcome outcome;
	long status;			   /* of HTTP; 0: none came */
	long retry_after_ms;		   /* asked for by the server; 0: nothing asked */
	char answer[REQUEST_ANSWER_SHOWN]; /* its beginning, clean */
	struct why why;			   /* unless OK */
};

void request_send(const struct request *request, struct request_result *result);
/* All settings of an easy handle for a request, for whoever drives it himself; free the headers afterwards.
 */
struct curl_slist *request_prepare(CURL *curl, const struct request *request, struct buf *zipped);

#endif
