/* SPDX-License-Identifier: MIT
 *
 * Where the data frames of a file begin, in order, as far as is known: from the index, or as they were
 * reached. And which sample number is expected there, so that what is missing shows after a seek as it does
 * on the way.
 */
#ifndef STORE_PLACES_H
#define STORE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index.h"
#include "source.h"

struct place {
	uint64_t offset;
	uint64_t expected;
	bool knows_expected;
};

struct places {
	struct place *list;
	size_t count, capacity;
};

void places_fini(struct places *places);
void places_take_index(struct places *places, const struct index *index);
/* How many begin before this offset: the number of a frame that begins there. */
size_t places_number(const struct places *places, uint64_t offset);
/* A frame begins here; its number. */
size_t places_reach(struct places *places, uint64_t offset, bool knows_expected, uint64_t expected);
/* Finds further frames by their outer form alone, until `frame` is known: 0; -ERANGE: there is none; -errno.
 * Moves the source. */
int places_walk(struct places *places, struct source *source, size_t frame);

#endif
