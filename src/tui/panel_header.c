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

#define COMMAND_WIDTH 20 /* is worth more than the name of the recording */

static enum theme_role state_role(const struct state *state)
{
	if (state->kind == STATE_UNKNOWN)
		return THEME_WARN;
	return theme_cause(state->cause);
}

/* With the file's name, or short. */
static void add_mode(const struct view *view, char *out, size_t size, bool named)
{
	const char *path = view->given.recording;
	const char *name = path ? strrchr(path, '/') : NULL;
	char clean[64], speed[24];

	text_clean_string(clean, sizeof clean, !named || !path ? "" : name ? name + 1 : path);
	if (view->given.replay) {
		if (view->speed_eighths == 0)
			snprintf(speed, sizeof speed, "PAUSED");
		else if (view->speed_eighths < 8)
			snprintf(speed, sizeof speed, "1/%d", 8 / view->speed_eighths);
		else
			snprintf(speed, sizeof speed, "%s%d", draw_glyph(DRAW_TIMES),
				 view->speed_eighths / 8);
		snprintf(out, size, " REPLAY %-6s%s%s ", speed, *clean ? " " : "", clean);
	} else {
		snprintf(out, size, " %s%s%s%s%s ", view_is_held(view) ? "HELD " : "",
			 path ? draw_glyph(DRAW_DOT) : "", path ? " REC" : "not recorded", *clean ? " " : "",
			 clean);
	}
}

static void draw_alarm(struct view *view, struct pen *pen)
{
	const struct tick_mount *mount = state_alarm(view->shown);
	const struct sample *sample;
	char point[48], time[UNITS_SIZE], percent[UNITS_SIZE];

	if (!mount)
		return;
	sample = view->shown->sample;
	text_clean_string(point, sizeof point,
			  sample_string(sample, sample->mounts[mount - view->shown->mounts].point, NULL));
	if (mount->alarm == TICK_ALARM_FILLING && isfinite(mount->seconds_to_full))
		pen_format(pen, theme_on(THEME_INK, THEME_WARN), " %s full in %s ", point,
			   units_duration(time, mount->seconds_to_full));
	else
		pen_format(pen, theme_on(THEME_INK, THEME_WARN), " %s %s full ", point,
			   units_percent(percent, mount->by_inodes ? mount->inodes_used : mount->used));
}

static void draw(struct view *view, struct box box)
{
	attr_t attr = theme_on(THEME_INK, state_role(&view->state));
	struct pen pen = pen_at(box, 0), right = pen;
	char elapsed[UNITS_SIZE], mode[128];
	struct buf command = {0};
	int mode_width, elapsed_width, rest;

	if (box.h == 0)
		return;
	units_elapsed(elapsed, view_elapsed_s(view, view_position_ns(view)));
	elapsed_width = (int)strlen(elapsed) + 2;

	pen_fill(&right, attr); /* the whole row, then left to right over it */
	pen_format(&pen, attr | A_BOLD, " %s ", view->state.text);
	draw_alarm(view, &pen);

	rest = pen_left(&pen);
	if (rest < elapsed_width)
		return;
	for (int named = 1; named >= 0; named--) {
		add_mode(view, mode, sizeof mode, named);
		mode_width = (int)text_width(mode);
		if (rest >= elapsed_width + mode_width + (named ? COMMAND_WIDTH : 0))
			break;
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
