/* SPDX-License-Identifier: MIT
 *
 * A bounded queue of 64-bit words between one producer thread and one consumer thread, without a lock.
 * Neither side ever waits: a full ring refuses, an empty one has nothing. The capacity is a power of two.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;

struct ring *ring_new(size_t capacity); /* rounded up to a power of two */
void ring_free(struct ring *ring);      /* what is still in it is the caller's to take out first */
bool ring_push(struct ring *ring, uint64_t word);  /* producer only; false: full */
bool ring_pop(struct ring *ring, uint64_t *word);  /* consumer only; false: empty */
size_t ring_count(const struct ring *ring);        /* a moment's count, for either side */

#endif
