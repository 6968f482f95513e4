/* SPDX-License-Identifier: MIT
 *
 * Knows which processes belong to the build, by asking only its own threads for their children. Identity is
 * (pid, start time): a kept descriptor of an ended task gives ESRCH, so a number in use again is another
 * task. Tasks end in silence. Invariant: a task stands behind the one it was found by. Sampler's thread.
 */
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "thread.h"

void tree_init(struct tree *tree, bool own_children)
{
	memset(tree, 0, sizeof *tree);
	procfile_budget_init(&tree->budget);
	tree->self = getpid();
	tree->own_children = own_children;
	tree->own_file = PROCFILE_NONE;
	tree->has_schedstat = access("/proc/self/schedstat", R_OK) == 0;
	tree->has_children = access("/proc/thread-self/children", R_OK) == 0;
	tree->ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);
	tree->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	tree->text = mem_alloc(1, TREE_TEXT_SIZE);
}

static void task_free(struct tree *tree, struct tree_task *task)
{
	for (size_t i = 0; i < task->n_threads; i++)
		thread_close(tree, &task->threads[i]);
	free(task->threads);
	free(task->cmdline);
	free(task);
}

void tree_fini(struct tree *tree)
{
	for (size_t i = 0; i < tree->n_tasks; i++)
		task_free(tree, tree->tasks[i]);
	for (size_t i = 0; i < tree->n_ended; i++)
		task_free(tree, tree->ended[i]);
	for (size_t i = 0; i < tree->n_spare; i++)
		task_free(tree, tree->spare[i]);
	procfile_close(&tree->budget, &tree->own_file);
	free(tree->tasks);
	free(tree->ended);
	free(tree->spare);
	free(tree->text);
	map_fini(&tree->by_pid);
	symbols_fini(&tree->symbols);
}

/* A task as new, its thread storage kept from one that has ended. */
static struct tree_task *task_new(struct tree *tree, int32_t pid)
{
	struct tree_task *task = tree->n_spare ? tree->spare[--tree->n_spare] : mem_alloc(1, sizeof *task);
	struct tree_thread *threads = task->threads;
	size_t cap = task->cap_threads;

	memset(task, 0, sizeof *task);
	task->threads = threads;
	task->cap_threads = cap;
	task->pid = pid;
	task->uid = UINT32_MAX;
	for (size_t i = 0; i < METRIC_TASK_COUNT; i++)
		task->values[i] = METRIC_NA;
	MEM_GROW(task->threads, task->n_threads, task->cap_threads);
	thread_init(&task->threads[task->n_threads++], pid);
	return task;
}

struct tree_task *tree_find(const struct tree *tree, int32_t pid)
{
	uint64_t value;

	return map_get(&tree->by_pid, (uint32_t)pid, &value) ? (struct tree_task *)(uintptr_t)value : NULL;
}

struct tree_task *tree_found(struct tree *tree, int32_t pid, uint32_t flags)
{
	struct tree_task *task = tree_find(tree, pid);

	if (pid <= 0 || pid == tree->self)
		return NULL;
	if (!task) {
		task = task_new(tree, pid);
		task->flags = TASK_NEW | flags;
		MEM_GROW(tree->tasks, tree->n_tasks, tree->cap_tasks);
		tree->tasks[tree->n_tasks++] = task;
		map_put(&tree->by_pid, (uint32_t)pid, (uintptr_t)task);
	}
	if (flags & TASK_ROOT)
		task->flags = (task->flags | TASK_ROOT) & ~(uint32_t)TASK_ORPHAN;
	else if (!(task->flags & TASK_ROOT))
		task->flags |= flags;
	task->listed = tree->walks;
	return task;
}

void tree_add_root(struct tree *tree, pid_t pid)
{
	tree_found(tree, pid, TASK_ROOT);
}

void tree_end(struct tree *tree, struct tree_task *task)
{
	if (task->flags & TASK_ENDED)
		return;
	/* Named as a child and then gone: the number may belong to a new task by now. */
	if (task->listed == tree->walks)
		tree->sweep_wanted = true;
	task->flags |= TASK_ENDED;
	for (size_t i = 0; i < task->n_threads; i++)
		thread_close(tree, &task->threads[i]);
	task->n_threads = 0;
	if (tree_find(tree, task->pid) == task)
		map_delete(&tree->by_pid, (uint32_t)task->pid);
}

static void task_spare(struct tree *tree, struct tree_task *task)
{
	free(task->cmdline);
	task->cmdline = NULL;
	MEM_GROW(tree->spare, tree->n_spare, tree->cap_spare);
	tree->spare[tree->n_spare++] = task;
}

void tree_compact(struct tree *tree)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		if (!(task->flags & TASK_ENDED)) {
			tree->tasks[kept++] = task;
		} else if (!task->seen) {
			task_spare(tree, task);
		} else {
			MEM_GROW(tree->ended, tree->n_ended, tree->cap_ended);
			tree->ended[tree->n_ended++] = task;
		}
	}
	tree->n_tasks = kept;
}

