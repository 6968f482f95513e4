/* SPDX-License-Identifier: MIT
 *
 * A file that is there whole or not at all: written beside its name and renamed when complete. "-" is
 * standard output; what is not a regular file (a FIFO, /dev/null) is written as it is.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stddef.h>

#include "base/why.h"

struct output {
	int fd;
	char *path; /* the name it gets; NULL: written in place */
	char *temporary;
};

/* Could it be written? Leaves nothing behind. 0 or -errno. */
int output_check(const char *path, struct why *why);
int output_open(struct output *output, const char *path, struct why *why);
int output_write(struct output *output, const void *bytes, size_t len, struct why *why);
/* Gives the file its name. */
int output_close(struct output *output, struct why *why);
/* Away with it. */
void output_discard(struct output *output);
/* All of it at once. */
int output_put(const char *path, const void *bytes, size_t len, struct why *why);

#endif
