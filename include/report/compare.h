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

/* How many of a side's runs can be compared. */
size_t compare_usable(const struct compare *compare, size_t side);

/* A drawing of one of its runs, as SVG, for html: of the side added last. The first one given stays. */
bool compare_wants_picture(const struct compare *compare);
void compare_add_picture(struct compare *compare, const char *svg, size_t len);

struct compare_pair {
	size_t base, side;
};

/* What stands above the details when sides are variants of one build: all of them in one table, bars with the
 * spread, a sentence for each pair; then lines about the machine, clean and with a newline behind each. */
struct compare_overview {
	const char *title;
	const struct compare_pair *pairs;
	size_t n_pairs;
	const char *machine, *advice;
};

void compare_overview_text(struct buf *out, const struct compare *compare,
			   const struct compare_overview *overview);
void compare_overview_markdown(struct buf *out, const struct compare *compare,
			       const struct compare_overview *overview);
/* The whole document; overview may be NULL. */
void compare_html(struct buf *out, const struct compare *compare, const struct compare_overview *overview);

struct compare_format {
	const char *name;
	bool pictures; /* it shows them */
	void (*add)(struct buf *out, const struct compare *compare);
};

extern const struct compare_format compare_formats[]; /* ends with a NULL name; text is the first */

#endif
