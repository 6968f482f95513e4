/* SPDX-License-Identifier: MIT
 *
 * A stall: a period in which the build was held up by one kind of waiting, opened and closed by the rule of
 * DIAGNOSIS.md. Plain values, copied freely. Times in seconds; task-seconds count each waiting thread.
 */
#ifndef MODEL_STALL_H
#define MODEL_STALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cause.h"

#define STALL_WHO_MAX 6

struct stall_who {
	char comm[16];   /* raw */
	double task_s;   /* victims: time waited */
	uint64_t bytes;  /* writers: bytes made dirty; an estimate */
};

/* Which signals decided. */
enum stall_evidence {
	STALL_BY_WCHAN = 1 << 0,
	STALL_BY_SYSCALL = 1 << 1,
	STALL_BY_VMSTAT = 1 << 2,
	STALL_BY_PSI = 1 << 3,
	STALL_BY_STATE = 1 << 4, /* nothing but state D could be read */
	STALL_EXACT = 1 << 5, /* the kernel told its pauses */
};

struct stall {
	uint32_t number; /* 1 is the first of the run */
	bool open;       /* to_ns is "so far" */
	int64_t from_ns; /* CLOCK_MONOTONIC */
	int64_t to_ns;
	enum cause cause; /* the class with most task-seconds in it */
	double cause_s[CAUSE_COUNT]; /* task-seconds by class within the stall */
	double task_s;  /* of the stalling classes */
	double share_s; /* integral of share */
	double some_s;  /* with at least one thread stalled */
	double full_s;  /* with at least one stalled and none of the tree runnable */
	double explicit_s; /* task-seconds in fsync and its family: the build asked */
	uint32_t blocked_peak; /* threads stalled at once */
	uint64_t device;       /* 0: unknown */
	char device_name[32];
	char filesystem[24];
	bool elsewhere;        /* that is not what the build's directory is on */
	uint64_t dirty_start_bytes, dirty_peak_bytes, writeback_peak_bytes; /* METRIC_NA: unknown */
	uint64_t threshold_bytes, background_bytes;
	uint64_t flushed_bytes;  /* written by the device meanwhile */
	uint64_t tree_written_bytes; /* made dirty by the build meanwhile */
	double outside; /* flushing: part of what was dirty that others than the build had written; NAN unknown */
	char wchan[48];          /* the wait channel most seen, raw; "" unknown */
	struct stall_who victims[STALL_WHO_MAX];
	size_t n_victims;
	struct stall_who writers[STALL_WHO_MAX];
	size_t n_writers;
	unsigned evidence; /* enum stall_evidence */
};

/* Length in seconds, never negative. */
double stall_seconds(const struct stall *stall);
/* Writers of the build were held back mostly for what others had made dirty: the limit is one for the machine. */
bool stall_from_outside(const struct stall *stall);

#endif
