/* SPDX-License-Identifier: MIT
 *
 * Kernel settings for the time of a run. What they were is on the disk before any is changed, in a file that
 * goes when the machine goes down, as the settings do: whoever starts next puts back what one that was killed
 * left.
 */
#ifndef BENCH_SYSCTL_H
#define BENCH_SYSCTL_H

#include "base/why.h"
#include "bench/variant.h"

#define BENCH_SYSCTL_JOURNAL "/run/buildtop-bench.sysctl"

struct bench_sysctl {
	int fd; /* the journal, locked; -1: nothing is set */
};

/* "vm.NAME=NUMBER" each. 0, or -errno with why and nothing set. */
int bench_sysctl_set(struct bench_sysctl *held, const struct bench_words *settings, struct why *why);
int bench_sysctl_restore(struct bench_sysctl *held, struct why *why);
/* Of a benchmark that was killed: 1 put back, 0 nothing to do, -EBUSY one with settings runs, or -errno. */
int bench_sysctl_recover(struct why *why);

#endif
