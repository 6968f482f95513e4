/* SPDX-License-Identifier: MIT
 *
 * Knows how the command is started and how it ended. Invariant: between fork and exec the child puts back all
 * that we changed for ourselves, so that it sees what it would have seen without us; a failure there is told
 * to the parent through a pipe that exec closes. Main thread, before any other is made.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "inherit.h"

enum { CANNOT_PREPARE = 125, CANNOT_EXECUTE = 126, NOT_FOUND = 127 };

struct failure {
	int error;
	int status;
};

static int open_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	fds[0] = fd_raise(fds[0]);
	fds[1] = fd_raise(fds[1]);
	if (fds[0] >= 0 && fds[1] >= 0)
		return 0;
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return -EMFILE;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int take_terminal(int slave_fd)
{
	if (setsid() < 0 || ioctl(slave_fd, TIOCSCTTY, 0) < 0)
		return -errno;
	for (int fd = 0; fd <= 2; fd++)
		if (isatty(fd) && dup2(slave_fd, fd) < 0)
			return -errno;
	return 0;
}

/* In the child. Never returns. */
static void run_command(char *const *argv, int slave_fd, int go_fd, int status_fd)
{
	struct failure failure = {0};
	ssize_t n;
	char go;

	inherit_restore();
	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(CANNOT_PREPARE); /* the parent is gone, or thought better of it */
	if (slave_fd >= 0)
		failure.error = -take_terminal(slave_fd);
	if (failure.error != 0) {
		failure.status = CANNOT_PREPARE;
	} else {
		execvp(argv[0], argv);
		failure.error = errno;
		failure.status = errno == ENOENT ? NOT_FOUND : CANNOT_EXECUTE;
	}
	signal(SIGPIPE, SIG_IGN);
	n = write(status_fd, &failure, sizeof failure);
	_exit(failure.status);
}

int child_fork(struct child *child, char *const *argv, int slave_fd, struct why *why)
{
	int go[2], status[2], error;
	pid_t pid;

	*child = (struct child){.pid = -1, .go_fd = -1, .status_fd = -1};
	if ((error = open_pipe(go)) < 0)
		return why_set(why, error, "cannot make a pipe: %s", strerror(-error));
	if ((error = open_pipe(status)) < 0) {
		close(go[0]);
		close(go[1]);
		return why_set(why, error, "cannot make a pipe: %s", strerror(-error));
	}
	pid = fork();
	error = -errno;
	if (pid == 0) {
		close(go[1]);
		run_command(argv, slave_fd, go[0], status[1]);
	}
	close(go[0]);
	close(status[1]);
	child->go_fd = go[1];
	child->status_fd = status[0];
	child->pid = pid;
	if (pid < 0) {
		close_one(&child->go_fd);
		close_one(&child->status_fd);
		return why_set(why, error, "cannot start a process: %s", strerror(-error));
	}
	return 0;
}

void child_let_go(struct child *child)
{
	fd_write_all(child->go_fd, "", 1);
	close_one(&child->go_fd);
}

/* Of a child that is about to exit and never became the command. */
static void wait_for_exit(struct child *child)
{
	while (!child->ended && waitpid(child->pid, &child->wait_status, 0) < 0 && errno == EINTR)
		;
	child->ended = true;
}

int child_started(struct child *child, const char *command, int *start_status, struct why *why)
{
	struct pollfd ready = {.fd = child->status_fd, .events = POLLIN};
	struct failure failure;
	char name[256];
	ssize_t n;

	if (child->status_fd < 0)
		return 1;
	if (poll(&ready, 1, 0) <= 0)
		return 0;
	do
		n = read(child->status_fd, &failure, sizeof failure);
	while (n < 0 && errno == EINTR);
	close_one(&child->status_fd);
	if (n != sizeof failure)
		return 1; /* exec closed it */
	wait_for_exit(child);
	*start_status = failure.status;
	text_clean_string(name, sizeof name, command);
	if (failure.status == NOT_FOUND)
		return why_set(why, -failure.error, "%s: command not found", name);
	if (failure.status == CANNOT_EXECUTE)
		return why_set(why, -failure.error, "%s: cannot be executed: %s", name,
			       strerror(failure.error));
	return why_set(why, -failure.error, "%s: cannot give it a terminal: %s", name,
		       strerror(failure.error));
}

bool child_reap(struct child *child)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0 || (pid < 0 && errno == EINTR)) {
		if (pid < 0 || pid != child->pid)
			continue;
		child->ended = true;
		child->wait_status = status;
		child->usage = usage;
	}
	return child->ended;
}

void child_signal(const struct child *child, int signal)
{
	if (child->pid > 0 && !child->ended)
		kill(child->pid, signal);
}

void child_close(struct child *child)
{
	bool waits = child->go_fd >= 0;

	close_one(&child->go_fd);
	close_one(&child->status_fd);
	if (waits && child->pid > 0)
		wait_for_exit(child);
}
