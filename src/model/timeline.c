/* SPDX-License-Identifier: MIT
 *
 * A history that only grows: briefs in order of time, stalls in order of number. A replay may hand over a
 * timeline that is complete already and play its ticks again; those change nothing.
 */
#include "model/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void timeline_fini(struct timeline *timeline)
{
	free(timeline->briefs);
	free(timeline->stalls);
	*timeline = (struct timeline){0};
}

static void *timeline_copy_array(const void *from, size_t n, size_t size)
{
	void *to = mem_alloc(n ? n : 1, size);

	if (n)
		memcpy(to, from, n * size);
	return to;
}

struct timeline *timeline_clone(const struct timeline *timeline)
{
	struct timeline *clone = mem_alloc(1, sizeof *clone);

	clone->briefs = timeline_copy_array(timeline->briefs, timeline->n_briefs, sizeof *clone->briefs);
	clone->stalls = timeline_copy_array(timeline->stalls, timeline->n_stalls, sizeof *clone->stalls);
	clone->n_briefs = clone->cap_briefs = timeline->n_briefs;
	clone->n_stalls = clone->cap_stalls = timeline->n_stalls;
	return clone;
}

void timeline_free(struct timeline *timeline)
{
	if (timeline)
		timeline_fini(timeline);
	free(timeline);
}

/* Renews the stall of that number, or puts it in where the numbers stay in order. */
static void timeline_put_stall(struct timeline *timeline, const struct stall *stall)
{
	size_t at = timeline->n_stalls;

	while (at && timeline->stalls[at - 1].number > stall->number)
		at--;
	if (at && timeline->stalls[at - 1].number == stall->number) {
		timeline->stalls[at - 1] = *stall;
		return;
	}
	MEM_GROW(timeline->stalls, timeline->n_stalls, timeline->cap_stalls);
	for (size_t i = timeline->n_stalls++; i > at; i--)
		timeline->stalls[i] = timeline->stalls[i - 1];
	timeline->stalls[at] = *stall;
}

void timeline_add(struct timeline *timeline, const struct tick *tick)
{
	size_t n = timeline->n_briefs;

	if (n && tick->brief.mono_ns <= timeline->briefs[n - 1].mono_ns)
		return;
	MEM_GROW(timeline->briefs, timeline->n_briefs, timeline->cap_briefs);
	timeline->briefs[timeline->n_briefs++] = tick->brief;
	for (size_t i = 0; i < tick->n_closed; i++)
		timeline_put_stall(timeline, &tick->closed[i]);
	if (tick->stalled)
		timeline_put_stall(timeline, &tick->stall);
}

size_t timeline_at(const struct timeline *timeline, int64_t mono_ns)
{
	size_t low = 0, high = timeline->n_briefs;

	/* The first brief after mono_ns lies in [low, high]. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (timeline->briefs[middle].mono_ns <= mono_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}
