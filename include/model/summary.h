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
#include "model/step.h"

#define SUMMARY_STALLS_MAX   1000
#define SUMMARY_COMMANDS_MAX 40
#define SUMMARY_ALERTS_MAX   100
#define SUMMARY_STEPS_MAX    1000 /* the document has the first hundred */
#define SUMMARY_MEMORY_PARTS_MAX 8
#define SUMMARY_OOMS_MAX     16

struct summary_command {
	char name[16]; /* raw comm */
	uint64_t count;
	double cpu_s;  /* its share of summary.ending_s included */
	double wall_s; /* of all its processes */
	uint64_t rss_peak_bytes, rss_mean_bytes; /* METRIC_NA: no look saw one */
	double written_bytes;       /* made dirty, as far as looks saw them */
	double time_s[CAUSE_COUNT]; /* task-seconds by class, as far as looks saw them */
};

/* A job of the build: a file compiled, a program linked, a task of a recipe. */
struct summary_step {
	enum step_kind kind;
	char *name;     /* raw */
	uint64_t count; /* runs; 0: only seen inside others */
	double cpu_s, wall_s; /* wall: in which at least one process worked for it */
	double from_s, to_s;  /* since the start: of the first, of the last */
	uint64_t rss_peak_bytes; /* of the largest process */
	double written_bytes; /* made dirty */
	float time_s[CAUSE_COUNT]; /* task-seconds by class */
};

struct summary_memory_part {
	char name[16]; /* raw comm */
	uint64_t count, bytes;
};

/* Processes were killed for lack of memory. */
struct summary_oom {
	double at_s; /* since the start; at the end of the interval */
	uint64_t count;
	char name[16]; /* raw comm of the largest that ended then, most likely the one; "": none of the build's */
	int32_t pid;
	uint64_t bytes;
};

struct summary_memory {
	uint64_t peak_bytes; /* of the tree at one moment, files counted once a command */
	double peak_at_s;    /* NAN: unknown */
	uint32_t peak_jobs;  /* compiles, links and the like under way then */
	struct summary_memory_part parts[SUMMARY_MEMORY_PARTS_MAX]; /* who made it up, the largest first */
	size_t n_parts, parts_dropped;
	uint32_t jobs;  /* at once: told on a make's command line, or the most that were seen; 0: none */
	bool jobs_told;
	bool oom_known; /* kills are counted */
	bool oom_of_build; /* by the build's control group; else of the whole machine */
	uint64_t oom_kills;
	struct summary_oom ooms[SUMMARY_OOMS_MAX];
	size_t n_ooms;
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
	uint64_t dirty_threshold_bytes, dirty_background_bytes; /* in force at the end, the kernel's own; METRIC_NA: unknown */
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
	const char *commands_source; /* "exits": the kernel counted each process; "looks": those that were seen */
	double ending_s;             /* CPU time of processes while they ended, put to commands by an estimate; NAN: not told apart */
	double unattributed_s;       /* CPU time of no command */
	double given_up_s;           /* since the start, when counting each process was given up as too dear; NAN: it was not */
	uint64_t events_lost;        /* by that count; METRIC_NA: unknown */
	struct summary_step *steps; /* by CPU time, most first */
	size_t n_steps;
	uint64_t steps_dropped;
	struct summary_memory memory;
	double time_s[CAUSE_COUNT]; /* task-seconds by class */
	double some_s, full_s;      /* of flushing, whole run */
	double path_s;              /* of flushing, on the critical path at most; NAN: unknown */
	double unknown_s;           /* wall time no look saw */
	double cost_s[CAUSE_COUNT]; /* wall time that each class which stalls held up, by its share of the task time */
	double cost_asked_s, cost_unlink_s; /* of flush_wait: in the fsync family; in unlink */
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
