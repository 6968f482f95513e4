/* SPDX-License-Identifier: MIT
 *
 * Knows how the roots of a tree are found that has no first process: once a second the processes there are
 * are listed, and those that are new are judged: their command line, or whether a parent of theirs is already
 * watched. A process is judged in its first rounds only (until it has had time for its exec), so the many
 * that stay cost a name in a listing. Reading a command line may never return, so this is a thread of its
 * own, and the sampler only takes what was found out of a ring. Invariant: no root descends from another.
 */
#include "seeker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/ring.h"
#include "worker.h"

enum {
	ROUND_MS = 1000,
	STOP_WAIT_MS = 200,
	FIRST_WAIT_MS = 500,
	JUDGED_ROUNDS = 3, /* then it is what it is going to be */
	ROOT = 1000,	   /* in place of the rounds: it is one */
	FOUND_MAX = 65536,
	DEPTH_MAX = 64, /* of groups, and of parents */
	COMMAND_MAX = 65536,
};

struct seeker {
	const struct session_seek *seek;
	struct worker thread;
	struct ring *found;
	int stop_fd;
	int first_fd;	  /* readable once the first round is over */
	atomic_bool any;  /* something was found */
	atomic_bool over; /* the group is gone, or empty again */
	bool told;
	struct map known, before; /* pid: rounds it was judged in, or ROOT */
	struct buf text;
};

/* The parent; 0: none to be seen. A name may hold what it likes, so the last parenthesis counts. */
static int parent_of(struct seeker *seeker, int pid)
{
	char path[64], state;
	int parent = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	seeker->text.len = 0;
	if (fd_read_file(path, &seeker->text, 4096) < 0 || seeker->text.len == 0)
		return 0;
	buf_add(&seeker->text, "", 1);
	const char *end = strrchr(seeker->text.data, ')');
	return end != NULL && sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

/* We, and who waits for us: their command lines hold the pattern. */
static bool is_ours(struct seeker *seeker, int pid)
{
	int at = getpid();

	for (int i = 0; at > 1 && i < DEPTH_MAX; i++) {
		if (at == pid)
			return true;
		at = parent_of(seeker, at);
	}
	return false;
}

static bool below_root(struct seeker *seeker, int pid)
{
	uint64_t state;

	for (int i = 0; i < DEPTH_MAX && (pid = parent_of(seeker, pid)) > 0; i++)
		if ((map_get(&seeker->known, (uint32_t)pid, &state) && state == ROOT) ||
		    (map_get(&seeker->before, (uint32_t)pid, &state) && state == ROOT))
			return true;
	return false;
}

static bool command_matches(struct seeker *seeker, int pid)
{
	struct buf *text = &seeker->text;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	text->len = 0;
	/* A thread of the kernel and a process that ends have none. */
	if (fd_read_file(path, text, COMMAND_MAX) < 0 || text->len == 0)
		return false;
	for (size_t i = 0; i + 1 < text->len; i++)
		if (text->data[i] == '\0')
			text->data[i] = ' ';
	buf_add(text, "", 1);
	return regexec(seeker->seek->match, text->data, 0, NULL, 0) == 0 && !is_ours(seeker, pid);
}

static bool is_wanted(struct seeker *seeker, int pid)
{
	enum { KERNEL_THREADS = 2 };

	if (pid == getpid())
		return false;
	if (seeker->seek->match != NULL)
		return command_matches(seeker, pid);
	if (seeker->seek->cgroup != NULL)
		return true;
	/* The machine: what has no parent that we see. */
	int parent = parent_of(seeker, pid);
	return pid != KERNEL_THREADS && parent != KERNEL_THREADS;
}

static void judge(struct seeker *seeker, int pid)
{
	uint64_t state = 0;

	map_get(&seeker->before, (uint32_t)pid, &state);
	if (state < JUDGED_ROUNDS) {
		state++;
		if (is_wanted(seeker, pid) && !below_root(seeker, pid) &&
		    ring_push(seeker->found, (uint64_t)pid)) {
			state = ROOT;
			atomic_store(&seeker->any, true);
		}
	}
	map_put(&seeker->known, (uint32_t)pid, state);
}

static int pid_order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

struct pids {
	int *list;
	size_t n, cap;
};

static void pids_add(struct pids *pids, const char *word)
{
	int pid = atoi(word);

	if (pid <= 0) /* of another namespace: 0 */
		return;
	MEM_GROW(pids->list, pids->n, pids->cap);
	pids->list[pids->n++] = pid;
}

static void list_machine(struct pids *pids)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		pids_add(pids, entry->d_name);
	if (dir != NULL)
		closedir(dir);
}

