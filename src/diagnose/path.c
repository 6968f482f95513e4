/* SPDX-License-Identifier: MIT
 *
 * Each process has a second clock: the moment at which it could have got to where it is, had nobody waited
 * for flushing. It stands still while the process flushes and goes on while it works. A new process begins at
 * its parent's. Who waits for children can go on when they have ended: of one that goes on while r of them
 * still run we know only that all but r have, in whatever order, so its clock is at least the (r + 1)-th
 * latest of theirs. Who waits for anybody else of the build is woken by somebody who works, so its clock is
 * at least the earliest of those. Every rule errs to the early side; what is gained is at most what the
 * root's clock is behind. A look decides what was done since the one before it. Knows (pid, parent, what is
 * done) and no more.
 */
#include "path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define DONE_MAX 32 /* children that have ended, and likewise ones that run, that are told apart */

struct path_task {
	uint64_t key, look; /* the last one that saw it */
	uint64_t order;	    /* of birth; a parent is older than its children, also where a broken file says
			       otherwise */
	int32_t pid, ppid;
	enum path_doing doing;
	bool root, fresh, settled;
	bool waits;	     /* at the last look: its clock is behind until its children tell */
	uint32_t n_children; /* in this look */
	int64_t could_ns;    /* its second clock */
	size_t n_done;
	int64_t done[DONE_MAX]; /* the clocks of its children when they ended, latest first */
};

void path_copy(struct path *to, const struct path *from)
{
	size_t cursor = 0;
	uint64_t key, value;

	*to = *from;
	to->by_key = to->by_pid = (struct map){0};
	to->cap_tasks = from->n_tasks + 1;
	to->tasks = mem_alloc(to->cap_tasks, sizeof *to->tasks);
	if (from->n_tasks)
		memcpy(to->tasks, from->tasks, from->n_tasks * sizeof *to->tasks);
	while (map_each(&from->by_key, &cursor, &key, &value))
		map_put(&to->by_key, key, value);
	cursor = 0;
	while (map_each(&from->by_pid, &cursor, &key, &value))
		map_put(&to->by_pid, key, value);
}

void path_fini(struct path *path)
{
	free(path->tasks);
	map_fini(&path->by_key);
	map_fini(&path->by_pid);
}

void path_begin(struct path *path)
{
	path->looks++;
}

void path_see(struct path *path, uint64_t key, int32_t pid, int32_t ppid, bool root, enum path_doing doing)
{
	struct path_task *task;
	uint64_t at;

	if (!map_get(&path->by_key, key, &at)) {
		MEM_GROW(path->tasks, path->n_tasks, path->cap_tasks);
		at = path->n_tasks++;
		path->tasks[at] = (struct path_task){.key = key, .pid = pid, .fresh = true};
		map_put(&path->by_key, key, at);
		map_put(&path->by_pid, (uint32_t)pid, at);
	}
	task = &path->tasks[at];
	if (task->look != path->looks || doing > task->doing)
		task->doing = doing;
	task->look = path->looks;
	task->ppid = ppid;
	task->root |= root;
}

static bool is_seen(const struct path *path, const struct path_task *task)
{
	return task->look == path->looks;
}

static bool is_working(const struct path_task *task)
{
	return task->doing == PATH_BUSY || task->doing == PATH_FLUSHES;
}

static struct path_task *parent_of(const struct path *path, const struct path_task *task)
{
	uint64_t at;

	return map_get(&path->by_pid, (uint32_t)task->ppid, &at) && &path->tasks[at] != task
		       ? &path->tasks[at]
		       : NULL;
}

/* The n-th latest of both, n from 1; 0: there are not so many. */
static int64_t latest(const struct path_task *task, int64_t *running, size_t n_running, size_t n)
{
	size_t done = 0;

	for (;;) {
		size_t last = 0;

		for (size_t i = 1; i < n_running; i++)
			if (running[i] > running[last])
				last = i;
		if (n_running && (done == task->n_done || running[last] >= task->done[done])) {
			if (--n == 0)
				return running[last];
			running[last] = running[--n_running];
		} else if (done < task->n_done) {
			if (--n == 0)
				return task->done[done];
			done++;
		} else {
			return 0;
		}
	}
}

