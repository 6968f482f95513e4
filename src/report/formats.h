/* SPDX-License-Identifier: MIT
 *
 * The formats, each at the bottom of its own file.
 */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/report.h"

extern const struct report_format report_text;
extern const struct report_format report_markdown;
extern const struct report_format report_html;
extern const struct report_format report_json;
extern const struct report_format report_csv;
extern const struct report_format report_ndjson;
extern const struct report_format report_trace;
extern const struct report_format report_openmetrics;
extern const struct report_format report_bmf;
extern const struct report_format report_github;

/* The other tables of csv */
extern const struct report_format report_csv_tasks;
extern const struct report_format report_csv_stalls;
extern const struct report_format report_csv_mounts;

#endif
