/* SPDX-License-Identifier: MIT
 *
 * A live run as run and watch have it: session, recorder, screen, and what comes at the end.
 */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include <stddef.h>
#include <sys/types.h>

#include "model/run.h"
#include "options.h"
#include "stream/session.h"

struct live_options {
	const struct options *options;
	struct run *run;   /* its mode and command set; live_run() adds the rest */
	const pid_t *pids; /* of watch */
	size_t n_pids;
	const struct session_seek *seek; /* of watch, in place of pids; NULL: none */
	int failure; /* exit status for reasons of our own */
};

/* Can everything that is asked for at the end be done? 0 or -errno; says nothing itself. */
int live_check(const struct options *options, struct why *why);
/* The whole of it; gives the exit status. May end the process by the signal that the build died of. */
int live_run(const struct live_options *options);

#endif
