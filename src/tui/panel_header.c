/* SPDX-License-Identifier: MIT
 *
 * The first row: is it computing or stuck, on what, since when; then what runs, for how long, and whether it
 * is recorded. The whole row has the colour of the state, to be read from across the room.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "panel.h"
#include "warn.h"

#define COMMAND_WIDTH 14 /* is worth more than what is said of the recording */

static enum theme_role state_role(const struct state *state)
{
	if (state->kind == STATE_UNKNOWN)
		return THEME_WARN;
	return theme_cause(state->cause);
}

/* How much of the recording is named: the sign alone, in words, with the file's name. */
enum detail { SIGN, WORDS, NAMED, DETAILS };

static void add_mode(const struct view *view, char *out, size_t size, enum detail detail)
{
	const char *path = view->given.recording;
	const char *name = path ? strrchr(path, '/') : NULL;
	char clean[64] = "", speed[24];

	if (detail == NAMED && path)
		text_clean_string(clean, sizeof clean, name ? name + 1 : path);
	if (view->given.replay) {
		if (view->speed_eighths == 0)
			snprintf(speed, sizeof speed, "PAUSED");
		else if (view->speed_eighths < 8)
			snprintf(speed, sizeof speed, "1/%d", 8 / view->speed_eighths);
		else
			snprintf(speed, sizeof speed, "%s%d", draw_glyph(DRAW_TIMES),
				 view->speed_eighths / 8);
		snprintf(out, size, "%s %-6s%s%s ", detail == SIGN ? "" : " REPLAY", speed, *clean ? " " : "",
			 clean);
	} else {
		const char *words = detail == SIGN ? "" : path ? " REC" : "not recorded";

		snprintf(out, size, " %s%s%s%s%s ", view_is_held(view) ? "HELD " : "",
			 path ? draw_glyph(DRAW_DOT) : "", words, *clean ? " " : "", clean);
	}
}

static void draw_alert(struct view *view, struct pen *pen, int keep)
{
	const struct tick_alert *alert = warn_worst(view->shown);
	char words[120], text[160];

	if (!alert)
		return;
	warn_text(words, sizeof words, view->shown, alert);
	snprintf(text, sizeof text, " %s%s ", alert->subject == ALERT_HELD ? "build held (c: go on): " : "",
		 words);
	/* Where there is no room for it, its bar says it. */
	if (pen_left(pen) >= (int)text_width(text) + keep)
		pen_text(pen, theme_on(THEME_INK, THEME_WARN), text);
	else if (pen_left(pen) >= 7 + keep)
		pen_text(pen, theme_on(THEME_INK, THEME_WARN), alert->mount ? " tmpfs!" : " alert!");
}

static void draw(struct view *view, struct box box)
{
	attr_t attr = theme_on(THEME_INK, state_role(&view->state));
	struct pen pen = pen_at(box, 0), right = pen;
	char elapsed[UNITS_SIZE], mode[128];
	struct buf command = {0};
	int mode_width = 0, elapsed_width, rest;

	if (box.h == 0)
		return;
	units_elapsed(elapsed, view_elapsed_s(view, view_position_ns(view)));
	elapsed_width = (int)strlen(elapsed) + 2;

	pen_fill(&right, attr); /* the whole row, then left to right over it */
	pen_format(&pen, attr | A_BOLD, " %s ", view->state.text);
	draw_alert(view, &pen, elapsed_width);

	rest = pen_left(&pen);
	if (rest < elapsed_width)
		return;
	for (int detail = DETAILS - 1; detail >= 0; detail--) {
		add_mode(view, mode, sizeof mode, (enum detail)detail);
		mode_width = (int)text_width(mode);
		if (rest >= elapsed_width + mode_width + (detail == SIGN ? 0 : COMMAND_WIDTH))
			break;
		if (detail == SIGN)
			mode_width = 0;
	}
	right = pen_part(box, 0, box.w - mode_width - elapsed_width, elapsed_width + mode_width);
	pen.end = right.x;
	if (view->run && view->run->command)
		text_command(&command, view->run->command);
	if (pen_left(&pen) > 6) {
		pen_text(&pen, attr, draw_glyph(DRAW_AXIS));
		pen_skip(&pen, 1);
		pen_field(&pen, attr, pen_left(&pen), command.data ? command.data : "(this machine)");
	}
	pen_format(&right, attr | A_BOLD, " %s ", elapsed);
	if (mode_width)
		pen_text(&right, attr, mode);
	buf_fini(&command);
}

const struct panel panel_header = {"header", draw};
