/* SPDX-License-Identifier: MIT
 *
 * One document to one target, and what becomes of it in the spool.
 */
#ifndef POST_DELIVER_H
#define POST_DELIVER_H

#include "history/history.h"
#include "post/post.h"
#include "send.h"

struct delivery {
	struct history *history;	   /* NULL: none */
	const struct post_target *targets; /* that are known by now */
	size_t n;
	const char *token; /* for those that are not; NULL: none */
	struct send_budget budget;
	struct post_tally *tally;
};

/* As send_document(). attempts: of before. */
int deliver(struct delivery *delivery, const struct post_target *target, const char *id, const char *document,
	    unsigned attempts);

#endif
