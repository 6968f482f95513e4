/* SPDX-License-Identifier: MIT
 *
 * The numbers and strings of the format, written to a buf and read from a scan. Integers are little-endian
 * groups of seven bits, so the byte order of machines does not show. A scan never runs past its end: what
 * would, or what is beyond a limit, marks it bad and reads as 0, so that callers may check once, before they
 * use what they read.
 */
#ifndef STORE_VARINT_H
#define STORE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct scan {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

struct scan scan_of(const void *bytes, size_t len);
size_t scan_left(const struct scan *scan);

static inline uint64_t zigzag(uint64_t difference)
{
	return (difference << 1) ^ (UINT64_C(0) - (difference >> 63));
}

static inline uint64_t unzigzag(uint64_t zigzagged)
{
	return (zigzagged >> 1) ^ (UINT64_C(0) - (zigzagged & 1));
}

void put_varint(struct buf *buf, uint64_t number);
void put_signed(struct buf *buf, int64_t number);		/* zigzag */
void put_bytes(struct buf *buf, const void *bytes, size_t len); /* length, bytes */
void put_u32(struct buf *buf, uint32_t number);			/* fixed, little-endian */

uint64_t get_long_varint(struct scan *scan); /* one of several bytes, or none */
static inline uint64_t get_varint(struct scan *scan)
{
	if (scan->at < scan->end && *scan->at < 0x80)
		return *scan->at++;
	return get_long_varint(scan);
}
int64_t get_signed(struct scan *scan);
/* A varint that must not exceed max. */
uint64_t get_bounded(struct scan *scan, uint64_t max);
uint8_t get_byte(struct scan *scan);
/* len bytes where they lie; NULL when there are not so many. */
const uint8_t *get_raw(struct scan *scan, size_t len);
/* Length and bytes; at most max. */
const uint8_t *get_bytes(struct scan *scan, size_t max, size_t *len);
uint32_t u32_at(const void *bytes);

/*
 * The value of a metric against the one before, METRIC_NA included. Numbers: the difference of value + 1, so
 * that not available counts as 0. Sizes (metrics in bytes): the difference in pages or KiB where it is a
 * multiple of those.
 */
void put_number(struct buf *buf, uint64_t value, uint64_t before);
void put_size(struct buf *buf, uint64_t value, uint64_t before);
uint64_t get_number(struct scan *scan, uint64_t before);
uint64_t get_size(struct scan *scan, uint64_t before);

#endif
