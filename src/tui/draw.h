/* SPDX-License-Identifier: MIT
 *
 * Drawing on the screen: text that stays in its box, bars, cells of graphs. What is foreign must have been
 * cleaned (base/text.h) before it comes here. The screen's thread only.
 */
#ifndef TUI_DRAW_H
#define TUI_DRAW_H

#include <curses.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "theme.h"

/* A pen walks along one row and never leaves it. */
struct pen {
	int y, x, end;
};

struct pen pen_at(struct box box, int row);			   /* a row outside the box draws nothing */
struct pen pen_part(struct box box, int row, int from, int width); /* only these columns of it */
int pen_left(const struct pen *pen);

void pen_text(struct pen *pen, attr_t attr, const char *clean);
void pen_format(struct pen *pen, attr_t attr, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Text in a field of this width: cut or padded; right-aligned when width is negative. */
void pen_field(struct pen *pen, attr_t attr, int width, const char *clean);
/* Foreign bytes in such a field. */
void pen_foreign(struct pen *pen, attr_t attr, int width, const char *raw);
void pen_skip(struct pen *pen, int columns);
void pen_fill(struct pen *pen, attr_t attr); /* blanks to the end */
/* A bar of `width` columns, filled to the fraction; NAN: an empty one. */
void pen_bar(struct pen *pen, attr_t attr, int width, double fraction);

enum draw_glyph {
	DRAW_LINE,	/* a threshold in a graph */
	DRAW_SHADE,	/* a stall behind a graph, where colours cannot tell it */
	DRAW_SECOND,	/* the second tone of a graph without colours */
	DRAW_AXIS,	/* left of a plot */
	DRAW_AXIS_LINE, /* there, where a threshold meets it */
	DRAW_RULE,	/* horizontal */
	DRAW_TICK,	/* on the time axis */
	DRAW_POSITION,
	DRAW_MARK,
	DRAW_DOT, /* before REC */
	DRAW_ELLIPSIS,
	DRAW_TIMES,
	DRAW_DASH,
	DRAW_BRANCH, /* of the process tree */
	DRAW_LAST_BRANCH,
	DRAW_STEM,
	DRAW_BULLET, /* between things in one row */
};

const char *draw_glyph(enum draw_glyph glyph);
const char *draw_level(int eighths); /* 0 to 8 */

#endif
