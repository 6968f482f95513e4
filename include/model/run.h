/* SPDX-License-Identifier: MIT
 *
 * A run: what is being watched, on what machine, by what means. Known before the first tick and constant; the end of it
 * is a struct run_end. Both stand in the recording. Strings are raw; NULL is "unknown".
 */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

enum run_mode { RUN_COMMAND, RUN_WATCH, RUN_MACHINE };

struct run_label {
	char *key;   /* [a-zA-Z_][a-zA-Z0-9_]{0,63} */
	char *value; /* at most 256 bytes */
};

/* A kernel source and whether it can be read here: "yes", "partly: why" or "no: why", and the command that changes it. */
struct run_source {
	char *name;   /* "processes", "wchan", "psi", … */
	char *status;
	char *remedy; /* NULL: none */
};

struct run {
	char id[UUID_SIZE]; /* version 7 */
	enum run_mode mode;
	char *tool_version;

	char **command; /* NULL-terminated, or NULL: not to be told */
	char *workdir;
	struct run_label *labels;
	size_t n_labels;
	char *vcs_commit; /* of the working directory at the start */
	int vcs_dirty;    /* 1, 0, or -1: unknown */

	char *host;
	char *kernel;  /* release, "6.1.0-30-amd64" */
	char *machine; /* "x86_64": says which table of system call numbers holds */
	char *boot_id;
	uint32_t cpus;          /* online at the start */
	uint32_t ticks_per_s;   /* of start_ticks */
	uint64_t memory_total_bytes;
	uint64_t page_bytes;

	int64_t start_wall_ns;
	int64_t start_mono_ns;
	int64_t interval_ns;      /* between ticks */
	int64_t look_interval_ns; /* between looks at most; 0: none */
	bool looks_fixed;         /* never closer than that; not recorded */

	struct run_source *sources;
	size_t n_sources;

	char **alerts; /* what is to be told, as model/alert.h reads it; none: its defaults (a recording that says nothing) */
	size_t n_alerts;
};

struct run *run_new(void); /* all unknown, vcs_dirty -1 */
void run_free(struct run *run);
void run_add_label(struct run *run, const char *key, const char *value); /* replaces one of the same key */
const char *run_label(const struct run *run, const char *key);            /* NULL: none */
void run_add_alert(struct run *run, const char *text);
void run_set_source(struct run *run, const char *name, const char *status, const char *remedy);
const char *run_source(const struct run *run, const char *name); /* its status, or NULL */

/* How a run ended. outcome() gives the word of the summary document. */
struct run_end {
	bool complete;    /* false: the recording breaks off, or the watcher was stopped before the build ended */
	bool known;       /* the two below say something (not when watching somebody else's process) */
	int status;       /* exit status 0 to 255, when signal is 0 */
	int signal;       /* that killed the build; 0: none */
	bool interrupted; /* a person or a job control system asked for the end (SIGINT, SIGTERM, SIGHUP) */
	int64_t mono_ns;
	int64_t wall_ns;
	uint64_t user_us;   /* rusage of all that was waited for; METRIC_NA: unknown */
	uint64_t system_us;
	uint64_t max_rss_bytes; /* of the largest process */
	char *left_behind; /* names of tasks that were still running, for a person; NULL: none */
};

const char *run_outcome(const struct run_end *end); /* "success" "failure" "signal" "interrupted" "unknown" */
const char *run_signal_name(int number); /* "SIGKILL"; NULL: one without a name here */
void run_end_fini(struct run_end *end);

#endif
