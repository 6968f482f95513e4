/* SPDX-License-Identifier: MIT
 *
 * One row of what is now: pressure (time in which some task had to wait), what became dirty and what was
 * written, memory that can still be had.
 */
#include <math.h>

#include "base/units.h"
#include "panel.h"

#define PRESSURE_WARN  0.10
#define PRESSURE_ALARM 0.40

static void draw_share(struct pen *pen, const char *name, double share)
{
	char percent[UNITS_SIZE];
	enum theme_role role = share >= PRESSURE_ALARM	? THEME_ALARM
			       : share >= PRESSURE_WARN ? THEME_WARN
							: THEME_STRONG;

	pen_text(pen, theme(THEME_LABEL), name);
	if (isnan(share))
		pen_text(pen, theme(THEME_DIM), "   n/a  ");
	else
		pen_field(pen, theme(role), -6, units_percent(percent, share));
	pen_text(pen, 0, "  ");
}

static void draw_rate(struct pen *pen, const char *name, double bytes_per_s)
{
	char rate[UNITS_SIZE];

	if (isnan(bytes_per_s))
		return;
	pen_text(pen, theme(THEME_LABEL), name);
	pen_field(pen, theme(THEME_STRONG), -6,
		  units_bytes_short(rate, bytes_per_s > 0 ? (uint64_t)bytes_per_s : 0));
	pen_text(pen, theme(THEME_DIM), "/s  ");
}

static void draw(struct view *view, struct box box)
{
	struct pen pen = panel_pen(view, box, 0);
	const struct tick *tick = view->shown;
	char size[UNITS_SIZE];

	panel_gutter(view, box, 0, theme(THEME_LABEL), "pressure");
	if (!tick)
		return;
	draw_share(&pen, "cpu", tick->psi_cpu);
	draw_share(&pen, "io", tick->psi_io);
	draw_share(&pen, "mem", tick->psi_memory);
	draw_rate(&pen, "dirtied", tick->dirtied_bytes_per_s);
	draw_rate(&pen, "written", tick->written_bytes_per_s);
	if (tick->sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES] != METRIC_NA && pen_left(&pen) >= 15) {
		pen_text(&pen, theme(THEME_LABEL), "available");
		pen_field(&pen, theme(THEME_STRONG), -6,
			  units_bytes_short(size, tick->sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES]));
	}
	if (pen_left(&pen) >= 40) {
		pen_text(&pen, theme(THEME_LABEL), "  build");
		pen_format(&pen, theme(THEME_STRONG), " %5.2f", tick->build_cpus);
		pen_text(&pen, theme(THEME_DIM), " CPUs ");
		pen_format(&pen, theme(THEME_STRONG), "%4u", tick->build_tasks);
		pen_text(&pen, theme(THEME_DIM), " tasks ");
		pen_field(&pen, theme(THEME_STRONG), -6,
			  tick->build_rss_bytes == METRIC_NA
				  ? "-"
				  : units_bytes_short(size, tick->build_rss_bytes));
		pen_text(&pen, theme(THEME_DIM), " resident");
	}
}

const struct panel panel_pressure = {"pressure", draw};
