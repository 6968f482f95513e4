/* SPDX-License-Identifier: MIT
 *
 * Sending of what waits.
 */
#ifndef POST_SPOOL_H
#define POST_SPOOL_H

#include "deliver.h"
#include "interrupt.h"

/* A few that are due for the targets of the build that has ended: nothing at all if another process is at it.
 */
void spool_some(struct delivery *delivery);

struct delivery delivery_begin(struct history *history, const struct post_target *targets, size_t n,
			       struct interrupt *interrupt, struct post_tally *tally);
void delivery_end(struct interrupt *interrupt);

#endif
