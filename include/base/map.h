/* SPDX-License-Identifier: MIT
 *
 * A hash table from 64-bit keys to 64-bit values, for tasks by (pid, start time) and the like.
 * Zero-initialised is empty. Not thread-safe.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_cell;

struct map {
	struct map_cell *cells;
	size_t count;
	size_t capacity;
};

void map_fini(struct map *map);
void map_clear(struct map *map); /* keeps the storage */
bool map_get(const struct map *map, uint64_t key, uint64_t *value);
void map_put(struct map *map, uint64_t key, uint64_t value);
bool map_delete(struct map *map, uint64_t key);
/* Walks all cells in no order: start with *cursor = 0; false at the end. Do not change the map meanwhile. */
bool map_each(const struct map *map, size_t *cursor, uint64_t *key, uint64_t *value);

/* FNV-1a, for keys made of bytes. */
uint64_t map_hash(const void *bytes, size_t len);

#endif
