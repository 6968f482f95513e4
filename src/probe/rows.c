/* SPDX-License-Identifier: MIT
 *
 * Knows libproc2's process items. Of each task it makes libproc2 read status and stat (it always does both
 * for a select) and io, nothing else: never cmdline, which can hang, never smaps, never the block-I/O delay,
 * which newer kernels tell wrongly. Results are read by position: the macros for it changed between 4.0.2
 * and 4.0.4. Parents are read before their children, so that a child which ends in between is missed once
 * rather than counted twice. Sampler's thread.
 */
#include "rows.h"

#include <libproc2/pids.h>

enum {
	PID,
	PPID,
	BEGAN,
	EUID,
	STATE,
	USER,
	USER_ALL,
	SYSTEM,
	SYSTEM_ALL,
	RSS,
	RSS_FILE,
	THREADS,
	FAULTS,
	READ,
	WRITE,
	CANCELLED,
	READ_CHARS,
	WRITE_CHARS,
	READ_OPS,
	ITEMS
};

static enum pids_item task_items[ITEMS] = {
	[PID] = PIDS_ID_PID,
	[PPID] = PIDS_ID_PPID,
	[BEGAN] = PIDS_TICS_BEGAN,
	[EUID] = PIDS_ID_EUID,
	[STATE] = PIDS_STATE,
	[USER] = PIDS_TICS_USER,
	[USER_ALL] = PIDS_TICS_USER_C,
	[SYSTEM] = PIDS_TICS_SYSTEM,
	[SYSTEM_ALL] = PIDS_TICS_SYSTEM_C,
	[RSS] = PIDS_RSS,
	[RSS_FILE] = PIDS_VM_RSS_FILE,
	[THREADS] = PIDS_NLWP,
	[FAULTS] = PIDS_FLT_MAJ,
	[READ] = PIDS_IO_READ_BYTES,
	[WRITE] = PIDS_IO_WRITE_BYTES,
	[CANCELLED] = PIDS_IO_WRITE_CBYTES,
	[READ_CHARS] = PIDS_IO_READ_CHARS,
	[WRITE_CHARS] = PIDS_IO_WRITE_CHARS,
	[READ_OPS] = PIDS_IO_READ_OPS,
};

static enum pids_item parent_items[] = {PIDS_ID_PID, PIDS_ID_PPID};

void rows_open(struct rows *rows, bool has_children)
{
	if (procps_pids_new(&rows->tasks, task_items, ITEMS) < 0)
		rows->tasks = NULL;
	if (has_children || procps_pids_new(&rows->parents, parent_items, 2) < 0)
		rows->parents = NULL;
}

void rows_close(struct rows *rows)
{
	if (rows->tasks)
		procps_pids_unref(&rows->tasks);
	if (rows->parents)
		procps_pids_unref(&rows->parents);
}

static void take_io(uint64_t *values, const struct pids_result *head)
{
	/* libproc2 says 0 where io may not be read; a process that was ever started has read its program. */
	bool read = head[READ_CHARS].result.ul_int || head[WRITE_CHARS].result.ul_int ||
		    head[READ_OPS].result.ul_int || head[READ].result.ul_int || head[WRITE].result.ul_int;

	values[METRIC_TASK_READ_BYTES] = read ? head[READ].result.ul_int : METRIC_NA;
	values[METRIC_TASK_WRITE_BYTES] = read ? head[WRITE].result.ul_int : METRIC_NA;
	values[METRIC_TASK_CANCELLED_BYTES] = read ? head[CANCELLED].result.ul_int : METRIC_NA;
}

static uint64_t ticks_ms(const struct tree *tree, uint64_t ticks)
{
	return ticks * 1000 / tree->ticks_per_s;
}

