/* SPDX-License-Identifier: MIT
 *
 * A task works for the step of its own command line, or for that of the nearest of those that started it
 * which holds it: a compiler its passes, a phase of a packaging all that is no job of its own. Without state:
 * what a tick does not show is not known, so an orphan is on its own.
 */
#include "stepping.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#include "step.h"

#define DEPTH_MAX 200 /* of generations; a circle of parents, in a broken recording, ends there */

struct stage {
	enum step_kind kind;
	enum step_hold hold; /* what it hands down */
	uint32_t name;
	uint32_t jobs;
	bool frame, begins, done;
};

struct stepping {
	const char *dir;
	struct sample *sample;
	struct map by_pid;
	struct stage *stages;
};

static struct stage stage_own(struct stepping *stepping, const struct task_row *row)
{
	size_t len;
	const char *line = sample_string(stepping->sample, row->cmdline, &len);
	const char *comm = sample_string(stepping->sample, row->comm, NULL);
	struct step step;

	step_of(&step, comm, line, len, stepping->dir);
	return (struct stage){.kind = step.kind,
			      .hold = step.hold,
			      .jobs = step.jobs,
			      .frame = step.frame,
			      .begins = true,
			      .done = true,
			      .name = sample_add_string(stepping->sample, step.name, strlen(step.name))};
}

static bool same_step(const struct stepping *stepping, const struct stage *a, const struct stage *b)
{
	return a->kind == b->kind && strcmp(sample_string(stepping->sample, a->name, NULL),
					    sample_string(stepping->sample, b->name, NULL)) == 0;
}

static const struct stage *stage_of(struct stepping *stepping, size_t i, unsigned depth)
{
	const struct task_row *row = &stepping->sample->tasks[i];
	struct stage *stage = &stepping->stages[i];
	const struct stage *above = NULL;
	uint64_t at;

	if (stage->done)
		return stage;
	if (depth < DEPTH_MAX && !(row->flags & TASK_ROOT) &&
	    map_get(&stepping->by_pid, (uint64_t)(uint32_t)row->ppid, &at) && at != i)
		above = stage_of(stepping, at, depth + 1);
	if (above && above->hold == STEP_HOLDS_ALL) {
		*stage = *above;
		stage->jobs = 0;
		stage->begins = false;
		return stage;
	}
	*stage = stage_own(stepping, row);
	if (above && above->hold == STEP_HOLDS_REST && stage->hold == STEP_HOLDS_NONE) {
		uint32_t jobs = stage->jobs;

		*stage = *above;
		stage->jobs = jobs;
		stage->begins = false;
	} else if (above && same_step(stepping, stage, above)) {
		stage->begins = false;
	}
	return stage;
}

static bool is_alive(const struct task_row *row)
{
	return !(row->flags & TASK_ENDED) && row->state != 'Z' && row->state != 'X';
}

void stepping_step(const char *dir, struct sample *sample, struct tick *tick)
{
	struct stepping stepping = {
		.dir = dir,
		.sample = sample,
		.stages = mem_alloc(sample->n_tasks + 1, sizeof *stepping.stages),
	};

	for (size_t i = 0; i < sample->n_tasks; i++)
		if (is_alive(&sample->tasks[i]) ||
		    !map_get(&stepping.by_pid, (uint64_t)(uint32_t)sample->tasks[i].pid, &(uint64_t){0}))
			map_put(&stepping.by_pid, (uint64_t)(uint32_t)sample->tasks[i].pid, i);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct stage *stage = stage_of(&stepping, i, 0);
		struct tick_task *task = &tick->tasks[i];

		task->step = stage->name;
		task->step_kind = stage->kind;
		task->step_begins = stage->begins;
		if (stage->jobs > tick->jobs_told)
			tick->jobs_told = stage->jobs;
		if (stage->begins && stage->hold == STEP_HOLDS_ALL && is_alive(&sample->tasks[i]))
			tick->jobs_running++;
	}
	map_fini(&stepping.by_pid);
	free(stepping.stages);
}
