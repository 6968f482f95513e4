/* SPDX-License-Identifier: MIT
 *
 * The stalls so far, newest first: from, to, how long, why, on which device, who waited, who wrote.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "panel.h"
#include "stalls.h"

void panel_who(struct pen *pen, const char *title, const struct stall_who *who, size_t n, bool bytes)
{
	char comm[64], amount[UNITS_SIZE];

	if (n == 0 || pen_left(pen) < 12)
		return;
	pen_text(pen, theme(THEME_DIM), title);
	for (size_t i = 0; i < n; i++) {
		text_clean(comm, sizeof comm, who[i].comm, strnlen(who[i].comm, sizeof who[i].comm));
		if (bytes)
			units_bytes_short(amount, who[i].bytes);
		else
			units_duration(amount, who[i].task_s);
		if (pen_left(pen) < (int)(text_width(comm) + text_width(amount)) + 3)
			break;
		pen_format(pen, theme(THEME_TEXT), "%s%s ", i ? ", " : " ", comm);
		pen_text(pen, theme(THEME_STRONG), amount);
	}
}

void panel_stall_row(struct view *view, struct pen pen, const struct stall *stall)
{
	char from[UNITS_SIZE], to[UNITS_SIZE], seconds[UNITS_SIZE], device[80];
	bool open = stall->open;
	enum theme_role role = theme_cause(stall->cause);
	char letter[4] = "?";
	int wide = pen_left(&pen);

	if (stall->cause < CAUSE_COUNT)
		snprintf(letter, sizeof letter, "%c", cause_table[stall->cause].letter);
	units_elapsed(from, view_elapsed_s(view, stall->from_ns));
	units_elapsed(to, view_elapsed_s(view, stall->to_ns));
	pen_text(&pen, theme_on(THEME_INK, role), letter);
	pen_field(&pen, theme(THEME_TEXT), -8, from);
	pen_text(&pen, theme(THEME_DIM), draw_glyph(DRAW_DASH));
	pen_field(&pen, theme(open ? THEME_STRONG : THEME_TEXT), 7, open ? "now" : to);
	pen_field(&pen, theme(THEME_STRONG), -7, units_duration(seconds, stall_seconds(stall)));
	pen_skip(&pen, 1);
	pen_field(&pen, theme(role) | (open ? A_BOLD : 0), wide >= 100 ? 22 : 17,
		  stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown");
	snprintf(device, sizeof device, "%s%s%s", stall->device_name[0] ? stall->device_name : "-",
		 wide >= 100 ? " " : "", wide >= 100 ? stall->filesystem : "");
	pen_foreign(&pen, theme(THEME_TEXT), wide >= 100 ? 16 : 6, device);
	if (wide >= 150 && view->run) {
		char clock[16];

		clock_local_hms(clock, sizeof clock,
				view->run->start_wall_ns + stall->from_ns - view->run->start_mono_ns);
		pen_format(&pen, theme(THEME_DIM), "at %s  ", clock);
	}
	if (stall_from_outside(stall))
		pen_text(&pen, theme(THEME_WARN), "from outside  ");
	panel_who(&pen, wide >= 100 ? "waited" : "", stall->victims, stall->n_victims, false);
	panel_who(&pen, "   wrote", stall->writers, wide >= 130 ? stall->n_writers : 0, true);
}

static void draw_sums(struct view *view, struct box box, const char *labels[3])
{
	for (int row = 0; row < 3 && row < box.h; row++)
		panel_gutter(view, box, row, theme(row ? THEME_DIM : THEME_LABEL), labels[row]);
}

static void draw(struct view *view, struct box box)
{
	char count[32], sum[32], share[32], text[UNITS_SIZE];
	const char *labels[3] = {count, sum, share};
	double seconds = stalls_seconds(view), elapsed = view_elapsed_s(view, view_position_ns(view));
	size_t n = stalls_begun(view);
	struct stall stall;

	for (int row = 0; row < box.h && stalls_get(view, (size_t)row, &stall); row++)
		panel_stall_row(view, panel_pen(view, box, row), &stall);
	if (n == 0 && box.h > 0) {
		struct pen pen = panel_pen(view, box, 0);

		pen_text(&pen, theme(THEME_GOOD), "none so far");
	}
	snprintf(count, sizeof count, "stalls %4zu", n);
	snprintf(sum, sizeof sum, "sum %7s", n ? units_duration(text, seconds) : "");
	snprintf(share, sizeof share, "    %7s",
		 n && elapsed > 0 ? units_percent(text, seconds / elapsed) : "");
	if (n == 0)
		labels[1] = labels[2] = "";
	draw_sums(view, box, labels);
}

const struct panel panel_stalls = {"stalls", draw};
