/* SPDX-License-Identifier: MIT
 *
 * Where to: the URL, and the token that proves who sends.
 */
#ifndef POST_TARGET_H
#define POST_TARGET_H

#include "base/buf.h"
#include "post/post.h"

/* "influx.example:8086": what may be told of a URL (path and query may hold secrets). free() it; never NULL.
 */
char *target_host(const char *url);
/* The token, from its file or the environment; empty: none. 0 or -errno. Wipe it with target_wipe_token(). */
int target_read_token(const struct post_target *target, struct buf *token, struct why *why);
void target_wipe_token(struct buf *token);

#endif
