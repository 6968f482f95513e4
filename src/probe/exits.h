/* SPDX-License-Identifier: MIT
 *
 * The ends of the tree's processes, told by the kernel: a software event on the build's root that its
 * children inherit, one ring a CPU. No rights needed while kernel.perf_event_paranoid is 2 or less.
 */
#ifndef PROBE_EXITS_H
#define PROBE_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "model/sample.h"
#include "perf_ring.h"

#define EXITS_COMM_SIZE 16

enum exits_state { EXITS_OFF, EXITS_ON, EXITS_GIVEN_UP };

/* One record, whatever ring it came from. */
struct exits_event {
	int64_t time_ns; /* CLOCK_MONOTONIC */
	uint32_t type;	 /* PERF_RECORD_FORK, COMM, EXIT or SWITCH */
	bool leaves;	 /* SWITCH: it leaves the CPU */
	int32_t pid, tid, ppid;
	char comm[EXITS_COMM_SIZE];
};

struct exits_process {
	int32_t pid, ppid;
	uint32_t threads; /* alive; 0: it has ended */
	bool settled;	  /* it had ended before this reading: all that is to come of it has come */
	char comm[EXITS_COMM_SIZE];
	int64_t start_ns, end_ns;
	int64_t cpu_ns;	 /* of all its threads: where each leaves a CPU less where it came to it */
	int32_t running; /* threads that have a CPU */
	bool wrong;	 /* that does not come out even: records are missing */
};

struct exits {
	enum exits_state state;
	int32_t root;
	bool began; /* the root has been exec'd */
	struct perf_ring *rings;
	size_t n_rings;
	struct exits_event *events; /* read and not yet understood */
	size_t n_events, cap_events;
	struct exits_process *processes; /* alive, or ended and not yet told */
	size_t n_processes, cap_processes;
	struct map by_pid;
	uint64_t lost;
	/* Since the cost was weighed last: */
	int64_t weighed_ns;
	uint64_t ended, ended_cpu_us;
};

/* The root must not have begun yet: counting starts with its exec. 0 or -errno, and then all is off. */
int exits_open(struct exits *exits, pid_t root);
void exits_close(struct exits *exits);
/* Whether an event of that kind may be opened here; 0 or -errno. */
int exits_try(void);

/* Empties the rings. Ends that came before the last call become rows of the sample. */
void exits_read(struct exits *exits, struct sample *sample);
/* The counters of the sample; gives up where counting costs the build too much. */
void exits_tick(struct exits *exits, struct sample *sample);

/* For tests: the parts of exits_read(). */
void exits_take(struct exits *exits, struct perf_ring *ring);
void exits_understand(struct exits *exits, int64_t until_ns);
void exits_tell(struct exits *exits, struct sample *sample);

#endif
