/* SPDX-License-Identifier: MIT
 *
 * What the parts of a session share: session.c sets it up and puts it away, session_loop.c serves it while
 * the run goes on, session_signal.c passes signals on, session_finish.c makes out how it ended. All of it is
 * the main thread's.
 */
#ifndef STREAM_SESSION_STATE_H
#define STREAM_SESSION_STATE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "bus.h"
#include "child.h"
#include "finder.h"
#include "guard.h"
#include "namers.h"
#include "probe/probe.h"
#include "pty.h"
#include "sampler.h"
#include "seeker.h"
#include "signals.h"
#include "stream/session.h"

#define SESSION_KEPT_LINES 64

struct session {
	const struct session_options *options;
	struct session_result *result;
	struct run *run;
	struct why *why;

	struct signals signals;
	struct child child; /* pid -1: we watch what others started */
	struct pty pty;	    /* open: the build runs in it */
	struct probe *probe;
	struct namers namers;
	struct bus bus;
	struct sampler *sampler;
	struct guard *guard; /* NULL: not asked for */
	struct finder *finder;
	struct seeker *seeker; /* NULL: the roots are known */
	struct rusage reaped_before; /* of children that were not the build's */
	struct pollfd *fds;

	int start_error; /* -errno when the command could not be run */
	bool over;
	bool stopped_early; /* watching ended before what was watched did */
	bool screen_open;   /* there is a screen, and it has not been left */
	bool build_stopped; /* by us, with us */
	uint64_t seen;	    /* signals that asked us to end: bit N for signal N */
	bool end_asked;	    /* by the screen */
	unsigned stops_asked;
	int64_t suspend_by_ns; /* the screen was told to leave; suspend by then at the latest. 0: it was not
				*/
	int64_t namers_due_ns;

	bool threads_left; /* hung, and given up: what they use is never freed */

	char *kept[SESSION_KEPT_LINES]; /* lines to say once the screen is closed */
	size_t n_kept;
};

bool session_runs_command(const struct session *session);
void session_check_start(
	struct session *session); /* sets start_error, and over, when the command cannot be run */
void session_loop(struct session *session);
void session_take_lines(struct session *session);
void session_say(struct session *session, const char *line); /* now, or when the screen is closed */
void session_say_kept(struct session *session);

void session_take_signals(struct session *session);
void session_signal_build(struct session *session,
			  int signal); /* all of its terminal's, or the child alone */
void session_suspend(struct session *session, bool whole_group);

/* After the loop: fills result->end and the like from the child, the signals seen and the last tick (NULL:
 * unknown). */
void session_fill_end(struct session *session, const struct tick *last);
/* Waits for the consumers' threads, no longer than is good; false: one was left behind. */
bool session_join(struct session *session);

#endif
