/* SPDX-License-Identifier: MIT
 *
 * The queue of ticks between the sampler's thread and one consumer's. Bounded and without a lock: when it is full the
 * tick is dropped and counted, and the consumer is told at its next take, so nothing is missing in silence.
 */
#ifndef MODEL_INBOX_H
#define MODEL_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tick.h"

struct inbox;

struct inbox *inbox_new(size_t capacity);
void inbox_free(struct inbox *inbox); /* lets go of what is still in it */

/* Producer: */
void inbox_put(struct inbox *inbox, struct tick *tick); /* takes a reference of its own */
void inbox_close(struct inbox *inbox);                  /* nothing follows */

/* Consumer: */
int inbox_fd(const struct inbox *inbox); /* readable when there is something to take, or it was closed; for poll() */
/* The next tick, one reference of yours; NULL: nothing now. *dropped (may be NULL) gets the ticks lost just before it. */
struct tick *inbox_take(struct inbox *inbox, uint64_t *dropped);
bool inbox_ended(const struct inbox *inbox); /* closed and empty */

#endif
