/* SPDX-License-Identifier: MIT
 *
 * An array sorted by offset that grows at its end only, so the number of a frame never changes.
 */
#include "places.h"

#include <stdlib.h>

#include "base/mem.h"

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
