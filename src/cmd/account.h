/* SPDX-License-Identifier: MIT
 *
 * A recording and its summary, for the subcommands that need no screen.
 */
#ifndef CMD_ACCOUNT_H
#define CMD_ACCOUNT_H

#include "base/why.h"
#include "diagnose/tally.h"
#include "model/consumer.h"
#include "model/summary.h"
#include "stream/replay.h"

/* Adds up ticks; inline. */
struct consumer account_tally_consumer(struct tally *tally);

struct account {
	char *path;
	struct replay *replay;
};

/* name: a file, or @1 for the newest kept recording. 0 or -errno. Damage of the file is no
 * error; what was met of it is said when the account is closed. */
int account_open(struct account *account, const char *name, struct why *why);
void account_close(struct account *account);
/* The summary of the run; summary_fini() it before account_close(). */
int account_summary(struct account *account, struct summary *summary, struct why *why);

#endif
