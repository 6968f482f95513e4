/* SPDX-License-Identifier: MIT
 *
 * Knows which signals the program takes itself, and makes events of them by signalfd(2). Refuses to know what
 * they mean for the build: that is session_signal.c. Invariant: while open they are blocked in every thread.
 * Main thread only.
 */
#include "signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/fd.h"
#include "inherit.h"

static const int taken[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,	 SIGUSR1,
			    SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD};

int signals_open(struct signals *signals)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL};
	sigset_t set;
	int fd;

	/* A blocked signal reaches a signalfd even when it is ignored, so those stay out of the set. SIGCHLD
	 * is another matter: ignoring it would have the kernel throw away how children ended. */
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (taken[i] == SIGCHLD || !inherit_ignored(taken[i]))
			sigaddset(&set, taken[i]);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	fd = fd < 0 ? -errno : fd_raise(fd);
	if (fd < 0)
		return fd;
	signals->fd = fd;
	sigprocmask(SIG_BLOCK, &set, &signals->before);
	sigaction(SIGCHLD, &standard, &signals->child_before);
	sigaction(SIGPIPE, &ignore, &signals->pipe_before);
	sigaction(SIGXFSZ, &ignore,
		  &signals->size_before); /* a recording beyond the limit is an error, no end */
	return 0;
}

void signals_close(struct signals *signals)
{
	struct signals_event event;

	if (signals->fd < 0)
		return;
	while (signals_take(signals, &event))
		; /* what came after the end was meant for a build that is over */
	close(signals->fd);
	signals->fd = -1;
	sigaction(SIGXFSZ, &signals->size_before, NULL);
	sigaction(SIGPIPE, &signals->pipe_before, NULL);
	sigaction(SIGCHLD, &signals->child_before, NULL);
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

bool signals_take(struct signals *signals, struct signals_event *event)
{
	struct signalfd_siginfo info;
	ssize_t n;

	do
		n = read(signals->fd, &info, sizeof info);
	while (n < 0 && errno == EINTR);
	if (n != sizeof info)
		return false;
	event->signal = (int)info.ssi_signo;
	event->by_kernel = info.ssi_code == SI_KERNEL;
	return true;
}

void signals_stop_ourselves(bool whole_group)
{
	sigset_t stop, before;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &before);
	if (whole_group)
		kill(0, SIGTSTP);
	else
		raise(SIGTSTP);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
