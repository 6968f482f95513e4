/* SPDX-License-Identifier: MIT
 *
 * What a benchmark runs, and in which order: rounds, in each of them every variant once, in an order that the
 * seed decides. So a machine that gets slower meanwhile is not taken for a slow variant. Pure.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stddef.h>
#include <stdint.h>

struct bench_turn {
	size_t variant;
	unsigned run; /* from 1 */
};

/* Fills turns[0 … n_variants * runs - 1]. */
void bench_plan(struct bench_turn *turns, size_t n_variants, unsigned runs, uint64_t seed);

#endif
