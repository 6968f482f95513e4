/* SPDX-License-Identifier: MIT
 *
 * Disks and partitions by libproc2, their cache flushes by a reader of our own.
 */
#ifndef PROBE_DISKS_H
#define PROBE_DISKS_H

#include "model/sample.h"

struct diskstats_info;

struct disks {
	struct diskstats_info *diskstats; /* NULL: not here */
	int file;
	char *text;
};

void disks_open(struct disks *disks);
void disks_close(struct disks *disks);
void disks_read(struct disks *disks, struct sample *sample);

#endif
