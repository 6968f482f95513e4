/* SPDX-License-Identifier: MIT
 *
 * The command that is watched: our one child. (Orphans of the build come to us too; they are reaped here and
 * forgotten.)
 */
#ifndef STREAM_CHILD_H
#define STREAM_CHILD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/why.h"

struct child {
	pid_t pid;
	int go_fd;     /* -1: it was let go */
	int status_fd; /* for poll() until child_started() does not say 0; -1 afterwards */
	bool ended;
	int wait_status; /* as of wait(2), once ended */
	struct rusage usage;
};

/* Forks. The child waits until it is let go, then runs argv. slave_fd: the terminal it gets as its own in a
 * session of its own, in place of those of stdin, stdout and stderr that are terminals; -1: it keeps ours. 0
 * or -errno with why. */
int child_fork(struct child *child, char *const *argv, int slave_fd, struct why *why);
void child_let_go(struct child *child);
/* 1: it runs argv now; 0: not known yet; -errno with why: it cannot, and *start_status is 125, 126 or 127. */
int child_started(struct child *child, const char *command, int *start_status, struct why *why);
/* Reaps whatever has ended; true when our child has, now or before. */
bool child_reap(struct child *child);
void child_signal(const struct child *child, int signal); /* to it alone, while it lives */
/* Ends one that was never let go, and closes what is open. */
void child_close(struct child *child);

#endif
