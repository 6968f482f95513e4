/* SPDX-License-Identifier: MIT
 *
 * Whoever presses Ctrl-C while a summary is sent wants the prompt back and not the build's status changed, so
 * the signals are taken from a descriptor meanwhile. Main thread, while there is no other.
 */
#include "interrupt.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/fd.h"

void interrupt_begin(struct interrupt *interrupt)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &interrupt->before);
	interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (interrupt->fd >= 0)
		interrupt->fd = fd_raise(interrupt->fd);
}

void interrupt_end(struct interrupt *interrupt)
{
	struct signalfd_siginfo taken;
	if (interrupt->fd >= 0) {
		while (read(interrupt->fd, &taken, sizeof taken) > 0)
			; /* they were for the sending */
		close(interrupt->fd);
	}
	sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}

bool interrupt_rest(int fd, long ms)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	return poll(&wait, 1, (int)ms) == 0;
}
