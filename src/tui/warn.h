/* SPDX-License-Identifier: MIT
 *
 * The alerts of a tick as the screen tells them.
 */
#ifndef TUI_WARN_H
#define TUI_WARN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/tick.h"

/* One was raised in this tick; NULL: none. Of several the worst. */
const struct tick_alert *warn_raised(const struct tick *tick);
/* Of those that stand, the worst; NULL: none does. */
const struct tick_alert *warn_worst(const struct tick *tick);
/* One stands about the mount of that row. */
bool warn_mount(const struct tick *tick, size_t at);
/* A few clean words: "/tmp full in 45 s". */
void warn_text(char *out, size_t size, const struct tick *tick, const struct tick_alert *alert);

#endif
