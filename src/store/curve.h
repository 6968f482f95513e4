/* SPDX-License-Identifier: MIT
 *
 * A counter that is known at some seconds and runs straight in between: what was counted in intervals, to be
 * asked for at any moment.
 */
#ifndef STORE_CURVE_H
#define STORE_CURVE_H

#include <stddef.h>
#include <stdint.h>

struct curve {
	struct curve_piece {
		int64_t from_s, to_s;
		double before, amount; /* the counter at from_s; what it grew by then until to_s */
	} * pieces;
	size_t n, cap;
	size_t at; /* moments are asked for in their order */
};

void curve_fini(struct curve *curve);
/* Intervals follow each other; between two that do not touch it stands still. Less than nothing is nothing.
 */
void curve_add(struct curve *curve, int64_t from_s, int64_t to_s, double amount);
/* The counter times `factor`; METRIC_NA before the first interval. Moments must not go back. */
uint64_t curve_count(struct curve *curve, int64_t wall_ns, double factor);

#endif
