/* SPDX-License-Identifier: MIT
 *
 * What is to be told: one condition, as a person wrote it ("tmpfs:/tmp>=6G"). The recording carries the texts, so that a
 * replay raises the same alerts. `above` is about what is used, its opposite about what is left (or the time that is).
 */
#ifndef MODEL_ALERT_H
#define MODEL_ALERT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"
#include "model/run.h"

enum alert_subject {
	ALERT_NONE,   /* "none": nothing is to be told */
	ALERT_TMPFS,  /* bytes or inodes of a tmpfs, whichever is worse */
	ALERT_INODES, /* inodes of a tmpfs */
	ALERT_MEMORY, /* available memory */
	ALERT_DISK,   /* the file system of the build's directory */
	ALERT_STALL,  /* the length of one stall that flushing made */
	ALERT_DIRTY,  /* dirty and writeback pages; shares are of the threshold */
	ALERT_HELD,   /* the build was stopped before a tmpfs was full; not from a text */
};

enum alert_measure { ALERT_SHARE, ALERT_BYTES, ALERT_SECONDS };

struct alert_spec {
	char *text;	/* owned; as it was given */
	char *path;	/* owned; the mount it is about, NULL: any */
	enum alert_subject subject;
	enum alert_measure measure;
	bool above;
	double limit;	/* a fraction of 1, bytes, or seconds */
};

/* 0, or -EINVAL with why. spec is fresh storage; alert_spec_fini() it when it was parsed. */
int alert_spec_parse(struct alert_spec *spec, const char *text, struct why *why);
void alert_spec_fini(struct alert_spec *spec);

/* What is told when nobody says otherwise; NULL-terminated. */
extern const char *const alert_defaults[];

/* Gives the run its list: `texts` and, unless one of them is about tmpfs or is "none", the defaults. All must parse. */
void alert_fill_run(struct run *run, const char *const *texts, size_t n);

#endif
