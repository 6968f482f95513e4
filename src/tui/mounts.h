/* SPDX-License-Identifier: MIT
 *
 * Which mounts matter, and in which order: what is fullest, and what the build can fill. Pure.
 */
#ifndef TUI_MOUNTS_H
#define TUI_MOUNTS_H

#include <stdbool.h>

#include "model/tick.h"

#define MOUNTS_SHOWN_MAX 64

/* The larger share of bytes and inodes in use; 0 without a limit. */
double mounts_fullness(const struct tick_mount *mount);
/* Indices into the tick's mounts, the most pressing first; all: those of no use to a build too, and the work
 * directory's. Their number. */
size_t mounts_order(const struct tick *tick, size_t order[MOUNTS_SHOWN_MAX], bool all);

#endif
