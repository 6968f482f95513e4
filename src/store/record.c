/* SPDX-License-Identifier: MIT
 *
 * Records, both ways. Knows nothing of what is in them, but for the gap.
 */
#include "record.h"

#include <errno.h>

#include "crc.h"
#include "varint.h"

void record_put(struct buf *out, enum format_record type, const void *payload, size_t len)
{
	size_t begun_at = out->len;
	put_varint(out, type);
	put_bytes(out, payload, len);
	put_u32(out, crc32_of(out->data + begun_at, out->len - begun_at));
}

void record_put_gap(struct buf *out, enum format_gap why, uint64_t samples)
{
	struct buf payload = {0};
	put_varint(&payload, why);
	put_varint(&payload, samples);
	record_put(out, RECORD_GAP, payload.data, payload.len);
	buf_fini(&payload);
}

long record_get(struct record *record, const void *bytes, size_t len)
{
	struct scan scan = scan_of(bytes, len);
	record->type = get_varint(&scan);
	uint64_t payload_len = get_varint(&scan);
	if (scan.bad) /* cut in the head, or no varint at all: those are ten bytes at most */
		return len < 20 ? 0 : -EBADMSG;
	if (payload_len > LIMIT_RECORD_BYTES)
		return -EBADMSG;
	record->len = payload_len;
	record->payload = scan.at;
	if (scan_left(&scan) < payload_len + FORMAT_CRC_SIZE)
		return 0;
	const uint8_t *crc = scan.at + payload_len;
	size_t checked = (size_t)(crc - (const uint8_t *)bytes);
	if (crc32_of(bytes, checked) != u32_at(crc))
		return -EBADMSG;
	return (long)(checked + FORMAT_CRC_SIZE);
}
