/* SPDX-License-Identifier: MIT
 *
 * Knows what one look at one thread needs to read. The gate: schedstat costs 0.7 µs, all the rest 6. A thread
 * that slept at the last look and whose schedstat is the same has not had a CPU since, so it is where it was,
 * forked nothing and started no thread. (One that was woken and waits for a CPU still counts as asleep; that
 * lasts milliseconds.) One in state D is asked for its state, since it may be ready by now, but its place
 * cannot have changed either. Sampler's thread.
 */
#include "thread.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"

#define PATH_SIZE 64

static const char *const file_names[TREE_FILES] = {"schedstat", "stat", "children", "wchan", "syscall"};

void thread_init(struct tree_thread *thread, int32_t tid)
{
	memset(thread, 0, sizeof *thread);
	thread->tid = tid;
	thread->call = SITE_CALL_UNREAD;
	for (int i = 0; i < TREE_FILES; i++)
		thread->files[i] = PROCFILE_NONE;
}

void thread_close(struct tree *tree, struct tree_thread *thread)
{
	for (int i = 0; i < TREE_FILES; i++)
		procfile_close(&tree->budget, &thread->files[i]);
	thread->tid = 0;
}

static int read_file(struct tree *tree, const struct tree_task *task, struct tree_thread *thread,
		     enum tree_file file, char *out, size_t cap)
{
	char path[PATH_SIZE];

	path[0] = '\0';
	if (thread->files[file] < 0) {
		/* The stat of the process, not of its first thread: only that has the times of all threads.
		 */
		if (file == TREE_STAT && thread->tid == task->pid)
			snprintf(path, sizeof path, "/proc/%d/stat", task->pid);
		else
			snprintf(path, sizeof path, "/proc/%d/task/%d/%s", task->pid, thread->tid,
				 file_names[file]);
	}
	return procfile_read(&tree->budget, &thread->files[file], path, out, cap);
}

static uint64_t ticks_ms(const struct tree *tree, uint64_t ticks)
{
	return ticks * 1000 / tree->ticks_per_s;
}

static void take_stat(const struct tree *tree, struct tree_task *task, const struct parse_stat *stat)
{
	if (task->seen && (task->stack != stat->stack || task->comm_len != stat->comm_len ||
			   memcmp(task->comm, stat->comm, stat->comm_len) != 0)) {
		task->naming = TREE_NAME_WANTED;
		task->name_retried = false;
	}
	task->stack = stat->stack;
	memcpy(task->comm, stat->comm, sizeof task->comm);
	task->comm_len = stat->comm_len;
	task->state = stat->state;
	task->ppid = stat->ppid;
	task->start = stat->start;
	task->seen = true;
	task->values[METRIC_TASK_USER_MS] = ticks_ms(tree, stat->user);
	task->values[METRIC_TASK_SYSTEM_MS] = ticks_ms(tree, stat->system);
	task->values[METRIC_TASK_REAPED_USER_MS] = ticks_ms(tree, stat->reaped_user);
	task->values[METRIC_TASK_REAPED_SYSTEM_MS] = ticks_ms(tree, stat->reaped_system);
	task->values[METRIC_TASK_MAJOR_FAULTS] = stat->major_faults;
	task->values[METRIC_TASK_THREADS] = stat->threads;
	/* A process that is ending has given its memory back; what it had is the better answer. */
	if (stat->rss_pages || (stat->state != 'Z' && stat->state != 'X'))
		task->values[METRIC_TASK_RSS_BYTES] = stat->rss_pages * tree->page_bytes;
}

/* 0, or -errno when the thread cannot be told of any more. */
static int read_stat(struct tree *tree, struct tree_task *task, struct tree_thread *thread,
		     struct parse_stat *stat)
{
	char text[1024];
	int len = read_file(tree, task, thread, TREE_STAT, text, sizeof text);

	if (len < 0)
		return len;
	if (!parse_stat(text, (size_t)len, stat))
		return -ESRCH;
	task->told_threads = stat->threads;
	if (thread->tid == task->pid) {
		if (task->seen && task->start != stat->start)
			return -ESRCH; /* another process by that number */
		take_stat(tree, task, stat);
	}
	return 0;
}

/* States in which there is a place to be read: not running, not over. */
static bool has_place(char state)
{
	return state != 'R' && state != 'Z' && state != 'X' && state != 'x';
}

