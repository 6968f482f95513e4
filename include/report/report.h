/* SPDX-License-Identifier: MIT
 *
 * Reports: what was seen, as text or for programs. Each format is one file and one line in the table.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/consumer.h"
#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

/*
 * A format made of the summary alone (text, json) sets `summary`; one that needs each tick (csv, trace) sets
 * `begin`, `tick` and `end`. They append to the buffer; whoever calls empties it into the file as it likes.
 * What begin() returns is the format's own between ticks and is handed to the two others; end() frees it, so
 * begin() is always followed by end().
 */
struct report_format {
	const char *name;
	const char *help;
	const char *rows; /* csv: which of its tables; NULL for all others */
	bool single;	  /* its document holds one run only */
	void (*summary)(struct buf *out, const struct summary *summary);
	void *(*begin)(struct buf *out, const struct run *run);
	void (*tick)(struct buf *out, const struct run *run, const struct tick *tick, void *state);
	void (*end)(struct buf *out, const struct run *run, const struct run_end *end, void *state);
};

extern const struct report_format *const report_formats[];	  /* ends with NULL */
const struct report_format *report_format_find(const char *name); /* NULL: none */
/* A piece of a document, in no list: the timeline as SVG. */
extern const struct report_format report_timeline;
/* The tables of csv: "ticks", "tasks", "stalls", "mounts". NULL: no such table. */
const struct report_format *report_rows_find(const char *rows);

/* The summary for a person: at most ten lines and three of advice, clean text, no colour. */
void report_short(struct buf *out, const struct summary *summary);
/* The advice alone, "  advice     …" a line, the word as wide as that. */
void report_advice(struct buf *out, const struct summary *summary, int width);

#endif
