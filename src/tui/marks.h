/* SPDX-License-Identifier: MIT
 *
 * A mark on the timeline, and what differs between it and the moment shown.
 */
#ifndef TUI_MARKS_H
#define TUI_MARKS_H

#include "draw.h"
#include "view.h"

void marks_press(struct view *view); /* sets it here; takes it away */
void marks_draw(struct view *view, struct pen *pen);

#endif