/*
 * The clock of a task, as far as its children tell. goes_on: it runs now, beside those that still run; else
 * it waits for at least one of them. Children that are only just seen are of no account: they come after.
 */
static int64_t clock_of(const struct path *path, const struct path_task *task, bool goes_on)
{
	int64_t running[DONE_MAX], told;
	size_t n = 0;

	if (!task->waits)
		return task->could_ns;
	for (size_t i = 0; task->n_children && i < path->n_tasks; i++) {
		const struct path_task *child = &path->tasks[i];

		if (child->ppid != task->pid || child->order <= task->order || child->fresh ||
		    !is_seen(path, child))
			continue;
		if (n == DONE_MAX)
			return task->could_ns;
		running[n++] = clock_of(path, child, false);
	}
	if (!goes_on && n == 0)
		goes_on = true;
	told = latest(task, running, n, goes_on ? n + 1 : n);
	return told > task->could_ns ? told : task->could_ns;
}

static void done_add(struct path_task *parent, int64_t could_ns)
{
	size_t at = parent->n_done;

	while (at > 0 && parent->done[at - 1] < could_ns)
		at--;
	if (at == DONE_MAX)
		return;
	if (parent->n_done < DONE_MAX)
		parent->n_done++;
	memmove(&parent->done[at + 1], &parent->done[at], (parent->n_done - at - 1) * sizeof *parent->done);
	parent->done[at] = could_ns;
}

/* Ends it, after those of its children that have ended too. */
static void task_end(struct path *path, struct path_task *task, int64_t end_ns)
{
	struct path_task *parent = parent_of(path, task);
	int64_t could_ns;

	task->settled = true;
	for (size_t i = 0; i < path->n_tasks; i++)
		if (path->tasks[i].ppid == task->pid && !is_seen(path, &path->tasks[i]) &&
		    !path->tasks[i].settled)
			task_end(path, &path->tasks[i], end_ns);
	could_ns = clock_of(path, task, true);
	if (parent)
		done_add(parent, could_ns);
	if (task->root) {
		/* of several that end, the one that ends last in both worlds counts */
		path->root_ns += path->root_end_ns ? end_ns - path->root_end_ns : 0;
		path->root_ns = could_ns > path->root_ns ? could_ns : path->root_ns;
		path->root_end_ns = end_ns;
	}
}

static void settle(struct path *path, struct path_task *task)
{
	task->could_ns = clock_of(path, task, true);
	task->waits = false;
}

/* The earliest clock of those that work; INT64_MAX: nobody does. */
static int64_t earliest(const struct path *path, bool fresh_too)
{
	int64_t could_ns = INT64_MAX;

	for (size_t i = 0; i < path->n_tasks; i++) {
		const struct path_task *task = &path->tasks[i];

		if (is_seen(path, task) && is_working(task) && (fresh_too || !task->fresh) &&
		    task->could_ns < could_ns)
			could_ns = task->could_ns;
	}
	return could_ns;
}

static void children_count(struct path *path)
{
	for (size_t i = 0; i < path->n_tasks; i++)
		path->tasks[i].n_children = 0;
	for (size_t i = 0; i < path->n_tasks; i++) {
		struct path_task *parent = parent_of(path, &path->tasks[i]);

		if (parent && is_seen(path, &path->tasks[i]))
			parent->n_children++;
	}
}

/* A new one begins where its parent is now, which was woken for it if it had been waiting. */
static void task_begin(struct path *path, struct path_task *task, int64_t from_ns)
{
	struct path_task *parent = parent_of(path, task);
	int64_t others_ns;

	task->settled = true;
	task->could_ns = from_ns;
	if (parent && parent->fresh && !parent->settled)
		task_begin(path, parent, from_ns);
	task->order = ++path->born;
	if (parent && is_seen(path, parent)) {
		parent->could_ns = clock_of(path, parent, true);
		task->could_ns = parent->could_ns;
		return;
	}
	others_ns = task->root ? INT64_MAX : earliest(path, false);
	task->could_ns = others_ns < from_ns ? others_ns : from_ns;
}

