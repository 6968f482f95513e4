/* SPDX-License-Identifier: MIT
 *
 * Knows what each signal means for the build, so that it behaves as without us. Without a screen the build is
 * in our process group: what the terminal sends has reached it too and is only noted; what somebody sends to
 * us alone is passed on. With a screen the build has a terminal of its own, and our terminal's signals are
 * passed on to its foreground group.
 */
#include "session_state.h"

#include <signal.h>

#include "base/clock.h"

#define SCREEN_LEAVES_NS NS_PER_S

void session_signal_build(struct session *session, int signal)
{
	pid_t foreground;

	if (!pty_is_open(&session->pty) || session->child.ended) {
		child_signal(&session->child, signal);
		return;
	}
	kill(-session->child.pid, signal);
	foreground = pty_foreground(&session->pty);
	if (foreground > 0 && foreground != session->child.pid)
		kill(-foreground, signal);
}

static void continue_build(struct session *session)
{
	guard_continue(session->guard);
	if (session->build_stopped)
		session_signal_build(session, SIGCONT);
	session->build_stopped = false;
	if (session->screen_open)
		control_tell(session->options->control, CONTROL_TELL_RETURN, 0);
}

void session_suspend(struct session *session, bool whole_group)
{
	session->suspend_by_ns = 0;
	if (pty_is_open(&session->pty)) {
		/* Not SIGTSTP: nobody but us could continue that group, so the kernel would ignore it. */
		session_signal_build(session, SIGSTOP);
		session->build_stopped = true;
	}
	signals_stop_ourselves(whole_group);
	continue_build(session);
}

static void take_stop(struct session *session, const struct signals_event *event)
{
	if (session->screen_open) {
		control_tell(session->options->control, CONTROL_TELL_LEAVE, 0);
		session->suspend_by_ns = clock_mono_ns() + SCREEN_LEAVES_NS;
		return;
	}
	if (session_runs_command(session) && !pty_is_open(&session->pty) && !event->by_kernel) {
		child_signal(&session->child, SIGTSTP);
		session->build_stopped = true;
	}
	session_suspend(session, false);
}

/* Our terminal has gone. The build has its own and goes on; the screen ends. */
static bool is_hangup_of_screen(struct session *session, const struct signals_event *event)
{
	return event->signal == SIGHUP && pty_is_open(&session->pty) &&
	       (event->by_kernel || pty_real_hung_up(&session->pty));
}

static void take_end(struct session *session, const struct signals_event *event)
{
	if (is_hangup_of_screen(session, event)) {
		if (session->screen_open)
			control_tell(session->options->control, CONTROL_TELL_END, 0);
		return;
	}
	if (!session_runs_command(session) && (event->signal == SIGUSR1 || event->signal == SIGUSR2))
		return; /* meant for a build */
	session->seen |= UINT64_C(1) << event->signal;
	guard_continue(session->guard); /* a build that is held would not hear of it */
	if (!session_runs_command(session)) {
		session->stopped_early = true;
		session->over = true;
	} else if (!event->by_kernel) {
		child_signal(&session->child, event->signal);
	} else if (pty_is_open(&session->pty)) {
		session_signal_build(session, event->signal);
	}
}

static void take_signal(struct session *session, const struct signals_event *event)
{
	switch (event->signal) {
	case SIGCHLD:
		if (session_runs_command(session) && child_reap(&session->child))
			session->over = true;
		break;
	case SIGTSTP:
		take_stop(session, event);
		break;
	case SIGCONT:
		continue_build(session);
		break;
	case SIGWINCH:
		if (session->screen_open)
			control_tell(session->options->control, CONTROL_TELL_RESIZE, 0);
		else if (pty_is_open(&session->pty))
			pty_resize(&session->pty, 0);
		break;
	default:
		take_end(session, event);
	}
}

void session_take_signals(struct session *session)
{
	struct signals_event event;

	while (signals_take(&session->signals, &event))
		take_signal(session, &event);
}
