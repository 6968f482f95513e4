/* SPDX-License-Identifier: MIT
 *
 * Reports: what was seen, as text or for programs. Each format is one file and one line in the table.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "base/buf.h"
#include "model/consumer.h"
#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

/* A format made of the summary alone (text, json) sets `summary`; one that needs each tick (csv, ndjson) sets `begin`, `tick` and
 * `end`, which append to the buffer; whoever calls empties it into the file as it likes. */
struct report_format {
	const char *name;
	const char *help;
	void (*summary)(struct buf *out, const struct summary *summary);
	void (*begin)(struct buf *out, const struct run *run);
	void (*tick)(struct buf *out, const struct run *run, const struct tick *tick);
	void (*end)(struct buf *out, const struct run *run, const struct run_end *end);
};

extern const struct report_format *const report_formats[]; /* ends with NULL */
const struct report_format *report_format_find(const char *name); /* NULL: none */

/* The summary for a person: at most ten lines, clean text, no colour. */
void report_short(struct buf *out, const struct summary *summary);

#endif