/* The group and those below it. */
static void list_group(struct seeker *seeker, const char *group, struct pids *pids, int depth)
{
	struct buf path = {0};

	buf_add_format(&path, "%s/cgroup.procs", group);
	seeker->text.len = 0;
	if (fd_read_file(path.data, &seeker->text, 1 << 20) == 0) {
		buf_add(&seeker->text, "", 1);
		for (char *save, *word = strtok_r(seeker->text.data, "\n", &save); word != NULL;
		     word = strtok_r(NULL, "\n", &save))
			pids_add(pids, word);
	}
	DIR *dir = depth < DEPTH_MAX ? opendir(group) : NULL;
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		path.len = 0;
		buf_add_format(&path, "%s/%s", group, entry->d_name);
		list_group(seeker, path.data, pids, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
	buf_fini(&path);
}

static void say_waiting(struct seeker *seeker)
{
	if (seeker->told || atomic_load(&seeker->any))
		return;
	seeker->told = true;
	if (seeker->seek->match != NULL)
		log_say("no process matches yet: waiting for one");
	else if (seeker->seek->cgroup != NULL)
		log_say("no process is in the control group yet: waiting for one");
}

static void seek_once(struct seeker *seeker)
{
	const char *group = seeker->seek->cgroup;
	struct map emptied = seeker->before;
	struct pids pids = {0};

	seeker->before = seeker->known;
	seeker->known = emptied;
	map_clear(&seeker->known);
	if (group != NULL)
		list_group(seeker, group, &pids, 0);
	else
		list_machine(&pids);
	if (pids.n > 1) /* parents first, as a rule */
		qsort(pids.list, pids.n, sizeof *pids.list, pid_order);
	for (size_t i = 0; i < pids.n; i++)
		judge(seeker, pids.list[i]);
	if (group != NULL && (access(group, F_OK) < 0 || (pids.n == 0 && atomic_load(&seeker->any))))
		atomic_store(&seeker->over, true);
	free(pids.list);
	say_waiting(seeker);
}

static void seeker_work(void *arg)
{
	struct seeker *seeker = arg;
	struct pollfd stop = {.fd = seeker->stop_fd, .events = POLLIN};

	do {
		seek_once(seeker);
		eventfd_write(seeker->first_fd, 1);
	} while (poll(&stop, 1, ROUND_MS) == 0);
}

struct seeker *seeker_new(const struct session_seek *seek)
{
	struct seeker *seeker = mem_alloc(1, sizeof *seeker);
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int first_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	seeker->seek = seek;
	seeker->stop_fd = fd < 0 ? -1 : fd_raise(fd);
	seeker->first_fd = first_fd < 0 ? -1 : fd_raise(first_fd);
	seeker->found = ring_new(FOUND_MAX);
	worker_init(&seeker->thread);
	return seeker;
}

int seeker_start(struct seeker *seeker)
{
	struct pollfd first = {.fd = seeker->first_fd, .events = POLLIN};
	int error;

	if (seeker->stop_fd < 0 || seeker->first_fd < 0)
		return -EMFILE;
	error = worker_start(&seeker->thread, "seeker", seeker_work, seeker);
	if (error == 0)
		poll(&first, 1, FIRST_WAIT_MS);
	return error;
}

void seeker_feed(struct seeker *seeker, struct probe *probe)
{
	uint64_t pid;

	while (seeker != NULL && ring_pop(seeker->found, &pid))
		probe_add_root(probe, (pid_t)pid);
}

bool seeker_expects(const struct seeker *seeker)
{
	if (seeker == NULL || atomic_load(&seeker->over))
		return false;
	if (seeker->seek->match == NULL)
		return true;
	return !atomic_load(&seeker->any) || ring_count(seeker->found) > 0;
}

bool seeker_stop(struct seeker *seeker)
{
	if (seeker == NULL)
		return true;
	eventfd_write(seeker->stop_fd, 1);
	if (worker_wait(&seeker->thread, STOP_WAIT_MS))
		return true;
	worker_leave(&seeker->thread);
	return false;
}

void seeker_free(struct seeker *seeker)
{
	if (seeker == NULL)
		return;
	if (seeker->stop_fd >= 0)
		close(seeker->stop_fd);
	if (seeker->first_fd >= 0)
		close(seeker->first_fd);
	ring_free(seeker->found);
	map_fini(&seeker->known);
	map_fini(&seeker->before);
	buf_fini(&seeker->text);
	free(seeker);
}
