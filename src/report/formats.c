/* SPDX-License-Identifier: MIT
 *
 * The table of report formats. A new one is a file and a line here. The tables that csv can give are one
 * below it.
 */
#include "formats.h"

#include <string.h>

const struct report_format *const report_formats[] = {
	&report_text,  &report_markdown,    &report_html, &report_json,	  &report_csv, &report_ndjson,
	&report_trace, &report_openmetrics, &report_bmf,  &report_github, NULL,
};

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; report_formats[i] != NULL; i++) {
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	}
	return NULL;
}

static const struct report_format *const tables[] = {
	&report_csv,
	&report_csv_tasks,
	&report_csv_stalls,
	&report_csv_mounts,
};

const struct report_format *report_rows_find(const char *rows)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		if (strcmp(tables[i]->rows, rows) == 0)
			return tables[i];
	}
	return NULL;
}
