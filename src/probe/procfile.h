/* SPDX-License-Identifier: MIT
 *
 * Small files of /proc that are read again and again: a descriptor is kept where the budget allows it, else
 * the file is opened for each read.
 */
#ifndef PROBE_PROCFILE_H
#define PROBE_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>

#define PROCFILE_NONE (-1) /* no descriptor is kept */

struct procfile_budget {
	unsigned kept;
	unsigned most;
};

/* Raises the soft limit of descriptors as far as is needed and takes a share of it. */
void procfile_budget_init(struct procfile_budget *budget);

/* One pread() of the file behind *kept, opened by path if there is none; NUL-terminated. Bytes, or -errno. */
int procfile_read(struct procfile_budget *budget, int *kept, const char *path, char *out, size_t cap);
void procfile_close(struct procfile_budget *budget, int *kept);

/* -ENOENT and -ESRCH: the process has ended. */
bool procfile_gone(int error);

#endif
