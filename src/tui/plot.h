/* SPDX-License-Identifier: MIT
 *
 * One graph: two stacked series against an axis, lines for thresholds, stalls shaded behind, over the slots
 * of the view.
 */
#ifndef TUI_PLOT_H
#define TUI_PLOT_H

#include "panel.h"

struct plot_line {
	double value; /* NAN: none */
	enum theme_role role;
	char label[24];
};

/* The series are in view->low and view->high (the second on top of the first: high is the sum); NAN: not
 * known. */
struct plot {
	double scale; /* value at the upper end */
	enum theme_role low, high;
	struct plot_line lines[2];
	char top[24]; /* label of the upper end */
	char mid[24]; /* a second value, above the lowest row; "": none */
	enum theme_role mid_role;
	char now[24]; /* name and present value, lowest row */
	enum theme_role now_role;
};

void plot_draw(struct view *view, struct box box, const struct plot *plot);

#endif
