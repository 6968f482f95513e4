/* SPDX-License-Identifier: MIT
 *
 * Records: type, length, payload, checksum. Each carries its own checksum, since those of a frame that is not
 * complete are handed out before the frame's own is there.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "format.h"

struct record {
	uint64_t type;
	const uint8_t *payload;
	size_t len;
};

void record_put(struct buf *out, enum format_record type, const void *payload, size_t len);
void record_put_gap(struct buf *out, enum format_gap why, uint64_t samples);
/* The record at `bytes`: its whole size, 0 when it is not complete, -EBADMSG when its checksum or length is
 * wrong. */
long record_get(struct record *record, const void *bytes, size_t len);

#endif
