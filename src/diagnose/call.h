/* SPDX-License-Identifier: MIT
 *
 * System calls: their names, and as much of their meaning as the rule of site.c asks for.
 */
#ifndef DIAGNOSE_CALL_H
#define DIAGNOSE_CALL_H

#include <stdbool.h>
#include <stdint.h>

enum call_kind {
	CALL_UNKNOWN, /* not readable, or of a machine without a table */
	CALL_FAULT,   /* in no call: a page fault */
	CALL_SYNC,    /* the program asks for a flush and waits for it */
	CALL_REMOVE,  /* gives pages of a file up: unlink, truncate, rename, close */
	CALL_WRITE,
	CALL_READ, /* reads data, a directory or an inode */
	CALL_CHILD,
	CALL_POLL,
	CALL_TIMER,
	CALL_NETWORK,
	CALL_LOCK,
	CALL_OTHER,
};

struct call {
	const char *name;
	enum call_kind kind;
	int16_t x86_64;
	int16_t generic; /* aarch64, riscv64, loongarch64; NO: not there */
};

/* NULL: not in the table, or a machine whose numbers are not known here. */
const struct call *call_find(const char *machine, int32_t number);
/* With the SITE_CALL_… values told apart. */
enum call_kind call_kind(const char *machine, int32_t number);
bool call_is_unlink(const char *machine, int32_t number); /* or unlinkat */

#endif
