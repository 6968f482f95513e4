/* SPDX-License-Identifier: MIT
 *
 * The steps of a run: how many processes worked for each, when, and what they used.
 */
#ifndef DIAGNOSE_STEPS_H
#define DIAGNOSE_STEPS_H

#include <stdint.h>

#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

struct steps;

struct steps *steps_new(const struct run *run); /* run must outlive it */
void steps_free(struct steps *steps);
/* before_ns: end of the tick before. */
void steps_add(struct steps *steps, const struct tick *tick, int64_t before_ns);
void steps_summary(const struct steps *steps, struct summary *summary);

#endif
