/* SPDX-License-Identifier: MIT
 *
 * The next question comes before a writer as fast as memory could have filled a third of the room that is
 * left, at most 100 ms and at least half a millisecond later. Tight is what has reached the limit, and what
 * would be full before the writers are stopped: at the rate seen, or by as much as they wrote after the
 * signal before. Plain values; the guard's thread.
 */
#include "rooms.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

#define MEMORY_SPEED  4e9    /* bytes a second that a build can write at most, more or less */
#define INODE_BYTES   1000.0 /* one takes about as long as so many bytes */
#define REACTION_S    0.010
#define RATE_FADES_S  0.050
#define BACK_SHARE    0.03 /* so much under the limit there is room again */
#define BRAKING_SHARE 0.2
#define DELAY_MIN_NS  (NS_PER_MS / 2)
#define DELAY_IDLE_NS (20 * NS_PER_MS)
#define DELAY_MAX_NS  (100 * NS_PER_MS)
#define IDLE_NS	      (2 * NS_PER_S)

void rooms_fini(struct rooms *rooms)
{
	for (size_t i = 0; i < rooms->n_rooms; i++)
		free(rooms->rooms[i].point);
	free(rooms->rooms);
}

static struct room *room_of(struct rooms *rooms, uint64_t device, const char *point)
{
	for (size_t i = 0; i < rooms->n_rooms; i++)
		if (rooms->rooms[i].device == device)
			return &rooms->rooms[i];
	MEM_GROW(rooms->rooms, rooms->n_rooms, rooms->cap_rooms);
	rooms->rooms[rooms->n_rooms] = (struct room){.device = device, .point = mem_dup(point)};
	return &rooms->rooms[rooms->n_rooms++];
}

void rooms_update(struct rooms *rooms, const struct tick *tick)
{
	const struct sample *sample = tick->sample;
	size_t kept = 0;

	for (size_t i = 0; i < rooms->n_rooms; i++)
		rooms->rooms[i].listed = false;
	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *row = &sample->mounts[i];
		const char *point = sample_string(sample, row->point, NULL);
		struct room *room;

		if (!(row->flags & MOUNT_TMPFS) || row->flags & MOUNT_GONE ||
		    (row->values[METRIC_MOUNT_SIZE_BYTES] == METRIC_NA &&
		     row->values[METRIC_MOUNT_INODES] == METRIC_NA))
			continue;
		room = room_of(rooms, row->device, point);
		room->listed = true;
		if (strcmp(room->point, point) != 0) {
			free(room->point);
			room->point = mem_dup(point);
		}
	}
	for (size_t i = 0; i < rooms->n_rooms; i++) {
		if (rooms->rooms[i].listed)
			rooms->rooms[kept++] = rooms->rooms[i];
		else
			free(rooms->rooms[i].point);
	}
	rooms->n_rooms = kept;
}

static bool ask_by(const struct room *room, const char *path, struct statvfs *usage)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat stat;
	bool good;

	if (fd < 0)
		return false;
	good = fstat(fd, &stat) == 0 && stat.st_dev == room->device && fstatvfs(fd, usage) == 0;
	close(fd);
	return good;
}

static bool ask(const struct rooms *rooms, const struct room *room, struct statvfs *usage)
{
	char path[4200];

	if (ask_by(room, room->point, usage))
		return true;
	snprintf(path, sizeof path, "/proc/%d/root%s", (int)rooms->inside, room->point);
	return rooms->inside && ask_by(room, path, usage);
}

static double share_of(const struct room *room)
{
	double bytes = room->size ? (double)room->used / (double)room->size : 0;
	double inodes = room->inodes ? (double)room->inodes_used / (double)room->inodes : 0;

	return fmax(bytes, inodes);
}

/* Bytes that can be written before it is at the limit, inodes counted as bytes. */
static double left_to(const struct room *room, double share)
{
	double bytes = room->size ? (double)room->size * share - (double)room->used : INFINITY;
	double inodes = room->inodes ? (double)room->inodes * share - (double)room->inodes_used : INFINITY;

	return fmax(fmin(bytes, inodes * INODE_BYTES), 0);
}

