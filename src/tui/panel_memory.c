/* SPDX-License-Identifier: MIT
 *
 * Memory: what it is used for, the page cache in its parts, dirty pages against their limits, and what
 * shortage costs.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "panel.h"

#define BAR_WIDTH 24

static uint64_t value(const struct tick *tick, unsigned metric)
{
	return tick->sample->system[metric];
}

static void draw_part(struct box box, int *row, const char *label, enum theme_role role, uint64_t bytes,
		      uint64_t whole, const char *help)
{
	struct pen pen = pen_at(box, (*row)++);
	double share =
		bytes == METRIC_NA || whole == METRIC_NA || whole == 0 ? NAN : (double)bytes / (double)whole;
	char size[UNITS_SIZE], percent[UNITS_SIZE];

	pen_field(&pen, theme(THEME_LABEL), 18, label);
	pen_bar(&pen, theme(role), BAR_WIDTH, share);
	pen_field(&pen, theme(THEME_STRONG), -10, bytes == METRIC_NA ? "-" : units_bytes(size, bytes));
	pen_field(&pen, theme(THEME_TEXT), -8, isnan(share) ? "" : units_percent(percent, share));
	pen_format(&pen, theme(THEME_DIM), "  %s", help);
}

static void draw_pressure(struct box box, int *row, const char *label, double some, double full)
{
	struct pen pen = pen_at(box, (*row)++);
	char text[UNITS_SIZE];

	pen_field(&pen, theme(THEME_LABEL), 18, label);
	pen_bar(&pen,
		theme(some >= 0.4   ? THEME_ALARM
		      : some >= 0.1 ? THEME_WARN
				    : THEME_BUILD),
		BAR_WIDTH, some);
	pen_field(&pen, theme(THEME_STRONG), -10, isnan(some) ? "n/a" : units_percent(text, some));
	if (!isnan(full))
		pen_format(&pen, theme(THEME_DIM), "  nobody could run: %s", units_percent(text, full));
}

static void draw_counts(struct box box, int *row, const struct tick *tick)
{
	static const struct {
		unsigned metric;
		const char *label, *help;
	} counts[] = {
		{METRIC_SYSTEM_DIRECT_RECLAIM_PAGES, "reclaimed directly",
		 "pages that tasks had to free themselves"},
		{METRIC_SYSTEM_REFAULT_FILE_PAGES, "refaults",
		 "file pages read again soon after they were dropped"},
		{METRIC_SYSTEM_SWAP_IN_PAGES, "swapped in", "pages"},
		{METRIC_SYSTEM_SWAP_OUT_PAGES, "swapped out", "pages"},
		{METRIC_SYSTEM_MAJOR_FAULTS, "major faults", "page faults that had to read"},
		{METRIC_SYSTEM_OOM_KILLS, "killed", "for lack of memory"},
	};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct pen pen = pen_at(box, (*row)++);
		uint64_t count = value(tick, counts[i].metric);
		char text[32] = "-";

		if (count != METRIC_NA)
			snprintf(text, sizeof text, "%llu", (unsigned long long)count);
		pen_field(&pen, theme(THEME_LABEL), 18, counts[i].label);
		pen_field(&pen, theme(THEME_STRONG), -12, text);
		pen_format(&pen, theme(THEME_DIM), "  %s, in all", counts[i].help);
	}
}

static void draw(struct view *view, struct box box)
{
	const struct tick *tick = view->shown;
	uint64_t total, limit;
	int row = 0;

	if (!tick) {
		panel_not_kept(box);
		return;
	}
	total = value(tick, METRIC_SYSTEM_MEM_TOTAL_BYTES);
	limit = value(tick, METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES);
	draw_part(box, &row, "build, resident", THEME_BUILD, tick->build_rss_bytes, total,
		  "all its processes; shared pages count for each");
	draw_part(box, &row, "anonymous", THEME_OTHER, value(tick, METRIC_SYSTEM_ANON_BYTES), total,
		  "memory of all processes that no file backs");
	draw_part(box, &row, "page cache", THEME_CACHE, tick->page_cache_bytes, total,
		  "of files: can be dropped once written");
	draw_part(box, &row, "tmpfs, shared", THEME_WARN, value(tick, METRIC_SYSTEM_SHMEM_BYTES), total,
		  "counted as cache, cannot be dropped");
	if (tick->shmem_swapped_bytes != METRIC_NA && tick->shmem_swapped_bytes > 0)
		draw_part(box, &row, "tmpfs in swap", THEME_WARN, tick->shmem_swapped_bytes,
			  value(tick, METRIC_SYSTEM_SWAP_TOTAL_BYTES), "at least; of the swap");
	draw_part(box, &row, "available", THEME_GOOD, value(tick, METRIC_SYSTEM_MEM_AVAILABLE_BYTES), total,
		  "can be had without swapping");
	row++;
	draw_part(box, &row, "dirty", THEME_DIRTY, value(tick, METRIC_SYSTEM_DIRTY_BYTES), limit,
		  "of the limit at which writers are held back");
	draw_part(box, &row, "writeback", THEME_WRITEBACK, value(tick, METRIC_SYSTEM_WRITEBACK_BYTES), limit,
		  "being written now");
	draw_part(box, &row, "start of writing", THEME_LIMIT_LOW,
		  value(tick, METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES), limit, "in the background");
	draw_part(box, &row, "limit", THEME_LIMIT, limit, limit, "");
	row++;
	draw_pressure(box, &row, "pressure, cpu", tick->psi_cpu, NAN);
	draw_pressure(box, &row, "pressure, io", tick->psi_io, tick->psi_io_full);
	draw_pressure(box, &row, "pressure, memory", tick->psi_memory, tick->psi_memory_full);
	row++;
	draw_counts(box, &row, tick);
}

const struct panel panel_memory = {"memory", draw};
