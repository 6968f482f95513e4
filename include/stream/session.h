/* SPDX-License-Identifier: MIT
 *
 * A session: a live run from its start to its end. Starts the command (or watches what runs), the sampler and a thread for each
 * consumer that wants one, passes signals on, and waits. All threads of the program are made here.
 */
#ifndef STREAM_SESSION_H
#define STREAM_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/tape.h"
#include "base/why.h"
#include "model/consumer.h"
#include "model/control.h"
#include "model/run.h"

struct session_options {
	struct run *run;      /* command, workdir, labels, interval set; the rest is filled in here. Outlives the session */
	const pid_t *pids;    /* watch: roots */
	size_t n_pids;
	struct consumer *consumers;
	size_t n_consumers;
	/* With a screen: */
	struct control *control;  /* NULL: no screen; the build keeps our stdin, stdout and stderr */
	struct tape *output;      /* gets what the build prints on its terminal */
	uint32_t pty_size;        /* rows << 16 | columns */
	void (*say)(const char *line); /* prints one line of ours on stderr when there is no screen (see base/log.h) */
};

/* How starting the command failed: the exit status of the contract (125, 126, 127); 0 when it started. */
struct session_result {
	int start_status;
	struct run_end end;      /* run_end_fini() it */
	bool raised;             /* the build died of a signal that we got too: die of it as well, once all is put away */
	int raise_signal;
};

/* Runs the whole session. 0, or -errno with why (nothing was started then, or start_status says it). */
int session_run(const struct session_options *options, struct session_result *result, struct why *why);

#endif
