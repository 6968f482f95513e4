/* SPDX-License-Identifier: MIT
 *
 * A process counts for the step it was last seen to work for, and its time for the one it worked for then. A
 * run of a step is a process that works for it by itself; those below it are the same run. Of a build of very
 * many steps those with least CPU time are forgotten but for their number. Processes that began and ended
 * between two looks are not known here.
 */
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"

#include "rates.h"

#define STEPS_MAX 4000 /* kept; half of them after a clearing */
#define NOWHERE	  UINT64_MAX

struct row {
	struct summary_step told; /* its name is ours */
	int64_t from_ns, to_ns;	  /* wall time is counted up to the end */
	uint64_t key;
};

/* A living task. */
struct member {
	int32_t pid;
	uint64_t start_ticks;
	uint64_t row; /* its index; its key while they are cleared */
	bool begins;
	uint64_t cpu_ms;
	int64_t until_ns;
	uint64_t seen;
};

struct steps {
	bool ours;
	uint32_t ticks_per_s;
	const struct run *run; /* its start is told later than we are made */
	uint64_t ticks;
	struct row *rows;
	size_t n_rows, cap_rows;
	struct map by_key;
	struct member *members;
	size_t n_members, cap_members;
	uint64_t dropped;
};

struct steps *steps_new(const struct run *run)
{
	struct steps *steps = mem_alloc(1, sizeof *steps);

	steps->ours = run->mode == RUN_COMMAND;
	steps->ticks_per_s = run->ticks_per_s ? run->ticks_per_s : 100;
	steps->run = run;
	return steps;
}

void steps_free(struct steps *steps)
{
	for (size_t i = 0; i < steps->n_rows; i++)
		free(steps->rows[i].told.name);
	free(steps->rows);
	free(steps->members);
	map_fini(&steps->by_key);
	free(steps);
}

/* Two names of one hash would be one step: with 64 bits not in any build. */
static size_t row_of(struct steps *steps, const char *name, enum step_kind kind)
{
	uint64_t key = map_hash(name, strlen(name)) * 31 + (uint64_t)kind, at;
	struct row *row;

	if (map_get(&steps->by_key, key, &at))
		return at;
	MEM_GROW(steps->rows, steps->n_rows, steps->cap_rows);
	row = &steps->rows[steps->n_rows];
	*row = (struct row){
		.told = {.name = mem_dup(name), .kind = kind, .rss_peak_bytes = METRIC_NA},
		.key = key,
		.from_ns = INT64_MAX,
		.to_ns = INT64_MIN,
	};
	map_put(&steps->by_key, key, steps->n_rows);
	return steps->n_rows++;
}

static uint64_t cpu_of(const struct task_row *row)
{
	uint64_t user = row->values[METRIC_TASK_USER_MS], system = row->values[METRIC_TASK_SYSTEM_MS];

	return user == METRIC_NA || system == METRIC_NA ? METRIC_NA : user + system;
}

/* The rows of two ticks stand in much the same order, so the search starts where the last ended. */
static struct member *member_of(struct steps *steps, const struct sample *sample, const struct task_row *row,
				int64_t before_ns, size_t *hint)
{
	int64_t start_ns = task_start_ns(row, steps->ticks_per_s, sample->asleep_ns);
	bool began = row->flags & TASK_NEW && start_ns >= before_ns - NS_PER_S;
	struct member *member;

	for (size_t i = 0; i < steps->n_members; i++) {
		size_t at = (*hint + i) % steps->n_members;

		member = &steps->members[at];
		if (member->pid == row->pid && member->start_ticks == row->start_ticks) {
			*hint = at + 1;
			return member;
		}
	}
	MEM_GROW(steps->members, steps->n_members, steps->cap_members);
	member = &steps->members[steps->n_members++];
	*member = (struct member){
		.pid = row->pid,
		.start_ticks = row->start_ticks,
		.row = NOWHERE,
		.cpu_ms = began || (steps->ours && sample->flags & SAMPLE_FIRST) ? 0 : cpu_of(row),
		.until_ns = began && start_ns < sample->mono_ns ? start_ns : before_ns};
	return member;
}

/* It was a shell for a moment, before it was exec'd. */
static void member_move(struct steps *steps, struct member *member, size_t row, bool begins)
{
	if (member->row == row && member->begins == begins)
		return;
	if (member->row != NOWHERE && member->begins)
		steps->rows[member->row].told.count--;
	member->row = row;
	member->begins = begins;
	steps->rows[row].told.count += begins;
}

static void time_add(struct row *row, int64_t from_ns, int64_t to_ns)
{
	row->from_ns = from_ns < row->from_ns ? from_ns : row->from_ns;
	if (from_ns < row->to_ns)
		from_ns = row->to_ns;
	if (to_ns <= from_ns)
		return;
	row->told.wall_s += (double)(to_ns - from_ns) / (double)NS_PER_S;
	row->to_ns = to_ns;
}

