/* SPDX-License-Identifier: MIT
 *
 * The shelf: recordings kept by default in $XDG_STATE_HOME/buildtop/ (else ~/.local/state/buildtop/), the newest 50, at most
 * 1 GiB together with their output logs.
 */
#ifndef STORE_SHELF_H
#define STORE_SHELF_H

#include "base/why.h"
#include "model/run.h"

/* A new path on the shelf for this run (its directory is made, 0700); free() it. NULL: no place, see why. */
char *shelf_new_path(const struct run *run, struct why *why);
/* Removes the oldest beyond the limits; never one that is locked by its recorder. */
void shelf_prune(void);
/* "@1" is the newest, "@2" the one before; the id of a run, or its last 8, is its recording; anything else is a path and is given back as it is. free() it. NULL: see why. */
char *shelf_resolve(const char *name, struct why *why);

#endif
