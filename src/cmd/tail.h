/* SPDX-License-Identifier: MIT
 *
 * The last lines of what the build printed, for a terminal from which its screen has just gone.
 */
#ifndef CMD_TAIL_H
#define CMD_TAIL_H

#include <stddef.h>

#include "base/buf.h"
#include "base/tape.h"

/* The newest lines of a text, at most so many: colours as they are, every other escape sequence and control
 * character gone. */
void tail_clean(struct buf *out, const char *bytes, size_t len, size_t lines);
/* The same of what is on the tape. */
void tail_take(struct buf *out, const struct tape *tape, size_t lines);

#endif
