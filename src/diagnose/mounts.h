/* SPDX-License-Identifier: MIT
 *
 * File systems that fill: growth, room, time to full.
 */
#ifndef DIAGNOSE_MOUNTS_H
#define DIAGNOSE_MOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "alerts.h"
#include "model/sample.h"
#include "model/tick.h"

#define MOUNT_POINTS_MAX 64

struct mount_point {
	int64_t mono_ns;
	double used_bytes, inodes_used; /* NAN: unknown */
};

struct mount_past {
	uint64_t device;
	double first_bytes;			     /* used when it was seen first; NAN: unknown */
	double first_room;			     /* that memory left then; NAN: unknown */
	double lowest_bytes, lowest_inodes;	     /* ever seen in use; NAN: unknown */
	struct mount_point points[MOUNT_POINTS_MAX]; /* oldest first */
	size_t n_points;
};

struct mounts {
	struct mount_past *pasts;
	size_t n_pasts, cap_pasts;
};

void mounts_copy(struct mounts *to, const struct mounts *from); /* to is fresh storage */
void mounts_fini(struct mounts *mounts);
/* Raises the alerts about mounts, too. */
void mounts_step(struct mounts *mounts, const struct sample *sample, struct alerts *alerts,
		 struct tick *tick);

#endif
