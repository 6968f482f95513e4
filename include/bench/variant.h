/* SPDX-License-Identifier: MIT
 *
 * One way to run the build: where, with what in the caches, how many jobs, which environment and which kernel
 * settings. Its text is a specification, or a cell of a matrix. Pure.
 */
#ifndef BENCH_VARIANT_H
#define BENCH_VARIANT_H

#include <stddef.h>
#include <stdint.h>

#include "base/why.h"

enum bench_kind { BENCH_DIRECTORY, BENCH_TMPFS };
/* The page cache before a run: as it comes; empty (root); without the files of the tree and the toolchain, as
 * far as the kernel lets go of them; with all of those. */
enum bench_cache { BENCH_CACHE_ANY, BENCH_CACHE_COLD, BENCH_CACHE_EVICTED, BENCH_CACHE_WARM };
enum bench_ccache { BENCH_CCACHE_ANY, BENCH_CCACHE_OFF, BENCH_CCACHE_EMPTY, BENCH_CCACHE_FILLED };

struct bench_words { /* "NAME=VALUE", owned */
	char **words;
	size_t n, cap;
};

struct bench_variant {
	char name[64]; /* letters, digits and "._-": a directory is called so */
	enum bench_kind kind;
	char *path;	     /* BENCH_DIRECTORY: where to build; owned */
	uint64_t size_bytes; /* BENCH_TMPFS; 0: the kernel's default, half of the memory */
	enum bench_cache cache;
	enum bench_ccache ccache;
	unsigned jobs; /* 0: as the command has it */
	struct bench_words env, sysctl;
};

/*
 * A place, "disk" (here), "dir:PATH", "tmpfs" or "tmpfs:8G", then settings behind commas: "cache=cold",
 * "cache=evict", "cache=warm", "ccache=off", "ccache=empty", "ccache=filled", "jobs=N", "env=NAME=VALUE" and
 * "sysctl=vm.NAME=VALUE", the last two as often as wanted. "NAME=" before all of it names the variant. 0 or
 * -EINVAL.
 */
int bench_variant_parse(struct bench_variant *variant, const char *spec, struct why *why);
void bench_variant_fini(struct bench_variant *variant);
/* In how many settings do they differ? */
unsigned bench_variant_distance(const struct bench_variant *a, const struct bench_variant *b);

/*
 * A matrix: lines "KEY = VALUE VALUE...", of which every combination becomes a specification, the first line
 * varying slowest. Keys are "place" and those of the settings; "-" stands for a setting that is not made.
 * Blank lines and what follows a # are passed over. Each specification is handed to add(). 0 or what add()
 * said.
 */
int bench_matrix_read(const char *text, int (*add)(void *self, const char *spec, struct why *why), void *self,
		      struct why *why);

#endif
