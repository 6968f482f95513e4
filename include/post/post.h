/* SPDX-License-Identifier: MIT
 *
 * Sends the summary document to results servers. A build of buildtop without libcurl has all of this and says so.
 */
#ifndef POST_POST_H
#define POST_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"
#include "model/summary.h"

struct post_target {
	const char *url;        /* http or https; no user, no password in it */
	const char *token_file; /* NULL: none; its last newline is stripped */
	const char *cacert;     /* NULL: the system's */
	bool insecure;
};

/* "libcurl/7.88.1 …", or NULL: built without. */
const char *post_library(void);
/* Is it a target that can be sent to (scheme, no secret in the URL, token file private)? 0 or -errno with why. */
int post_check(const struct post_target *target, struct why *why);
/*
 * Sends within the budget: 3 s to connect, 10 s a request, 2 tries, 15 s in all; SIGINT, SIGTERM and SIGHUP end it at once.
 * 0, or -errno with why: -EBADMSG the server refuses this document for good, -EINTR told to stop, all else: it may be sent
 * later. Main thread only, while there is no other.
 */
int post_send(const struct post_target *target, const struct summary *summary, struct why *why);

#endif
