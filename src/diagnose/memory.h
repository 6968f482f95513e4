/* SPDX-License-Identifier: MIT
 *
 * The memory of the whole tree at one moment, and who was killed for the lack of it.
 */
#ifndef DIAGNOSE_MEMORY_H
#define DIAGNOSE_MEMORY_H

#include "model/summary.h"
#include "model/tick.h"

struct memory {
	struct summary_memory told;
	uint64_t kills;			  /* counted so far; METRIC_NA: unknown */
	uint32_t jobs_told, jobs_running; /* the most */
};

/* Pages of files are counted once for each command, as large as in the largest; METRIC_NA: of none it is
 * known. */
uint64_t memory_of_tree(const struct sample *sample);

void memory_init(struct memory *memory);
/* at_s: since the start. */
void memory_add(struct memory *memory, const struct tick *tick, double at_s);
void memory_summary(const struct memory *memory, struct summary *summary);

#endif
