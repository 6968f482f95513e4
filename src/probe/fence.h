/* SPDX-License-Identifier: MIT
 *
 * libproc2 keeps descriptors that it opens at the lowest free number and lets programs inherit. Between
 * fence_raise() and fence_drop() whatever is opened lands at 64 or above, and is close-on-exec afterwards.
 */
#ifndef PROBE_FENCE_H
#define PROBE_FENCE_H

#include <stdbool.h>

#define FENCE_FLOOR 64
#define FENCE_SPAN  4096

struct fence {
	int fillers[FENCE_FLOOR];
	int n_fillers;
	bool before[FENCE_SPAN]; /* descriptors that were open */
};

void fence_raise(struct fence *fence);
void fence_drop(struct fence *fence);

#endif
