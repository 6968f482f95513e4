/* SPDX-License-Identifier: MIT
 *
 * Runs a session in a process of its own, as buildtop would, and tells how it went. The session's stdin,
 * stdout and stderr are pipes, or a terminal that the test holds the other end of.
 */
#ifndef STREAM_HARNESS_H
#define STREAM_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include "stream/session.h"

/* Shared between the test and the session's process. */
struct facts {
	int error; /* of session_run */
	struct session_result result;
	struct why why;
	char left_behind[256];
	char said[1024]; /* lines joined by '\n' */
	char tape[4096]; /* what the build printed on its terminal */
	size_t tape_len;
	char tape_end[16]; /* its last 15 bytes */
	/* As the consumers saw it: */
	volatile unsigned ticks, gaps, lates, lasts, firsts;
	volatile uint64_t missed;
	volatile bool began, ended, ended_before_last, serve_signals_blocked, serve_ended_on_thread;
	volatile unsigned names_most;
	volatile unsigned told[16]; /* counted by the test's screen */
	/* With a terminal: */
	volatile pid_t job;	 /* the session's process; trial.pid is its shell */
	volatile unsigned stops; /* how often it was stopped */
};

struct trial {
	const char *const *argv; /* NULL: watch */
	void (*prepare)(void);	 /* in the session's process, before session_save_inheritance() */
	void (*screen)(struct control *control, struct inbox *inbox,
		       const struct tape *output); /* its thread */
	bool terminal;
	int64_t interval_ms; /* 0: 1000 */
	bool direct;	     /* exec argv instead of a session: what it would have seen without us */
	/* Filled in: */
	struct facts *facts;
	pid_t pid;
	int in_fd;  /* to its stdin; -1 when closed. With a terminal both are the master. */
	int out_fd; /* its stdout and stderr */
	char out[65536];
	size_t out_len;
};

void trial_start(struct trial *trial);
void trial_close_stdin(struct trial *trial);
/* Reads its output until `marker` is in it; fails the test after 20 s or at the end. */
void trial_wait_for(struct trial *trial, const char *marker);
/* Waits until the process ends and all its output is read; its status as of wait(2). Closes everything but
 * the facts. */
int trial_finish(struct trial *trial);
void trial_free(struct trial *trial);
/* Start and finish, with nothing on stdin; the exit status, or -signal. */
int trial_run(struct trial *trial);
char trial_state_of(pid_t pid); /* as in proc(5); '-': there is no such process */

/* Waits until the condition holds; fails the test after 20 s. */
#define WAIT_UNTIL(condition)                                                                                \
	do {                                                                                                 \
		for (int waited_ms = 0; !(condition); waited_ms += 5) {                                      \
			if (waited_ms > 20000)                                                               \
				fail_msg("waited in vain for: %s", #condition);                              \
			usleep(5000);                                                                        \
		}                                                                                            \
	} while (0)

#endif
