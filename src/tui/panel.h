/* SPDX-License-Identifier: MIT
 *
 * A panel draws one thing into one box and keeps no state. Each is a file of its own and one line in the
 * table of screen.c.
 */
#ifndef TUI_PANEL_H
#define TUI_PANEL_H

#include "draw.h"
#include "view.h"

struct panel {
	const char *name;
	void (*draw)(struct view *view, struct box box);
};

extern const struct panel panel_header, panel_pressure, panel_cpu, panel_dirty, panel_cache, panel_strip,
	panel_axis, panel_legend, panel_tmpfs, panel_stalls, panel_tasks, panel_output, panel_run,
	panel_footer, panel_help, panel_stall_page, panel_storage, panel_memory;

/* The label left of a row, in the gutter that all panels share. */
void panel_gutter(struct view *view, struct box box, int row, attr_t attr, const char *clean);
/* The rest of the row. */
struct pen panel_pen(struct view *view, struct box box, int row);

/* One stall in one row; one list of those who waited or wrote. */
void panel_stall_row(struct view *view, struct pen pen, const struct stall *stall);
void panel_who(struct pen *pen, const char *title, const struct stall_who *who, size_t n, bool bytes);
/* One mount in one row. */
void panel_mount_row(struct view *view, struct pen pen, size_t mount);
/* The tick of the moment shown is not kept: says so. */
void panel_not_kept(struct box box);
/* Text over several rows, broken at blanks; the row behind it. */
int panel_wrap(struct box box, int row, int indent, attr_t attr, const char *clean);

#endif
