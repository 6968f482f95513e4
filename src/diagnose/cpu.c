/* SPDX-License-Identifier: MIT
 *
 * The build's CPU time: what its living tasks have used and reaped from their children, and what we have
 * reaped ourselves. A task that ended is in the figure of whoever waited for it, so it is left out, and
 * nothing is counted twice; orphans come to us. When we wait for nobody (watching), it is the growth since
 * the first sample, and a task that ended with no living ancestor in the tree keeps its last figure. The rows
 * of a sample are not read at one instant, so a child's time can be under way between two of them: the figure
 * waits then, it never falls.
 */
#include "cpu.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/map.h"

struct spent {
	double user_s, system_s;
};

static double value_s(const struct task_row *task, enum metric_task metric)
{
	return task->values[metric] == METRIC_NA ? 0 : (double)task->values[metric] / 1e3;
}

static struct spent task_spent(const struct task_row *task)
{
	return (struct spent){
		value_s(task, METRIC_TASK_USER_MS) + value_s(task, METRIC_TASK_REAPED_USER_MS),
		value_s(task, METRIC_TASK_SYSTEM_MS) + value_s(task, METRIC_TASK_REAPED_SYSTEM_MS),
	};
}

static struct spent living_spent(const struct sample *sample)
{
	struct spent all = {0};

	for (size_t i = 0; i < sample->n_tasks; i++) {
		struct spent one = task_spent(&sample->tasks[i]);

		if (sample->tasks[i].flags & TASK_ENDED)
			continue;
		all.user_s += one.user_s;
		all.system_s += one.system_s;
	}
	return all;
}

/* Someone above it lives and will have, or has, its time. */
static bool has_heir(const struct sample *sample, const struct map *by_pid, const struct task_row *task)
{
	uint64_t i;

	for (int depth = 0; depth < 256 && map_get(by_pid, (uint64_t)(uint32_t)task->ppid, &i); depth++) {
		task = &sample->tasks[i];
		if (!(task->flags & TASK_ENDED))
			return true;
	}
	return false;
}

/* Watching: what ended without an heir, and what was old already when it came to the tree. */
static void watch_step(struct cpu *cpu, const struct sample *sample)
{
	struct map by_pid = {0};

	for (size_t i = 0; i < sample->n_tasks; i++)
		map_put(&by_pid, (uint64_t)(uint32_t)sample->tasks[i].pid, i);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];
		struct spent spent = task_spent(task);
		double start_ns = (double)task->start_ticks / cpu->ticks_per_s * (double)NS_PER_S;

		if (task->flags & TASK_ENDED && !has_heir(sample, &by_pid, task)) {
			cpu->kept_user_s += spent.user_s;
			cpu->kept_system_s += spent.system_s;
		}
		if (cpu->started && task->flags & TASK_NEW && task->flags & TASK_ROOT &&
		    start_ns < (double)(cpu->boot_ns - NS_PER_S)) {
			cpu->base_user_s += spent.user_s;
			cpu->base_system_s += spent.system_s;
		}
	}
	map_fini(&by_pid);
}

void cpu_step(struct cpu *cpu, const struct sample *sample, struct tick *tick)
{
	uint64_t reaped_user = sample->system[METRIC_SYSTEM_REAPED_USER_US];
	uint64_t reaped_system = sample->system[METRIC_SYSTEM_REAPED_SYSTEM_US];
	struct spent spent = living_spent(sample);
	double before_s = cpu->user_s + cpu->system_s;

	if (reaped_user != METRIC_NA && reaped_system != METRIC_NA) {
		spent.user_s += (double)reaped_user / 1e6;
		spent.system_s += (double)reaped_system / 1e6;
	} else {
		watch_step(cpu, sample);
		if (!cpu->started) {
			cpu->base_user_s = spent.user_s + cpu->kept_user_s;
			cpu->base_system_s = spent.system_s + cpu->kept_system_s;
		}
		spent.user_s += cpu->kept_user_s - cpu->base_user_s;
		spent.system_s += cpu->kept_system_s - cpu->base_system_s;
	}
	if (spent.user_s > cpu->user_s)
		cpu->user_s = spent.user_s;
	if (spent.system_s > cpu->system_s)
		cpu->system_s = spent.system_s;
	tick->build_user_s = cpu->user_s;
	tick->build_system_s = cpu->system_s;
	tick->build_cpu_s = cpu->user_s + cpu->system_s;
	if (cpu->started && tick->interval_s > 0)
		tick->build_cpus = (tick->build_cpu_s - before_s) / tick->interval_s;
	cpu->started = true;
	cpu->boot_ns = sample->mono_ns + sample->asleep_ns;
}
