/* SPDX-License-Identifier: MIT
 *
 * The critical path: how much earlier could the build have got where it is, had none of its tasks ever waited
 * for flushing? An upper bound, kept up to date look by look.
 */
#ifndef DIAGNOSE_PATH_H
#define DIAGNOSE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* What a process does at a look: what its most active thread does, but flushing comes first, since the others
 * may wait for that. */
enum path_doing {
	PATH_WAITS, /* for another task: a pipe, a lock, a poll */
	PATH_CHILD, /* for a child */
	PATH_BUSY,  /* runs, is ready, reads, or waits for something outside the build */
	PATH_FLUSHES,
};

struct path_task;

struct path {
	struct path_task *tasks; /* alive at the last look */
	size_t n_tasks, cap_tasks;
	struct map by_key, by_pid; /* into tasks; by_pid is made anew after each look */
	uint64_t looks, born;
	int64_t root_ns; /* when the last of the roots that have ended could have ended; 0: none has */
	int64_t root_end_ns;
};

void path_copy(struct path *to, const struct path *from); /* to is fresh storage */
void path_fini(struct path *path);

/* One look, of the time up to to_ns: begin, each process in it, finish. */
void path_begin(struct path *path);
/* key: of (pid, start); said again for each thread of it. */
void path_see(struct path *path, uint64_t key, int32_t pid, int32_t ppid, bool root, enum path_doing doing);
void path_finish(struct path *path, int64_t from_ns, int64_t to_ns);
/* Time that nobody saw gains nothing. */
void path_gap(struct path *path, int64_t gap_ns);

/* Seconds by which the build could be further at most; NAN: no root was ever seen. */
double path_gain_s(const struct path *path, int64_t now_ns);

#endif
