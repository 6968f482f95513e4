/* SPDX-License-Identifier: MIT
 *
 * The statistics that bitbake keeps of a Yocto build (buildstats.bbclass), read as if they had been samples: a source beside
 * the reader. The tasks of bitbake are the tasks of the samples, each with its own start and end, to a hundredth of a second; what
 * buildstats does not hold stays METRIC_NA. The monotonic clock of such a run is the wall clock. One thread.
 */
#ifndef STORE_BUILDSTATS_H
#define STORE_BUILDSTATS_H

#include <stddef.h>

#include "base/why.h"
#include "model/run.h"
#include "model/sample.h"

struct buildstats;

struct buildstats_count {
	size_t tasks;
	size_t unfinished; /* began and have no end */
	size_t failed;
};

/* directory: that of one build, which holds build_stats. cpus: of the machine it ran on; 0: work it out. */
int buildstats_open(struct buildstats **stats, const char *directory, unsigned cpus, struct why *why);
void buildstats_close(struct buildstats *stats);

const struct run *buildstats_run(const struct buildstats *stats);
const struct run_end *buildstats_end(const struct buildstats *stats);
struct buildstats_count buildstats_count(const struct buildstats *stats);
/* The next sample into `sample` (reset first). 1: got one; 0: that was all. One a second, and one at the end of each task. */
int buildstats_next(struct buildstats *stats, struct sample *sample);

#endif
