/* SPDX-License-Identifier: MIT
 *
 * The sample that is being filled: task rows as they are found, and what the looks saw.
 */
#ifndef PROBE_SIGHTINGS_H
#define PROBE_SIGHTINGS_H

#include "tree.h"

struct sightings {
	struct sample *sample;
	uint64_t serial;  /* of the sample; never 0 */
	uint32_t *before; /* for each look row: 1 + the row of its thread before it */
	size_t cap_before;
	uint32_t *names; /* string offsets in the sample of the symbols */
	uint64_t *name_serials;
	size_t cap_names;
};

void sightings_begin(struct sightings *sightings); /* a new sample */
void sightings_fini(struct sightings *sightings);
/* Writes down where every thread of the tree is now; how many are in state D. */
size_t sightings_take(struct sightings *sightings, const struct tree *tree, int64_t mono_ns);
/* The row of a task in the sample, made where there is none yet. */
struct task_row *sightings_task(struct sightings *sightings, struct tree_task *task);

#endif
