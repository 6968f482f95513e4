/* SPDX-License-Identifier: MIT
 *
 * A look, counted: how many threads of the build were in each class at one moment, and for how long that
 * moment stands.
 */
#ifndef DIAGNOSE_LOOK_H
#define DIAGNOSE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cause.h"

#define LOOK_WHO_MAX 12

/* Threads of one name, stalled at one place. */
struct look_who {
	char comm[16];
	char wchan[48];
	enum cause cause;
	unsigned evidence; /* enum stall_evidence */
	uint32_t threads;
};

struct look {
	int64_t from_ns, to_ns;		   /* the time it stands for; it was taken at its end */
	float threads[CAUSE_COUNT];	   /* fractions: a thread that runs is part running, part queued */
	float on_request;		   /* of those in flush_wait: in a call that asks for it */
	bool progress;			   /* a thread runs, or waits for something outside the build */
	size_t n_who;
	struct look_who who[LOOK_WHO_MAX]; /* further ones are counted above only */
};

void look_begin(struct look *look, int64_t from_ns, int64_t to_ns); /* nobody was seen yet */
void look_copy(struct look *to, const struct look *from);

/* The part of the task time that could have been spent working and was spent in these causes (bits: 1 <<
 * cause). */
double look_share(const struct look *look, unsigned causes);
double look_threads(const struct look *look, unsigned causes);
double look_seconds(const struct look *look);
/* Something of the build got on, whatever these causes held up: a thread ran, or waited for something else. */
bool look_progress(const struct look *look, unsigned causes);

/* Counts one more thread of that name and place. */
void look_add(struct look *look, const char *comm, const char *wchan, enum cause cause, unsigned evidence);

#define LOOK_CAUSES_FLUSH   (1u << CAUSE_DIRTY_THROTTLE | 1u << CAUSE_FLUSH_WAIT)
#define LOOK_CAUSES_WORKING (1u << CAUSE_CPU | 1u << CAUSE_RUNQUEUE)
#define LOOK_CAUSES_STALLED                                                                                  \
	(LOOK_CAUSES_FLUSH | 1u << CAUSE_READ | 1u << CAUSE_MEMORY | 1u << CAUSE_REMOTE_IO |                 \
	 1u << CAUSE_BLOCKED)

#endif
