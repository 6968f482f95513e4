/* SPDX-License-Identifier: MIT
 *
 * Stops the build's whole tree, and lets it go on.
 */
#ifndef STREAM_HOLD_H
#define STREAM_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/map.h"

struct hold {
	const pid_t *roots; /* borrowed; none: all children of ours */
	size_t n_roots;
	pid_t helper; /* the one that is not of the build; 0: none */

	pid_t *stopped; /* in the order in which they were found */
	size_t n_stopped, cap_stopped;
	struct map known; /* by pid */
	bool settled;	  /* the first of them was seen stopped */
};

/* False: this kernel has no /proc/PID/task/TID/children, and nothing can be held. */
bool hold_possible(void);
void hold_fini(struct hold *hold);
/* Stops all there are and what they still fork. Again while it lasts: stops what is new; false: nothing was.
 */
bool hold_stop(struct hold *hold);
/* Somebody else let the first of them go on, or it has ended. */
bool hold_is_broken(struct hold *hold);
void hold_release(struct hold *hold);

#endif