static void take_task(const struct tree *tree, struct tree_task *task, const struct pids_result *head)
{
	uint64_t *values = task->values;
	uint64_t rss = head[RSS].result.ul_int;
	bool over = head[STATE].result.s_ch == 'Z' || head[STATE].result.s_ch == 'X';

	task->ppid = head[PPID].result.s_int;
	task->uid = head[EUID].result.u_int;
	task->state = (char)head[STATE].result.s_ch;
	values[METRIC_TASK_USER_MS] = ticks_ms(tree, head[USER].result.ull_int);
	values[METRIC_TASK_SYSTEM_MS] = ticks_ms(tree, head[SYSTEM].result.ull_int);
	values[METRIC_TASK_REAPED_USER_MS] =
		ticks_ms(tree, head[USER_ALL].result.ull_int - head[USER].result.ull_int);
	values[METRIC_TASK_REAPED_SYSTEM_MS] =
		ticks_ms(tree, head[SYSTEM_ALL].result.ull_int - head[SYSTEM].result.ull_int);
	if (rss || !over) {
		values[METRIC_TASK_RSS_BYTES] = rss * tree->page_bytes;
		values[METRIC_TASK_RSS_FILE_BYTES] =
			head[RSS_FILE].result.ul_int * 1024; /* 0 before Linux 4.5 */
	}
	values[METRIC_TASK_THREADS] = (uint64_t)head[THREADS].result.s_int;
	values[METRIC_TASK_MAJOR_FAULTS] = head[FAULTS].result.ul_int;
	take_io(values, head);
}

/* The answer holds those that are still there, in the order asked. */
static void read_some(struct rows *rows, struct tree *tree, struct tree_task *const *tasks, unsigned *pids,
		      int count)
{
	struct pids_fetch *fetch = procps_pids_select(rows->tasks, pids, count, PIDS_SELECT_PID);
	int at = 0;

	for (int i = 0; fetch && i < count; i++) {
		struct tree_task *task = tasks[i];
		const struct pids_result *head = at < fetch->counts->total ? fetch->stacks[at]->head : NULL;

		if (!head || head[PID].result.s_int != task->pid) {
			tree_end(tree, task);
			continue;
		}
		at++;
		if (task->seen && head[BEGAN].result.ull_int != task->start)
			tree_end(tree, task);
		else
			take_task(tree, task, head);
	}
}

static bool is_due(const struct rows *rows, const struct tree *tree, const struct tree_task *task)
{
	enum { ROUND = 8 };

	if (task->moved || task->uid == UINT32_MAX || !tree->has_schedstat ||
	    ((uint64_t)task->pid + rows->reads) % ROUND == 0)
		return true;
	/* Its parent has ended: it has another now, without having run. */
	return !(task->flags & (TASK_ROOT | TASK_ORPHAN)) && !tree_find(tree, task->ppid);
}

void rows_read(struct rows *rows, struct tree *tree)
{
	enum { MOST = 200 }; /* libproc2 refuses to select more than 254 at once */
	struct tree_task *tasks[MOST];
	unsigned pids[MOST];
	int count = 0;

	if (!rows->tasks)
		return;
	rows->reads++;
	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		if (is_due(rows, tree, task)) {
			tasks[count] = task;
			pids[count++] = (unsigned)task->pid;
			task->moved = false;
		}
		if (count == MOST || (count && i + 1 == tree->n_tasks)) {
			read_some(rows, tree, tasks, pids, count);
			count = 0;
		}
	}
	tree_compact(tree);
	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		if (!(task->flags & TASK_ROOT) && !tree_find(tree, task->ppid))
			task->flags |= TASK_ORPHAN;
	}
}

void rows_find(struct rows *rows, struct tree *tree)
{
	struct pids_fetch *fetch =
		rows->parents ? procps_pids_reap(rows->parents, PIDS_FETCH_TASKS_ONLY) : NULL;
	size_t before;

	if (!fetch)
		return;
	do {
		before = tree->n_tasks;
		for (int i = 0; i < fetch->counts->total; i++) {
			const struct pids_result *head = fetch->stacks[i]->head;
			int pid = head[0].result.s_int;
			int ppid = head[1].result.s_int;

			if (tree_find(tree, ppid))
				tree_found(tree, pid, 0);
			else if (tree->own_children && ppid == tree->self && pid != tree->helper)
				tree_found(tree, pid, TASK_ORPHAN);
		}
	} while (tree->n_tasks != before);
}
