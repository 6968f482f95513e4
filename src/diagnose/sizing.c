/* SPDX-License-Identifier: MIT
 *
 * Keeps the highest use so far against time, in steps of a hundredth: a few hundred from megabytes to
 * terabytes. Usual sizes are 2 and 3 times the powers of two, in MiB.
 */
#include "sizing.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/metric.h"

#define STEP	  1.01
#define SPARE	  1.10
#define FIRST	  (UINT64_C(2) << 20)
#define DOUBLINGS 40

void sizing_fini(struct sizing *sizing)
{
	free(sizing->steps);
}

void sizing_add(struct sizing *sizing, double at_s, uint64_t bytes)
{
	size_t n = sizing->n_steps;

	if (bytes == METRIC_NA || (n > 0 && bytes <= sizing->steps[n - 1].bytes))
		return;
	/* The last one moves up until it is a step above the one before it. */
	if (n >= 2 && (double)sizing->steps[n - 1].bytes < (double)sizing->steps[n - 2].bytes * STEP) {
		sizing->steps[n - 1] = (struct sizing_step){at_s, bytes};
		return;
	}
	MEM_GROW(sizing->steps, sizing->n_steps, sizing->cap_steps);
	sizing->steps[sizing->n_steps++] = (struct sizing_step){at_s, bytes};
}

/* When so much was in use, between the steps by proportion. */
static double time_of(const struct sizing *sizing, uint64_t bytes)
{
	size_t i = 0;

	while (i + 1 < sizing->n_steps && sizing->steps[i].bytes < bytes)
		i++;
	if (i == 0)
		return sizing->steps[0].at_s;
	const struct sizing_step *low = &sizing->steps[i - 1], *high = &sizing->steps[i];
	return low->at_s +
	       (high->at_s - low->at_s) * ((double)(bytes - low->bytes) / (double)(high->bytes - low->bytes));
}

static uint64_t usual(unsigned i)
{
	uint64_t base = FIRST << i / 2;

	return i % 2 ? base + base / 2 : base;
}

struct sizing_answer sizing_answer(const struct sizing *sizing, uint64_t more)
{
	struct sizing_answer answer = {0, NAN, 0};
	uint64_t peak = sizing->n_steps ? sizing->steps[sizing->n_steps - 1].bytes + more : 0;

	for (unsigned i = 0; peak > 0 && i < DOUBLINGS; i++) {
		uint64_t size = usual(i);

		if (size < peak && size > sizing->steps[0].bytes + more) {
			answer.fails_bytes = size;
			answer.fails_at_s = time_of(sizing, size - more);
		}
		if ((double)size >= (double)peak * SPARE) {
			answer.enough_bytes = size;
			break;
		}
	}
	return answer;
}
