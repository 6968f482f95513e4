/* SPDX-License-Identifier: MIT
 *
 * What could be done about what held a run up, where the evidence is plain: a sentence each, with the figure
 * it stands on. Pure: the same summary gives the same advice.
 */
#ifndef DIAGNOSE_ADVICE_H
#define DIAGNOSE_ADVICE_H

#include <stddef.h>

#include "model/summary.h"

enum advice_kind {
	ADVICE_UNLINK,	   /* waits in unlink: temporary files of compilers */
	ADVICE_FSYNC,	   /* flushing that was asked for */
	ADVICE_ELSEWHERE,  /* stalled on a disk that the build's directory is not on: TMPDIR */
	ADVICE_NEIGHBOUR,  /* others filled the limit of dirty pages */
	ADVICE_THRESHOLDS, /* the limit is small for this machine */
	ADVICE_CACHE,	   /* read from a disk for the first time */
	ADVICE_MEMORY,	   /* reclaim, swap, refaults */
	ADVICE_COUNT
};

struct advice {
	enum advice_kind kind;
	double most_s;	/* of wall time it could save, at most: estimated from looks */
	char text[224]; /* clean; no full stop */
};

/* Most worth first, one of a kind; how many. */
size_t advice_give(const struct summary *summary, struct advice given[ADVICE_COUNT]);

#endif
