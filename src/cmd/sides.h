/* SPDX-License-Identifier: MIT
 *
 * Runs for a comparison, as the user names them.
 */
#ifndef CMD_SIDES_H
#define CMD_SIDES_H

#include "base/why.h"
#include "report/compare.h"

/* A recording, @N or a summary document, added to the last side. */
int sides_add_run(struct compare *compare, const char *name, struct why *why);
/* A new side: a run, a directory of recordings, or a pattern. */
int sides_add_argument(struct compare *compare, const char *name, struct why *why);

#endif
