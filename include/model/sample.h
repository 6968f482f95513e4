/* SPDX-License-Identifier: MIT
 *
 * A sample: what the kernel said between two ticks. Raw counters and rows, nothing derived. Whole in itself, immutable
 * once its maker gave it away. It describes the interval that ends at mono_ns and starts where the sample before it
 * ended. Strings live in one arena and are raw bytes as the kernel gave them: clean them where they are shown.
 *
 * Looks: between ticks, the state, wait channel and system call of every thread of the tree are read some ten times a
 * second. A site is one combination of those; a look_row says in which of the looks a thread was found at a site, as a
 * bit mask, so that what threads did at the same moment stays known. Look 0 is bit 0 of block 0, look 64 bit 0 of block 1.
 */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"

enum sample_flag {
	SAMPLE_FIRST = 1 << 0,     /* the base line: its counters are no differences, it has no interval */
	SAMPLE_LATE = 1 << 1,      /* taken over 100 ms after it was due */
	SAMPLE_GAP = 1 << 2,       /* ticks were missed before it (stopped, starved): the time is unknown, not clear */
	SAMPLE_SUSPENDED = 1 << 3, /* the machine slept in the interval */
	SAMPLE_CLOCK_STEP = 1 << 4, /* the wall clock was set in the interval */
	SAMPLE_LAST = 1 << 5,      /* taken after the build ended */
	SAMPLE_LOST = 1 << 6,      /* a recording lost samples before this one */
	SAMPLE_HELD = 1 << 7,      /* we have the build stopped, since a tmpfs is nearly full */
};

enum task_flag {
	TASK_ENDED = 1 << 0,    /* gone by the end of the interval; values as last seen */
	TASK_NEW = 1 << 1,      /* first seen in this interval */
	TASK_ROOT = 1 << 2,     /* a root of the watched tree */
	TASK_ORPHAN = 1 << 3,   /* its parent inside the tree ended; it was left to us */
	TASK_HIDDEN = 1 << 4,   /* wait channel and call cannot be read (another user's, setuid, not dumpable) */
};

struct task_row {
	int32_t pid;
	int32_t ppid;
	uint64_t start_ticks; /* since boot, in clock ticks; (pid, start_ticks) is the task's identity */
	uint32_t uid;         /* effective; UINT32_MAX: unknown */
	uint32_t flags;       /* enum task_flag */
	uint32_t comm;        /* string, at most 15 bytes */
	uint32_t cmdline;     /* string, words joined by NUL bytes, shortened in the middle beyond 4 KiB; 0: not known (yet) */
	char state;           /* R S D Z T t X I as in proc(5); last seen */
	uint64_t values[METRIC_TASK_COUNT];
};

/* A process of the tree that ended, counted by the kernel itself however short it was. */
struct exit_row {
	int32_t pid;
	int32_t ppid;     /* that forked it */
	uint32_t comm;    /* string: its last name */
	int64_t start_ns; /* fork, CLOCK_MONOTONIC; microsecond grain, as the end */
	int64_t end_ns;
	uint64_t cpu_us;  /* of all its threads, up to the moment it began to end: freeing its memory is not in it; METRIC_NA: unknown */
};

enum mount_flag {
	MOUNT_TMPFS = 1 << 0,
	MOUNT_WORKDIR = 1 << 1, /* the build's directory is on it */
	MOUNT_GONE = 1 << 2,    /* unmounted in the interval; values as last seen */
	MOUNT_READONLY = 1 << 3, /* nobody can write to it */
	MOUNT_WAITED = 1 << 4,  /* a task was blocked while it wrote there; it is not asked for its usage */
};

struct mount_row {
	uint64_t device; /* makedev(major, minor): its identity */
	uint32_t point;  /* string: where it is mounted first */
	uint32_t type;   /* string: "tmpfs", "ext4" */
	uint32_t source; /* string: "/dev/sda1" */
	uint32_t flags;
	uint32_t points; /* how many paths it is mounted on */
	uint32_t writers; /* counted list: who of the build has files on it open for writing; 0: not looked for */
	uint32_t largest; /* counted list: its largest directories; 0: not looked for */
	uint64_t values[METRIC_MOUNT_COUNT];
};

struct disk_row {
	uint64_t device;
	uint32_t name; /* string: "sda1" */
	uint64_t values[METRIC_DISK_COUNT];
};

#define SITE_CALL_NONE   (-1) /* in no system call: a page fault, or running in user mode */
#define SITE_CALL_HIDDEN (-2) /* may not be read */
#define SITE_CALL_UNREAD (-3) /* was not looked at: the thread runs */

struct site {
	uint32_t wchan;  /* string: symbol as the kernel gave it; 0: not read; "0": none */
	int32_t syscall; /* number of this machine's table, or SITE_CALL_… */
	char state;
};

struct look_row {
	uint32_t task; /* index into tasks */
	int32_t tid;
	uint16_t site; /* index into sites */
	uint16_t block;
	uint64_t mask;
};

struct sample {
	uint64_t number;  /* 0 is the base line */
	int64_t mono_ns;  /* CLOCK_MONOTONIC at the end of the interval; microsecond grain */
	int64_t wall_ns;  /* CLOCK_REALTIME then */
	int64_t asleep_ns; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC then */
	uint32_t flags;   /* enum sample_flag */
	uint32_t missed;  /* ticks that were due in the interval and not taken; samples lost, with SAMPLE_LOST */

	uint64_t system[METRIC_SYSTEM_COUNT];

	struct task_row *tasks;
	size_t n_tasks, cap_tasks;
	struct mount_row *mounts;
	size_t n_mounts, cap_mounts;
	struct disk_row *disks;
	size_t n_disks, cap_disks;

	struct exit_row *exits; /* in the order of their ends; an end shows up to a tick late */
	size_t n_exits, cap_exits;

	int64_t *look_ns; /* when each look was taken, CLOCK_MONOTONIC, millisecond grain (finer is kept), ascending */
	size_t n_looks, cap_looks;
	struct site *sites;
	size_t n_sites, cap_sites;
	struct look_row *look_rows; /* ordered by block, then in any order */
	size_t n_look_rows, cap_look_rows;

	char *strings; /* the arena; offset 0 is the empty string. Offsets point behind a 4-byte length; a NUL byte follows each string. */
	size_t strings_len, cap_strings;
};

struct sample *sample_new(void); /* all system values METRIC_NA, no rows */
void sample_free(struct sample *sample);
void sample_reset(struct sample *sample); /* as new, keeping the storage */
void sample_copy(struct sample *to, const struct sample *from);

/* Append a row, its values METRIC_NA and the rest 0; valid until the next append. */
struct task_row *sample_add_task(struct sample *sample);
struct mount_row *sample_add_mount(struct sample *sample);
struct disk_row *sample_add_disk(struct sample *sample);
struct exit_row *sample_add_exit(struct sample *sample);
struct site *sample_add_site(struct sample *sample);
struct look_row *sample_add_look_row(struct sample *sample);
size_t sample_add_look(struct sample *sample, int64_t mono_ns); /* its index */

/* Puts bytes into the arena and gives their offset; 0 for an empty string. No interning: callers keep offsets. */
uint32_t sample_add_string(struct sample *sample, const char *bytes, size_t len);
/* The string, and its length (it may hold NUL bytes); len may be NULL. */
const char *sample_string(const struct sample *sample, uint32_t offset, size_t *len);

#endif
