/* SPDX-License-Identifier: MIT
 *
 * The summary of a run: the document other programs rely on, as a struct and as JSON. What is unknown is NAN, METRIC_NA or
 * NULL and becomes null or is left out; never 0 or -1.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/cause.h"
#include "model/run.h"
#include "model/stall.h"

#define SUMMARY_STALLS_MAX   1000
#define SUMMARY_COMMANDS_MAX 40
#define SUMMARY_ALERTS_MAX   100

struct summary_command {
	char name[16]; /* raw comm */
	uint64_t count;
	double cpu_s;
	double wall_s;
	uint64_t rss_peak_bytes;
};

struct summary_tmpfs {
	char *mount; /* raw */
	uint64_t peak_bytes, size_bytes, peak_inodes, inodes;
	double peak_at_s;    /* since the start */
	bool alarmed;        /* an alarm was raised for it */
	uint64_t fails_bytes;  /* the largest usual size that would not have been enough; 0: none */
	double fails_at_s;     /* when it would have been full */
	uint64_t enough_bytes; /* a usual size that is, with a tenth to spare; 0: unknown */
	uint64_t before_bytes; /* held when it was seen first; METRIC_NA: unknown */
	struct buf writers, largest; /* counted lists: who wrote to it and what filled it, when that was looked at last */
};

/* One episode of an alert. */
struct summary_alert {
	uint32_t number;
	char *spec;
	char *mount; /* raw; NULL: about none */
	double from_s, to_s; /* since the start; to_s NAN: it stood at the end */
	bool by_inodes;
	uint64_t used, size; /* when it was raised */
	struct buf writers, largest; /* counted lists, of then */
};

struct summary {
	const struct run *run; /* borrowed */
	struct run_end end;    /* left_behind owned */
	double wall_s;
	double user_s, system_s;
	const char *cpu_source; /* "rusage" or "proc" */
	uint64_t processes_started; /* of the build, as far as they were seen */
	uint64_t processes_peak;
	uint64_t rss_peak_bytes;    /* of the tree at one moment */
	uint64_t page_cache_peak_bytes, dirty_peak_bytes, writeback_peak_bytes, swap_peak_bytes;
	struct summary_tmpfs *tmpfs;
	size_t n_tmpfs;
	struct summary_tmpfs disk; /* what a tmpfs for the build's directory would have held: how its file system grew. mount NULL: it is in a tmpfs, or unknown */
	struct summary_alert *alerts; /* in order; at most SUMMARY_ALERTS_MAX */
	size_t n_alerts;
	uint64_t alerts_dropped;
	uint64_t shmem_swapped_peak_bytes; /* of tmpfs, in swap, at least; METRIC_NA: unknown */
	double held_s; /* we had the build stopped so long; not in wall_s */
	double stalled_s, flush_s; /* union over causes; of the flushing ones */
	double cause_stalled_s[CAUSE_COUNT];
	uint64_t cause_episodes[CAUSE_COUNT];
	struct stall *stalls; /* longest first */
	size_t n_stalls;
	uint64_t stalls_dropped;
	struct summary_command *commands; /* by CPU time, most first */
	size_t n_commands;
	uint64_t commands_dropped;
	double time_s[CAUSE_COUNT]; /* task-seconds by class */
	double some_s, full_s;      /* of flushing, whole run */
	double path_s;              /* of flushing, on the critical path at most; NAN: unknown */
	double unknown_s;           /* wall time no look saw */
	enum cause verdict;
	char verdict_text[256];
	double bound_min_s, bound_max_s; /* wall time had nothing waited on flushing; NAN: not told */
	double monitor_cpu_s;
	uint64_t samples, samples_missed;
	uint64_t samples_unrecorded; /* taken, but lost on the way into the recording; 0 in replay */
};

void summary_fini(struct summary *summary);
/* The document as text, indented, with a final newline; free() it. */
char *summary_json(const struct summary *summary);

#endif
