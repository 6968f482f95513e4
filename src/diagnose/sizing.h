/* SPDX-License-Identifier: MIT
 *
 * Which size a tmpfs must have: from how its use grew, the sizes that would have failed, and when.
 */
#ifndef DIAGNOSE_SIZING_H
#define DIAGNOSE_SIZING_H

#include <stddef.h>
#include <stdint.h>

struct sizing_step {
	double at_s;
	uint64_t bytes;
};

struct sizing {
	struct sizing_step *steps; /* each higher than the one before */
	size_t n_steps, cap_steps;
};

struct sizing_answer {
	uint64_t fails_bytes;  /* the largest usual size that was exceeded; 0: none */
	double fails_at_s;     /* when */
	uint64_t enough_bytes; /* the smallest usual size with a tenth to spare; 0: nothing was used */
};

void sizing_add(struct sizing *sizing, double at_s, uint64_t bytes);
/* `more` comes on top of all that was added. */
struct sizing_answer sizing_answer(const struct sizing *sizing, uint64_t more);
void sizing_fini(struct sizing *sizing);

#endif
