/* SPDX-License-Identifier: MIT
 *
 * Collects, sorts and shapes. What comes from a recording is not trusted to be a tree: parents may be missing
 * or go in circles; every task is shown once all the same. Tasks that have ended count in sums by command
 * only.
 */
#include "tasklist.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

static double stalled_seconds(const struct tick_task *task)
{
	double sum = 0;

	for (int c = 0; c < CAUSE_COUNT; c++)
		if (cause_table[c].stall != CAUSE_STALL_NONE)
			sum += task->cause_s[c];
	return sum;
}

/* A command line joins its words by NUL bytes. */
void tasklist_command(char *out, size_t size, const struct sample *sample, const struct task_row *task)
{
	char words[512];
	size_t len;
	const char *string = sample_string(sample, task->cmdline, &len);

	if (len == 0)
		string = sample_string(sample, task->comm, &len);
	if (len > sizeof words)
		len = sizeof words;
	while (len > 0 && string[len - 1] == '\0')
		len--;
	for (size_t i = 0; i < len; i++)
		words[i] = string[i] ? string[i] : ' ';
	text_clean(out, size, words, len);
}

static bool matches(const struct sample *sample, const struct task_row *task, const char *filter)
{
	char command[512];

	if (!filter || !*filter)
		return true;
	tasklist_command(command, sizeof command, sample, task);
	return strcasestr(command, filter) || strcasestr(sample_string(sample, task->comm, NULL), filter);
}

/* start_ticks count from boot, sleep included. */
double tasklist_age(const struct sample *sample, const struct task_row *task, uint32_t ticks_per_s)
{
	double now_s = (double)(sample->mono_ns + sample->asleep_ns) / 1e9;
	double age_s = ticks_per_s ? now_s - (double)task->start_ticks / ticks_per_s : -1;

	return age_s < 0 && age_s > -1 ? 0 : age_s;
}

static void collect(struct tasklist *list, const struct tick *tick, bool ended, const char *filter,
		    uint32_t ticks_per_s)
{
	list->n = 0;
	for (size_t i = 0; i < tick->sample->n_tasks; i++) {
		const struct task_row *row = &tick->sample->tasks[i];
		const struct tick_task *task = &tick->tasks[i];

		if ((row->flags & TASK_ENDED && !ended) || !matches(tick->sample, row, filter))
			continue;
		MEM_GROW(list->rows, list->n, list->cap);
		list->rows[list->n++] = (struct tasklist_row){
			.task = (uint32_t)i,
			.count = 1,
			.cpu = task->cpu > 0 ? task->cpu : 0,
			.stalled_s = stalled_seconds(task),
			.read_bytes_per_s = task->read_bytes_per_s > 0 ? task->read_bytes_per_s : 0,
			.write_bytes_per_s = task->write_bytes_per_s > 0 ? task->write_bytes_per_s : 0,
			.rss_bytes = row->values[METRIC_TASK_RSS_BYTES],
			.age_s = tasklist_age(tick->sample, row, ticks_per_s),
		};
	}
}

static int descending(double a, double b)
{
	return a > b ? -1 : a < b;
}

struct order {
	const struct tick *tick;
	enum tasklist_sort sort;
};

/* Steps of a twentieth of a CPU or second, so that rows do not change places for nothing. */
static double coarse(double value)
{
	return (double)(long)(value * 20);
}

static int compare(const void *left, const void *right, void *context)
{
	const struct tasklist_row *a = left, *b = right;
	const struct order *order = context;
	int32_t a_pid = order->tick->sample->tasks[a->task].pid,
		b_pid = order->tick->sample->tasks[b->task].pid;
	int by = 0;

	switch (order->sort) {
	case TASKLIST_BY_WAIT:
		by = descending(coarse(a->stalled_s), coarse(b->stalled_s));
		break;
	case TASKLIST_BY_WRITE:
		by = descending(a->write_bytes_per_s, b->write_bytes_per_s);
		break;
	case TASKLIST_BY_RSS:
		by = descending(a->rss_bytes == METRIC_NA ? 0 : (double)a->rss_bytes,
				b->rss_bytes == METRIC_NA ? 0 : (double)b->rss_bytes);
		break;
	case TASKLIST_BY_AGE:
		by = descending((double)(long)a->age_s, (double)(long)b->age_s);
		break;
	default:
		break;
	}
	if (!by && order->sort != TASKLIST_BY_PID)
		by = descending(coarse(a->cpu), coarse(b->cpu));
	return by ? by : a_pid > b_pid ? 1 : a_pid < b_pid ? -1 : 0;
}

