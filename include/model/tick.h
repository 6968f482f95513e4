/* SPDX-License-Identifier: MIT
 *
 * A tick: a sample and what we think of it. Immutable once published, and the one thing that is reference-counted, since
 * several threads look at it. Rates are per second of the interval as measured. NAN: not available.
 */
#ifndef MODEL_TICK_H
#define MODEL_TICK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/alert.h"
#include "model/cause.h"
#include "model/sample.h"
#include "model/stall.h"

/* What a thread or task does, in the finer words of the process list. */
enum tick_doing {
	TICK_RUNNING,
	TICK_QUEUED,
	TICK_STALLED, /* see the cause */
	TICK_CHILD,   /* waits for a child */
	TICK_PIPE,
	TICK_POLL,    /* poll, select, epoll, sockets: the network, a job server */
	TICK_SLEEP,   /* a timer */
	TICK_LOCKED,
	TICK_STOPPED,
	TICK_ZOMBIE,
	TICK_ENDED,
	TICK_UNKNOWN,
};

/* Beside tasks[i] of the sample. */
struct tick_task {
	double cpu;            /* CPUs used: 1.0 is one CPU full */
	double read_bytes_per_s;
	double write_bytes_per_s;
	double cause_s[CAUSE_COUNT]; /* thread-seconds of the interval by class */
	enum cause cause;      /* where most of it went */
	enum tick_doing doing; /* at the last look */
	uint32_t wchan;        /* string of the sample: the wait channel it was seen in most while waiting; 0: none */
	int32_t syscall;       /* the call it was seen in there; SITE_CALL_… */
};

/* What ends the growth of a tmpfs first. */
enum tick_room { TICK_ROOM_MOUNT, TICK_ROOM_CGROUP, TICK_ROOM_MEMORY };

enum tick_alarm { TICK_ALARM_NONE, TICK_ALARM_FILLING, TICK_ALARM_NEARLY_FULL };

/* Beside mounts[i] of the sample. */
struct tick_mount {
	double used;            /* fraction of bytes, 0 to 1; NAN without a limit */
	double inodes_used;     /* fraction; NAN without a limit */
	double growth_bytes_per_s; /* robust slope over the last half minute */
	double seconds_to_full; /* at that growth, bytes or inodes, whichever is first; INFINITY: does not grow */
	double seconds_to_full_min, seconds_to_full_max; /* the range it lies in, nine times in ten */
	bool by_inodes;         /* that, or the alarm, is about inodes */
	uint64_t room_bytes;    /* that can still be written, whatever is in the way first; METRIC_NA: unknown */
	enum tick_room room_by;
	enum tick_alarm alarm;  /* the worst alert that stands about it, in one word */
	bool alarm_new;         /* one was raised at this tick */
};

enum tick_alert_change { TICK_ALERT_STANDS, TICK_ALERT_RAISED, TICK_ALERT_CLEARED };

/* An alert that stands at the end of the interval, or that ended in it. One episode is raised once. */
struct tick_alert {
	char *spec;            /* owned by the tick; "tmpfs>=90%", as it was given */
	enum alert_subject subject;
	enum alert_measure measure;
	bool above;
	enum tick_alert_change change;
	uint32_t number;       /* of the episode; 1 is the first of the run */
	uint32_t mount;        /* string of the sample: what it is about; 0: no mount */
	bool by_inodes;        /* used and size count inodes */
	uint64_t used, size;   /* METRIC_NA: unknown */
	enum tick_room room_by; /* size is bounded by that */
	double seconds_to_full; /* or, of a stall, its length; NAN: unknown or not growing */
	double growth_bytes_per_s; /* NAN: unknown */
	uint32_t writers, largest; /* counted lists of the sample: who writes to that mount, and what fills it; 0: unknown */
};

/* Beside disks[i] of the sample. */
struct tick_disk {
	double read_bytes_per_s;
	double write_bytes_per_s;
	double busy; /* fraction of the interval */
	double in_flight;
};

