/* SPDX-License-Identifier: MIT
 *
 * The sample that is being filled: task rows as they are found, and what the looks saw.
 */
#ifndef PROBE_LOOKS_H
#define PROBE_LOOKS_H

#include "tree.h"

struct looks {
	struct sample *sample;
	uint64_t serial;  /* of the sample; never 0 */
	uint32_t *before; /* for each look row: 1 + the row of its thread before it */
	size_t cap_before;
	uint32_t *names; /* string offsets in the sample of the symbols */
	uint64_t *name_serials;
	size_t cap_names;
};

void looks_begin(struct looks *looks); /* a new sample */
void looks_fini(struct looks *looks);
/* Writes down where every thread of the tree is now. */
void looks_take(struct looks *looks, const struct tree *tree, int64_t mono_ns);
/* The row of a task in the sample, made where there is none yet. */
struct task_row *looks_task(struct looks *looks, struct tree_task *task);

#endif