/* Adds up rows of the same comm. The list is sorted already, so the foremost of each stands for it. */
static void by_command(struct tasklist *list, const struct tick *tick)
{
	struct map seen = {0};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct tasklist_row *row = &list->rows[i];
		size_t len;
		const char *comm = sample_string(tick->sample, tick->sample->tasks[row->task].comm, &len);
		uint64_t key = map_hash(comm, len), at;
		struct tasklist_row *sum;

		if (!map_get(&seen, key, &at)) {
			map_put(&seen, key, n);
			list->rows[n++] = *row;
			continue;
		}
		sum = &list->rows[at];
		sum->count++;
		sum->cpu += row->cpu;
		sum->stalled_s += row->stalled_s;
		sum->read_bytes_per_s += row->read_bytes_per_s;
		if (row->age_s > sum->age_s)
			sum->age_s = row->age_s;
		sum->write_bytes_per_s += row->write_bytes_per_s;
		if (row->rss_bytes != METRIC_NA)
			sum->rss_bytes = (sum->rss_bytes == METRIC_NA ? 0 : sum->rss_bytes) + row->rss_bytes;
	}
	list->n = n;
	map_fini(&seen);
}

#define NOWHERE SIZE_MAX

/* The sorted list as a forest: first child and next sibling of each row, by index into it. */
struct forest {
	size_t *child, *next;
	bool *placed;
};

static void forest_emit(struct tasklist *out, const struct tasklist *sorted, struct forest *forest,
			size_t root)
{
	size_t path[TASKLIST_DEPTH_MAX];
	uint32_t last = 0;
	unsigned depth = 0;
	size_t at = root;

	while (at != NOWHERE) {
		size_t child = forest->child[at];

		if (!forest->placed[at]) {
			forest->placed[at] = true;
			last = forest->next[at] == NOWHERE ? last | 1U << depth : last & ~(1U << depth);
			out->rows[out->n] = sorted->rows[at];
			out->rows[out->n].depth = (uint16_t)depth;
			out->rows[out->n++].last = last;
			if (child != NOWHERE && depth + 1 < TASKLIST_DEPTH_MAX) {
				path[depth++] = at;
				at = child;
				continue;
			}
		}
		while (depth > 0 && forest->next[at] == NOWHERE)
			at = path[--depth];
		at = depth > 0 ? forest->next[at] : NOWHERE;
	}
}

static void as_tree(struct tasklist *list, const struct tick *tick)
{
	const struct task_row *tasks = tick->sample->tasks;
	struct tasklist out = {.rows = mem_alloc(list->n + 1, sizeof *out.rows), .cap = list->n + 1};
	struct forest forest = {
		.child = mem_alloc(list->n + 1, sizeof *forest.child),
		.next = mem_alloc(list->n + 1, sizeof *forest.next),
		.placed = mem_alloc(list->n + 1, sizeof *forest.placed),
	};
	bool *is_child = mem_alloc(list->n + 1, sizeof *is_child);
	struct map by_pid = {0};
	uint64_t parent;

	for (size_t i = 0; i < list->n; i++) {
		forest.child[i] = forest.next[i] = NOWHERE;
		map_put(&by_pid, (uint32_t)tasks[list->rows[i].task].pid, i);
	}
	for (size_t i = list->n; i-- > 0;) { /* backwards, so that chains come out in the order of the sort */
		if (!map_get(&by_pid, (uint32_t)tasks[list->rows[i].task].ppid, &parent) || parent == i)
			continue;
		is_child[i] = true;
		forest.next[i] = forest.child[parent];
		forest.child[parent] = i;
	}
	for (size_t i = 0; i < list->n; i++)
		if (!is_child[i])
			forest_emit(&out, list, &forest, i);
	for (size_t i = 0; i < list->n; i++) /* circles, and what is too deep */
		if (!forest.placed[i]) {
			forest.placed[i] = true;
			out.rows[out.n++] = list->rows[i];
		}
	free(list->rows);
	*list = out;
	free(forest.child);
	free(forest.next);
	free(forest.placed);
	free(is_child);
	map_fini(&by_pid);
}

void tasklist_build(struct tasklist *list, const struct tick *tick, enum tasklist_sort sort,
		    enum tasklist_shape shape, const char *filter, uint32_t ticks_per_s)
{
	struct order order = {tick, sort};

	collect(list, tick, shape == TASKLIST_COMMANDS, filter, ticks_per_s);
	if (list->n == 0)
		return;
	qsort_r(list->rows, list->n, sizeof *list->rows, compare, &order);
	if (shape == TASKLIST_TREE)
		as_tree(list, tick);
	if (shape == TASKLIST_COMMANDS) {
		by_command(list, tick);
		qsort_r(list->rows, list->n, sizeof *list->rows, compare, &order);
	}
}

void tasklist_fini(struct tasklist *list)
{
	free(list->rows);
	*list = (struct tasklist){0};
}

const char *tasklist_sort_name(enum tasklist_sort sort)
{
	static const char *const names[] = {"wait", "cpu", "age", "write", "rss", "pid"};

	return names[sort];
}

const char *tasklist_shape_name(enum tasklist_shape shape)
{
	static const char *const names[] = {"flat", "tree", "by command"};

	return names[shape];
}
