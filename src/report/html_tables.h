/* SPDX-License-Identifier: MIT
 *
 * The head and the tables of the HTML report, all from the summary. Foreign text is cleaned and escaped.
 */
#ifndef REPORT_HTML_TABLES_H
#define REPORT_HTML_TABLES_H

#include "base/buf.h"
#include "model/summary.h"

void html_head_add(struct buf *out, const struct summary *summary);
void html_tables_add(struct buf *out, const struct summary *summary);

#endif
