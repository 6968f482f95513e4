/* SPDX-License-Identifier: MIT
 *
 * The place a variant is built in: made anew for each run and gone behind it. A tmpfs is mounted in a mount
 * namespace of the run's own (without root: in a user namespace too), so that it goes with the run's last
 * process however that ends, and nobody has to unmount anything.
 */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include "base/why.h"
#include "bench/cache.h"
#include "bench/variant.h"

#define BENCH_PLACE_NAME "buildtop-bench.d" /* of the directory, in the variant's path */

struct bench_job {
	const struct bench_variant *variant;
	const char *room;	 /* absolute: an empty directory of the benchmark's own, for mounts */
	const char *copy;	 /* a tree that is copied to the place, to be built in there; NULL: none */
	const char *ccache;	 /* absolute: the compiler cache's directory, for variants that have one */
	const char *prepare;	 /* a shell command run there before; NULL: none */
	const char *const *argv; /* what is run, NULL-terminated; argv[0] is a path */
};

/* What is left of the place of a benchmark that was killed goes. 0 or -errno. */
int bench_place_remove(const struct bench_variant *variant, const char *room);
/* A directory and all that is in it. 0, also if it is not there, or -errno. */
int bench_place_remove_tree(const char *path);
/* Its path; free() it. NULL: the variant's directory is not there. */
char *bench_place_path(const struct bench_variant *variant, const char *room);
/*
 * Runs the job and waits for it: the exit status, 128 + N for a signal, or -errno with why: the place could
 * not be made, or what prepares failed. $BUILDTOP_WORKDIR is the place; with `copy` it is the current
 * directory as well. If we die, or get SIGTERM or SIGHUP, the job gets SIGTERM. cached: what making the page
 * cache cold or warm came to.
 */
int bench_place_run(const struct bench_job *job, struct bench_cached *cached, struct why *why);

#endif
