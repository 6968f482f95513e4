/* SPDX-License-Identifier: MIT
 *
 * Will it fit: each tmpfs, the tightest first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "mounts.h"
#include "panel.h"
#include "warn.h"

static void draw_use(struct pen *pen, const struct mount_row *row, const struct tick_mount *mount,
		     enum theme_role role, int bar)
{
	char used[UNITS_SIZE] = "?", size[UNITS_SIZE] = "", percent[UNITS_SIZE];
	uint64_t used_bytes = row->values[METRIC_MOUNT_USED_BYTES],
		 size_bytes = row->values[METRIC_MOUNT_SIZE_BYTES];

	if (used_bytes != METRIC_NA)
		units_bytes_short(used, used_bytes);
	pen_bar(pen, theme(role), bar, mount->used);
	if (isnan(mount->used) || size_bytes == METRIC_NA) {
		pen_field(pen, theme(role), -20, "no limit");
		return;
	}
	pen_field(pen, theme(role), -6, units_percent(percent, mount->used));
	pen_field(pen, theme(THEME_TEXT), -6, used);
	pen_text(pen, theme(THEME_DIM), " of");
	pen_field(pen, theme(THEME_TEXT), -5, units_bytes_short(size, size_bytes));
}

static void draw_forecast(struct pen *pen, const struct tick_mount *mount, enum theme_role role)
{
	char text[UNITS_SIZE];

	if (mount->growth_bytes_per_s >= 1024 || (mount->seconds_to_full < 86400 && !mount->by_inodes)) {
		pen_field(pen, theme(THEME_TEXT), -7,
			  units_bytes_short(text, (uint64_t)mount->growth_bytes_per_s));
		pen_text(pen, theme(THEME_DIM), "/s");
	} else {
		pen_field(pen, theme(THEME_DIM), -9, "steady");
	}
	if (isfinite(mount->seconds_to_full) && mount->seconds_to_full < 86400)
		pen_format(pen, theme(role), " %sfull %s", mount->by_inodes ? "inodes " : "",
			   units_duration(text, mount->seconds_to_full));
}

void panel_mount_row(struct view *view, struct pen pen, size_t at)
{
	const struct sample *sample = view->shown->sample;
	const struct mount_row *row = &sample->mounts[at];
	const struct tick_mount *mount = &view->shown->mounts[at];
	bool alerted = warn_mount(view->shown, at);
	enum theme_role role = alerted				? THEME_ALARM
			       : mounts_fullness(mount) >= 0.75 ? THEME_WARN
								: THEME_STRONG;
	int width = pen_left(&pen);
	char percent[UNITS_SIZE];

	pen_foreign(&pen, theme(alerted ? THEME_ALARM : THEME_TEXT),
		    width >= 100  ? 28
		    : width >= 60 ? 16
				  : width / 4,
		    sample_string(sample, row->point, NULL));
	pen_skip(&pen, 1);
	draw_use(&pen, row, mount, role, width >= 100 ? width / 5 : width >= 60 ? 10 : width / 5);
	if (width >= 88 || (mount->by_inodes && width >= 60)) {
		pen_text(&pen, theme(THEME_LABEL), "  inodes");
		pen_field(&pen, theme(mount->by_inodes ? role : THEME_TEXT), -6,
			  isnan(mount->inodes_used) ? "-" : units_percent(percent, mount->inodes_used));
	}
	draw_forecast(&pen, mount, role);
}

static void draw(struct view *view, struct box box)
{
	size_t order[MOUNTS_SHOWN_MAX], n = 0;
	char more[32];

	if (view->shown)
		n = mounts_order(view->shown, order, false);
	for (int row = 0; row < box.h; row++) {
		bool last = row == box.h - 1 && (size_t)row + 1 < n;

		*more = '\0';
		if (row == 0)
			snprintf(more, sizeof more, "tmpfs %4zu", n);
		else if (last)
			snprintf(more, sizeof more, "  +%zu more", n - (size_t)row - 1);
		panel_gutter(view, box, row, theme(row == 0 ? THEME_LABEL : THEME_DIM), more);
		if ((size_t)row < n)
			panel_mount_row(view, panel_pen(view, box, row), order[row]);
	}
}

const struct panel panel_tmpfs = {"tmpfs", draw};
