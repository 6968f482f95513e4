/* SPDX-License-Identifier: MIT
 *
 * Tick by tick; after a jump (replay) or a loss all begins anew. What a task does is seen at the end of an
 * interval, so times are true to an interval.
 */
#include "since.h"

void since_fini(struct since *since)
{
	map_fini(&since->doing);
	map_fini(&since->from);
}

static uint64_t key_of(const struct task_row *task)
{
	return (uint64_t)(uint32_t)task->pid << 32 ^ task->start_ticks;
}

static uint64_t doing_of(const struct tick_task *task)
{
	return (uint64_t)task->doing << 8 | (task->doing == TICK_STALLED ? (uint64_t)task->cause : 0);
}

void since_note(struct since *since, const struct tick *tick)
{
	const struct sample *sample = tick->sample;
	bool follows = sample->number == since->number + 1 && since->from.count;
	int64_t begin_ns = sample->mono_ns - (int64_t)(tick->interval_s * 1e9);

	if (since->number == sample->number && since->from.count)
		return;
	since->number = sample->number;
	if (!follows) {
		map_clear(&since->doing);
		map_clear(&since->from);
		since->start_ns = begin_ns;
	}
	for (size_t i = 0; i < sample->n_tasks; i++) {
		uint64_t key = key_of(&sample->tasks[i]), doing = doing_of(&tick->tasks[i]), before;

		if (sample->tasks[i].flags & TASK_ENDED) {
			map_delete(&since->doing, key);
			map_delete(&since->from, key);
			continue;
		}
		if (map_get(&since->doing, key, &before) && before == doing)
			continue;
		map_put(&since->doing, key, doing);
		map_put(&since->from, key, (uint64_t)begin_ns);
	}
}

bool since_seconds(const struct since *since, const struct tick *tick, size_t task, double *seconds,
		   bool *more)
{
	uint64_t from;

	if (since->number != tick->sample->number ||
	    !map_get(&since->from, key_of(&tick->sample->tasks[task]), &from))
		return false;
	*seconds = (double)(tick->sample->mono_ns - (int64_t)from) / 1e9;
	*more = (int64_t)from <= since->start_ns && since->start_ns > 0;
	return true;
}
