/* SPDX-License-Identifier: MIT
 *
 * Wait channel names as small numbers: the few dozen symbols of a run, each kept once.
 */
#ifndef PROBE_SYMBOLS_H
#define PROBE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct symbols {
	struct map ids; /* hash of the name to id */
	char **names;	/* names[0] is "not read" */
	uint32_t count, capacity;
};

void symbols_fini(struct symbols *symbols);
/* The id of a name, at least 1; 0 for an empty one, and when there are more names than a kernel can have. */
uint32_t symbols_id(struct symbols *symbols, const char *name, size_t len);
const char *symbols_name(const struct symbols *symbols, uint32_t id);

#endif
