/* SPDX-License-Identifier: MIT
 *
 * What can be said of a stall from itself alone.
 */
#include "model/stall.h"

double stall_seconds(const struct stall *stall)
{
	return stall->to_ns > stall->from_ns ? (double)(stall->to_ns - stall->from_ns) / 1e9 : 0;
}
