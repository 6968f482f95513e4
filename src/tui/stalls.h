/* SPDX-License-Identifier: MIT
 *
 * The stalls as they were known at the moment shown. Pure.
 */
#ifndef TUI_STALLS_H
#define TUI_STALLS_H

#include "view.h"

/* How many had begun. */
size_t stalls_begun(const struct view *view);
/* The one `back` before the newest that had begun, as long as it was then; false: there is none. */
bool stalls_get(const struct view *view, size_t back, struct stall *stall);
/* Seconds of all of them. */
double stalls_seconds(const struct view *view);
/* The one chosen on the page of stalls, in the timeline; NULL: none. */
const struct stall *stalls_chosen(const struct view *view);
/* What can be done about stalls of this kind: a sentence. */
const char *stalls_advice(const struct stall *stall);

#endif
