/* SPDX-License-Identifier: MIT
 *
 * Ticks by reference, the oldest let go when their estimated weight gets too much: a build of ten tasks keeps
 * ten minutes, a storm of thousands some seconds.
 */
#include "history.h"

#define HISTORY_BYTES (3 * 1024 * 1024)
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

static void drop_oldest(struct history *history)
{
	tick_unref(history->ticks[history->first]);
	history->total_bytes -= history->bytes[history->first];
	history->first = (history->first + 1) % HISTORY_TICKS;
	history->n--;
}

void history_fini(struct history *history)
{
	while (history->n)
		drop_oldest(history);
}

void history_add(struct history *history, struct tick *tick)
{
	size_t at;

	while (history->n == HISTORY_TICKS ||
	       (history->n > HISTORY_LEAST && history->total_bytes > HISTORY_BYTES))
		drop_oldest(history);
	at = (history->first + history->n++) % HISTORY_TICKS;
	history->ticks[at] = tick_ref(tick);
	history->bytes[at] = weight(tick);
	history->total_bytes += history->bytes[at];
}

struct tick *history_at(const struct history *history, int64_t mono_ns)
{
	size_t low = 0, high = history->n;

	/* The first that ends at the moment or after it. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (history->ticks[(history->first + middle) % HISTORY_TICKS]->sample->mono_ns < mono_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == history->n || (low == 0 && history->n == HISTORY_TICKS))
		return NULL;
	if (low == 0 && history->ticks[history->first]->sample->mono_ns > mono_ns &&
	    history->ticks[history->first]->sample->number > 0)
		return NULL;
	return history->ticks[(history->first + low) % HISTORY_TICKS];
}
