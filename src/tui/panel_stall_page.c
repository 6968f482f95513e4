/* SPDX-License-Identifier: MIT
 *
 * Stalls in full: the list, and everything known about the one chosen: what decided it, who waited, who
 * wrote, the device, what helps.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "panel.h"
#include "stalls.h"

#define LABEL_WIDTH 14

static struct pen field(struct box box, int *row, const char *label)
{
	struct pen pen = pen_at(box, (*row)++);

	pen_field(&pen, theme(THEME_LABEL), LABEL_WIDTH, label);
	return pen;
}

static void draw_evidence(struct pen *pen, const struct stall *stall)
{
	static const struct {
		unsigned bit;
		const char *text;
	} names[] = {
		{STALL_BY_WCHAN, "wait channels"},
		{STALL_BY_SYSCALL, "system calls"},
		{STALL_BY_VMSTAT, "dirty pages at the limit"},
		{STALL_BY_PSI, "pressure"},
		{STALL_BY_STATE, "state D and nothing else"},
		{STALL_EXACT, "the kernel's own pauses (exact)"},
	};
	char wchan[160];
	bool any = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (stall->evidence & names[i].bit) {
			pen_format(pen, theme(THEME_TEXT), "%s%s", any ? ", " : "", names[i].text);
			any = true;
		}
	if (stall->wchan[0])
		pen_format(pen, theme(THEME_DIM), "; most seen in ");
	pen_text(pen, theme(THEME_STRONG), text_clean_string(wchan, sizeof wchan, stall->wchan));
}

static void draw_size(struct pen *pen, const char *before, uint64_t bytes)
{
	char size[UNITS_SIZE];

	if (bytes == METRIC_NA)
		return;
	pen_format(pen, theme(THEME_DIM), "%s ", before);
	pen_format(pen, theme(THEME_STRONG), "%s", units_bytes(size, bytes));
	pen_text(pen, 0, "  ");
}

static void draw_time(struct view *view, struct pen *pen, const struct stall *stall)
{
	char from[UNITS_SIZE], to[UNITS_SIZE], some[UNITS_SIZE], full[UNITS_SIZE], clock[16];

	units_elapsed(from, view_elapsed_s(view, stall->from_ns));
	units_elapsed(to, view_elapsed_s(view, stall->to_ns));
	clock_local_hms(clock, sizeof clock,
			view->run ? view->run->start_wall_ns + stall->from_ns - view->run->start_mono_ns : 0);
	pen_format(pen, theme(THEME_STRONG), "%s %s %s", from, draw_glyph(DRAW_DASH),
		   stall->open ? "now" : to);
	pen_format(pen, theme(THEME_DIM), "  since %s; somebody stalled for %s, nobody could run for %s",
		   clock, units_duration(some, stall->some_s), units_duration(full, stall->full_s));
}

static int draw_detail(struct view *view, struct box box, int row, const struct stall *stall)
{
	enum theme_role role = theme_cause(stall->cause);
	struct pen pen = field(box, &row, "cause");
	char name[80], text[UNITS_SIZE];

	pen_text(&pen, theme(role) | A_BOLD,
		 stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown");
	pen_format(&pen, theme(THEME_DIM), ": %s",
		   stall->cause < CAUSE_COUNT ? cause_table[stall->cause].help : "");
	pen = field(box, &row, "time");
	draw_time(view, &pen, stall);
	pen = field(box, &row, "device");
	pen_foreign(&pen, theme(THEME_STRONG), 12, stall->device_name[0] ? stall->device_name : "unknown");
	pen_foreign(&pen, theme(THEME_TEXT), 10, stall->filesystem);
	draw_size(&pen, "wrote meanwhile", stall->flushed_bytes);
	pen = field(box, &row, "dirty pages");
	draw_size(&pen, "from", stall->dirty_start_bytes);
	draw_size(&pen, "to", stall->dirty_peak_bytes);
	draw_size(&pen, "limit", stall->threshold_bytes);
	draw_size(&pen, "writeback", stall->writeback_peak_bytes);
	pen = field(box, &row, "waited");
	pen_format(&pen, theme(THEME_STRONG), "%s", units_duration(text, stall->task_s));
	pen_format(&pen, theme(THEME_DIM), " task time, %u threads at once: ", stall->blocked_peak);
	panel_who(&pen, "", stall->victims, stall->n_victims, false);
	pen = field(box, &row, "wrote");
	draw_size(&pen, "the build", stall->tree_written_bytes);
	panel_who(&pen, "of it", stall->writers, stall->n_writers, true);
	pen = field(box, &row, "decided by");
	draw_evidence(&pen, stall);
	pen = field(box, &row, "task time");
	for (enum cause c = 0; c < CAUSE_COUNT; c++)
		if (stall->cause_s[c] >= 0.05) {
			pen_format(&pen, theme(theme_cause(c)) & ~(attr_t)A_REVERSE, "%s ",
				   cause_table[c].label);
			pen_format(&pen, theme(THEME_STRONG), "%s  ",
				   units_duration(text, stall->cause_s[c]));
		}
	snprintf(name, sizeof name, "what helps");
	pen = field(box, &row, name);
	return panel_wrap(box, row - 1, LABEL_WIDTH, theme(THEME_TEXT), stalls_advice(stall));
}

static void draw(struct view *view, struct box box)
{
	size_t n = stalls_begun(view), first, shown;
	char text[UNITS_SIZE], share[UNITS_SIZE];
	double seconds = stalls_seconds(view), elapsed = view_elapsed_s(view, view_position_ns(view));
	struct pen pen = pen_at(box, 0);
	struct stall stall;

	pen_format(&pen, theme(THEME_LABEL), "stalls %zu", n);
	pen_format(&pen, theme(THEME_DIM), "  in all ");
	pen_format(&pen, theme(THEME_STRONG), "%s", units_duration(text, seconds));
	pen_format(&pen, theme(THEME_DIM), ", %s of the time.  Enter: to the one chosen, w: to the longest",
		   elapsed > 0 ? units_percent(share, seconds / elapsed) : "0 %");
	if (n == 0) {
		pen = pen_at(box, 1);
		pen_text(&pen, theme(THEME_GOOD), "none so far");
		return;
	}
	if (view->stall >= n)
		view->stall = n - 1;
	shown = box.h > 16 ? (size_t)box.h - 13 : box.h > 6 ? 3 : 1;
	if (shown > n)
		shown = n;
	first = view->stall >= shown ? view->stall - shown + 1 : 0;
	for (size_t i = 0; i < shown && stalls_get(view, first + i, &stall); i++) {
		pen = pen_at(box, (int)i + 1);
		pen_text(&pen, theme(THEME_KEY), first + i == view->stall ? ">" : " ");
		panel_stall_row(view, pen, &stall);
	}
	if (stalls_get(view, view->stall, &stall))
		draw_detail(view, box, (int)shown + 2, &stall);
}

const struct panel panel_stall_page = {"stall_page", draw};
