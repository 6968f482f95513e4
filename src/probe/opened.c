/* SPDX-License-Identifier: MIT
 *
 * Knows /proc/PID/fdinfo (proc_pid_fdinfo(5)): how a file was opened, and on which mount. That is said
 * without a call on the file itself, which could hang. A task that waits in unlink has nothing open, and then
 * nothing is said. Costs some 40 µs a task, so few are asked between two ticks. Sampler's thread.
 */
#include "opened.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

enum { A_TICK = 12, FILES_MAX = 64 };

/* The mount of a file that is open for writing; false: it is not, or cannot be told. */
static bool writes_to(int dir, const char *name, uint64_t *mount_id)
{
	char text[256], *flags, *mount;
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	flags = strstr(text, "flags:");
	mount = strstr(text, "mnt_id:");
	if (!flags || !mount || (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) == O_RDONLY)
		return false;
	*mount_id = strtoull(mount + strlen("mnt_id:"), NULL, 10);
	return true;
}

/* The first disk that one of its files lies on; METRIC_NA: none. Standard output and the like come last: what
 * a tool writes of its own is what it waits for. */
static uint64_t device_of(const struct tree *tree, int32_t pid, const struct mounts *mounts)
{
	uint64_t device = METRIC_NA;
	struct dirent64 *entry;
	char path[64];
	ssize_t got;
	int dir;

	snprintf(path, sizeof path, "/proc/%d/fdinfo", (int)pid);
	dir = fd_open(path, O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return METRIC_NA;
	got = getdents64(dir, tree->text, FILES_MAX * sizeof *entry / 8);
	for (ssize_t at = 0; at < got; at += entry->d_reclen) {
		uint64_t mount_id;

		entry = (struct dirent64 *)(void *)(tree->text + at);
		if (entry->d_name[0] == '.' ||
		    (device != METRIC_NA && strlen(entry->d_name) == 1 && entry->d_name[0] < '3'))
			continue;
		if (writes_to(dir, entry->d_name, &mount_id) && mounts_disk_of(mounts, mount_id))
			device = mounts_disk_of(mounts, mount_id);
	}
	close(dir);
	return device;
}

static bool is_blocked(const struct tree_task *task)
{
	for (size_t i = 0; i < task->n_threads; i++)
		if (task->threads[i].state == 'D')
			return true;
	return false;
}

void opened_look(struct opened *opened, struct tree *tree, const struct mounts *mounts)
{
	for (size_t i = 0; i < tree->n_tasks && opened->asked < A_TICK; i++) {
		struct tree_task *task = tree->tasks[i];

		if (task->files_asked || task->flags & TASK_HIDDEN || !is_blocked(task))
			continue;
		task->files_asked = true;
		opened->asked++;
		task->values[METRIC_TASK_WAIT_DEVICE] = device_of(tree, task->pid, mounts);
	}
}

static bool has_row(const struct sample *sample, uint64_t device)
{
	for (size_t i = 0; i < sample->n_mounts; i++)
		if (sample->mounts[i].device == device)
			return true;
	return false;
}

void opened_tick(struct opened *opened, struct tree *tree, const struct mounts *mounts, struct sample *sample)
{
	for (size_t i = 0; i < sample->n_tasks; i++) {
		uint64_t device = sample->tasks[i].values[METRIC_TASK_WAIT_DEVICE];

		if (device != METRIC_NA && !has_row(sample, device))
			mounts_add_disk(mounts, sample, device);
	}
	for (size_t i = 0; opened->asked && i < tree->n_tasks; i++) {
		tree->tasks[i]->files_asked = false;
		tree->tasks[i]->values[METRIC_TASK_WAIT_DEVICE] = METRIC_NA;
	}
	opened->asked = 0;
}
