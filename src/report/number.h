/* SPDX-License-Identifier: MIT
 *
 * Numbers for programs to read: a point as decimal sign whatever the locale says, no exponent, no grouping.
 */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include "base/buf.h"

#define NUMBER_DECIMALS_MAX 9

/* Appends the value with that many decimals, rounded; nothing at all when it is not finite or beyond 2^63
 * units. */
void number_add(struct buf *out, double value, unsigned decimals);

#endif
