/* SPDX-License-Identifier: MIT
 *
 * Runs a person's command for each alert, beside the build: see runner.c.
 */
#ifndef ALERT_RUNNER_H
#define ALERT_RUNNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/why.h"

struct buf;
struct runner;

/* Forks the helper: while there is one thread, and before anything is opened that it had better not hold.
 * quiet: what commands print is thrown away; else it goes to standard error. */
int runner_open(struct runner **runner, const char *command, bool quiet, struct why *why);
pid_t runner_pid(const struct runner *runner);
/* One run of the command with these strings ("NAME=value", each with its NUL) in its environment. Never
 * waits; -errno: it will not be run. */
int runner_start(struct runner *runner, const struct buf *environment);
/* What became of a run that failed, one sentence; false: nothing to tell now. */
bool runner_failed(struct runner *runner, char *text, size_t size);
bool runner_busy(const struct runner *runner); /* as far as runner_failed() has heard */
/* Until one of the runs under way has ended, at most so long. */
void runner_wait(const struct runner *runner, int timeout_ms);
void runner_close(struct runner *runner);

#endif
