/* SPDX-License-Identifier: MIT
 *
 * An alarm before all else; then what grows or is used; what holds no bytes and has no room to speak of, or
 * belongs to the kernel's own trees, last, and left out where room is short.
 */
#include "mounts.h"

#include <math.h>
#include <string.h>

#include "warn.h"

#define NO_ROOM_BYTES (1024 * 1024)

double mounts_fullness(const struct tick_mount *mount)
{
	return fmax(isnan(mount->used) ? 0 : mount->used, isnan(mount->inodes_used) ? 0 : mount->inodes_used);
}

static bool is_under(const char *point, const char *directory)
{
	size_t len = strlen(directory);

	return strncmp(point, directory, len) == 0 && (point[len] == '\0' || point[len] == '/');
}

/* 0 matters most. */
static int rank(const struct tick *tick, size_t at)
{
	const struct mount_row *row = &tick->sample->mounts[at];
	const struct tick_mount *mount = &tick->mounts[at];
	const char *point = sample_string(tick->sample, row->point, NULL);
	uint64_t size = row->values[METRIC_MOUNT_SIZE_BYTES], used = row->values[METRIC_MOUNT_USED_BYTES];

	if (warn_mount(tick, at))
		return 0;
	if (row->flags & MOUNT_WORKDIR)
		return 1;
	if (is_under(point, "/sys") || is_under(point, "/proc") ||
	    (is_under(point, "/dev") && !is_under(point, "/dev/shm")) ||
	    (size != METRIC_NA && size < NO_ROOM_BYTES))
		return 4;
	if (mount->growth_bytes_per_s >= 1024 || (used != METRIC_NA && used >= NO_ROOM_BYTES))
		return 2;
	return 3;
}

static bool before(const struct tick *tick, size_t a, size_t b)
{
	int left = rank(tick, a), right = rank(tick, b);

	if (left != right)
		return left < right;
	return mounts_fullness(&tick->mounts[a]) > mounts_fullness(&tick->mounts[b]);
}

/* Insertion: there are few, and most are in order already. */
size_t mounts_order(const struct tick *tick, size_t order[MOUNTS_SHOWN_MAX], bool all)
{
	size_t n = 0;

	for (size_t i = 0; i < tick->sample->n_mounts; i++) {
		uint32_t flags = tick->sample->mounts[i].flags;
		size_t at = n < MOUNTS_SHOWN_MAX ? n : MOUNTS_SHOWN_MAX - 1;

		if (flags & (MOUNT_GONE | MOUNT_WAITED) || (!(flags & MOUNT_TMPFS) && !all) || (!all && rank(tick, i) == 4))
			continue;
		if (n == MOUNTS_SHOWN_MAX && !before(tick, i, order[at]))
			continue;
		for (; at > 0 && before(tick, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
		n += n < MOUNTS_SHOWN_MAX;
	}
	return n;
}
