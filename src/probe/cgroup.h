/* SPDX-License-Identifier: MIT
 *
 * The memory limit of the build's control group and of those above it, and what the group says of its own troubles: pages
 * that it had to read again, and pressure.
 */
#ifndef PROBE_CGROUP_H
#define PROBE_CGROUP_H

#include <stdint.h>
#include <sys/types.h>

#include "model/sample.h"

#define CGROUP_LEVELS_MAX 16

struct cgroup {
	char *levels[CGROUP_LEVELS_MAX]; /* directories with a memory limit to read; the innermost first */
	unsigned n_levels;
	int version; /* 1 or 2: the names of the files */
	char *own;   /* directory of the group itself, if it is not the root; NULL: all the machine is in it */
	char *pressed; /* likewise that which has pressure files (version 2 only) */
};

void cgroup_open(struct cgroup *cgroup, pid_t pid); /* of this process */
void cgroup_close(struct cgroup *cgroup);
void cgroup_read(const struct cgroup *cgroup, struct sample *sample);

#endif