/* One column of the timeline: all that a graph of the whole run needs. 10 hours at 1 Hz are 4 MiB of them. */
struct brief {
	int64_t mono_ns;
	float interval_s; /* 0: no rates (the base line) */
	float cpus_busy;  /* CPUs of the machine that were busy */
	float build_cpus; /* CPUs used by the build */
	float share;      /* of task time stalled, mean of the interval */
	float psi_cpu, psi_io, psi_memory; /* "some", fraction of the interval; NAN: not available */
	float tmpfs_used; /* of the fullest tmpfs; NAN: none */
	uint64_t dirty_bytes, writeback_bytes, page_cache_bytes; /* METRIC_NA: unknown */
	uint64_t threshold_bytes, background_bytes;
	uint32_t tasks;   /* of the build */
	uint16_t flags;   /* enum sample_flag */
	uint8_t cause;    /* of the stall open at the end of the interval, or the one that ended in it; CAUSE_NONE */
	uint8_t busiest;  /* class with most task time among those not waiting; CAUSE_NONE: all wait */
};

struct tick {
	atomic_uint references;
	struct sample *sample; /* owned */

	double interval_s; /* 0 for the base line */
	double cpus_busy, cpus_user, cpus_system, cpus_iowait, cpus_steal; /* CPUs */
	double psi_cpu, psi_io, psi_io_full, psi_memory, psi_memory_full;  /* fraction of the interval */
	double psi_build_io; /* of the build's own control group, "some"; NAN: it is in none of its own */
	double dirtied_bytes_per_s, written_bytes_per_s;
	uint64_t page_cache_bytes; /* cached + buffers - shmem; METRIC_NA */

	double build_cpu_s;        /* CPU time of the build so far: live + reaped, never falls */
	double build_user_s, build_system_s; /* of which */
	double build_cpus;         /* CPUs used in the interval */
	uint64_t build_rss_bytes;  /* of all tasks at the end of the interval; METRIC_NA: of none it is known */
	uint32_t build_tasks;      /* alive at the end of the interval */
	uint64_t build_write_bytes; /* made dirty by the tree in the interval */
	double cause_s[CAUSE_COUNT]; /* task-seconds of the interval by class */
	double explicit_s;         /* of flush_wait: in the fsync family */
	double unlink_s;           /* of flush_wait: in unlink */
	bool exact;                /* dirty_throttle is not by looks alone: the kernel told its pauses */
	double some_s, full_s;     /* of flushing, in the interval */
	double path_s;             /* the build could be further by that at most, had nothing of it waited on flushing so far; NAN: unknown */
	double unknown_s;          /* wall time of the interval without a look */

	double share;              /* of task time stalled: mean over the last second */
	bool stalled;              /* a stall is open at the end of the interval: stall holds it so far */
	struct stall stall;
	struct stall *closed;      /* stalls that ended in this interval (or are all there is of a short one) */
	size_t n_closed;

	struct tick_task *tasks;   /* sample->n_tasks of them */
	struct tick_mount *mounts; /* sample->n_mounts */
	struct tick_disk *disks;   /* sample->n_disks */

	struct tick_alert *alerts; /* those that stand, and those that ended in the interval */
	size_t n_alerts, cap_alerts;
	double held_s;             /* of the interval, in which we had the build stopped */
	uint64_t shmem_swapped_bytes; /* of tmpfs, in swap, at least; METRIC_NA: unknown */

	struct brief brief;
};

struct tick *tick_new(struct sample *sample); /* takes the sample; one reference; derived values unset (0, NAN) */
/* Appends one, all unset but the spec (copied); valid until the next. */
struct tick_alert *tick_add_alert(struct tick *tick, const char *spec);
struct tick *tick_ref(struct tick *tick);
void tick_unref(struct tick *tick); /* NULL is fine */

#endif
