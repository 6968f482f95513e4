/* SPDX-License-Identifier: MIT
 *
 * Sends one document within a budget of time. Apart from post.h so that a test need not wait for the real
 * budget.
 */
#ifndef POST_SEND_H
#define POST_SEND_H

#include <stddef.h>

#include "post/post.h"

struct send_budget {
	long connect_ms;
	long request_ms;
	long total_ms;
	int tries;
};

/* As post_send(). id: the document's, so that a server can tell a repetition. */
int send_document(const struct post_target *target, const char *id, const char *body, size_t len,
		  const struct send_budget *budget, struct why *why);

#endif
