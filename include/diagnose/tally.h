/* SPDX-License-Identifier: MIT
 *
 * The tally: adds up ticks into the summary of the run. Pure, as all of this room.
 */
#ifndef DIAGNOSE_TALLY_H
#define DIAGNOSE_TALLY_H

#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

struct tally;

struct tally *tally_new(const struct run *run); /* run must outlive it */
void tally_free(struct tally *tally);
void tally_add(struct tally *tally, const struct tick *tick, uint64_t dropped);
/* The summary so far, as if the run ended so; summary_fini() it. */
void tally_summary(const struct tally *tally, const struct run_end *end, struct summary *summary);

#endif
