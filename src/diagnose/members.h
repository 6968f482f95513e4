/* SPDX-License-Identifier: MIT
 *
 * The processes of a run, each from its first to its last sight: what it used. One that no look saw is known
 * from its end.
 */
#ifndef DIAGNOSE_MEMBERS_H
#define DIAGNOSE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/run.h"
#include "model/tick.h"

enum member_state {
	MEMBER_ALIVE,
	MEMBER_ENDED, /* the kernel's own figures of it may still come */
	MEMBER_TOLD,  /* they came, it has been counted, and is a zombie perhaps */
};

struct member {
	int32_t pid, ppid;
	uint64_t start_ticks;
	enum member_state state;
	bool exact;    /* the kernel counted it: cpu_s and the times are exact, but for how it ended */
	char comm[16]; /* the last name; all it used is put to that */
	double cpu_s;
	int64_t from_ns, until_ns;
	uint64_t rss_peak_bytes;   /* METRIC_NA: not seen */
	double rss_bytes_s, rss_s; /* integral of the resident size, and over how long */
	double written_bytes;
	double cause_s[CAUSE_COUNT];
	/* Of members.c: */
	uint64_t cpu_ms;    /* METRIC_NA: unknown */
	uint64_t last_tick; /* that had a row of it */
};

struct members {
	bool ours; /* the run is a command of ours: all its CPU time counts */
	uint32_t ticks_per_s;
	uint64_t ticks;
	bool counting; /* the kernel tells ends, at the last tick */
	struct member *all;
	size_t n_all, cap_all;
	struct member *finished; /* by the last tick */
	size_t n_finished, cap_finished;
};

void members_init(struct members *members, const struct run *run);
void members_fini(struct members *members);
/* before_ns: end of the tick before. Fills `finished`. */
void members_add(struct members *members, const struct tick *tick, int64_t before_ns);

#endif
