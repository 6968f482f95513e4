/* SPDX-License-Identifier: MIT
 *
 * The threads that read command lines for the probe: one, and a further one whenever those there are hang on
 * a process stuck in the kernel.
 */
#ifndef STREAM_NAMES_H
#define STREAM_NAMES_H

#include <stdbool.h>

#include "probe/probe.h"
#include "thread.h"

#define NAMES_THREADS_MAX 4

struct names {
	struct probe *probe;
	struct thread threads[NAMES_THREADS_MAX];
	unsigned n;
};

int names_start(struct names *names, struct probe *probe);
void names_check(struct names *names); /* call about once a second */
/* False: one hangs and was left behind; the probe and `names` must then stay. */
bool names_stop(struct names *names);

#endif
