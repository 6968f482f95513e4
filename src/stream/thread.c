/* SPDX-License-Identifier: MIT
 *
 * Knows how every thread of the program is made: named, and with all signals blocked but those that a fault
 * of its own raises, so that whoever restores the terminal in a crash gets to know of it. Knows nothing of
 * what threads do. Main thread only.
 */
#include "thread.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

void thread_init(struct thread *thread)
{
	*thread = (struct thread){.done_fd = -1};
}

static void *thread_main(void *arg)
{
	struct thread *thread = arg;

	pthread_setname_np(pthread_self(), thread->name);
	thread->work(thread->arg);
	eventfd_write(thread->done_fd, 1);
	return NULL;
}

static void signals_of_threads(sigset_t *blocked)
{
	static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

	sigfillset(blocked);
	for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++)
		sigdelset(blocked, own_faults[i]);
}

int thread_start(struct thread *thread, const char *name, void (*work)(void *arg), void *arg)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigset_t blocked, before;
	int error;

	fd = fd < 0 ? -errno : fd_raise(fd);
	if (fd < 0)
		return fd;
	thread->done_fd = fd;
	thread->work = work;
	thread->arg = arg;
	snprintf(thread->name, sizeof thread->name, "%s", name);

	signals_of_threads(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	error = pthread_create(&thread->id, NULL, thread_main, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0) {
		close(fd);
		thread->done_fd = -1;
	}
	return -error;
}

bool thread_started(const struct thread *thread)
{
	return thread->done_fd >= 0;
}

bool thread_wait(struct thread *thread, int timeout_ms)
{
	struct pollfd done = {.fd = thread->done_fd, .events = POLLIN};
	int64_t until_ns = clock_mono_ns() + timeout_ms * NS_PER_MS;

	if (!thread_started(thread))
		return true;
	while (poll(&done, 1, timeout_ms) < 0 && errno == EINTR) {
		int64_t left_ns = until_ns - clock_mono_ns();

		if (timeout_ms >= 0)
			timeout_ms = left_ns > 0 ? (int)(left_ns / NS_PER_MS) : 0;
	}
	if ((done.revents & POLLIN) == 0)
		return false;
	pthread_join(thread->id, NULL);
	close(thread->done_fd);
	thread->done_fd = -1;
	return true;
}

void thread_leave(struct thread *thread)
{
	if (thread_started(thread))
		pthread_detach(thread->id);
}
