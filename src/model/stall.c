/* SPDX-License-Identifier: MIT
 *
 * What can be said of a stall from itself alone.
 */
#include "model/stall.h"

bool stall_from_outside(const struct stall *stall)
{
	return stall->outside >= 0.75 && stall->cause == CAUSE_DIRTY_THROTTLE;
}

double stall_seconds(const struct stall *stall)
{
	return stall->to_ns > stall->from_ns ? (double)(stall->to_ns - stall->from_ns) / 1e9 : 0;
}
