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

#include "base/map.h"
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
	bool wanted;	/* by one of the paths that are to be watched */
	bool watched;	/* has a row in each sample */
	uint64_t values[METRIC_MOUNT_COUNT];
};

/* A file system that is no tmpfs, and lies on something: known by name, never asked. */
struct mount_disk {
	uint64_t device;
	char *point, *type, *source;
};

struct mounts {
	int file;	/* /proc/self/mountinfo, for poll() */
	char table[48]; /* the file's path */
	char root[32];	/* before every path: "", or where the root of a task is to be seen */
	char *workdir;
	char **paths; /* others whose file systems are to be watched */
	size_t n_paths, cap_paths;
	struct mount *mounts;
	size_t n_mounts, cap_mounts;
	size_t next; /* of those looked at in turn */
	struct mount_disk *disks;
	size_t n_disks, cap_disks;
	struct map disk_ids; /* by the number of the mount: 1 + its index in disks */
	int64_t read_ns, read_cost_ns;
	bool changed; /* since it was read */
};

void mounts_open(struct mounts *mounts, const char *workdir);
/* The file system that the path lies on is watched too, unless asking it may hang. */
void mounts_add_path(struct mounts *mounts, const char *path);
/* From now on as this task sees them, in its own mount namespace. */
void mounts_look_through(struct mounts *mounts, pid_t pid);
void mounts_close(struct mounts *mounts);
void mounts_read(struct mounts *mounts, struct sample *sample, int64_t now_ns);

/* The device of a mount by its number, if it is a disk's or a server's; 0: it is not, or not known. */
uint64_t mounts_disk_of(const struct mounts *mounts, uint64_t mount_id);
/* A row of that device, without its usage. */
void mounts_add_disk(const struct mounts *mounts, struct sample *sample, uint64_t device);
void mounts_forget_disks(struct mounts *mounts);

/* A file system that may not answer, or that asking would wake: network, FUSE, automounter. */
bool mounts_may_hang(const char *type);

#endif
