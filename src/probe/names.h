/* SPDX-License-Identifier: MIT
 *
 * Command lines, read by helper threads: the sampler asks and collects without ever waiting.
 */
#ifndef PROBE_NAMES_H
#define PROBE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names;

struct name {
	int32_t pid;
	uint64_t start;
	char *words; /* NUL between words, none at the end; free() it */
	size_t len;  /* 0: it had none, or it is gone */
};

/* Reference-counted: a helper that hangs in the kernel keeps its own. */
struct names *names_new(void);
struct names *names_ref(struct names *names);
void names_unref(struct names *names);

/* Sampler: */
bool names_ask(struct names *names, int32_t pid, uint64_t start); /* false: all places taken, ask later */
void names_wake(struct names *names);				  /* after asking */
bool names_collect(struct names *names, struct name *out);	  /* false: nothing (more) */

/* Helpers: */
void names_serve(struct names *names); /* until names_stop() */
bool names_stuck(const struct names *names);
void names_stop(struct names *names);

/* NUL-joined words as they are kept: without the NUL at the end, at most about 4 KiB, shortened in the
 * middle. */
size_t names_shorten(char *words, size_t len);

#endif
