/* SPDX-License-Identifier: MIT
 *
 * The tasks of a tick by libproc2: one select of exactly the pids of the tree.
 */
#ifndef PROBE_ROWS_H
#define PROBE_ROWS_H

#include "tree.h"

struct pids_info;

struct rows {
	struct pids_info *tasks;   /* NULL: libproc2 cannot; what the looks read is all there is */
	struct pids_info *parents; /* pid and parent of all processes, where there are no children files */
	uint64_t reads;
};

void rows_open(struct rows *rows, bool has_children);
void rows_close(struct rows *rows);
/*
 * Reads the values of the tasks that ran since the last time, parents before children; those that are gone
 * are ended. Of the others only the memory can have changed: they are read in every eighth call.
 */
void rows_read(struct rows *rows, struct tree *tree);
/* Finds children by reading all processes of the machine. */
void rows_find(struct rows *rows, struct tree *tree);

#endif
