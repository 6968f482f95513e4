/* SPDX-License-Identifier: MIT
 *
 * Data frames: bytes in, zstd out, flushed whenever asked, so that what was flushed can be unpacked without
 * what follows.
 */
#ifndef STORE_PACKER_H
#define STORE_PACKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct packer;

struct packer *packer_new(void); /* NULL: zstd has no memory or not our parameters */
void packer_free(struct packer *packer);
/* Packs and flushes into out; with `last` the frame ends there and the next bytes begin another. */
void packer_add(struct packer *packer, const void *bytes, size_t len, bool last, struct buf *out);

#endif
