/* SPDX-License-Identifier: MIT
 *
 * From one command line to a step. What a process inherits from those that started it is not decided here.
 */
#ifndef DIAGNOSE_STEP_H
#define DIAGNOSE_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/step.h"

/* What of the processes below belongs to it. */
enum step_hold {
	STEP_HOLDS_NONE,
	STEP_HOLDS_REST, /* those that are no job of their own */
	STEP_HOLDS_ALL,
};

struct step {
	enum step_kind kind;
	enum step_hold hold;
	bool frame;    /* what it runs are the steps: make, ninja */
	unsigned jobs; /* that a make or the like was told to run at once; 0: not told */
	char name[STEP_NAME_SIZE];
};

/*
 * line: len bytes, words joined by NUL bytes, as in /proc/PID/cmdline; may be empty. comm: the kernel's name
 * of it. dir: the build's directory, taken off the front of names and giving the name of a package; may be
 * NULL.
 */
void step_of(struct step *step, const char *comm, const char *line, size_t len, const char *dir);

#endif
