/* SPDX-License-Identifier: MIT
 *
 * Signals as events: the main thread takes them from a descriptor, so nothing ever runs inside a handler.
 */
#ifndef STREAM_SIGNALS_H
#define STREAM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd; /* for poll() */
	sigset_t before;
	struct sigaction pipe_before, size_before, child_before;
};

struct signals_event {
	int signal;
	bool by_kernel; /* the terminal sent it, to the whole foreground group; else somebody's kill(2) */
};

/* Takes over. Signals that were ignored when we started are left ignored and never come. 0 or -errno. */
int signals_open(struct signals *signals);
void signals_close(struct signals *signals);
bool signals_take(struct signals *signals, struct signals_event *event); /* false: none waits */
/* Stops this process as Ctrl-Z stops any other; returns when it goes on, or at once where nobody could
 * continue it (an orphaned process group). whole_group: all that the terminal would have stopped. */
void signals_stop_ourselves(bool whole_group);

#endif
