/* SPDX-License-Identifier: MIT
 *
 * The table of report formats. A new one is a file and a line here.
 */
#include "formats.h"

#include <string.h>

const struct report_format *const report_formats[] = {
	&report_text,	&report_markdown, &report_json,	  &report_csv,
	&report_ndjson, &report_bmf,	  &report_github, NULL,
};

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; report_formats[i] != NULL; i++) {
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	}
	return NULL;
}
