/* SPDX-License-Identifier: MIT
 *
 * Knows the grid of ticks and, within each interval, of looks. Whatever comes late is late once: the grid
 * does not move. Points that went by unused are counted, not made up for. Pure: no clock, no thread.
 */
#include "schedule.h"

#include "base/clock.h"

#define LATE_NS (100 * NS_PER_MS)

/* The first look after after_ns; one within half an interval of the tick is left to the tick. */
static void plan_look(struct schedule *schedule, int64_t after_ns)
{
	int64_t look_ns = schedule->look_interval_ns;
	int64_t start_ns = schedule->tick_due_ns - schedule->interval_ns;

	schedule->look_due_ns = schedule->tick_due_ns;
	if (look_ns <= 0 || after_ns >= schedule->tick_due_ns)
		return;
	if (after_ns < start_ns)
		after_ns = start_ns;
	int64_t due_ns = start_ns + ((after_ns - start_ns) / look_ns + 1) * look_ns;
	if (due_ns + look_ns / 2 <= schedule->tick_due_ns)
		schedule->look_due_ns = due_ns;
}

void schedule_init(struct schedule *schedule, int64_t start_ns, int64_t interval_ns, int64_t look_interval_ns)
{
	schedule->interval_ns = interval_ns;
	schedule->look_interval_ns = look_interval_ns;
	schedule->tick_due_ns = start_ns + interval_ns;
	plan_look(schedule, start_ns);
}

int64_t schedule_next(const struct schedule *schedule)
{
	return schedule->look_due_ns;
}

void schedule_pace(struct schedule *schedule, int64_t look_interval_ns)
{
	schedule->look_interval_ns = look_interval_ns;
}

void schedule_looked(struct schedule *schedule, int64_t now_ns)
{
	plan_look(schedule, now_ns);
}

void schedule_ticked(struct schedule *schedule, struct sample *sample)
{
	int64_t late_ns = sample->mono_ns - schedule->tick_due_ns;
	int64_t missed = late_ns > 0 ? late_ns / schedule->interval_ns : 0;

	if (late_ns > LATE_NS)
		sample->flags |= SAMPLE_LATE;
	if (missed > 0) {
		sample->flags |= SAMPLE_GAP;
		sample->missed = missed < UINT32_MAX ? (uint32_t)missed : UINT32_MAX;
	}
	schedule->tick_due_ns += (missed + 1) * schedule->interval_ns;
	plan_look(schedule, sample->mono_ns);
}
