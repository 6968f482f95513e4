/* SPDX-License-Identifier: MIT
 *
 * A benchmark as the files of its subcommand share it: what was asked for, and how far it is.
 */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/why.h"
#include "bench/cache.h"
#include "bench/plan.h"
#include "bench/variant.h"

#define BENCH_VARIANTS_MAX 64
#define BENCH_RUNS_MAX	   1000
#define BENCH_WARMUP	   0 /* the number of the run that is not counted */

struct bench {
	struct bench_variant variants[BENCH_VARIANTS_MAX];
	bool stopped[BENCH_VARIANTS_MAX]; /* a run of it failed */
	size_t n_variants;
	unsigned runs;
	uint64_t seed;
	bool seed_given, runs_given, warmup, resume, cleanup;
	const char *directory; /* as given */
	char *real;	       /* absolute */
	char *room;	       /* in it, for mounts */
	char *ccache;	       /* in it, for the compiler caches */
	const char *prepare;
	char *copy;
	char **command;
	char self[PATH_MAX];
	double wall_s[BENCH_VARIANTS_MAX]; /* of the runs so far */
	unsigned n_done[BENCH_VARIANTS_MAX];
};

/* The file of a run: DIRECTORY/VARIANT/RUN.SUFFIX. */
void bench_path(struct buf *path, const struct bench *bench, size_t variant, unsigned run,
		const char *suffix);

/* Options: 0, 1 for help, or -errno with why. */
int bench_options_parse(struct bench *bench, int argc, char **argv, struct why *why);
void bench_options_fini(struct bench *bench);
/* Keeps the words with the results, so that --resume and --cleanup need none, and the seed stays. */
int bench_options_save(const struct bench *bench, int argc, char **argv, struct why *why);
/* The words that were kept, into the bench; *saved backs them and outlives it. Goes to the directory of then.
 */
int bench_options_load(struct bench *bench, struct buf *saved, struct why *why);

/* What others did meanwhile, from /proc/stat. */
struct bench_load {
	double busy_s, children_s;
	uint64_t dirty_threshold_bytes; /* of the kernel, then; 0: unknown */
	int64_t mono_ns;
};

void bench_load_begin(struct bench_load *load);
/* CPUs that others kept busy since; NAN: unknown. */
double bench_load_end(const struct bench_load *load);
void bench_note_write(const struct bench *bench, const struct bench_turn *turn, const struct bench_load *load,
		      double others_cpus, const struct bench_cached *cached);
/* The machine, and the load of each run, a line each. */
void bench_machine_add(struct buf *out, const struct bench *bench);

/* results.* of what there is; print: also on standard output. */
int bench_answer_put(const struct bench *bench, bool print, struct why *why);

#endif
