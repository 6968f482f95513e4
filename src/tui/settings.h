/* SPDX-License-Identifier: MIT
 *
 * What was chosen on the screen and is kept for the next one: theme, order and shape of the process list.
 */
#ifndef TUI_SETTINGS_H
#define TUI_SETTINGS_H

#include "view.h"

/* From $XDG_CONFIG_HOME/buildtop/screen, or ~/.config; BUILDTOP_THEME goes before its theme. What is missing
 * or wrong is passed over. */
void settings_load(struct view *view);
/* Writes it when something was changed; a disk that takes nothing is none of our business. */
void settings_save(const struct view *view);

#endif
