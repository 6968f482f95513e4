/* SPDX-License-Identifier: MIT
 *
 * The outer form of a zstd frame (RFC 8878, 3.1.1): header, blocks that tell their size, checksum. Finding
 * its end reads three bytes a block; nothing is unpacked.
 */
#include <errno.h>
#include <string.h>

#include "format.h"
#include "source.h"
#include "varint.h"

#define BLOCK_HEAD    3
#define CHECKSUM_SIZE 4

enum block_type { BLOCK_RAW, BLOCK_RLE, BLOCK_PACKED, BLOCK_RESERVED };

/* The size of the frame's header by its descriptor; 0: a kind of frame that no recording has. */
static size_t head_size(uint8_t descriptor)
{
	static const size_t content_size[] = {0, 2, 4, 8};
	bool single = descriptor & 0x20, reserved = descriptor & 0x08, dictionary = descriptor & 0x03;
	if (reserved || dictionary)
		return 0;
	size_t size = content_size[descriptor >> 6];
	if (single && size == 0)
		size = 1;
	return 5 + (single ? 0 : 1) + size;
}

long walk_on(struct walk *walk, const uint8_t *bytes, size_t len)
{
	if (!walk->begun) {
		if (len < 5)
			return 0;
		walk->at = head_size(bytes[4]);
		if (u32_at(bytes) != FORMAT_MAGIC_ZSTD || walk->at == 0)
			return -EBADMSG;
		walk->checksum = bytes[4] & 0x04;
		walk->begun = true;
	}
	while (!walk->last) {
		if (walk->at + BLOCK_HEAD > len)
			return 0;
		const uint8_t *head = bytes + walk->at;
		uint32_t word = (uint32_t)head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
		enum block_type type = word >> 1 & 3;
		if (type == BLOCK_RESERVED)
			return -EBADMSG;
		walk->last = word & 1;
		walk->at += BLOCK_HEAD + (type == BLOCK_RLE ? 1 : word >> 3);
		if (walk->at > LIMIT_FRAME_BYTES)
			return -EBADMSG;
	}
	size_t size = walk->at + (walk->checksum ? CHECKSUM_SIZE : 0);
	return size <= len ? (long)size : 0;
}

static bool is_frame_of_ours(const uint8_t *bytes)
{
	uint32_t magic = u32_at(bytes);
	if (magic == FORMAT_MAGIC_ZSTD) /* with a checksum, and of no kind that we do not write */
		return (bytes[4] & 0x04) && head_size(bytes[4]) > 0;
	return magic == FORMAT_MAGIC_INDEX &&
	       memcmp(bytes + FORMAT_SKIPPABLE_HEAD, FORMAT_INDEX_MARK, 8) == 0;
}

size_t walk_search(const uint8_t *bytes, size_t len, size_t from)
{
	for (size_t i = from; i + WALK_KNOWN <= len; i++)
		if ((bytes[i] == 0x28 || bytes[i] == (FORMAT_MAGIC_INDEX & 0xff)) &&
		    is_frame_of_ours(bytes + i))
			return i;
	return len;
}

int source_search(struct source *source)
{
	for (;;) {
		size_t len;
		const uint8_t *bytes = source_bytes(source, &len);
		size_t found = walk_search(bytes, len, 0);
		if (found < len) {
			source_consume(source, found);
			return 1;
		}
		if (len >= WALK_KNOWN)
			source_consume(source, len - WALK_KNOWN + 1);
		long more = source_more(source);
		if (more <= 0)
			return (int)more;
	}
}
