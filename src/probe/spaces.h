/* SPDX-License-Identifier: MIT
 *
 * The mount namespace that a part of the build has for itself, if it has one.
 */
#ifndef PROBE_SPACES_H
#define PROBE_SPACES_H

#include "mounts.h"
#include "tree.h"

struct spaces {
	char own[64];	      /* what the link of our namespace says */
	char other[64];	      /* the build's; "": none found so far */
	pid_t pid;	      /* a task in it */
	size_t next;	      /* of the tasks that are asked in turn */
	struct mounts mounts; /* as seen from it */
};

void spaces_open(struct spaces *spaces);
void spaces_close(struct spaces *spaces);
/* Adds rows for what ours does not show; behind mounts_read() of our own. */
void spaces_read(struct spaces *spaces, const struct tree *tree, struct sample *sample, int64_t now_ns);

#endif
