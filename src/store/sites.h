/* SPDX-License-Identifier: MIT
 *
 * What encoder and decoder must both remember within a frame, so that look rows cost little: the sites seen
 * so far, numbered as they came, and in a sample which looks of a thread its earlier rows have told already.
 */
#ifndef STORE_SITES_H
#define STORE_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"
#include "model/sample.h"

#define SITE_NONE UINT32_MAX

struct sites_entry {
	size_t wchan_at, wchan_len; /* in names */
	int32_t syscall;
	char state;
	uint32_t here; /* index in the sites of the sample at hand, or SITE_NONE */
};

struct sites {
	struct sites_entry *entries;
	size_t count, capacity;
	struct buf names;
	struct map by_hash; /* the encoder's way to find one */
};

void sites_fini(struct sites *sites);
void sites_clear(struct sites *sites); /* a frame begins */
void sites_leave(struct sites *sites); /* a sample begins: no site is in it yet */
/* Its number; SITE_NONE: not seen in this frame. */
uint32_t sites_find(const struct sites *sites, const char *wchan, size_t len, int32_t syscall, char state);
uint32_t sites_add(struct sites *sites, const char *wchan, size_t len, int32_t syscall, char state);

/* Looks already told, by thread; begins anew with each block of 64 looks. */
struct told {
	struct map masks;
	uint64_t all; /* the looks of the block */
	size_t n_looks;
	uint32_t block;
	uint64_t mask; /* of the row asked for last */
};

void told_begin(struct told *told, size_t n_looks);
/* The looks of the row's block that no earlier row of its thread has told: what its mask is taken to be. */
uint64_t told_rest(struct told *told, const struct look_row *row);
void told_add(struct told *told, const struct look_row *row); /* the row asked for last, its mask now known */

#endif