void tree_forget_ended(struct tree *tree)
{
	for (size_t i = 0; i < tree->n_ended; i++)
		task_spare(tree, tree->ended[i]);
	tree->n_ended = 0;
}

static void take_children(struct tree *tree, struct tree_task *task, struct tree_thread *thread)
{
	const char *at = tree->text;
	int32_t pid;

	if (!tree->has_children || !thread_read_children(tree, task, thread))
		return;
	while (parse_next_pid(&at, &pid))
		tree_found(tree, pid, 0);
}

static bool has_thread(const struct tree_task *task, int32_t tid)
{
	for (size_t i = 0; i < task->n_threads; i++)
		if (task->threads[i].tid == tid)
			return true;
	return false;
}

/* Threads that are not known yet, each read at once. */
static void find_threads(struct tree *tree, struct tree_task *task)
{
	char path[64];
	struct dirent64 *entry;
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/task", task->pid);
	fd = fd_open(path, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return;
	while ((got = getdents64(fd, tree->text, TREE_TEXT_SIZE)) > 0) {
		for (ssize_t at = 0; at < got; at += entry->d_reclen) {
			const char *name;
			uint64_t tid;

			entry = (struct dirent64 *)(void *)(tree->text + at);
			name = entry->d_name;
			if (!parse_number(&name, &tid) || has_thread(task, (int32_t)tid))
				continue;
			MEM_GROW(task->threads, task->n_threads, task->cap_threads);
			thread_init(&task->threads[task->n_threads++], (int32_t)tid);
		}
	}
	close(fd);
}

static void drop_ended_threads(struct tree_task *task)
{
	size_t kept = 0;

	for (size_t i = 0; i < task->n_threads; i++)
		if (task->threads[i].tid)
			task->threads[kept++] = task->threads[i];
	task->n_threads = kept;
}

/* What reading the threads of a task taught. */
struct walk {
	bool sweep;
	bool ran, lost, leader_ran;
};

static void walk_threads(struct tree *tree, struct tree_task *task, size_t from, struct walk *walk)
{
	for (size_t i = from; i < task->n_threads; i++) {
		struct tree_thread *thread = &task->threads[i];
		enum thread_news news = thread_read(tree, task, thread);

		if (news == THREAD_GONE) {
			thread_close(tree, thread);
			walk->lost = true;
			continue;
		}
		walk->ran |= news == THREAD_RAN;
		walk->leader_ran |= news == THREAD_RAN && i == 0;
		if (news == THREAD_RAN || walk->sweep)
			take_children(tree, task, thread);
	}
}

static void walk_task(struct tree *tree, struct tree_task *task, bool sweep)
{
	struct walk walk = {.sweep = sweep};

	walk_threads(tree, task, 0, &walk);
	if (!task->threads[0].tid) {
		tree_end(tree, task);
		return;
	}
	if (walk.lost)
		drop_ended_threads(task);
	/* What an ended thread had forked is now another thread's, which need not have run. */
	for (size_t i = 0; walk.lost && !sweep && i < task->n_threads; i++)
		take_children(tree, task, &task->threads[i]);
	if (walk.lost || ((walk.ran || sweep) && task->told_threads != task->n_threads)) {
		size_t known = task->n_threads;

		find_threads(tree, task);
		walk_threads(tree, task, known, &walk);
		drop_ended_threads(task);
	}
	if (walk.ran && !walk.leader_ran && task->n_threads > 1)
		thread_read_leader(tree, task);
}

/* The children of one of our own threads: roots, and what was left to us. */
static void take_own(struct tree *tree, int32_t tid, int *kept)
{
	const char *at = tree->text;
	char path[64];
	int32_t pid;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)tree->self, tid);
	if (procfile_read(&tree->budget, kept, path, tree->text, TREE_TEXT_SIZE) <= 0)
		return;
	while (parse_next_pid(&at, &pid))
		if (pid != tree->helper)
			tree_found(tree, pid, TASK_ORPHAN);
}

static void take_all_own(struct tree *tree)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		uint64_t tid;
		int fd = PROCFILE_NONE;

		if (!parse_number(&name, &tid) || (pid_t)tid == tree->self)
			continue;
		take_own(tree, (int32_t)tid, &fd);
		procfile_close(&tree->budget, &fd);
	}
	if (dir)
		closedir(dir);
}

void tree_walk(struct tree *tree, bool sweep)
{
	sweep |= tree->sweep_wanted;
	tree->sweep_wanted = false;
	tree->walks++;
	if (tree->own_children && tree->has_children) {
		take_own(tree, tree->self, &tree->own_file);
		if (sweep)
			take_all_own(tree);
	}
	for (size_t i = 0; i < tree->n_tasks; i++) /* grows as it goes */
		if (!(tree->tasks[i]->flags & TASK_ENDED))
			walk_task(tree, tree->tasks[i], sweep);
	tree_compact(tree);
}
