/* SPDX-License-Identifier: MIT
 *
 * From a thread's state, wait channel and system call to its class: the rule and the table of symbols of docs/DIAGNOSIS.md.
 */
#ifndef DIAGNOSE_SITE_H
#define DIAGNOSE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cause.h"
#include "model/tick.h"

struct site_verdict {
	enum cause cause;      /* CAUSE_NONE: says nothing by itself (a zombie; "0" in state D: keep the class before) */
	enum tick_doing doing;
	bool by_request;       /* flushing that the program asked for: fsync and its family */
	bool in_unlink;        /* flushing, in a call that removes a name: the pages of the file are waited for */
	bool by_call;          /* decided by the system call rather than the symbol */
	bool unreadable;       /* blocked, and the symbol cannot be read */
	bool outside;          /* waits for a timer or the network: for `full` it counts as running */
};

/* machine: "x86_64", "aarch64", …: which numbers the calls have; NULL or unknown: calls are not used. */
struct site_verdict site_judge(const char *machine, char state, const char *wchan, int32_t syscall);
/* What a thread blocked in a call waits for, likely, where no symbol was caught; CAUSE_NONE: no guess. */
enum cause site_guess(const char *machine, int32_t syscall);
/* Name of a call, or NULL. */
const char *site_call_name(const char *machine, int32_t syscall);

#endif
