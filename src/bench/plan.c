/* SPDX-License-Identifier: MIT
 *
 * The shuffle (Fisher and Yates in each round). Knows no variant and no process. Any thread.
 */
#include "bench/plan.h"

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void bench_plan(struct bench_turn *turns, size_t n_variants, unsigned runs, uint64_t seed)
{
	for (unsigned run = 0; run < runs; run++, turns += n_variants) {
		for (size_t v = 0; v < n_variants; v++)
			turns[v] = (struct bench_turn){v, run + 1};
		for (size_t v = n_variants; v > 1; v--) {
			size_t other = next_random(&seed) % v;
			struct bench_turn last = turns[v - 1];
			turns[v - 1] = turns[other];
			turns[other] = last;
		}
	}
}
