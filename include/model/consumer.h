/* SPDX-License-Identifier: MIT
 *
 * A consumer of ticks, live or replayed. The same functions serve both ways of being called: with a thread of its own
 * (serve set: the thread runs serve(), which takes from the inbox until inbox_ended()) or inline (tick called by whoever
 * has the ticks; used by reports, and on the main thread). No consumer knows another.
 */
#ifndef MODEL_CONSUMER_H
#define MODEL_CONSUMER_H

#include <stdbool.h>

#include "model/inbox.h"
#include "model/run.h"
#include "model/tick.h"

struct consumer {
	const char *name; /* at most 15 bytes: the thread's name */
	void *self;
	void (*begin)(void *self, const struct run *run);                    /* may be NULL */
	void (*tick)(void *self, const struct tick *tick, uint64_t dropped); /* may be NULL with serve */
	void (*serve)(void *self, struct inbox *inbox);                      /* NULL: inline */
	void (*end)(void *self, const struct run_end *end); /* after the last tick; behind serve, on its thread; may be NULL */
	bool expendable; /* its thread may be left behind when it does not return in time: a screen on a dead terminal */
};

#endif
