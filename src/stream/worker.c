/* SPDX-License-Identifier: MIT
 *
 * Knows how every thread of the program is made: named, and with all signals blocked but those that a fault
 * of its own raises, so that whoever restores the terminal in a crash gets to know of it. Knows nothing of
 * what threads do. Main thread only.
 */
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

void worker_init(struct worker *worker)
{
	*worker = (struct worker){.done_fd = -1};
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;

	pthread_setname_np(pthread_self(), worker->name);
	worker->work(worker->arg);
	eventfd_write(worker->done_fd, 1);
	return NULL;
}

static void signals_of_threads(sigset_t *blocked)
{
	static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

	sigfillset(blocked);
	for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++)
		sigdelset(blocked, own_faults[i]);
}

int worker_start(struct worker *worker, const char *name, void (*work)(void *arg), void *arg)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigset_t blocked, before;
	int error;

	fd = fd < 0 ? -errno : fd_raise(fd);
	if (fd < 0)
		return fd;
	worker->done_fd = fd;
	worker->work = work;
	worker->arg = arg;
	snprintf(worker->name, sizeof worker->name, "%s", name);

	signals_of_threads(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	error = pthread_create(&worker->id, NULL, worker_main, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0) {
		close(fd);
		worker->done_fd = -1;
	}
	return -error;
}

bool worker_started(const struct worker *worker)
{
	return worker->done_fd >= 0;
}

bool worker_wait(struct worker *worker, int timeout_ms)
{
	struct pollfd done = {.fd = worker->done_fd, .events = POLLIN};
	int64_t until_ns = clock_mono_ns() + timeout_ms * NS_PER_MS;

	if (!worker_started(worker))
		return true;
	while (poll(&done, 1, timeout_ms) < 0 && errno == EINTR) {
		int64_t left_ns = until_ns - clock_mono_ns();

		if (timeout_ms >= 0)
			timeout_ms = left_ns > 0 ? (int)(left_ns / NS_PER_MS) : 0;
	}
	if ((done.revents & POLLIN) == 0)
		return false;
	pthread_join(worker->id, NULL);
	close(worker->done_fd);
	worker->done_fd = -1;
	return true;
}

void worker_leave(struct worker *worker)
{
	if (worker_started(worker))
		pthread_detach(worker->id);
}
