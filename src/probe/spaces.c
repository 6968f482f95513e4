/* SPDX-License-Identifier: MIT
 *
 * Knows how to see with the eyes of a task: its mountinfo, and its paths below /proc/PID/root. A few tasks a
 * tick are asked for their namespace; the first that is not ours is watched as long as a task of the tree is
 * in it. Nothing of it is kept open beyond that. Sampler's thread.
 */
#include "spaces.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { A_TICK = 16, TASKS_MAX = 64 };

/* "mnt:[4026531841]"; false: gone, or not to be seen. */
static bool read_link(pid_t pid, char *out, size_t size)
{
	char path[64];
	ssize_t len;

	snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)pid);
	len = readlink(path, out, size - 1);
	out[len > 0 ? len : 0] = '\0';
	return len > 0;
}

void spaces_open(struct spaces *spaces)
{
	memset(spaces, 0, sizeof *spaces);
	read_link(getpid(), spaces->own, sizeof spaces->own);
}

static void leave(struct spaces *spaces)
{
	if (spaces->other[0])
		mounts_close(&spaces->mounts);
	memset(&spaces->mounts, 0, sizeof spaces->mounts);
	spaces->other[0] = '\0';
}

void spaces_close(struct spaces *spaces)
{
	leave(spaces);
}

static bool is_inside(const struct spaces *spaces, pid_t pid)
{
	char link[sizeof spaces->other];

	return read_link(pid, link, sizeof link) && !strcmp(link, spaces->other);
}

/* The task that we look through has ended or moved; another one in there will do. */
static bool find_another(struct spaces *spaces, const struct tree *tree)
{
	for (size_t i = 0; i < tree->n_tasks && i < TASKS_MAX; i++)
		if (is_inside(spaces, tree->tasks[i]->pid)) {
			spaces->pid = tree->tasks[i]->pid;
			mounts_look_through(&spaces->mounts, spaces->pid);
			return true;
		}
	return false;
}

static void search(struct spaces *spaces, const struct tree *tree)
{
	char link[sizeof spaces->other];

	for (size_t i = 0; i < A_TICK && i < tree->n_tasks; i++) {
		pid_t pid = tree->tasks[spaces->next++ % tree->n_tasks]->pid;

		if (!read_link(pid, link, sizeof link) || !strcmp(link, spaces->own))
			continue;
		memcpy(spaces->other, link, sizeof link);
		spaces->pid = pid;
		mounts_open(&spaces->mounts, NULL);
		mounts_look_through(&spaces->mounts, pid);
		return;
	}
}

static bool has_row(const struct sample *sample, size_t n, uint64_t device)
{
	for (size_t i = 0; i < n; i++)
		if (sample->mounts[i].device == device)
			return true;
	return false;
}

/* What both namespaces have is there once: the rows of ours stay. */
static void drop_double(struct sample *sample, size_t own)
{
	size_t kept = own;

	for (size_t i = own; i < sample->n_mounts; i++)
		if (!has_row(sample, own, sample->mounts[i].device))
			sample->mounts[kept++] = sample->mounts[i];
	sample->n_mounts = kept;
}

void spaces_read(struct spaces *spaces, const struct tree *tree, struct sample *sample, int64_t now_ns)
{
	size_t own = sample->n_mounts;

	if (!spaces->own[0])
		return;
	if (spaces->other[0] && !is_inside(spaces, spaces->pid) && !find_another(spaces, tree))
		leave(spaces);
	if (!spaces->other[0])
		search(spaces, tree);
	if (!spaces->other[0])
		return;
	mounts_read(&spaces->mounts, sample, now_ns);
	drop_double(sample, own);
}
