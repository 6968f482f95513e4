/* SPDX-License-Identifier: MIT
 *
 * The lives of the build's tasks, put together from ticks: when each began, when it ended and what it had
 * used by then. Only what is alive is kept; who ended is handed out once.
 */
#ifndef REPORT_LIVES_H
#define REPORT_LIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/run.h"
#include "model/tick.h"

#define LIVES_COMMAND_MAX 512 /* bytes of a command line that are kept */

struct life {
	int32_t pid, ppid;
	uint64_t start_ticks;
	char comm[16]; /* raw; the one last seen */
	char *command; /* raw words joined by NUL bytes, as long as they are kept; NULL: not known */
	size_t command_len;
	int64_t start_ns;		    /* CLOCK_MONOTONIC, not before the run's start */
	int64_t end_ns;			    /* the last moment it was seen or said to have ended */
	bool ended;			    /* false: was alive at the end of the recording */
	uint64_t values[METRIC_TASK_COUNT]; /* as last seen; of gauges the largest */
	double cause_s[CAUSE_COUNT];
	size_t lane;   /* see lives_add */
	uint64_t seen; /* number of the tick */
};

struct lives {
	struct map places; /* identity -> index in alive */
	struct life *alive;
	size_t n_alive, cap_alive;
	struct life *ended; /* at the last tick; valid until the next call */
	size_t n_ended, cap_ended;
	int64_t *lanes; /* until when each is taken; INT64_MAX: by one alive */
	size_t n_lanes, cap_lanes;
	uint64_t ticks;
};

void lives_fini(struct lives *lives);
/*
 * Takes in a tick and leaves in `ended` those that ended with it. Each life has a lane of its own while it
 * lasts: two lives of one lane never overlap, and lanes are as few as that allows when they are given out in
 * order.
 */
void lives_add(struct lives *lives, const struct run *run, const struct tick *tick);
/* Hands out those still alive. */
void lives_end(struct lives *lives);
/* What it worked on, to tell it from others of its name: the last word of its command that looks like a file;
 * 0: none. */
size_t lives_subject(const struct life *life, const char **subject);

#endif
