/* SPDX-License-Identifier: MIT
 *
 * The step each task of a tick works for.
 */
#ifndef DIAGNOSE_STEPPING_H
#define DIAGNOSE_STEPPING_H

#include "model/tick.h"

/* dir: the build's directory. Names go into the sample's strings. */
void stepping_step(const char *dir, struct sample *sample, struct tick *tick);

#endif
