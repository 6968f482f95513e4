/* SPDX-License-Identifier: MIT
 *
 * Every tmpfs that the build can see, and the file system of its directory: one row a device.
 */
#ifndef PROBE_MOUNTS_H
#define PROBE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/sample.h"

#define MOUNTS_POINTS_MAX 8 /* paths remembered of one file system */

struct mount {
	uint64_t device;
	char *points[MOUNTS_POINTS_MAX];
	unsigned n_points, n_paths; /* remembered, and all there are */
	unsigned reached;	    /* index of the path that leads there */
	char *last_point;	    /* where it was reached before the table was read anew */
	char *type, *source;
	uint32_t flags;
	bool listed;	/* in the table that is being read */
	bool reachable; /* by one of the paths, when last asked: else hidden by other mounts, and nobody's
			   concern */
	bool asked;	/* at least once */
	bool watched;	/* has a row in each sample */
	uint64_t values[METRIC_MOUNT_COUNT];
};

struct mounts {
	int file;	/* /proc/self/mountinfo, for poll() */
	char table[48]; /* the file's path */
	char root[32];	/* before every path: "", or where the root of a task is to be seen */
	char *workdir;
	struct mount *mounts;
	size_t n_mounts, cap_mounts;
	size_t next; /* of those looked at in turn */
	int64_t read_ns, read_cost_ns;
	bool changed; /* since it was read */
};

void mounts_open(struct mounts *mounts, const char *workdir);
/* From now on as this task sees them, in its own mount namespace. */
void mounts_look_through(struct mounts *mounts, pid_t pid);
void mounts_close(struct mounts *mounts);
void mounts_read(struct mounts *mounts, struct sample *sample, int64_t now_ns);

/* A file system that may not answer, or that asking would wake: network, FUSE, automounter. */
bool mounts_may_hang(const char *type);

#endif