static bool is_placed(const struct tree *tree, const struct tree_thread *thread)
{
	return thread->wchan && strcmp(symbols_name(&tree->symbols, thread->wchan), "0") != 0;
}

/* True for a sleeper without a wait channel that has not been asked often enough. */
static bool wants_place(const struct tree *tree, struct tree_thread *thread)
{
	enum { ENOUGH = 10 };

	if (thread->unplaced >= ENOUGH || !has_place(thread->state) || thread->call == SITE_CALL_HIDDEN ||
	    is_placed(tree, thread))
		return false;
	thread->unplaced++;
	return true;
}

/* Wait channel and call of a thread that does not run. */
static void read_place(struct tree *tree, struct tree_task *task, struct tree_thread *thread)
{
	char text[256];
	int len = read_file(tree, task, thread, TREE_WCHAN, text, sizeof text);

	thread->wchan = len > 0 ? symbols_id(&tree->symbols, text, strcspn(text, "\n")) : 0;
	len = read_file(tree, task, thread, TREE_SYSCALL, text, sizeof text);
	if (len <= 0 || !parse_syscall(text, &thread->call))
		thread->call = SITE_CALL_HIDDEN;
	if (thread->call == SITE_CALL_UNREAD) { /* it has been woken meanwhile */
		thread->state = 'R';
		thread->wchan = 0;
	} else if (thread->call == SITE_CALL_HIDDEN && !is_placed(tree, thread)) {
		task->flags |= TASK_HIDDEN;
	} else {
		task->flags &= ~(uint32_t)TASK_HIDDEN;
	}
}

/* Takes the new schedstat; true when the thread has not had a CPU since the last one. */
static bool has_rested(struct tree *tree, struct tree_task *task, struct tree_thread *thread, int *error)
{
	struct parse_schedstat times;
	char text[96];
	bool rested;
	int len;

	*error = 0;
	if (!tree->has_schedstat)
		return false;
	len = read_file(tree, task, thread, TREE_SCHEDSTAT, text, sizeof text);
	if (len < 0)
		*error = len;
	if (len <= 0 || !parse_schedstat(text, &times)) {
		thread->timed = false;
		return false;
	}
	rested = thread->timed && !memcmp(&times, &thread->times, sizeof times);
	if (times.wait_ns > thread->times.wait_ns)
		task->runqueue_ns += times.wait_ns - thread->times.wait_ns;
	thread->times = times;
	thread->timed =
		times.run_ns || times.slices; /* all 0: not started yet, or a kernel that does not count */
	return rested;
}

enum thread_news thread_read(struct tree *tree, struct tree_task *task, struct tree_thread *thread)
{
	struct parse_stat stat;
	int error;
	bool rested = has_rested(tree, task, thread, &error);

	if (procfile_gone(error))
		return THREAD_GONE;
	if (!rested) {
		thread->unplaced = 0;
		task->moved = true;
	}
	if (rested && thread->state != 'R' && thread->state != 'D' && !wants_place(tree, thread))
		return THREAD_SAME;
	error = read_stat(tree, task, thread, &stat);
	if (procfile_gone(error))
		return THREAD_GONE;
	if (error)
		return THREAD_SAME; /* no descriptor left, say: the next look may tell */
	if (rested && thread->state == 'D' && stat.state == 'D' && is_placed(tree, thread))
		return THREAD_SAME;
	thread->site_serial = 0;
	thread->state = stat.state;
	thread->wchan = 0;
	thread->call = SITE_CALL_UNREAD;
	if (has_place(stat.state))
		read_place(tree, task, thread);
	return THREAD_RAN;
}

void thread_read_leader(struct tree *tree, struct tree_task *task)
{
	struct parse_stat stat;

	read_stat(tree, task, &task->threads[0], &stat);
}

bool thread_read_children(struct tree *tree, struct tree_task *task, struct tree_thread *thread)
{
	enum { WHOLE = 2048 }; /* more than that may be a part */
	int len = read_file(tree, task, thread, TREE_CHILDREN, tree->text, TREE_TEXT_SIZE);

	if (len > WHOLE && thread->files[TREE_CHILDREN] >= 0)
		len = fd_reread(thread->files[TREE_CHILDREN], tree->text, TREE_TEXT_SIZE);
	return len > 0;
}
