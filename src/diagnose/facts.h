/* SPDX-License-Identifier: MIT
 *
 * What the counters of one interval can say about a stall in it: levels, amounts written, by whom, and where
 * to.
 */
#ifndef DIAGNOSE_FACTS_H
#define DIAGNOSE_FACTS_H

#include "model/sample.h"
#include "model/tick.h"

#include "episode.h"
#include "rates.h"

/* What the build wrote that its disk has not written yet: at most so much of what is dirty is the build's. */
struct facts_backlog {
	double bytes;
};

void facts_gather(struct episode_facts *facts, struct facts_backlog *backlog, const struct sample *sample,
		  const struct tick *tick, const struct rates_found *found);

#endif
