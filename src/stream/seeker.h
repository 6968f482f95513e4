/* SPDX-License-Identifier: MIT
 *
 * The seeker: what is to be watched, found while it comes: by command line, by control group, or all there
 * is.
 */
#ifndef STREAM_SEEKER_H
#define STREAM_SEEKER_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/probe.h"
#include "stream/session.h"

struct seeker;

struct seeker *seeker_new(const struct session_seek *seek);
/* Its thread; 0 or -errno. Waits for the first round, a moment at most: what is there before the base line was
 * taken counts from then on. */
int seeker_start(struct seeker *seeker);
/* Hands what was found to the probe, without waiting: the sampler's thread. NULL is fine. */
void seeker_feed(struct seeker *seeker, struct probe *probe);
/* True as long as more is to be expected although nothing that was found is alive. False for NULL. */
bool seeker_expects(const struct seeker *seeker);
/* False: it hangs and was left behind, and stays. True for NULL. */
bool seeker_stop(struct seeker *seeker);
void seeker_free(struct seeker *seeker);

#endif
