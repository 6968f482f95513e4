/* SPDX-License-Identifier: MIT
 *
 * What a benchmark runs, and in which order: rounds, in each of them every variant once, in an order that the
 * seed decides. So a machine that gets slower meanwhile is not taken for a slow variant. Pure.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/why.h"

enum bench_kind { BENCH_DIRECTORY, BENCH_TMPFS };

struct bench_variant {
	char name[40]; /* letters, digits and "._-": a directory is called so */
	enum bench_kind kind;
	char *path;	     /* BENCH_DIRECTORY: where to build; owned */
	uint64_t size_bytes; /* BENCH_TMPFS; 0: the kernel's default, half of the memory */
};

struct bench_turn {
	size_t variant;
	unsigned run; /* from 1 */
};

/* "disk" (here), "dir:PATH", "tmpfs", "tmpfs:8G", each with "NAME=" before it if wanted. 0 or -EINVAL. */
int bench_variant_parse(struct bench_variant *variant, const char *spec, struct why *why);
void bench_variant_fini(struct bench_variant *variant);
/* Fills turns[0 … n_variants * runs - 1]. */
void bench_plan(struct bench_turn *turns, size_t n_variants, unsigned runs, uint64_t seed);

#endif
