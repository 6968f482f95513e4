/* SPDX-License-Identifier: MIT
 *
 * Tells of alerts: one line through base/log.h for each episode when there is no screen, and a run of the person's command
 * (--on-alert) in any case. (The judgement, with its hysteresis, is in the tick.)
 */
#ifndef ALERT_ALERT_H
#define ALERT_ALERT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/why.h"
#include "model/consumer.h"

struct alert;

struct alert_options {
	const char *command; /* for each alert, by sh -c; NULL: none */
	bool quiet;          /* what it prints is thrown away: there is a screen. Else it goes to standard error */
};

/* With a command it forks a helper: call it while there is one thread. */
int alert_open(struct alert **alert, const struct alert_options *options, struct why *why);
/* The helper, which is not of the build; 0: there is none. */
pid_t alert_helper(const struct alert *alert);
struct consumer alert_consumer(struct alert *alert, bool lines); /* inline; lines: say them, there is no screen */
/* Waits a few seconds for commands that run, and says which failed. */
void alert_finish(struct alert *alert);
void alert_close(struct alert *alert);

#endif
