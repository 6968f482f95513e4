/* SPDX-License-Identifier: MIT
 *
 * How often to look: as usual while nothing is blocked, closer while something is. Pure.
 */
#ifndef STREAM_PACE_H
#define STREAM_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pace {
	int64_t usual_ns; /* between looks */
	bool fixed;	  /* never closer than that */
	int64_t cost_ns;  /* CPU time of a look, smoothed */
	int64_t close_until_ns;
};

void pace_init(struct pace *pace, int64_t usual_ns, bool fixed);
/* A look at now_ns took cost_ns and found so many threads blocked: the time between looks from here on. */
int64_t pace_looked(struct pace *pace, int64_t now_ns, int64_t cost_ns, size_t blocked);

#endif
