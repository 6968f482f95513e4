/* SPDX-License-Identifier: MIT
 *
 * The few figures of a run that are tracked from build to build: smaller is better for each.
 */
#ifndef REPORT_TRACKED_H
#define REPORT_TRACKED_H

#include <stddef.h>

#include "base/buf.h"
#include "model/summary.h"

struct tracked {
	const char *name, *label, *unit;
};

extern const struct tracked tracked_table[];
extern const size_t tracked_count;

double tracked_value(const struct summary *summary, size_t index); /* NAN: unknown */
/* "ffmpeg gcc-x86_64", valid UTF-8. */
void tracked_owner(struct buf *out, const struct summary *summary);

#endif
