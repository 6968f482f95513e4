/* SPDX-License-Identifier: MIT
 *
 * A counted list: names with an amount each, in one string of a sample, so that a recording carries it as it is. An entry is
 * the amount in decimal, its unit, a blank and the raw name; a NUL byte stands between two of them. What is no such entry
 * (a recording may hold anything) is passed over.
 */
#ifndef MODEL_COUNTED_H
#define MODEL_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum counted_unit { COUNTED_BYTES = 'B', COUNTED_FILES = 'F', COUNTED_TASKS = 'T' };

struct counted {
	uint64_t amount;
	char unit;        /* enum counted_unit */
	const char *name; /* raw, in the list */
	size_t len;
};

void counted_add(struct buf *list, uint64_t amount, enum counted_unit unit, const char *name, size_t len);
/* The entry at *at, which moves on; false at the end. Begin with at = list. */
bool counted_next(const char **at, const char *end, struct counted *entry);
/* For a person, cleaned: "cc1 (3), ld", "objects 1.2 GiB, tmp 300 MiB". At most `most` of them. */
void counted_say(struct buf *out, const char *list, size_t len, size_t most);

#endif
