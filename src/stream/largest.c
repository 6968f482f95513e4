/* SPDX-License-Identifier: MIT
 *
 * Knows how to add up a tree without waking or waiting for what is mounted in it: each entry is asked about
 * without being opened, and without asking its server. Of a directory the three largest children are kept;
 * where one of them has nearly all, its own children say more than it does. A file with several names counts
 * for a part by each. Any thread that may take its time.
 */
#include "largest.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/counted.h"

#define BLOCK	  512
#define TOP	  3
#define DEPTH_MAX 64
#define ASK_STEPS 32
#define MOST	  0.9 /* of a directory, in one child: then it is the child that matters */

struct part {
	uint64_t amount;
	char *path; /* owned */
};

struct sum {
	uint64_t amount;
	struct part top[TOP];	/* the largest first; path NULL: none */
	struct part inner[TOP]; /* the parts of the largest child */
};

static void parts_free(struct part *parts)
{
	for (int i = 0; i < TOP; i++)
		free(parts[i].path);
}

/* Takes the path; where it went, TOP: nowhere. */
static int add_part(struct part *parts, uint64_t amount, char *path)
{
	int at = TOP;

	while (at > 0 && amount > parts[at - 1].amount)
		at--;
	if (at == TOP) {
		free(path);
		return at;
	}
	free(parts[TOP - 1].path);
	memmove(&parts[at + 1], &parts[at], (size_t)(TOP - 1 - at) * sizeof *parts);
	parts[at] = (struct part){amount, path};
	return at;
}

static bool is_stopped(struct largest_walk *walk)
{
	if (++walk->steps >= ASK_STEPS) {
		walk->steps = 0;
		walk->stopped |= walk->stop && walk->stop(walk->arg);
	}
	return walk->stopped;
}

static uint64_t amount_of(const struct largest_walk *walk, const struct statx *found)
{
	uint64_t links = S_ISDIR(found->stx_mode) || !found->stx_nlink ? 1 : found->stx_nlink;

	return walk->files ? 1 : found->stx_blocks * BLOCK / links;
}

static bool ask(const struct largest_walk *walk, int directory, const char *name, struct statx *found)
{
	const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;

	return statx(directory, name, flags, STATX_BASIC_STATS, found) == 0 &&
	       makedev(found->stx_dev_major, found->stx_dev_minor) == walk->device;
}

static struct sum walk_directory(struct largest_walk *walk, int fd, struct buf *path, int depth);

/* One that lies in one of its directories alone goes by the name of that. */
static const char *name_of(const struct sum *child, const struct buf *path)
{
	bool one = child->top[0].path && (double)child->top[0].amount >= MOST * (double)child->amount;

	return one ? child->top[0].path : path->data;
}

static void add_child(struct largest_walk *walk, struct sum *sum, int parent, const char *name,
		      struct buf *path, int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	size_t len = path->len;
	struct sum child;

	if (fd < 0)
		return;
	buf_add_string(path, len > 0 ? "/" : "");
	buf_add_string(path, name);
	child = walk_directory(walk, fd, path, depth);
	sum->amount += child.amount;
	if (add_part(sum->top, child.amount, mem_dup(name_of(&child, path))) == 0) {
		parts_free(sum->inner);
		memcpy(sum->inner, child.top, sizeof sum->inner);
	} else {
		parts_free(child.top);
	}
	path->len = len;
	path->data[len] = '\0';
}

/* All is added: what is here itself is a part too, and a child that is nearly all of it gives its parts. */
static void choose_parts(struct sum *sum, uint64_t here, const struct buf *path)
{
	bool one_child =
		sum->top[0].path && (double)sum->top[0].amount >= MOST * (double)(sum->amount + here);

	sum->amount += here;
	if (one_child) {
		parts_free(sum->top);
		memcpy(sum->top, sum->inner, sizeof sum->top);
	} else {
		parts_free(sum->inner);
		add_part(sum->top, here, mem_dup(path->len > 0 ? path->data : "."));
	}
}

/* Closes fd. The inner parts are moved or gone. */
static struct sum walk_directory(struct largest_walk *walk, int fd, struct buf *path, int depth)
{
	DIR *directory = fdopendir(fd);
	struct sum sum = {0};
	struct dirent *entry;
	uint64_t here = 0;

	if (!directory) {
		close(fd);
		return sum;
	}
	while (!is_stopped(walk) && (entry = readdir(directory))) {
		struct statx found;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    !ask(walk, fd, entry->d_name, &found))
			continue;
		here += amount_of(walk, &found);
		if (S_ISDIR(found.stx_mode) && depth < DEPTH_MAX)
			add_child(walk, &sum, fd, entry->d_name, path, depth + 1);
	}
	closedir(directory);
	choose_parts(&sum, here, path);
	return sum;
}

uint64_t largest_find(struct largest_walk *walk, int directory, struct buf *list)
{
	enum counted_unit unit = walk->files ? COUNTED_FILES : COUNTED_BYTES;
	struct buf path = {0};
	struct sum sum = walk_directory(walk, directory, &path, 0);

	for (int i = 0; list && i < TOP && sum.top[i].path; i++)
		if (sum.top[i].amount > 0)
			counted_add(list, sum.top[i].amount, unit, sum.top[i].path, strlen(sum.top[i].path));
	parts_free(sum.top);
	buf_fini(&path);
	return sum.amount;
}
