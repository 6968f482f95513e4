/* SPDX-License-Identifier: MIT
 *
 * The builds seen on this machine: one SQLite file, $XDG_STATE_HOME/buildtop/history.db (else under ~/.local/state), with the
 * summary document of each run. Its columns are an index of the document and nothing else. One thread a handle.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/uuid.h"
#include "base/why.h"

struct history;

/* Opens it, makes it where there is none, and takes in the runs that had to wait in pending/. Waits at most so long for
 * another process that writes. 0 or -errno. */
int history_open(struct history **history, int patience_ms, struct why *why);
void history_close(struct history *history); /* NULL is fine */
/* Leave the moving of the log into the file (which waits for the disk) to whoever closes it next. */
void history_hurry(struct history *history);
/* The path of a file beside the history; free() it. NULL: no place, see why. */
char *history_beside(const char *name, struct why *why);

/* Where a document is to be sent: a name, and how (lines of the configuration). */
struct history_target {
	const char *name;
	const char *settings;
};

/* How a run compares with the ones before it: same project, variant and machine, successful. */
enum history_verdict { HISTORY_FEW, HISTORY_USUAL, HISTORY_SLOWER, HISTORY_FASTER };

struct history_standing {
	enum history_verdict verdict;
	unsigned runs;   /* that it was compared with, at most 10 */
	double median_s; /* of those */
	double spread;   /* robust, as a fraction of the median */
	double change;   /* of this run, a fraction: 0.09 is 9 % slower */
};

/*
 * Writes down a finished run and what is to be sent of it, in a process of its own, and waits for that at most a second: a
 * build's end waits for no disk. 0: it is in the history; 1: it waits in pending/ and is taken in later, see why;
 * -ETIMEDOUT: still at it, in the background; -errno: nothing could be kept. Main thread, after the others are gone.
 */
int history_record(const char *document, const char *id, const struct history_target *targets, size_t n_targets,
		   struct history_standing *standing, struct why *why);
/* The same here and now, in one transaction; a run that is known already is left as it is. */
int history_add(struct history *history, const char *document, const struct history_target *targets, size_t n_targets,
		struct why *why);

struct history_build {
	char id[UUID_SIZE];
	int64_t start_us, end_us;
	const char *host, *project, *variant, *branch, *commit, *outcome; /* never NULL; "" unknown */
	int exit_status;                                                 /* -1: none */
	double wall_s, cpu_s, stalled_s;                                  /* NAN: unknown */
	const char *document;
};

struct history_filter {
	const char *project, *variant, *host; /* NULL: any */
	const char *id;                       /* whole, or its last 8 */
	const char *outcome;
	int64_t since_us;
	long limit; /* the newest so many; 0: all */
	bool oldest_first;
};

/* Calls for each; what it is given is borrowed until it returns. Stops when that gives false. 0 or -errno. */
int history_each(struct history *history, const struct history_filter *filter,
		 bool (*take)(void *self, const struct history_build *build), void *self, struct why *why);
/* The document of a run; -ENOENT: not there. */
int history_document(struct history *history, const char *id, struct buf *out, struct why *why);
/* Is this word shaped like the id of a run, or like its last 8? */
bool history_is_id(const char *word);

struct history_sum {
	const char *name; /* cause or command */
	uint64_t builds, count;
	double seconds; /* stalled, or CPU */
};
/* Time lost by cause, or CPU time by command, over the filtered runs, most first. */
int history_stalls(struct history *history, const struct history_filter *filter,
		   void (*take)(void *self, const struct history_sum *sum), void *self, struct why *why);
int history_commands(struct history *history, const struct history_filter *filter,
		     void (*take)(void *self, const struct history_sum *sum), void *self, struct why *why);

int history_standing(struct history *history, const char *id, struct history_standing *standing, struct why *why);
/* The same of plain figures: wall times, oldest first; the last one is judged. */
void history_judge(const double *wall_s, size_t n, struct history_standing *standing);

/* The first of n wall times, oldest first, from which on they are higher; n: nowhere. *before and *after: medians. */
size_t history_change_point(const double *wall_s, size_t n, double *before_s, double *after_s);

/* Keeps the newest so many; the number that went, or -errno. */
long history_prune(struct history *history, long keep, struct why *why);

/* The spool: what is still to be sent. */
struct history_parcel {
	char id[UUID_SIZE];
	const char *target;
	const char *settings;
	unsigned attempts;
	int64_t next_us; /* not to be tried again before, by itself */
	int64_t start_us;
	int last_status; /* of HTTP; 0: none */
	const char *last_error; /* NULL: not tried */
	bool rejected;
};

int history_parcels(struct history *history, bool (*take)(void *self, const struct history_parcel *parcel), void *self,
		    struct why *why);
int history_post_later(struct history *history, const char *id, const struct history_target *target, struct why *why);
int history_posted(struct history *history, const char *id, const char *target);
/* So do not all older ones of its project, variant and machine: where only the newest counts, they must not come after it. */
int history_posted_newest(struct history *history, const char *id, const char *target);
bool history_waits(struct history *history, const char *id, const char *target);
/* It did not work. rejected: the server does not want it, ever. */
int history_post_failed(struct history *history, const char *id, const char *target, int64_t next_us, int status,
			const char *error, bool rejected);
/* Drops what is older than 30 days or beyond 1000 for a target; the number dropped. */
long history_spool_trim(struct history *history, int64_t now_us);

#endif
