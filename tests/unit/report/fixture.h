/* SPDX-License-Identifier: MIT
 *
 * A made-up run: one of everything, with foreign bytes wherever a recording could hold them.
 */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

struct run *fixture_run(void);
void fixture_summary(struct summary *summary, const struct run *run);
struct tick *fixture_tick(void); /* 2.5 s into the run, stalled */

#endif
