/* SPDX-License-Identifier: MIT
 *
 * Knows how a tree is found anew, at once, without the sampler: from the roots (or from our own children, to
 * which orphans come back) by the `children` files of all threads. Each process gets its SIGSTOP as soon as
 * it is found; a fork that was under way is cut short by the signal, so two rounds mostly do. What another
 * user owns cannot be stopped. The guard's thread.
 */
#include "hold.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { ROUNDS_MAX = 100, CHILDREN_TEXT = 16384 };

bool hold_possible(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	return access(path, R_OK) == 0;
}

void hold_fini(struct hold *hold)
{
	free(hold->stopped);
	map_fini(&hold->known);
}

static ssize_t read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, text, size - 1);
		close(fd);
	}
	text[len > 0 ? len : 0] = '\0';
	return len;
}

/* Stops it unless that was done; true: it is new. */
static bool stop_one(struct hold *hold, pid_t pid)
{
	uint64_t index;

	if (pid == hold->helper || map_get(&hold->known, (uint64_t)pid, &index) || kill(pid, SIGSTOP) < 0)
		return false;
	map_put(&hold->known, (uint64_t)pid, hold->n_stopped);
	MEM_GROW(hold->stopped, hold->n_stopped, hold->cap_stopped);
	hold->stopped[hold->n_stopped++] = pid;
	return true;
}

static bool stop_listed(struct hold *hold, const char *text)
{
	bool new = false;
	char *end;

	for (long pid; (pid = strtol(text, &end, 10)) > 0 && end != text; text = end)
		new |= stop_one(hold, (pid_t)pid);
	return new;
}

static bool stop_children(struct hold *hold, pid_t pid)
{
	char path[64], text[CHILDREN_TEXT];
	struct dirent *entry;
	bool new = false;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, entry->d_name);
		if (read_file(path, text, sizeof text) > 0)
			new |= stop_listed(hold, text);
	}
	if (dir)
		closedir(dir);
	return new;
}

static bool stop_round(struct hold *hold)
{
	bool new = false;

	for (size_t i = 0; i < hold->n_roots; i++)
		new |= stop_one(hold, hold->roots[i]);
	if (hold->n_roots == 0)
		new |= stop_children(hold, getpid());
	for (size_t i = 0; i < hold->n_stopped; i++) /* grows as it goes */
		new |= stop_children(hold, hold->stopped[i]);
	return new;
}

bool hold_stop(struct hold *hold)
{
	bool any = false;

	for (int round = 0; round < ROUNDS_MAX && stop_round(hold); round++)
		any = true;
	return any;
}

/* As in proc(5); '\0': gone. */
static char state_of(pid_t pid)
{
	char path[64], text[512];
	const char *behind;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (read_file(path, text, sizeof text) <= 0 || !(behind = strrchr(text, ')')) || !behind[1])
		return '\0';
	return behind[2];
}

bool hold_is_broken(struct hold *hold)
{
	char state;

	if (hold->n_stopped == 0)
		return true;
	state = state_of(hold->stopped[0]);
	if (state == 'T' || state == 't')
		hold->settled = true;
	else if (state == '\0' || state == 'Z' || state == 'X')
		return true;
	else
		return hold->settled;
	return false;
}

void hold_release(struct hold *hold)
{
	for (size_t i = hold->n_stopped; i-- > 0;)
		kill(hold->stopped[i], SIGCONT);
	hold->n_stopped = 0;
	hold->settled = false;
	map_clear(&hold->known);
}
