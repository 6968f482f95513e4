/* SPDX-License-Identifier: MIT
 *
 * Varints, strings and metric values, both ways. Knows nothing of records or rows.
 */
#include "varint.h"

#include "model/metric.h"

#define VARINT_MAX_SIZE 10

struct scan scan_of(const void *bytes, size_t len)
{
	const uint8_t *at = bytes;
	return (struct scan){.at = at, .end = at ? at + len : at};
}

size_t scan_left(const struct scan *scan)
{
	return (size_t)(scan->end - scan->at);
}

void put_varint(struct buf *buf, uint64_t number)
{
	uint8_t *out = (uint8_t *)buf_reserve(buf, VARINT_MAX_SIZE);
	size_t n = 0;
	for (; number > 0x7f; number >>= 7)
		out[n++] = (uint8_t)(number | 0x80);
	out[n++] = (uint8_t)number;
	buf->len += n;
}

void put_signed(struct buf *buf, int64_t number)
{
	put_varint(buf, zigzag((uint64_t)number));
}

void put_bytes(struct buf *buf, const void *bytes, size_t len)
{
	put_varint(buf, len);
	buf_add(buf, bytes, len);
}

void put_u32(struct buf *buf, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		buf_add_byte(buf, (unsigned char)(number >> 8 * i));
}

static uint64_t scan_fail(struct scan *scan)
{
	scan->bad = true;
	scan->at = scan->end;
	return 0;
}

uint64_t get_long_varint(struct scan *scan)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (scan->at == scan->end)
			return scan_fail(scan);
		uint8_t byte = *scan->at++;
		if (shift == 63 && byte > 1)
			return scan_fail(scan);
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	return scan_fail(scan);
}

int64_t get_signed(struct scan *scan)
{
	return (int64_t)unzigzag(get_varint(scan));
}

uint64_t get_bounded(struct scan *scan, uint64_t max)
{
	uint64_t number = get_varint(scan);
	return number <= max ? number : scan_fail(scan);
}

uint8_t get_byte(struct scan *scan)
{
	if (scan->at == scan->end)
		return (uint8_t)scan_fail(scan);
	return *scan->at++;
}

const uint8_t *get_raw(struct scan *scan, size_t len)
{
	if (scan->bad || len > scan_left(scan)) {
		scan_fail(scan);
		return NULL;
	}
	const uint8_t *bytes = scan->at;
	scan->at += len;
	return bytes;
}

const uint8_t *get_bytes(struct scan *scan, size_t max, size_t *len)
{
	*len = get_bounded(scan, max);
	const uint8_t *bytes = get_raw(scan, *len);
	if (!bytes)
		*len = 0;
	return bytes;
}

uint32_t u32_at(const void *bytes)
{
	const uint8_t *at = bytes;
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void put_number(struct buf *buf, uint64_t value, uint64_t before)
{
	put_varint(buf, zigzag((value + 1) - (before + 1)));
}

uint64_t get_number(struct scan *scan, uint64_t before)
{
	return before + unzigzag(get_varint(scan));
}

/* The two low bits of a size's first byte. */
enum size_class { SIZE_BYTES, SIZE_KIB, SIZE_PAGES, SIZE_NA };
static const unsigned size_shift[] = {[SIZE_BYTES] = 0, [SIZE_KIB] = 10, [SIZE_PAGES] = 12};

void put_size(struct buf *buf, uint64_t value, uint64_t before)
{
	if (value == METRIC_NA) {
		buf_add_byte(buf, SIZE_NA);
		return;
	}
	uint64_t difference = value - (before == METRIC_NA ? 0 : before);
	unsigned grain = SIZE_PAGES;
	while (difference & ((UINT64_C(1) << size_shift[grain]) - 1))
		grain--;
	uint64_t steps = zigzag((uint64_t)((int64_t)difference / (INT64_C(1) << size_shift[grain])));
	unsigned char first = (unsigned char)(grain | (steps & 31) << 2);
	steps >>= 5;
	buf_add_byte(buf, (unsigned char)(first | (steps ? 0x80 : 0)));
	if (steps)
		put_varint(buf, steps);
}

uint64_t get_size(struct scan *scan, uint64_t before)
{
	uint8_t first = get_byte(scan);
	uint64_t steps = (first >> 2) & 31;
	if (first & 0x80)
		steps |= get_bounded(scan, UINT64_MAX >> 5) << 5;
	unsigned grain = first & 3;
	if (grain == SIZE_NA)
		return METRIC_NA;
	return (before == METRIC_NA ? 0 : before) + (unzigzag(steps) << size_shift[grain]);
}
