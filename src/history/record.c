/* SPDX-License-Identifier: MIT
 *
 * The end of a build must not wait for a disk that is busy with what the build wrote, nor for a lock: the
 * writing is done by a process of its own, which may take its time, while this one waits a second at most.
 * The other holds on to nothing that was inherited, so nobody waits for it, and gets no signals. What cannot
 * be written to the history is put beside it.
 */
#include "history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "pending.h"

#define PATIENCE_MS 600 /* for a lock; then it goes to pending/ */
#define DEADLINE_MS 950

struct answer {
	int status; /* as of history_record() */
	struct history_standing standing;
	struct why why;
};

static void write_down(struct answer *answer, const char *document, const char *id,
		       const struct history_target *targets, size_t n_targets, int tell)
{
	struct history *history = NULL;
	answer->status = history_open(&history, PATIENCE_MS, &answer->why);
	if (answer->status == 0)
		answer->status = history_add(history, document, targets, n_targets, &answer->why);
	if (answer->status == 0) {
		history_standing(history, id, &answer->standing, NULL);
	} else {
		struct why why;
		int put = pending_put(document, id, targets, n_targets, &why);
		answer->status = put == 0 ? 1 : put;
		if (put < 0)
			answer->why = why;
	}
	fd_write_all(tell, answer, sizeof *answer);
	history_close(history);
}

static void leave_everything(int tell)
{
	sigset_t all;
	int null = open("/dev/null", O_RDWR);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(tell, 3);
	closefrom(4);
}

static int read_answer(int fd, struct answer *answer, int64_t deadline_ns)
{
	size_t len = 0;
	while (len < sizeof *answer) {
		int64_t left_ms = (deadline_ns - clock_mono_ns()) / NS_PER_MS;
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		if (left_ms <= 0)
			return -ETIMEDOUT;
		if (poll(&wait, 1, (int)left_ms) <= 0)
			continue;
		ssize_t got = read(fd, (char *)answer + len, sizeof *answer - len);
		if (got <= 0)
			return -EIO;
		len += (size_t)got;
	}
	return 0;
}

/* Until it is gone, so that nobody finds it still at work in the directory; but not past the deadline. */
static void wait_gone(pid_t pid, int fd, int64_t deadline_ns)
{
	int64_t left_ms = (deadline_ns - clock_mono_ns()) / NS_PER_MS;
	struct pollfd gone = {.fd = fd, .events = POLLIN};
	if (left_ms > 0)
		poll(&gone, 1, (int)left_ms);
	waitpid(pid, NULL, gone.revents != 0 ? 0 : WNOHANG);
}

int history_record(const char *document, const char *id, const struct history_target *targets,
		   size_t n_targets, struct history_standing *standing, struct why *why)
{
	int64_t deadline_ns = clock_mono_ns() + DEADLINE_MS * NS_PER_MS;
	int ends[2];
	*standing = (struct history_standing){.verdict = HISTORY_FEW};
	if (pipe2(ends, O_CLOEXEC) < 0)
		return why_set(why, -errno, "no pipe: %s", strerror(errno));
	pid_t pid = fork();
	struct answer answer = {0};
	if (pid == 0) {
		leave_everything(ends[1]);
		write_down(&answer, document, id, targets, n_targets, 3);
		_exit(0);
	}
	close(ends[1]);
	int error = pid < 0 ? -errno : read_answer(ends[0], &answer, deadline_ns);
	if (pid > 0)
		wait_gone(pid, ends[0], deadline_ns);
	close(ends[0]);
	if (error < 0)
		return why_set(why, error, "%s",
			       error == -ETIMEDOUT ? "it is still being written" : strerror(-error));
	*standing = answer.standing;
	if (why != NULL)
		*why = answer.why;
	return answer.status;
}
