/* SPDX-License-Identifier: MIT
 *
 * A session: a live run from its start to its end. Starts the command (or watches what runs), the sampler and a thread for each
 * consumer that wants one, passes signals on, and waits. All threads of the program are made here.
 */
#ifndef STREAM_SESSION_H
#define STREAM_SESSION_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/tape.h"
#include "base/why.h"
#include "model/consumer.h"
#include "model/control.h"
#include "model/run.h"

/* Notes what we were started with (signal mask and dispositions, limits), so that the build gets it as it came. To be called
 * first of all in main(), before anything changes them. */
void session_save_inheritance(void);

/* Watching what has no first process: its roots are looked for while the run goes on. */
struct session_seek {
	const regex_t *match; /* in the command line, its words separated by blanks; NULL: anything */
	const char *cgroup;   /* directory of a control group; NULL: the whole machine is looked at */
};

struct session_options {
	struct run *run;      /* command, workdir, labels, interval set; the rest is filled in here. Outlives the session */
	const pid_t *pids;    /* watch: roots */
	size_t n_pids;
	const struct session_seek *seek; /* watch, instead of pids; NULL: there is nothing to look for */
	pid_t helper;             /* a child of ours that is not of the build; 0: none */
	double pause_share;       /* stop the build before a tmpfs is so full (a fraction); 0: never */
	struct consumer *consumers;
	size_t n_consumers;
	/* With a screen: */
	struct control *control;  /* NULL: no screen; the build keeps our stdin, stdout and stderr */
	struct tape *output;      /* gets what the build prints on its terminal; not NULL when a command is run */
	uint32_t pty_size;        /* rows << 16 | columns */
	void (*say)(const char *line); /* prints one line of ours on stderr when there is no screen (see base/log.h) */
};

struct session_result {
	int start_status;        /* how starting the command failed: 125, 126 or 127 of the contract; 0: it started */
	struct run_end end;      /* run_end_fini() it */
	bool raised;             /* the build died of a signal that we got too: die of it as well, once all is put away */
	int raise_signal;
	bool output_copied;      /* the screen was left early, and what the build printed from then on was copied to our terminal */
	bool abandoned;          /* a consumer's thread hangs and was left behind: do not close the consumers, leave by _exit() */
};

/* Runs the whole session. 0, or -errno with why (nothing was started then, or start_status says it). On error, too, every
 * consumer whose begin() was called has had its end(). end() of a consumer with serve runs on its thread. */
int session_run(const struct session_options *options, struct session_result *result, struct why *why);

#endif
