/* SPDX-License-Identifier: MIT
 *
 * Picks the figures out of the summary. A build that did not succeed has none: it would look fast.
 */
#include "tracked.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/metric.h"

#define OWNER_BYTES 256

const struct tracked tracked_table[] = {
	{"wall_seconds", "wall time", "s"},
	{"cpu_seconds", "CPU time", "s"},
	{"stalled_seconds", "stalled", "s"},
	{"rss_peak_bytes", "peak memory", "bytes"},
};
const size_t tracked_count = sizeof tracked_table / sizeof *tracked_table;

static double bytes(uint64_t value)
{
	return value == METRIC_NA ? NAN : (double)value;
}

double tracked_value(const struct summary *summary, size_t index)
{
	const double values[] = {summary->wall_s, summary->user_s + summary->system_s, summary->stalled_s,
				 bytes(summary->rss_peak_bytes)};
	bool succeeded = strcmp(run_outcome(&summary->end), "success") == 0;
	return succeeded && isfinite(values[index]) ? values[index] : NAN;
}

void tracked_owner(struct buf *out, const struct summary *summary)
{
	const char *project = run_label(summary->run, "project"),
		   *variant = run_label(summary->run, "variant");
	const char *name = project != NULL && project[0] != '\0' ? project : "build";
	text_utf8_add(out, name, strlen(name), OWNER_BYTES);
	if (variant != NULL && variant[0] != '\0') {
		buf_add_byte(out, ' ');
		text_utf8_add(out, variant, strlen(variant), OWNER_BYTES);
	}
}
