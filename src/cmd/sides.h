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
/* A new side: a run, a directory of recordings, or a pattern; with a drawing of the first that has one. */
int sides_add_argument(struct compare *compare, const char *name, bool pictures, struct why *why);

/* The timeline of a recording as the drawing of the side added last, if it has none; or, of a summary, that
 * of the recording beside it. What cannot be drawn is left out. */
void sides_add_picture(struct compare *compare, const char *name);
void sides_add_picture_of(struct compare *compare, const char *name);

#endif
