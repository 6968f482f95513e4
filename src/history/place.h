/* SPDX-License-Identifier: MIT
 *
 * Where the history lies.
 */
#ifndef HISTORY_PLACE_H
#define HISTORY_PLACE_H

#include "base/why.h"

/* The directory with a name behind it, made where it is missing (0700); free() it. NULL: see why. */
char *place_path(const char *name, struct why *why);
/* Makes a directory and all above it; 0 or -errno. */
int place_make(char *path);

#endif
