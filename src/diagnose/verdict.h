/* SPDX-License-Identifier: MIT
 *
 * The judgement over a whole run.
 */
#ifndef DIAGNOSE_VERDICT_H
#define DIAGNOSE_VERDICT_H

#include "model/summary.h"

struct tally_times {
	double time_s[CAUSE_COUNT]; /* task-seconds */
	double held_s[CAUSE_COUNT]; /* wall time that the class held the build up: its share of the task time
				     */
	double some_s, full_s, unknown_s;
	double held_asked_s, held_unlink_s; /* of flush_wait */
	double path_s; /* NAN: unknown */
};

/* Fills verdict, verdict_text and the bound; the rest of the summary is there. */
void verdict_give(const struct tally_times *times, struct summary *summary);

#endif
