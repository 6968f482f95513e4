/* SPDX-License-Identifier: MIT
 *
 * Ticks by reference, the oldest let go when their estimated weight gets too much: a build of ten tasks keeps
 * ten minutes, a storm of thousands some seconds.
 */
#include "past.h"

#define PAST_BYTES (3 * 1024 * 1024)
#define PAST_LEAST 16

static size_t weight(const struct tick *tick)
{
	const struct sample *sample = tick->sample;

	return sizeof *tick + sizeof *sample +
	       sample->cap_tasks * (sizeof *sample->tasks + sizeof *tick->tasks) +
	       sample->cap_mounts * (sizeof *sample->mounts + sizeof *tick->mounts) +
	       sample->cap_disks * (sizeof *sample->disks + sizeof *tick->disks) +
	       sample->cap_looks * sizeof *sample->look_ns + sample->cap_sites * sizeof *sample->sites +
	       sample->cap_look_rows * sizeof *sample->look_rows + sample->cap_strings;
}

static void drop_oldest(struct past *past)
{
	tick_unref(past->ticks[past->first]);
	past->total_bytes -= past->bytes[past->first];
	past->first = (past->first + 1) % PAST_TICKS;
	past->n--;
}

void past_fini(struct past *past)
{
	while (past->n)
		drop_oldest(past);
}

void past_add(struct past *past, struct tick *tick)
{
	size_t at;

	while (past->n == PAST_TICKS || (past->n > PAST_LEAST && past->total_bytes > PAST_BYTES))
		drop_oldest(past);
	at = (past->first + past->n++) % PAST_TICKS;
	past->ticks[at] = tick_ref(tick);
	past->bytes[at] = weight(tick);
	past->total_bytes += past->bytes[at];
}

struct tick *past_at(const struct past *past, int64_t mono_ns)
{
	size_t low = 0, high = past->n;

	/* The first that ends at the moment or after it. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (past->ticks[(past->first + middle) % PAST_TICKS]->sample->mono_ns < mono_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == past->n || (low == 0 && past->n == PAST_TICKS))
		return NULL;
	if (low == 0 && past->ticks[past->first]->sample->mono_ns > mono_ns &&
	    past->ticks[past->first]->sample->number > 0)
		return NULL;
	return past->ticks[(past->first + low) % PAST_TICKS];
}
