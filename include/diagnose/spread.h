/* SPDX-License-Identifier: MIT
 *
 * Is one set of measured times different from another? Pure, and the same for the same numbers: its chance is
 * seeded.
 *
 * The ratio is that of the geometric means, since what disturbs a build multiplies. Its 99 % interval is a
 * bootstrap's, never narrower than the one of Student's t: with three or five runs a side a bootstrap alone
 * promises too much.
 */
#ifndef DIAGNOSE_SPREAD_H
#define DIAGNOSE_SPREAD_H

#include <stddef.h>

#include "base/buf.h"

#define SPREAD_RUNS_MIN 3     /* a side; below, nothing is said */
#define SPREAD_GRAIN	0.005 /* a smaller change is none, whatever the interval says */

enum spread_verdict { SPREAD_TOO_FEW, SPREAD_SAME, SPREAD_LESS, SPREAD_MORE };

struct spread {
	double median, least, most; /* NAN without values */
};

struct spread_ratio {
	double ratio;	    /* new / base; NAN: unknown */
	double least, most; /* the interval; NAN with too few runs */
	double missed;	    /* a change of less than this part would be missed; NAN with too few */
	enum spread_verdict verdict;
};

struct spread spread_of(const double *values, size_t n); /* n of them, finite */
/* Values above 0 only; others make the ratio unknown. */
struct spread_ratio spread_compare(const double *base, size_t n_base, const double *new, size_t n_new);
/* "6 % less (4 to 8)", "no difference that these runs could show (a change under 3 % would be missed)", "too
 * few runs". */
void spread_words(struct buf *out, const struct spread_ratio *ratio, const char *less, const char *more);

#endif
