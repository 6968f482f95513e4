/* SPDX-License-Identifier: MIT
 *
 * Where a blocked task writes to: the file system of what it has open for writing.
 */
#ifndef PROBE_OPENED_H
#define PROBE_OPENED_H

#include "mounts.h"
#include "tree.h"

struct opened {
	unsigned asked; /* in this tick */
};

/* Of the tasks that are blocked now, those that were not asked yet since the last tick; a few. */
void opened_look(struct opened *opened, struct tree *tree, const struct mounts *mounts);
/* After the tick: rows of the file systems that were found, and all tasks may be asked again. */
void opened_tick(struct opened *opened, struct tree *tree, const struct mounts *mounts,
		 struct sample *sample);

#endif
