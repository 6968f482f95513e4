/* SPDX-License-Identifier: MIT
 *
 * What github-action-benchmark takes with its tool "customSmallerIsBetter": a list of names, units and
 * values.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "tracked.h"
#include "formats.h"

static void format_summary(struct buf *out, const struct summary *summary)
{
	json_t *list = json_array();
	struct buf owner = {0};
	tracked_owner(&owner, summary);
	for (size_t i = 0; i < tracked_count; i++) {
		double value = tracked_value(summary, i);
		if (isnan(value))
			continue;
		struct buf name = {0};
		buf_add_format(&name, "%s: %s", owner.data, tracked_table[i].label);
		json_array_append_new(list, json_pack("{s:s,s:s,s:f}", "name", name.data, "unit",
						      tracked_table[i].unit, "value", value));
		buf_fini(&name);
	}
	char *text = json_dumps(list, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	if (text != NULL)
		buf_add_format(out, "%s\n", text);
	free(text);
	json_decref(list);
	buf_fini(&owner);
}

const struct report_format report_github = {
	.name = "github",
	.help = "for github-action-benchmark, its tool customSmallerIsBetter",
	.summary = format_summary,
};
