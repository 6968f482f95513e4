/* SPDX-License-Identifier: MIT
 *
 * Knows each wait channel name once. Two names with one 64-bit hash would be taken for one; there are some
 * dozens.
 */
#include "symbols.h"

#include <stdlib.h>

#include "base/mem.h"

#define SYMBOLS_MAX 8192

void symbols_fini(struct symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->count; i++)
		free(symbols->names[i]);
	free(symbols->names);
	map_fini(&symbols->ids);
}

uint32_t symbols_id(struct symbols *symbols, const char *name, size_t len)
{
	uint64_t hash, id;

	if (!len)
		return 0;
	hash = map_hash(name, len);
	if (map_get(&symbols->ids, hash, &id))
		return (uint32_t)id;
	if (symbols->count >= SYMBOLS_MAX)
		return 0;
	if (!symbols->count) {
		MEM_GROW(symbols->names, symbols->count, symbols->capacity);
		symbols->names[symbols->count++] = mem_dup("");
	}
	MEM_GROW(symbols->names, symbols->count, symbols->capacity);
	symbols->names[symbols->count] = mem_dup_n(name, len);
	map_put(&symbols->ids, hash, symbols->count);
	return symbols->count++;
}

const char *symbols_name(const struct symbols *symbols, uint32_t id)
{
	return id < symbols->count ? symbols->names[id] : "";
}
