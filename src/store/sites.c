/* SPDX-License-Identifier: MIT
 *
 * The sites of a frame, and the looks told of a sample. A thread is in one place at each look, so the last
 * row of a thread is nearly always "the rest": that is free, and a thread that did not move costs a byte.
 */
#include "sites.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void sites_fini(struct sites *sites)
{
	free(sites->entries);
	buf_fini(&sites->names);
	map_fini(&sites->by_hash);
}

void sites_clear(struct sites *sites)
{
	sites->count = 0;
	buf_clear(&sites->names);
	map_clear(&sites->by_hash);
}

void sites_leave(struct sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		sites->entries[i].here = SITE_NONE;
}

static uint64_t site_hash(const char *wchan, size_t len, int32_t syscall, char state)
{
	uint64_t hash = map_hash(wchan, len);
	return hash ^
	       ((uint64_t)(uint32_t)syscall << 8 | (unsigned char)state) * UINT64_C(0x9E3779B97F4A7C15);
}

uint32_t sites_find(const struct sites *sites, const char *wchan, size_t len, int32_t syscall, char state)
{
	uint64_t number;
	if (!map_get(&sites->by_hash, site_hash(wchan, len, syscall, state), &number))
		return SITE_NONE;
	const struct sites_entry *entry = &sites->entries[number];
	bool same = entry->syscall == syscall && entry->state == state && entry->wchan_len == len &&
		    (len == 0 || memcmp(sites->names.data + entry->wchan_at, wchan, len) == 0);
	return same ? (uint32_t)number : SITE_NONE;
}

uint32_t sites_add(struct sites *sites, const char *wchan, size_t len, int32_t syscall, char state)
{
	MEM_GROW(sites->entries, sites->count, sites->capacity);
	sites->entries[sites->count] = (struct sites_entry){sites->names.len, len, syscall, state, SITE_NONE};
	buf_add(&sites->names, wchan, len);
	map_put(&sites->by_hash, site_hash(wchan, len, syscall, state), sites->count);
	return (uint32_t)sites->count++;
}

void told_begin(struct told *told, size_t n_looks)
{
	told->n_looks = n_looks;
	told->block = UINT32_MAX;
}

static void told_block(struct told *told, uint32_t block)
{
	size_t before = (size_t)block * 64;
	size_t looks = told->n_looks > before ? told->n_looks - before : 0;
	told->all = looks >= 64 ? UINT64_MAX : (UINT64_C(1) << looks) - 1;
	told->block = block;
	map_clear(&told->masks);
}

static uint64_t thread_key(const struct look_row *row)
{
	return (uint64_t)row->task << 32 | (uint32_t)row->tid;
}

uint64_t told_rest(struct told *told, const struct look_row *row)
{
	if (row->block != told->block)
		told_block(told, row->block);
	told->mask = 0;
	map_get(&told->masks, thread_key(row), &told->mask);
	return told->all & ~told->mask;
}

void told_add(struct told *told, const struct look_row *row)
{
	map_put(&told->masks, thread_key(row), told->mask | row->mask);
}
