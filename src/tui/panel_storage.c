/* SPDX-License-Identifier: MIT
 *
 * Storage: every tmpfs and the file system the build writes to, and the disks with what they read, write,
 * flush and queue.
 */
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/units.h"
#include "model/counted.h"
#include "mounts.h"
#include "panel.h"

#define FILLERS_SHOWN 4

static void draw_rate(struct pen *pen, double bytes_per_s)
{
	char rate[UNITS_SIZE];

	pen_field(pen, theme(bytes_per_s >= 1 ? THEME_STRONG : THEME_DIM), -9,
		  isnan(bytes_per_s) ? "-"
				     : units_bytes_short(rate, bytes_per_s > 0 ? (uint64_t)bytes_per_s : 0));
}

static void draw_count(struct pen *pen, uint64_t count)
{
	char text[UNITS_SIZE] = "-";

	if (count != METRIC_NA)
		snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	pen_field(pen, theme(THEME_TEXT), -10, text);
}

static void draw_disk(struct pen pen, const struct tick *tick, size_t at)
{
	const struct disk_row *row = &tick->sample->disks[at];
	const struct tick_disk *disk = &tick->disks[at];
	char text[UNITS_SIZE] = "-";

	pen_foreign(&pen, theme(THEME_TEXT), 16, sample_string(tick->sample, row->name, NULL));
	pen_bar(&pen, theme(disk->busy >= 0.9 ? THEME_WARN : THEME_BUILD), 10, disk->busy);
	pen_field(&pen, theme(disk->busy >= 0.9 ? THEME_WARN : THEME_STRONG), -7,
		  isnan(disk->busy) ? "-" : units_percent(text, disk->busy));
	draw_rate(&pen, disk->write_bytes_per_s);
	draw_rate(&pen, disk->read_bytes_per_s);
	snprintf(text, sizeof text, "%.1f", isnan(disk->in_flight) ? 0 : disk->in_flight);
	pen_field(&pen, theme(THEME_TEXT), -8, isnan(disk->in_flight) ? "-" : text);
	draw_count(&pen, row->values[METRIC_DISK_WRITES]);
	draw_count(&pen, row->values[METRIC_DISK_FLUSHES]);
}

/* Who writes to it and what fills it; false: that is not known. */
static bool draw_fillers(struct pen pen, const struct sample *sample, size_t at)
{
	const uint32_t lists[] = {sample->mounts[at].writers, sample->mounts[at].largest};
	static const char *const labels[] = {"writing ", "largest "};
	bool drawn = false;

	for (int i = 0; i < 2; i++) {
		struct buf words = {0};
		size_t len;
		const char *list = sample_string(sample, lists[i], &len);

		counted_say(&words, list, len, FILLERS_SHOWN);
		if (words.len > 0) {
			pen_text(&pen, theme(THEME_LABEL), drawn ? "  " : "");
			pen_text(&pen, theme(THEME_LABEL), labels[i]);
			pen_text(&pen, theme(THEME_TEXT), words.data);
			drawn = true;
		}
		buf_fini(&words);
	}
	return drawn;
}

static void draw(struct view *view, struct box box)
{
	static const char *const titles[] = {"WRITE/s", "READ/s", "QUEUE"};
	const struct tick *tick = view->shown;
	size_t order[MOUNTS_SHOWN_MAX], n;
	struct pen pen = pen_at(box, 0);
	int row = 1;

	if (!tick) {
		panel_not_kept(box);
		return;
	}
	n = mounts_order(tick, order, true);
	pen_format(&pen, theme(THEME_LABEL), "file systems %zu", n);
	pen_text(&pen, theme(THEME_DIM), "  every tmpfs, and where the build writes; the tightest first");
	for (size_t i = 0; i < n && row < box.h - 4; i++) {
		panel_mount_row(view, pen_part(box, row++, 2, box.w - 2), order[i]);
		if (row < box.h - 4 && draw_fillers(pen_part(box, row, 6, box.w - 6), tick->sample, order[i]))
			row++;
	}
	row++;
	pen = pen_at(box, row++);
	pen_field(&pen, theme(THEME_LABEL), 16, "disks");
	pen_field(&pen, theme(THEME_LABEL), 10, "busy");
	pen_skip(&pen, 7);
	for (int i = 0; i < 3; i++)
		pen_field(&pen, theme(THEME_LABEL), i < 2 ? -9 : -8, titles[i]);
	pen_field(&pen, theme(THEME_LABEL), -10, "WRITES");
	pen_field(&pen, theme(THEME_LABEL), -10, "FLUSHES");
	for (size_t i = 0; i < tick->sample->n_disks && row < box.h; i++)
		draw_disk(pen_at(box, row++), tick, i);
}

const struct panel panel_storage = {"storage", draw};
