/* SPDX-License-Identifier: MIT
 *
 * One design for all sizes: a fixed order in which panels are given rows. A screen of n rows gets the first n
 * of it, so a larger one only ever adds, and nothing changes its place. Knows nothing of what the panels
 * show.
 */
#include "layout.h"

#include <string.h>

/* h header, p pressure, c CPU, d dirty, m page cache, s strip, a axis, g legend, t tmpfs, l stalls, P tasks,
 * o output, f footer */
static const char order[] = "hsfpdtcPPa"       /* 10 rows */
			    "PlPdPlctPdmlPP"   /* 24 */
			    "cdmPooglPootPdlP" /* 40 */
			    "cooPPldPmoctPlPodPoP" /* 60 */;
static const char order_beyond[] = "PdPcPloPmP"; /* again and again */

static enum layout_panel panel_of(char letter)
{
	static const char letters[] = "hpcdmsagtlPorf"; /* in the order of enum layout_panel */
	const char *at = strchr(letters, letter);

	return (enum layout_panel)(at - letters);
}

static char letter_at(int row)
{
	int known = (int)sizeof order - 1;

	return row < known ? order[row] : order_beyond[(row - known) % ((int)sizeof order_beyond - 1)];
}

void layout_compute(struct layout *layout, const struct layout_wish *wish)
{
	int h[LAYOUT_COUNT] = {0};
	int rows = wish->rows, y = 0;

	if (wish->replay && rows >= 6) {
		h[LAYOUT_RUN] = 1;
		rows--;
	}
	for (int row = 0; row < rows; row++) {
		enum layout_panel panel = panel_of(letter_at(row));

		if ((panel == LAYOUT_TMPFS && h[panel] >= wish->tmpfs) ||
		    (panel == LAYOUT_OUTPUT && !wish->output))
			panel = LAYOUT_TASKS;
		h[panel]++;
	}
	for (int i = 0; i < LAYOUT_COUNT; i++) {
		layout->box[i] = (struct box){.y = y, .h = h[i], .w = wish->columns > 0 ? wish->columns : 0};
		y += h[i];
	}
}

struct box layout_full(int rows, int columns)
{
	int above = rows >= LAYOUT_TIME_FROM ? 3 : 1; /* header; strip and time axis */
	struct box box = {.y = above, .h = rows - above - 1, .w = columns > 0 ? columns : 0};

	if (box.h < 0)
		box.h = 0;
	return box;
}

int layout_gutter(int columns)
{
	return columns >= 48 ? 12 : columns >= 24 ? 6 : 0;
}
