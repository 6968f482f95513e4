/* SPDX-License-Identifier: MIT
 *
 * The page cache before a run, made cold or warm, and what came of it. Files of the trees that are given and
 * of the toolchain: compilers, assembler, linker, make and their like as PATH has them, the compiler's own
 * directories and the system's headers.
 */
#ifndef BENCH_CACHE_H
#define BENCH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/variant.h"

struct bench_cached {
	bool dropped;		/* the whole page cache was */
	uint64_t files, bytes;	/* looked at */
	uint64_t stayed_bytes;	/* of them in memory afterwards */
	uint64_t unknown_bytes; /* of files whose pages the kernel does not tell us about: others' */
};

/* Only directories that are there count; trees ends with NULL. */
void bench_cache_prepare(enum bench_cache cache, const char *const trees[], struct bench_cached *cached);

#endif