static void tasks_begin_and_end(struct path *path, int64_t from_ns)
{
	for (size_t i = 0; i < path->n_tasks; i++)
		path->tasks[i].settled = false;
	for (size_t i = 0; i < path->n_tasks; i++)
		if (!is_seen(path, &path->tasks[i]) && !path->tasks[i].settled)
			task_end(path, &path->tasks[i], from_ns);
	for (size_t i = 0; i < path->n_tasks; i++) {
		struct path_task *task = &path->tasks[i];

		if (is_seen(path, task) && task->waits && (is_working(task) || task->n_children == 0))
			settle(path, task);
	}
	for (size_t i = 0; i < path->n_tasks; i++)
		if (path->tasks[i].fresh && !path->tasks[i].settled)
			task_begin(path, &path->tasks[i], from_ns);
}

static void tasks_advance(struct path *path, int64_t past_ns)
{
	int64_t working_ns;

	for (size_t i = 0; i < path->n_tasks; i++)
		if (is_seen(path, &path->tasks[i]) && path->tasks[i].doing == PATH_BUSY)
			path->tasks[i].could_ns += past_ns;
	working_ns = earliest(path, true);
	for (size_t i = 0; i < path->n_tasks; i++) {
		struct path_task *task = &path->tasks[i];
		bool child = task->n_children > 0;

		task->fresh = false;
		if (!is_seen(path, task) || is_working(task))
			continue;
		task->waits = child;
		if (working_ns == INT64_MAX || (task->doing == PATH_CHILD && !child))
			task->could_ns += past_ns; /* for nobody that we know */
		else if (working_ns > task->could_ns)
			task->could_ns = working_ns;
	}
}

/* Those that were not in the look are gone. */
static void tasks_forget(struct path *path)
{
	size_t kept = 0;

	map_clear(&path->by_key);
	map_clear(&path->by_pid);
	for (size_t i = 0; i < path->n_tasks; i++) {
		if (!is_seen(path, &path->tasks[i]))
			continue;
		if (kept != i)
			path->tasks[kept] = path->tasks[i];
		map_put(&path->by_key, path->tasks[kept].key, kept);
		map_put(&path->by_pid, (uint32_t)path->tasks[kept].pid, kept);
		kept++;
	}
	path->n_tasks = kept;
}

void path_finish(struct path *path, int64_t from_ns, int64_t to_ns)
{
	size_t seen = 0;

	children_count(path);
	tasks_begin_and_end(path, from_ns);
	tasks_advance(path, to_ns - from_ns);
	for (size_t i = 0; i < path->n_tasks; i++)
		seen += is_seen(path, &path->tasks[i]);
	if (seen < path->n_tasks)
		tasks_forget(path);
}

void path_gap(struct path *path, int64_t gap_ns)
{
	for (size_t i = 0; i < path->n_tasks; i++) {
		path->tasks[i].could_ns += gap_ns;
		for (size_t j = 0; j < path->tasks[i].n_done; j++)
			path->tasks[i].done[j] += gap_ns;
	}
}

double path_gain_s(const struct path *path, int64_t now_ns)
{
	int64_t could_ns = path->root_end_ns ? path->root_ns + now_ns - path->root_end_ns : 0;

	for (size_t i = 0; i < path->n_tasks; i++)
		if (path->tasks[i].root && clock_of(path, &path->tasks[i], false) > could_ns)
			could_ns = clock_of(path, &path->tasks[i], false);
	if (could_ns == 0)
		return NAN;
	return now_ns > could_ns ? (double)(now_ns - could_ns) / (double)NS_PER_S : 0;
}
