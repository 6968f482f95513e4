/* SPDX-License-Identifier: MIT
 *
 * Bencher's metric format: one benchmark, named after the project and the variant, and its measures. Only
 * what one would want an alert for.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "tracked.h"
#include "formats.h"

static void format_summary(struct buf *out, const struct summary *summary)
{
	json_t *measures = json_object();
	struct buf name = {0};
	for (size_t i = 0; i < tracked_count; i++) {
		double value = tracked_value(summary, i);
		if (!isnan(value))
			json_object_set_new(measures, tracked_table[i].name,
					    json_pack("{s:f}", "value", value));
	}
	tracked_owner(&name, summary);
	json_t *document = json_pack("{s:o}", name.data, measures);
	char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	if (text != NULL)
		buf_add_format(out, "%s\n", text);
	free(text);
	json_decref(document);
	buf_fini(&name);
}

const struct report_format report_bmf = {
	.name = "bmf",
	.help = "Bencher's metric format: wall time, CPU time, stalls, memory",
	.summary = format_summary,
};
