/* SPDX-License-Identifier: MIT
 *
 * Pens and glyphs. Two sets of glyphs, by the locale's charset; nothing else in the room asks for it. A pen
 * clips, so panels need not count columns to be safe, only to be beautiful.
 */
#include "draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct glyph {
	const char *utf8, *ascii;
};

static const struct glyph glyphs[] = {
	[DRAW_LINE] = {"─", "-"},   [DRAW_SHADE] = {"·", "."},	    [DRAW_SECOND] = {"░", ":"},
	[DRAW_AXIS] = {"│", "|"},   [DRAW_AXIS_LINE] = {"├", "+"},  [DRAW_RULE] = {"─", "-"},
	[DRAW_TICK] = {"┴", "+"},   [DRAW_POSITION] = {"▲", "^"},   [DRAW_MARK] = {"◆", "m"},
	[DRAW_DOT] = {"●", "*"},    [DRAW_ELLIPSIS] = {"…", "~"},   [DRAW_TIMES] = {"×", "x"},
	[DRAW_DASH] = {"–", "-"},   [DRAW_BRANCH] = {"├─", "|-"},   [DRAW_LAST_BRANCH] = {"└─", "`-"},
	[DRAW_STEM] = {"│ ", "| "}, [DRAW_BULLET] = {" · ", " | "},
};

static const struct glyph levels[] = {
	{" ", " "}, {"▁", "."}, {"▂", ","}, {"▃", ":"}, {"▄", "-"},
	{"▅", "="}, {"▆", "+"}, {"▇", "*"}, {"█", "#"},
};

const char *draw_glyph(enum draw_glyph glyph)
{
	return text_is_utf8() ? glyphs[glyph].utf8 : glyphs[glyph].ascii;
}

const char *draw_level(int eighths)
{
	return text_is_utf8() ? levels[eighths].utf8 : levels[eighths].ascii;
}

struct pen pen_at(struct box box, int row)
{
	return pen_part(box, row, 0, box.w);
}

struct pen pen_part(struct box box, int row, int from, int width)
{
	struct pen pen = {.y = box.y + row, .x = box.x + from, .end = box.x + from + width};

	if (pen.end > box.x + box.w)
		pen.end = box.x + box.w;
	if (row < 0 || row >= box.h || pen.end < pen.x)
		pen.end = pen.x;
	return pen;
}

int pen_left(const struct pen *pen)
{
	return pen->end - pen->x;
}

void pen_text(struct pen *pen, attr_t attr, const char *clean)
{
	size_t used, len;

	if (pen_left(pen) <= 0)
		return;
	len = text_fit(clean, (size_t)pen_left(pen), &used);
	attrset(attr);
	mvaddnstr(pen->y, pen->x, clean, (int)len);
	pen->x += (int)used;
}

void pen_format(struct pen *pen, attr_t attr, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	pen_text(pen, attr, text);
}

void pen_field(struct pen *pen, attr_t attr, int width, const char *clean)
{
	struct pen field = *pen;
	int columns = width < 0 ? -width : width;
	int text = (int)text_width(clean);

	if (columns > pen_left(pen))
		columns = pen_left(pen);
	field.end = pen->x + columns;
	if (width < 0 && text < columns)
		field.x += columns - text;
	if (width > 0 && text > columns && columns > 1) {
		field.end--;
		pen_text(&field, attr, clean);
		field.end++;
		pen_text(&field, attr, draw_glyph(DRAW_ELLIPSIS));
	} else {
		pen_text(&field, attr, clean);
	}
	pen->x += columns;
}

void pen_foreign(struct pen *pen, attr_t attr, int width, const char *raw)
{
	char clean[512];

	pen_field(pen, attr, width, text_clean_string(clean, sizeof clean, raw));
}

void pen_skip(struct pen *pen, int columns)
{
	pen->x += columns;
	if (pen->x > pen->end)
		pen->x = pen->end;
}

void pen_fill(struct pen *pen, attr_t attr)
{
	if (pen_left(pen) <= 0)
		return;
	attrset(attr);
	mvhline(pen->y, pen->x, ' ', pen_left(pen));
	pen->x = pen->end;
}

void pen_bar(struct pen *pen, attr_t attr, int width, double fraction)
{
	int filled; /* in eighths in UTF-8, in whole cells otherwise */

	if (!(fraction >= 0))
		fraction = 0;
	if (fraction > 1)
		fraction = 1;
	filled = (int)ceil(fraction * width);
	for (int i = 0; i < width; i++) {
		if (i < filled)
			pen_text(pen, attr, text_is_utf8() ? "■" : "#");
		else
			pen_text(pen, theme(THEME_DIM), text_is_utf8() ? "·" : ".");
	}
}
