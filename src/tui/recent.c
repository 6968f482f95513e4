/* SPDX-License-Identifier: MIT
 *
 * Ticks by reference, the oldest let go when their estimated weight gets too much: a build of ten tasks keeps
 * ten minutes, a storm of thousands some seconds.
 */
#include "recent.h"

#define RECENT_BYTES (3 * 1024 * 1024)
#define HISTORY_LEAST 16

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

static void drop_oldest(struct recent *recent)
{
	tick_unref(recent->ticks[recent->first]);
	recent->total_bytes -= recent->bytes[recent->first];
	recent->first = (recent->first + 1) % RECENT_TICKS;
	recent->n--;
}

void recent_fini(struct recent *recent)
{
	while (recent->n)
		drop_oldest(recent);
}

void recent_add(struct recent *recent, struct tick *tick)
{
	size_t at;

	while (recent->n == RECENT_TICKS ||
	       (recent->n > HISTORY_LEAST && recent->total_bytes > RECENT_BYTES))
		drop_oldest(recent);
	at = (recent->first + recent->n++) % RECENT_TICKS;
	recent->ticks[at] = tick_ref(tick);
	recent->bytes[at] = weight(tick);
	recent->total_bytes += recent->bytes[at];
}

struct tick *recent_at(const struct recent *recent, int64_t mono_ns)
{
	size_t low = 0, high = recent->n;

	/* The first that ends at the moment or after it. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (recent->ticks[(recent->first + middle) % RECENT_TICKS]->sample->mono_ns < mono_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == recent->n || (low == 0 && recent->n == RECENT_TICKS))
		return NULL;
	if (low == 0 && recent->ticks[recent->first]->sample->mono_ns > mono_ns &&
	    recent->ticks[recent->first]->sample->number > 0)
		return NULL;
	return recent->ticks[(recent->first + low) % RECENT_TICKS];
}
