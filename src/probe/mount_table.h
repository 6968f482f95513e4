/* SPDX-License-Identifier: MIT
 *
 * The mount table by libmount, as the list of file systems to be asked.
 */
#ifndef PROBE_MOUNT_TABLE_H
#define PROBE_MOUNT_TABLE_H

#include "mounts.h"

/* Reads /proc/self/mountinfo into mounts->mounts: those that are there are marked `listed`, with their paths.
 * 0 or -errno. */
int mount_table_read(struct mounts *mounts);

#endif
