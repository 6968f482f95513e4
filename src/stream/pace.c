/* SPDX-License-Identifier: MIT
 *
 * Ten looks a second say of a second that was blocked for a quarter anything from a tenth to four tenths. So
 * while threads are found blocked in the kernel, and for a second after, looks are four times as close; but
 * never so close that looking takes more than a quarter of a percent of a CPU beyond the usual. Only what was seen
 * before decides, never what the next look will find: each look still stands for the time since the one
 * before it.
 */
#include "pace.h"

#include "base/clock.h"

#define CLOSER	   4
#define CLOSE_NS   NS_PER_S
#define COST_SHARE 400 /* a look may cost one part in so many of the time to the next */
#define SMOOTH	   8

void pace_init(struct pace *pace, int64_t usual_ns, bool fixed)
{
	*pace = (struct pace){.usual_ns = usual_ns, .fixed = fixed || usual_ns < 50 * NS_PER_MS};
}

int64_t pace_looked(struct pace *pace, int64_t now_ns, int64_t cost_ns, size_t blocked)
{
	int64_t close_ns = pace->usual_ns / CLOSER;

	pace->cost_ns += pace->cost_ns ? (cost_ns - pace->cost_ns) / SMOOTH : cost_ns;
	if (blocked > 0)
		pace->close_until_ns = now_ns + CLOSE_NS;
	if (pace->fixed || now_ns >= pace->close_until_ns)
		return pace->usual_ns;
	if (close_ns < pace->cost_ns * COST_SHARE)
		close_ns = pace->cost_ns * COST_SHARE;
	return close_ns < pace->usual_ns ? close_ns : pace->usual_ns;
}
