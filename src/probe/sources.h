/* SPDX-License-Identifier: MIT
 *
 * What can be read here: see probe_examine().
 */
#ifndef PROBE_SOURCES_H
#define PROBE_SOURCES_H

#include "model/run.h"

/* A child of ours that sleeps, to see what may be read of it. */
void sources_of_child(struct run *run);
/* What libproc2, pressure and the mount table give. */
void sources_of_machine(struct run *run, const char *workdir);
/* What opening an event that tells of ends gave: 0 or -errno. */
void sources_of_exits(struct run *run, int error);

#endif
