/* SPDX-License-Identifier: MIT
 *
 * One set of runs against others, from their summary documents. The first side is the base. Runs that did not
 * succeed are named and left out: a build that failed early is not a fast one.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/why.h"

struct compare;

struct compare *compare_new(void);
void compare_free(struct compare *compare);

/* A new side, the first is the base; runs are added to the last one. name: as the user gave it. */
void compare_add_side(struct compare *compare, const char *name);
/* document: a summary as JSON. -EINVAL: it is none. */
int compare_add_run(struct compare *compare, const char *name, const char *document, size_t len,
		    struct why *why);
/* -ENODATA: a side has no run that can be compared. */
int compare_check(const struct compare *compare, struct why *why);
/* Is any side slower than the base by more than this part, as far as its runs can show? Single runs are taken
 * as they are. */
bool compare_slower(const struct compare *compare, double part);

struct compare_format {
	const char *name;
	void (*add)(struct buf *out, const struct compare *compare);
};

extern const struct compare_format compare_formats[]; /* ends with a NULL name; text is the first */

#endif
