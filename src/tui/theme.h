/* SPDX-License-Identifier: MIT
 *
 * Colours with a meaning. Panels name a role, never a colour; a class of waiting has one colour everywhere.
 * Without colours (NO_COLOR, a terminal that has none) roles become bold, dim and reverse. The screen's
 * thread only.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <curses.h>
#include <stdbool.h>

#include "model/cause.h"

enum theme_role {
	THEME_TEXT,
	THEME_DIM,    /* frames, units, what does not matter now */
	THEME_LABEL,  /* names of things */
	THEME_STRONG, /* the number looked for */
	THEME_GOOD,
	THEME_WARN,
	THEME_ALARM,
	THEME_BUILD, /* the build's share of a graph */
	THEME_OTHER, /* everybody else's */
	THEME_DIRTY,
	THEME_WRITEBACK,
	THEME_LIMIT,	 /* the line at which writers are held back */
	THEME_LIMIT_LOW, /* the line at which the kernel starts to write */
	THEME_CACHE,
	THEME_KEY,
	THEME_INK,   /* on a coloured ground */
	THEME_SHADE, /* ground behind graphs while the build is stalled */
	THEME_CAUSE, /* first of CAUSE_COUNT roles */
	THEME_COUNT = THEME_CAUSE + CAUSE_COUNT
};

/* default, light, contrast, colour-blind, mono; false: none of these. Before or after theme_init(), then with
 * the next frame. */
bool theme_choose(const char *name);
void theme_init(void); /* after newterm() */
void theme_next(void); /* the next of the themes, from the next frame on */
const char *theme_name(void);
bool theme_has_colour(void);
bool theme_has_shades(void); /* 256 colours: tints can stand behind text */
attr_t theme(enum theme_role role);
/* The role's colour on a ground of another role's colour; reverse without colours. */
attr_t theme_on(enum theme_role role, enum theme_role ground);
enum theme_role theme_cause(enum cause cause); /* THEME_DIM for CAUSE_NONE */

#endif
