/* SPDX-License-Identifier: MIT
 *
 * A tape: the newest bytes of an endless stream, written by one thread, read by any number, each at its own
 * position. The writer never waits and never loses the newest; a reader that falls behind loses the oldest and is
 * told how many. Positions count bytes since the start. Reads are checked after the copy, so that bytes the
 * writer was overwriting are never handed out.
 */
#ifndef BASE_TAPE_H
#define BASE_TAPE_H

#include <stddef.h>
#include <stdint.h>

struct tape;

struct tape *tape_new(size_t capacity); /* bytes, rounded up to a power of two */
void tape_free(struct tape *tape);
void tape_write(struct tape *tape, const void *bytes, size_t len);
uint64_t tape_end(const struct tape *tape); /* position behind the newest byte */

/* Copies up to cap bytes from *position on, advances it, adds to *lost the bytes that had gone. 0: nothing new. */
size_t tape_read(const struct tape *tape, uint64_t *position, void *out, size_t cap, uint64_t *lost);

#endif