/* What the writers may still write once they are told to stop; no more is asked for than a part of it all. */
static double braking(const struct rooms *rooms, const struct room *room)
{
	double most = room->size ? (double)room->size * BRAKING_SHARE : INFINITY;

	return fmin(2 * (double)rooms->overshoot, most);
}

static double margin_of(const struct rooms *rooms, const struct room *room)
{
	return fmax(room->rate * REACTION_S, braking(rooms, room));
}

static bool has_room(const struct rooms *rooms, const struct room *room)
{
	return share_of(room) < rooms->share - BACK_SHARE && left_to(room, 1) > braking(rooms, room);
}

static void take_usage(struct room *room, const struct statvfs *usage, int64_t now_ns)
{
	uint64_t unit = usage->f_frsize ? usage->f_frsize : usage->f_bsize;
	uint64_t used = (usage->f_blocks - usage->f_bfree) * unit;
	uint64_t inodes_used = usage->f_files - usage->f_ffree;
	double seconds = (double)(now_ns - room->asked_ns) / (double)NS_PER_S;
	double more = used > room->used ? (double)(used - room->used) : 0;

	if (inodes_used > room->inodes_used)
		more += (double)(inodes_used - room->inodes_used) * INODE_BYTES;
	if (used != room->used || inodes_used != room->inodes_used)
		room->changed_ns = now_ns;
	if (room->asked_ns && seconds > 0)
		room->rate = fmax(more / seconds, room->rate * exp(-seconds / RATE_FADES_S));
	room->used = used;
	room->size = usage->f_blocks * unit;
	room->inodes_used = inodes_used;
	room->inodes = usage->f_files;
	room->asked_ns = now_ns;
}

static int64_t delay_of(const struct rooms *rooms, const struct room *room)
{
	double left = left_to(room, rooms->share) - margin_of(rooms, room);
	double delay_ns = fmax(left, 0) / MEMORY_SPEED / 3 * (double)NS_PER_S;
	bool idle = room->asked_ns - room->changed_ns > IDLE_NS || !room->armed;

	return (int64_t)fmin(fmax(delay_ns, (double)(idle ? DELAY_IDLE_NS : DELAY_MIN_NS)),
			     (double)DELAY_MAX_NS);
}

static void look(struct rooms *rooms, struct room *room, int64_t now_ns)
{
	struct statvfs usage;

	room->tight = false;
	room->due_ns = now_ns + DELAY_MAX_NS;
	if (!ask(rooms, room, &usage) || usage.f_flag & ST_RDONLY)
		return;
	take_usage(room, &usage, now_ns);
	room->armed |= has_room(rooms, room);
	room->tight =
		room->armed && (share_of(room) >= rooms->share || left_to(room, 1) <= margin_of(rooms, room));
	room->due_ns = now_ns + delay_of(rooms, room);
}

int64_t rooms_look(struct rooms *rooms, int64_t now_ns, bool all)
{
	int64_t due_ns = now_ns + DELAY_MAX_NS;

	for (size_t i = 0; i < rooms->n_rooms; i++) {
		struct room *room = &rooms->rooms[i];

		if (all || room->due_ns <= now_ns)
			look(rooms, room, now_ns);
		if (room->due_ns < due_ns)
			due_ns = room->due_ns;
	}
	return due_ns;
}

struct room *rooms_tight(struct rooms *rooms)
{
	for (size_t i = 0; i < rooms->n_rooms; i++)
		if (rooms->rooms[i].tight)
			return &rooms->rooms[i];
	return NULL;
}

bool rooms_have_room(const struct rooms *rooms)
{
	for (size_t i = 0; i < rooms->n_rooms; i++)
		if (rooms->rooms[i].armed && !has_room(rooms, &rooms->rooms[i]))
			return false;
	return true;
}

void rooms_disarm(struct rooms *rooms)
{
	for (size_t i = 0; i < rooms->n_rooms; i++)
		if (!has_room(rooms, &rooms->rooms[i]))
			rooms->rooms[i].armed = rooms->rooms[i].tight = false;
}
