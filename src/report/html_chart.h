/* SPDX-License-Identifier: MIT
 *
 * The timeline of the HTML report as SVG: panels one below the other on one time axis, stalls as bands behind
 * all of them, tasks as bars on lanes. However long the run, a line has at most two points a pixel: the least
 * and the most of it.
 */
#ifndef REPORT_HTML_CHART_H
#define REPORT_HTML_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/run.h"
#include "model/stall.h"

enum html_value {
	HTML_CPU_BUSY,
	HTML_CPU_BUILD,
	HTML_DIRTY,
	HTML_WRITEBACK,
	HTML_THRESHOLD,
	HTML_BACKGROUND,
	HTML_CACHE,
	HTML_DISK_WRITE,
	HTML_DISK_READ,
	HTML_PSI_CPU,
	HTML_PSI_IO,
	HTML_PSI_MEMORY,
	HTML_TMPFS,
	HTML_VALUES
};

/* What is drawn of a tick. NAN: not available. */
struct html_point {
	float elapsed_s, interval_s;
	float share;   /* of task time stalled */
	uint8_t cause; /* CAUSE_NONE: no stall */
	float values[HTML_VALUES];
};

struct html_bar {
	float from_s, to_s;
	bool ended;
	char name[64]; /* raw, cut */
};

struct html_chart {
	const struct run *run;
	double wall_s;
	unsigned cpus;
	const struct html_point *points;
	size_t n_points;
	const struct stall *stalls;
	size_t n_stalls;
	const struct html_bar *bars; /* by start */
	size_t n_bars;
	bool plain; /* stands in a document with others: without links and an id */
};

/* Foreign text, clean and escaped for HTML. */
void html_escape(struct buf *out, const char *raw, size_t len);
void html_chart_add(struct buf *out, const struct html_chart *chart);

#endif
