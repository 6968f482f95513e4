/* SPDX-License-Identifier: MIT
 *
 * Knows what the main thread does while the run goes on: it waits for signals, for the screen's wishes, for
 * the build's output and for ticks, and serves each without waiting for another. It is over when our child
 * has ended, whatever that left behind.
 */
#include "session_state.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

enum { SIGNALS, ASKED, LINES, STARTED, ROOTS_OVER, PTY, PTY_COPY, INLINE };

#define CTRL_C 3

bool session_runs_command(const struct session *session)
{
	return session->child.pid > 0;
}

void session_say(struct session *session, const char *line)
{
	if (session->options->say == NULL)
		return;
	if (!session->screen_open)
		session->options->say(line);
	else if (session->n_kept < SESSION_KEPT_LINES)
		session->kept[session->n_kept++] = mem_dup(line);
	if (session->screen_open)
		control_tell_line(session->options->control, line);
}

void session_say_kept(struct session *session)
{
	for (size_t i = 0; i < session->n_kept; i++) {
		session->options->say(session->kept[i]);
		free(session->kept[i]);
	}
	session->n_kept = 0;
}

void session_take_lines(struct session *session)
{
	char line[LOG_LINE_SIZE];

	while (log_take(line))
		session_say(session, line);
}

static void end_watching(struct session *session)
{
	session->stopped_early = true;
	session->over = true;
}

static void leave_screen(struct session *session)
{
	session->screen_open = false;
	session->suspend_by_ns = 0;
	session_say_kept(session);
	if (!session_runs_command(session)) {
		end_watching(session);
	} else {
		pty_copy_out(&session->pty);
		session->result->output_copied = session->pty.copy_fd >= 0;
	}
}

static void stop_build(struct session *session)
{
	session->end_asked = true;
	if (!session_runs_command(session)) {
		end_watching(session);
		return;
	}
	session_signal_build(session, session->stops_asked++ == 0 ? SIGTERM : SIGKILL);
	session_signal_build(session, SIGCONT);
}

static void take_ask(struct session *session, enum control_ask ask, int64_t arg)
{
	switch (ask) {
	case CONTROL_ASK_CLOSE:
		leave_screen(session);
		break;
	case CONTROL_ASK_STOP:
		stop_build(session);
		break;
	case CONTROL_ASK_TYPE:
		if (!pty_is_open(&session->pty))
			break;
		session->end_asked |= arg == CTRL_C;
		pty_type(&session->pty, (unsigned char)arg);
		break;
	case CONTROL_ASK_SUSPEND:
		/* Asked of its own accord it stands for the terminal, which stops the whole group. */
		session_suspend(session, session->suspend_by_ns == 0);
		break;
	case CONTROL_ASK_PTY_SIZE:
		if (pty_is_open(&session->pty))
			pty_resize(&session->pty, (uint32_t)arg);
		break;
	default:
		break; /* the others are replay's */
	}
}

static void take_asks(struct session *session)
{
	enum control_ask ask;
	int64_t arg;

	while (control_asked(session->options->control, &ask, &arg))
		take_ask(session, ask, arg);
}

static nfds_t fill_fds(struct session *session)
{
	struct pollfd *fds = session->fds;
	struct control *control = session->options->control;

	fds[SIGNALS] = (struct pollfd){.fd = session->signals.fd, .events = POLLIN};
	fds[ASKED] = (struct pollfd){.fd = control ? control_asked_fd(control) : -1, .events = POLLIN};
	fds[LINES] = (struct pollfd){.fd = log_fd(), .events = POLLIN};
	fds[STARTED] = (struct pollfd){.fd = session->child.status_fd, .events = POLLIN};
	fds[ROOTS_OVER] =
		(struct pollfd){.fd = session_runs_command(session) ? -1 : sampler_over_fd(session->sampler),
				.events = POLLIN};
	fds[PTY].fd = fds[PTY_COPY].fd = -1;
	if (pty_is_open(&session->pty))
		pty_poll(&session->pty, &fds[PTY]);
	return INLINE + bus_poll(&session->bus, &fds[INLINE]);
}

static int timeout_ms(const struct session *session)
{
	int64_t due_ns = session->namers_due_ns, left_ns;

	if (session->suspend_by_ns != 0 && session->suspend_by_ns < due_ns)
		due_ns = session->suspend_by_ns;
	left_ns = due_ns - clock_mono_ns();
	return left_ns > 0 ? (int)(left_ns / NS_PER_MS) + 1 : 0;
}

static void serve_deadlines(struct session *session)
{
	int64_t now_ns = clock_mono_ns();

	if (now_ns >= session->namers_due_ns) {
		namers_check(&session->namers);
		session->namers_due_ns = now_ns + NS_PER_S;
	}
	if (session->suspend_by_ns != 0 && now_ns >= session->suspend_by_ns)
		session_suspend(session, false);
}

void session_check_start(struct session *session)
{
	int state = 1;

	if (session->child.status_fd >= 0)
		state = child_started(&session->child, session->run->command[0],
				      &session->result->start_status, session->why);
	if (state < 0) {
		session->start_error = state;
		session->over = true;
	}
}

static void serve_fds(struct session *session, nfds_t n)
{
	const struct pollfd *fds = session->fds;

	if (fds[ASKED].revents != 0)
		take_asks(session);
	if (fds[PTY].revents != 0 || fds[PTY_COPY].revents != 0)
		pty_serve(&session->pty);
	if (fds[LINES].revents != 0)
		session_take_lines(session);
	if (fds[ROOTS_OVER].revents != 0)
		session->over = true;
	for (nfds_t i = INLINE; i < n; i++)
		if (fds[i].revents != 0) {
			bus_serve_inline(&session->bus);
			break;
		}
	if (fds[SIGNALS].revents != 0)
		session_take_signals(session);
	/* Behind the signals: one that cannot be run has said so before it ended. */
	session_check_start(session);
}

void session_loop(struct session *session)
{
	session->fds = mem_alloc(INLINE + session->bus.n, sizeof *session->fds);
	while (!session->over) {
		nfds_t n = fill_fds(session);

		if (poll(session->fds, n, timeout_ms(session)) > 0)
			serve_fds(session, n);
		serve_deadlines(session);
	}
	free(session->fds);
	session->fds = NULL;
}
