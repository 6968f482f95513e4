/* SPDX-License-Identifier: MIT
 *
 * Knows how commands are run that are ours and not the build's. They are children of a helper process, which
 * is their subreaper too and which is waited for only after the build's figures were taken, so that none of
 * their CPU time is ever counted as the build's. Each has a process group of its own and a limit of time;
 * more than a few at once wait their turn in the socket. The helper ends when we do.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"

#define LIMIT_NS (30 * NS_PER_S)

enum { AT_ONCE = 4, ENVIRONMENT_MAX = 8192 };

struct runner {
	pid_t pid;
	int fd;
	unsigned under_way;
};

/* What the helper answers to each request. */
struct outcome {
	int status; /* of waitpid() */
	int error;  /* it could not be started */
	bool timed_out;
};

/* In the helper: */

struct job {
	pid_t pid;
	int64_t due_ns;
	bool timed_out;
};

struct helper {
	int fd, signal_fd;
	const char *command;
	struct job jobs[AT_ONCE];
	unsigned n_jobs;
	bool over; /* nobody asks any more */
};

static void run_command(const char *command, const char *environment, size_t len)
{
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (const char *at = environment; at < environment + len; at += strlen(at) + 1)
		putenv((char *)(uintptr_t)at);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void answer(const struct helper *helper, struct outcome outcome)
{
	send(helper->fd, &outcome, sizeof outcome, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void take_request(struct helper *helper)
{
	char environment[ENVIRONMENT_MAX + 1];
	ssize_t len = recv(helper->fd, environment, ENVIRONMENT_MAX, 0);
	pid_t pid;

	if (len <= 0) {
		helper->over = len == 0 || errno != EINTR;
		return;
	}
	environment[len] = '\0';
	pid = fork();
	if (pid == 0)
		run_command(helper->command, environment, (size_t)len);
	if (pid < 0) {
		answer(helper, (struct outcome){.error = errno});
		return;
	}
	setpgid(pid, pid);
	helper->jobs[helper->n_jobs++] = (struct job){.pid = pid, .due_ns = clock_mono_ns() + LIMIT_NS};
}

static void reap(struct helper *helper)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(helper->signal_fd, &info, sizeof info) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned i = 0; i < helper->n_jobs; i++)
			if (helper->jobs[i].pid == pid) {
				answer(helper, (struct outcome){.status = status,
								.timed_out = helper->jobs[i].timed_out});
				helper->jobs[i] = helper->jobs[--helper->n_jobs];
				break;
			}
}

/* Ends those whose time is over; milliseconds until the next one's is, -1: none runs. */
static int end_late(struct helper *helper)
{
	int64_t now_ns = clock_mono_ns(), next_ns = INT64_MAX;

	for (unsigned i = 0; i < helper->n_jobs; i++) {
		struct job *job = &helper->jobs[i];

		if (!job->timed_out && now_ns >= job->due_ns) {
			job->timed_out = true;
			kill(-job->pid, SIGKILL);
		}
		if (!job->timed_out && job->due_ns < next_ns)
			next_ns = job->due_ns;
	}
	return next_ns == INT64_MAX ? -1 : (int)((next_ns - now_ns) / NS_PER_MS) + 1;
}

static void serve(struct helper *helper)
{
	while (!helper->over || helper->n_jobs > 0) {
		bool ready = !helper->over && helper->n_jobs < AT_ONCE;
		struct pollfd fds[] = {{.fd = ready ? helper->fd : -1, .events = POLLIN},
				       {.fd = helper->signal_fd, .events = POLLIN}};

		if (poll(fds, 2, end_late(helper)) <= 0)
			continue;
		if (fds[1].revents)
			reap(helper);
		if (fds[0].revents)
			take_request(helper);
	}
}

static void give_streams(bool quiet)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		if (quiet)
			dup2(null, STDERR_FILENO);
	}
	dup2(STDERR_FILENO, STDOUT_FILENO); /* ours may be a pipe that is not for this */
}

/* Never returns. */
static void help(int fd, const char *command, bool quiet)
{
	struct helper helper = {.fd = fd, .command = command};
	sigset_t child;

	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "alert-runner");
	give_streams(quiet);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	helper.signal_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (helper.signal_fd >= 0)
		serve(&helper);
	_exit(0);
}

/* In buildtop: */

int runner_open(struct runner **out, const char *command, bool quiet, struct why *why)
{
	struct runner *runner = mem_alloc(1, sizeof *runner);
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == 0) {
		fds[0] = fd_raise(fds[0]);
		fds[1] = fd_raise(fds[1]);
		runner->pid = fds[0] >= 0 && fds[1] >= 0 ? fork() : -1;
		if (runner->pid == 0) {
			close(fds[0]);
			help(fds[1], command, quiet);
		}
		if (fds[1] >= 0)
			close(fds[1]);
		runner->fd = fds[0];
		if (runner->pid > 0) {
			*out = runner;
			return 0;
		}
		if (fds[0] >= 0)
			close(fds[0]);
	}
	free(runner);
	return why_set(why, -EAGAIN, "--on-alert: no process to be had for its commands: %s",
		       strerror(errno));
}

pid_t runner_pid(const struct runner *runner)
{
	return runner->pid;
}

int runner_start(struct runner *runner, const struct buf *environment)
{
	if (environment->len > ENVIRONMENT_MAX)
		return -E2BIG;
	if (send(runner->fd, environment->data, environment->len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return -errno;
	runner->under_way++;
	return 0;
}

static void describe(char *text, size_t size, const struct outcome *outcome)
{
	if (outcome->error)
		snprintf(text, size, "could not be started: %s", strerror(outcome->error));
	else if (outcome->timed_out)
		snprintf(text, size, "took longer than %d s and was ended", (int)(LIMIT_NS / NS_PER_S));
	else if (WIFSIGNALED(outcome->status))
		snprintf(text, size, "died of signal %d", WTERMSIG(outcome->status));
	else
		snprintf(text, size, "failed with status %d", WEXITSTATUS(outcome->status));
}

bool runner_failed(struct runner *runner, char *text, size_t size)
{
	struct outcome outcome;

	while (recv(runner->fd, &outcome, sizeof outcome, MSG_DONTWAIT) == sizeof outcome) {
		runner->under_way--;
		if (outcome.error == 0 && outcome.status == 0)
			continue;
		describe(text, size, &outcome);
		return true;
	}
	return false;
}

bool runner_busy(const struct runner *runner)
{
	return runner->under_way > 0;
}

void runner_wait(const struct runner *runner, int timeout_ms)
{
	struct pollfd ready = {.fd = runner->fd, .events = POLLIN};

	poll(&ready, 1, timeout_ms);
}

void runner_close(struct runner *runner)
{
	if (!runner)
		return;
	close(runner->fd);
	waitpid(runner->pid, NULL, WNOHANG);
	free(runner);
}
