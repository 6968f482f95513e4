/* SPDX-License-Identifier: MIT
 *
 * The header: the run, and which metrics the file has, by name. Columns of a file are mapped to the program's
 * own metrics; those it does not know, or knows in another unit or kind, are read over.
 */
#ifndef STORE_HEADER_H
#define STORE_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/why.h"
#include "format.h"
#include "model/metric.h"
#include "model/run.h"

#define COLUMN_UNKNOWN (-1)

struct column {
	int metric;   /* index in the program's table of the scope, or COLUMN_UNKNOWN */
	bool is_size; /* coded as a size; else as a number */
};

struct columns {
	struct column *list;
	size_t count, capacity;
};

struct header {
	struct run *run;
	struct columns scopes[METRIC_SCOPE_COUNT];
};

void header_fini(struct header *header);
/* The columns that this program writes: all it knows, in its own order. */
void header_own_columns(struct header *header);

/* The whole skippable frame. */
void header_encode(struct buf *out, const struct run *run, bool command_lines);
/* `content` of the skippable frame, checksum included. header is zero before; header_fini() it in any case.
 */
int header_decode(struct header *header, const void *content, size_t len, struct why *why);

/* How the run ended: the payload of the end record. */
void end_encode(struct buf *out, const struct run_end *end);
int end_decode(struct run_end *end, const void *payload, size_t len);

/* Writes a skippable frame: begin, add content, finish (its length). The checksum is added by the caller. */
size_t skippable_begin(struct buf *out, uint32_t magic);
void skippable_finish(struct buf *out, size_t begun_at);

#endif
