/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing in a power-of-two table, at most two thirds full. A deletion moves the
 * followers up, so there are no tombstones and a table that is always changing stays as quick as a new one.
 */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct map_cell {
	uint64_t key;
	uint64_t value;
	bool used;
};

void map_fini(struct map *map)
{
	free(map->cells);
	*map = (struct map){0};
}

void map_clear(struct map *map)
{
	if (map->cells)
		memset(map->cells, 0, map->capacity * sizeof *map->cells);
	map->count = 0;
}

/* Process ids and addresses differ in few bits: spread them over all. */
static size_t map_home(const struct map *map, uint64_t key)
{
	key ^= key >> 32;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 29;
	return (size_t)key & (map->capacity - 1);
}

/* The cell of the key, or the free one where it would go. */
static size_t map_seek(const struct map *map, uint64_t key)
{
	size_t at = map_home(map, key);

	while (map->cells[at].used && map->cells[at].key != key)
		at = (at + 1) & (map->capacity - 1);
	return at;
}

static void map_grow(struct map *map)
{
	struct map old = *map;

	map->capacity = old.capacity ? old.capacity * 2 : 16;
	map->cells = mem_alloc(map->capacity, sizeof *map->cells);
	for (size_t i = 0; i < old.capacity; i++)
		if (old.cells[i].used)
			map->cells[map_seek(map, old.cells[i].key)] = old.cells[i];
	free(old.cells);
}

bool map_get(const struct map *map, uint64_t key, uint64_t *value)
{
	size_t at;

	if (!map->count)
		return false;
	at = map_seek(map, key);
	if (!map->cells[at].used)
		return false;
	if (value)
		*value = map->cells[at].value;
	return true;
}

void map_put(struct map *map, uint64_t key, uint64_t value)
{
	size_t at;

	if ((map->count + 1) * 3 > map->capacity * 2)
		map_grow(map);
	at = map_seek(map, key);
	if (!map->cells[at].used)
		map->count++;
	map->cells[at] = (struct map_cell){.key = key, .value = value, .used = true};
}

bool map_delete(struct map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	size_t hole, at;

	if (!map->count)
		return false;
	hole = map_seek(map, key);
	if (!map->cells[hole].used)
		return false;
	/* A follower may move into the hole unless its home lies between the hole and itself. */
	for (at = (hole + 1) & mask; map->cells[at].used; at = (at + 1) & mask) {
		size_t home = map_home(map, map->cells[at].key);

		if (((at - home) & mask) >= ((at - hole) & mask)) {
			map->cells[hole] = map->cells[at];
			hole = at;
		}
	}
	map->cells[hole].used = false;
	map->count--;
	return true;
}

bool map_each(const struct map *map, size_t *cursor, uint64_t *key, uint64_t *value)
{
	while (*cursor < map->capacity) {
		const struct map_cell *cell = &map->cells[(*cursor)++];

		if (!cell->used)
			continue;
		*key = cell->key;
		*value = cell->value;
		return true;
	}
	return false;
}

uint64_t map_hash(const void *bytes, size_t len)
{
	const unsigned char *from = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++) {
		hash ^= from[i];
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}
