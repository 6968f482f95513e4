/* SPDX-License-Identifier: MIT
 *
 * Index fields as tag, length, value, like the header's; each frame's numbers as differences from the frame
 * before. The trailer (checksum, size of the frame, mark) has a fixed size and is the last thing in the file.
 */
#include "index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "crc.h"
#include "format.h"
#include "header.h"
#include "varint.h"

void index_fini(struct index *index)
{
	free(index->frames);
	run_end_fini(&index->end);
	memset(index, 0, sizeof *index);
}

void index_add(struct index *index, const struct index_frame *frame)
{
	MEM_GROW(index->frames, index->n_frames, index->cap_frames);
	index->frames[index->n_frames++] = *frame;
}

static void field_put(struct buf *out, enum format_index_field tag, struct buf *value)
{
	put_varint(out, tag);
	put_bytes(out, value->data, value->len);
	buf_clear(value);
}

void index_encode(struct buf *out, const struct index *index, const struct run_end *end)
{
	size_t frame_at = out->len;
	size_t begun_at = skippable_begin(out, FORMAT_MAGIC_INDEX);
	size_t content_at = out->len;
	struct buf value = {0};
	struct index_frame last = {0};
	buf_add(out, FORMAT_INDEX_MARK, FORMAT_MARK_SIZE);
	for (size_t i = 0; i < index->n_frames; i++) {
		const struct index_frame *frame = &index->frames[i];
		put_varint(&value, frame->offset - last.offset);
		put_varint(&value, frame->first - last.last);
		put_varint(&value, frame->last - frame->first);
		put_varint(&value, frame->samples);
		put_varint(&value, zigzag((uint64_t)frame->mono_us - (uint64_t)last.mono_us));
		field_put(out, INDEX_FRAME, &value);
		last = *frame;
	}
	if (end) {
		end_encode(&value, end);
		field_put(out, INDEX_END, &value);
	}
	buf_fini(&value);
	put_u32(out, crc32_of(out->data + content_at, out->len - content_at));
	put_u32(out, (uint32_t)(out->len - frame_at + 4 + FORMAT_MARK_SIZE));
	buf_add(out, FORMAT_INDEX_MARK, FORMAT_MARK_SIZE);
	skippable_finish(out, begun_at);
}

size_t index_size(const void *trailer)
{
	const char *at = trailer;
	if (memcmp(at + FORMAT_CRC_SIZE + 4, FORMAT_INDEX_MARK, FORMAT_MARK_SIZE) != 0)
		return 0;
	uint32_t size = u32_at(at + FORMAT_CRC_SIZE);
	bool sound = size >= FORMAT_SKIPPABLE_HEAD + FORMAT_MARK_SIZE + FORMAT_TRAILER_SIZE &&
		     size <= LIMIT_INDEX_BYTES;
	return sound ? size : 0;
}

static void frame_decode(struct index *index, struct scan *value)
{
	struct index_frame last = {0};
	if (index->n_frames > 0)
		last = index->frames[index->n_frames - 1];
	struct index_frame frame;
	frame.offset = last.offset + get_bounded(value, INT64_MAX);
	frame.first = last.last + get_varint(value);
	frame.last = frame.first + get_varint(value);
	frame.samples = get_varint(value);
	frame.mono_us = (int64_t)((uint64_t)last.mono_us + unzigzag(get_varint(value)));
	if (frame.offset > INT64_MAX || (index->n_frames > 0 && frame.offset <= last.offset))
		value->bad = true;
	if (!value->bad)
		index_add(index, &frame);
}

int index_decode(struct index *index, const void *content, size_t len)
{
	if (len < FORMAT_MARK_SIZE + FORMAT_TRAILER_SIZE ||
	    memcmp(content, FORMAT_INDEX_MARK, FORMAT_MARK_SIZE) != 0)
		return -EBADMSG;
	size_t checked = len - FORMAT_TRAILER_SIZE;
	const char *trailer = (const char *)content + checked;
	if (crc32_of(content, checked) != u32_at(trailer) ||
	    index_size(trailer) != len + FORMAT_SKIPPABLE_HEAD)
		return -EBADMSG;
	struct scan scan = scan_of((const char *)content + FORMAT_MARK_SIZE, checked - FORMAT_MARK_SIZE);
	while (!scan.bad && scan_left(&scan) > 0) {
		uint64_t tag = get_varint(&scan);
		size_t field_len;
		const uint8_t *bytes = get_bytes(&scan, LIMIT_INDEX_BYTES, &field_len);
		if (scan.bad)
			break;
		struct scan value = scan_of(bytes, field_len);
		if (tag == INDEX_FRAME)
			frame_decode(index, &value);
		else if (tag == INDEX_END)
			value.bad = end_decode(&index->end, bytes, field_len) < 0;
		index->has_end |= tag == INDEX_END;
		scan.bad |= value.bad;
	}
	if (!scan.bad)
		return 0;
	index_fini(index);
	return -EBADMSG;
}
