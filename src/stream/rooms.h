/* SPDX-License-Identifier: MIT
 *
 * How much room each tmpfs has, asked as often as it must be so that none is full before it was noticed.
 */
#ifndef STREAM_ROOMS_H
#define STREAM_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/tick.h"

struct room {
	uint64_t device;
	char *point;
	bool listed;
	bool armed; /* it was below the limit; one that is full from the start is no concern of the build's */
	bool tight; /* at the limit, or will be before anybody could be stopped */
	uint64_t used, size, inodes_used, inodes;
	double rate; /* bytes a second, the fastest of late */
	int64_t asked_ns, changed_ns, due_ns;
};

struct rooms {
	double share;	    /* the limit, a fraction */
	pid_t inside;	    /* a process of the build, in whose mount namespace to look as well; 0: none */
	uint64_t overshoot; /* most that was still written after the build was told to stop */
	struct room *rooms;
	size_t n_rooms, cap_rooms;
};

void rooms_fini(struct rooms *rooms);
void rooms_update(struct rooms *rooms, const struct tick *tick);
/* Asks those that are due at now_ns (all: every one); when the next one is. */
int64_t rooms_look(struct rooms *rooms, int64_t now_ns, bool all);
/* The first that is tight; NULL: none. */
struct room *rooms_tight(struct rooms *rooms);
/* All of them have room again. */
bool rooms_have_room(const struct rooms *rooms);
/* None is tight from now on before it had room again: whoever lets the build go on has the say. */
void rooms_disarm(struct rooms *rooms);

#endif
