/* SPDX-License-Identifier: MIT
 *
 * The guard: stops the build before a tmpfs is full and lets it go on when there is room (--pause-on-full).
 * There is none, and nothing is spent on one, unless it was asked for.
 */
#ifndef STREAM_GUARD_H
#define STREAM_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/why.h"
#include "model/consumer.h"

struct guard;

struct guard_options {
	double share;	    /* of a tmpfs: stop before it is so full */
	pid_t child;	    /* the command, or 0: */
	const pid_t *roots; /* what is watched; borrowed */
	size_t n_roots;
	pid_t helper; /* a child of ours that is not of the build; 0: none */
};

int guard_open(struct guard **guard, const struct guard_options *options, struct why *why);
struct consumer guard_consumer(
	struct guard *guard); /* with a thread; learns from the ticks what tmpfs there are */
/* The build goes on, full or not. Any thread; NULL is fine. */
void guard_continue(struct guard *guard);
/* Marks the sample: for how long the build was held so far, and whether it is. Any thread; NULL is fine. */
void guard_mark(const struct guard *guard, struct sample *sample);
void guard_close(struct guard *guard); /* its thread has ended; NULL is fine */

#endif
