/* SPDX-License-Identifier: MIT
 *
 * What the build is doing now, in a few words: the first thing one wants to know. Pure.
 */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include "model/tick.h"

enum state_kind {
	STATE_STARTING, /* no tick yet */
	STATE_RUNNING,	/* not stalled; the cause says what most of it does */
	STATE_STALLED,
	STATE_UNKNOWN, /* nobody looked */
};

struct state {
	enum state_kind kind;
	enum cause cause;
	char text[80]; /* clean */
};

/* tick may be NULL. silent_s: seconds since the newest tick should have come; 0 in replay. */
void state_of(struct state *state, const struct tick *tick, double silent_s);
/* The same from what is kept of every moment. brief and stall may be NULL. */
void state_of_brief(struct state *state, const struct brief *brief, const struct stall *stall,
		    int64_t mono_ns);

#endif
