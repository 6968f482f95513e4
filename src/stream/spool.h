/* SPDX-License-Identifier: MIT
 *
 * A pipe cannot be gone back in: its content goes to memory first.
 */
#ifndef STREAM_SPOOL_H
#define STREAM_SPOOL_H

#include "base/why.h"

/* *fd: a descriptor of memory that holds all that came through the pipe at `path` ("-": standard input), or
 * -1: it is no pipe. 0 or -errno. */
int spool_open(const char *path, int *fd, struct why *why);

#endif
