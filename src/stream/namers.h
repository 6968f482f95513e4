/* SPDX-License-Identifier: MIT
 *
 * The threads that read command lines for the probe: one, and a further one whenever those there are hang on
 * a process stuck in the kernel.
 */
#ifndef STREAM_NAMERS_H
#define STREAM_NAMERS_H

#include <stdbool.h>

#include "probe/probe.h"
#include "worker.h"

#define NAMERS_MAX 4

struct namers {
	struct probe *probe;
	struct worker threads[NAMERS_MAX];
	unsigned n;
};

int namers_start(struct namers *namers, struct probe *probe);
void namers_check(struct namers *namers); /* call about once a second */
/* False: one hangs and was left behind; the probe and `namers` must then stay. */
bool namers_stop(struct namers *namers);

#endif
