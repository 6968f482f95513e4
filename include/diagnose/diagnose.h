/* SPDX-License-Identifier: MIT
 *
 * The judgement: turns samples, in their order, into ticks. Pure: no file, no clock, no thread, no global state; the same
 * samples give the same ticks, live and in replay.
 */
#ifndef DIAGNOSE_DIAGNOSE_H
#define DIAGNOSE_DIAGNOSE_H

#include "model/run.h"
#include "model/sample.h"
#include "model/tick.h"

struct diagnose;

struct diagnose *diagnose_new(const struct run *run); /* keeps no reference to run */
/* All that the next step depends on, copied: replay keeps one at each frame so that a seek need not start at the beginning. */
struct diagnose *diagnose_clone(const struct diagnose *diagnose);
void diagnose_free(struct diagnose *diagnose);

/* Takes the sample; the tick is yours (one reference). */
struct tick *diagnose_step(struct diagnose *diagnose, struct sample *sample);

#endif
