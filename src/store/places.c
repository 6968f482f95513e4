/* SPDX-License-Identifier: MIT
 *
 * An array sorted by offset that grows at its end only, so the number of a frame never changes.
 */
#include "places.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format.h"
#include "varint.h"

void places_fini(struct places *places)
{
	free(places->list);
}

static void places_add(struct places *places, uint64_t offset, bool knows_expected, uint64_t expected)
{
	MEM_GROW(places->list, places->count, places->capacity);
	places->list[places->count++] = (struct place){offset, expected, knows_expected};
}

void places_take_index(struct places *places, const struct index *index)
{
	uint64_t expected = 0;
	for (size_t i = 0; i < index->n_frames; i++) {
		places_add(places, index->frames[i].offset, true, expected);
		expected = index->frames[i].last + 1;
	}
}

size_t places_number(const struct places *places, uint64_t offset)
{
	size_t low = 0, high = places->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (places->list[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t places_reach(struct places *places, uint64_t offset, bool knows_expected, uint64_t expected)
{
	size_t number = places_number(places, offset);
	if (number == places->count) {
		places_add(places, offset, knows_expected, expected);
	} else if (places->list[number].offset == offset && !places->list[number].knows_expected) {
		places->list[number].expected = expected;
		places->list[number].knows_expected = knows_expected;
	}
	return number;
}

/* The size of the frame that begins here, 0 when the file ends before it, negative when it is none. */
static long frame_size(struct source *source)
{
	struct walk walk = {0};
	for (;;) {
		size_t len;
		const uint8_t *bytes = source_bytes(source, &len);
		if ((u32_at(bytes) & ~0xfu) == FORMAT_MAGIC_SKIPPABLE)
			return (long)FORMAT_SKIPPABLE_HEAD + (long)u32_at(bytes + 4);
		long size = walk_on(&walk, bytes, len);
		if (size != 0)
			return size;
		long more = source_more(source);
		if (more <= 0)
			return more;
	}
}

int places_walk(struct places *places, struct source *source, size_t frame)
{
	if (places->count > 0)
		source_goto(source, places->list[places->count - 1].offset);
	while (frame >= places->count) {
		int enough = source_need(source, FORMAT_SKIPPABLE_HEAD);
		if (enough <= 0)
			return enough < 0 ? enough : -ERANGE;
		size_t len;
		uint32_t magic = u32_at(source_bytes(source, &len));
		if ((magic & ~0xfu) != FORMAT_MAGIC_SKIPPABLE)
			places_reach(places, source_offset(source), false, 0);
		long size = frame_size(source);
		if (size > 0 && size <= (long)LIMIT_FRAME_BYTES && source_need(source, (size_t)size) > 0) {
			source_consume(source, (size_t)size);
			continue;
		}
		source_consume(source, 1);
		int found = source_search(source);
		if (found <= 0)
			return found < 0 ? found : -ERANGE;
	}
	return 0;
}