static void used_add(struct summary_step *told, struct member *member, const struct task_row *row,
		     const struct tick_task *task, double interval_s)
{
	uint64_t cpu_ms = cpu_of(row), rss = row->values[METRIC_TASK_RSS_BYTES];

	if (cpu_ms != METRIC_NA && member->cpu_ms != METRIC_NA && cpu_ms > member->cpu_ms)
		told->cpu_s += (double)(cpu_ms - member->cpu_ms) / 1e3;
	if (cpu_ms != METRIC_NA)
		member->cpu_ms = cpu_ms;
	if (rss != METRIC_NA && (told->rss_peak_bytes == METRIC_NA || rss > told->rss_peak_bytes))
		told->rss_peak_bytes = rss;
	if (task->write_bytes_per_s > 0)
		told->written_bytes += task->write_bytes_per_s * interval_s;
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		told->time_s[cause] += (float)task->cause_s[cause];
}

static void task_add(struct steps *steps, const struct tick *tick, size_t i, int64_t before_ns, size_t *hint)
{
	const struct sample *sample = tick->sample;
	const struct task_row *row = &sample->tasks[i];
	const struct tick_task *task = &tick->tasks[i];
	struct member *member = member_of(steps, sample, row, before_ns, hint);
	int64_t until_ns = sample->mono_ns;

	if (row->cmdline || member->row == NOWHERE) /* one that has ended has none any more */
		member_move(steps, member,
			    row_of(steps, sample_string(sample, task->step, NULL), task->step_kind),
			    task->step_begins);
	used_add(&steps->rows[member->row].told, member, row, task, tick->interval_s);
	if (row->flags & TASK_ENDED && member->until_ns < until_ns) /* somewhere in between: the middle */
		until_ns = member->until_ns + (until_ns - member->until_ns) / 2;
	time_add(&steps->rows[member->row], member->until_ns, until_ns);
	if (until_ns > member->until_ns)
		member->until_ns = until_ns;
	member->seen = row->flags & TASK_ENDED ? 0 : steps->ticks;
}

static int by_cpu(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->told.cpu_s != y->told.cpu_s)
		return x->told.cpu_s < y->told.cpu_s ? 1 : -1;
	if (x->told.count != y->told.count)
		return x->told.count < y->told.count ? 1 : -1;
	return strcmp(x->told.name, y->told.name);
}

/* The half with least CPU time goes, but for those under way. */
static void rows_clear(struct steps *steps)
{
	size_t kept = 0;
	uint64_t at;

	for (size_t i = 0; i < steps->n_members; i++) /* found again by their key below */
		steps->members[i].row = steps->rows[steps->members[i].row].key;
	qsort(steps->rows, steps->n_rows, sizeof *steps->rows, by_cpu);
	map_clear(&steps->by_key);
	for (size_t i = 0; i < steps->n_members; i++)
		map_put(&steps->by_key, steps->members[i].row, NOWHERE);
	for (size_t i = 0; i < steps->n_rows; i++) {
		struct row *row = &steps->rows[i];

		if (kept >= STEPS_MAX / 2 && !map_get(&steps->by_key, row->key, &at)) {
			steps->dropped++;
			free(row->told.name);
			continue;
		}
		map_put(&steps->by_key, row->key, kept);
		steps->rows[kept++] = *row;
	}
	steps->n_rows = kept;
	for (size_t i = 0; i < steps->n_members; i++)
		if (map_get(&steps->by_key, steps->members[i].row, &at))
			steps->members[i].row = at;
}

void steps_add(struct steps *steps, const struct tick *tick, int64_t before_ns)
{
	size_t hint = 0, kept = 0;

	steps->ticks++;
	for (size_t i = 0; i < tick->sample->n_tasks; i++)
		task_add(steps, tick, i, before_ns, &hint);
	for (size_t i = 0; i < steps->n_members; i++)
		if (steps->members[i].seen == steps->ticks)
			steps->members[kept++] = steps->members[i];
	steps->n_members = kept;
	if (steps->n_rows > STEPS_MAX)
		rows_clear(steps);
}

void steps_summary(const struct steps *steps, struct summary *summary)
{
	struct row *rows = mem_alloc(steps->n_rows + 1, sizeof *rows);
	int64_t start_ns = steps->run->start_mono_ns;
	size_t n = 0;

	for (size_t i = 0; i < steps->n_rows; i++)
		if (steps->rows[i].told.count > 0 || steps->rows[i].told.cpu_s > 0)
			rows[n++] = steps->rows[i];
	if (n)
		qsort(rows, n, sizeof *rows, by_cpu);
	summary->n_steps = n < SUMMARY_STEPS_MAX ? n : SUMMARY_STEPS_MAX;
	summary->steps_dropped = steps->dropped + n - summary->n_steps;
	summary->steps = mem_alloc(summary->n_steps + 1, sizeof *summary->steps);
	for (size_t i = 0; i < summary->n_steps; i++) {
		struct summary_step *step = &summary->steps[i];

		*step = rows[i].told;
		step->name = mem_dup(step->name);
		step->from_s = fmax((double)(rows[i].from_ns - start_ns) / (double)NS_PER_S, 0);
		step->to_s = fmax((double)(rows[i].to_ns - start_ns) / (double)NS_PER_S, step->from_s);
	}
	free(rows);
}
