/* SPDX-License-Identifier: MIT
 *
 * The probe: reads the kernel. One sampler thread calls look() and tick(); it opens, reads and closes /proc and /sys files
 * and calls statvfs on tmpfs and on the build directory's local file system, and does nothing else that could wait: no
 * other file, no lock. Every source is optional: what cannot be read is METRIC_NA and named in run->sources.
 *
 * The tree: the roots and all that descends from them, found by the `children` files of the threads that ran since the last
 * look, so processes outside the tree cost nothing. Orphans come back to us as their subreaper and stay in the tree.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/why.h"
#include "model/run.h"
#include "model/sample.h"

struct probe;

struct probe_options {
	const pid_t *roots; /* of the tree; more by probe_add_root() */
	size_t n_roots;
	bool own_children;     /* the tree includes what is left to us as subreaper (running a command) */
	pid_t helper;          /* a child of ours that is not of the build; 0: none */
	const char *workdir;   /* its file system is watched first */
	bool command_lines;    /* read them (by probe_serve_names) */
};

/* Opens all sources, fills host, kernel, CPUs, memory and sources of the run. Fails only where there is no usable /proc. */
int probe_open(struct probe **probe, const struct probe_options *options, struct run *run, struct why *why);
void probe_close(struct probe *probe);

void probe_add_root(struct probe *probe, pid_t pid);
/* Roots that are still alive (watching others' processes ends when there are none). */
size_t probe_roots_alive(const struct probe *probe);

/* One look at every thread of the tree; costs about 1 µs a sleeping thread, 6 µs a running one, 30 µs a new one.
 * How many of them are blocked (state D). */
size_t probe_look(struct probe *probe);

/* Takes the sample of the interval since the last tick, the looks of it included; yours. Sets number, times, values, rows,
 * SAMPLE_FIRST, SAMPLE_SUSPENDED and SAMPLE_CLOCK_STEP; the flags about lateness and the end are the caller's. */
struct sample *probe_tick(struct probe *probe);

/*
 * Command lines are read by a helper thread, since reading one can wait for ever on a process that is stuck in the kernel:
 * runs until probe_stop_names(). May be called by several threads at once; probe_names_stuck() says that the ones running
 * have hung for over a second, and a further one is wanted.
 */
void probe_serve_names(struct probe *probe);
bool probe_names_stuck(const struct probe *probe);
void probe_stop_names(struct probe *probe);

/* What a wait channel read shows of a child of our own, and the like: fills run->sources (probe_open does it too; for doctor). */
void probe_examine(struct run *run, const char *workdir);

#endif
