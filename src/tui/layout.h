/* SPDX-License-Identifier: MIT
 *
 * Where each panel stands, for every size of terminal. Pure.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

struct box {
	int y, x, h, w;
};

/* From top to bottom. */
enum layout_panel {
	LAYOUT_HEADER,
	LAYOUT_PRESSURE,
	LAYOUT_CPU,
	LAYOUT_DIRTY,
	LAYOUT_CACHE,
	LAYOUT_STRIP,
	LAYOUT_AXIS,
	LAYOUT_LEGEND,
	LAYOUT_TMPFS,
	LAYOUT_STALLS,
	LAYOUT_TASKS,
	LAYOUT_OUTPUT,
	LAYOUT_RUN,
	LAYOUT_FOOTER,
	LAYOUT_COUNT
};

struct layout {
	struct box box[LAYOUT_COUNT]; /* h 0: not shown */
};

struct layout_wish {
	int rows, columns;
	int tmpfs;   /* rows it can fill */
	bool output; /* there is some */
	bool replay;
};

void layout_compute(struct layout *layout, const struct layout_wish *wish);
/* The same for a panel that takes the whole screen but for header, strip with time axis (on screens of so
 * many rows), and footer. */
#define LAYOUT_TIME_FROM 14
struct box layout_full(int rows, int columns);
/* Columns left of the plots, for label and axis. */
int layout_gutter(int columns);

#endif
