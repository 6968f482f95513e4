/* SPDX-License-Identifier: MIT
 *
 * A whole frame.
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "view.h"

/* Draws everything for a screen of this size and sends what changed. */
void screen_draw(struct view *view, int rows, int columns);

#endif
