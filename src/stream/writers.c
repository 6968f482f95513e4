/* SPDX-License-Identifier: MIT
 *
 * Knows /proc/PID/fdinfo, which tells of each descriptor how it was opened and on which mount, without
 * touching the file system it is on; and /proc/PID/mountinfo, which tells the device of a mount, whatever
 * namespace it is in. Reads nothing else. Any thread that may take its time.
 */
#include "writers.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/counted.h"

enum { NAMES_MAX = 64, NAMES_TOLD = 8, INFO_MAX = 4096, TABLE_MAX = 16 << 20 };

struct name {
	char comm[16];
	uint64_t tasks;
};

struct names {
	struct name names[NAMES_MAX];
	size_t n;
};

struct search {
	const uint64_t *devices;
	size_t n;
	struct map device_of; /* by mount id; UINT64_MAX: it was looked for in vain */
	struct buf text;
	struct names *names; /* one a device */
};

/* Lines of "ID PARENT MAJOR:MINOR ...". */
static void learn_mounts(struct search *search, int pid)
{
	char path[64];
	const char *line;

	snprintf(path, sizeof path, "/proc/%d/mountinfo", pid);
	buf_clear(&search->text);
	if (fd_read_file(path, &search->text, TABLE_MAX) < 0 || search->text.len == 0)
		return;
	for (line = search->text.data; line && *line; line = strchr(line, '\n')) {
		unsigned id, major, minor;

		line += *line == '\n';
		if (sscanf(line, "%u %*u %u:%u", &id, &major, &minor) == 3)
			map_put(&search->device_of, id, makedev(major, minor));
	}
}

static uint64_t device_of(struct search *search, int pid, uint64_t mount, bool *learned)
{
	uint64_t device = UINT64_MAX;

	if (map_get(&search->device_of, mount, &device))
		return device;
	if (!*learned)
		learn_mounts(search, pid);
	*learned = true;
	if (!map_get(&search->device_of, mount, &device))
		map_put(&search->device_of, mount, UINT64_MAX);
	return device;
}

/* The mount of a descriptor that is open for writing; false: it is not. */
static bool read_info(const char *path, uint64_t *mount)
{
	const char *flags, *id;
	char text[INFO_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC), length;

	if (fd < 0)
		return false;
	length = fd_reread(fd, text, sizeof text);
	close(fd);
	if (length <= 0 || !(flags = strstr(text, "flags:")) || !(id = strstr(text, "mnt_id:")))
		return false;
	*mount = strtoull(id + strlen("mnt_id:"), NULL, 10);
	return (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static void count_task(struct names *names, const char *comm)
{
	size_t i = 0;

	while (i < names->n && strncmp(names->names[i].comm, comm, sizeof names->names[i].comm) != 0)
		i++;
	if (i == NAMES_MAX)
		return;
	if (i == names->n) {
		snprintf(names->names[i].comm, sizeof names->names[i].comm, "%s", comm);
		names->names[i].tasks = 0;
		names->n++;
	}
	names->names[i].tasks++;
}

/* Each device once a task. */
static void search_task(struct search *search, int pid, const char *comm)
{
	uint64_t found = 0, mount;
	char path[300];
	bool learned = false;
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof path, "/proc/%d/fdinfo", pid);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		snprintf(path, sizeof path, "/proc/%d/fdinfo/%s", pid, entry->d_name);
		if (entry->d_name[0] == '.' || !read_info(path, &mount))
			continue;
		for (size_t i = 0; i < search->n; i++)
			if (search->devices[i] == device_of(search, pid, mount, &learned))
				found |= UINT64_C(1) << i;
	}
	if (directory)
		closedir(directory);
	for (size_t i = 0; i < search->n; i++)
		if (found & UINT64_C(1) << i)
			count_task(&search->names[i], comm);
}

static int most_first(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->tasks != y->tasks)
		return x->tasks < y->tasks ? 1 : -1;
	return strncmp(x->comm, y->comm, sizeof x->comm);
}

void writers_find(const struct sample *sample, const uint64_t *devices, struct buf *lists, size_t n)
{
	struct search search = {.devices = devices, .n = n < 64 ? n : 64};

	search.names = mem_alloc(n + 1, sizeof *search.names);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];

		if (!(task->flags & TASK_ENDED) && task->state != 'Z' && task->state != 'X')
			search_task(&search, task->pid, sample_string(sample, task->comm, NULL));
	}
	for (size_t i = 0; i < search.n; i++) {
		struct names *names = &search.names[i];

		qsort(names->names, names->n, sizeof *names->names, most_first);
		for (size_t k = 0; k < names->n && k < NAMES_TOLD; k++)
			counted_add(&lists[i], names->names[k].tasks, COUNTED_TASKS, names->names[k].comm,
				    strnlen(names->names[k].comm, sizeof names->names[k].comm));
	}
	free(search.names);
	map_fini(&search.device_of);
	buf_fini(&search.text);
}
