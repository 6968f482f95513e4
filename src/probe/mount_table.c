/* SPDX-License-Identifier: MIT
 *
 * Knows libmount, which undoes the escapes of mountinfo. One entry a device number however often it is
 * mounted; a path that leads through a file system that may hang is not remembered. Makes no call on any
 * mount. Sampler's thread.
 */
#include "mount_table.h"

#include <errno.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

/* The paths of file systems that may hang. */
struct dangers {
	const char **paths;
	size_t count, capacity;
};

static bool lies_in(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	if (len && directory[len - 1] == '/')
		len--;
	return !strncmp(path, directory, len) && (!path[len] || path[len] == '/');
}

static bool is_dangerous(const struct dangers *dangers, const char *path)
{
	for (size_t i = 0; i < dangers->count; i++)
		if (lies_in(path, dangers->paths[i]))
			return true;
	return false;
}

static bool is_tmpfs(const char *type)
{
	return !strcmp(type, "tmpfs") || !strcmp(type, "ramfs");
}

/* The entry of a device, made where there is none; its paths are gathered anew. */
static struct mount *entry_of(struct mounts *mounts, struct map *by_device, uint64_t device, const char *type,
			      const char *source)
{
	struct mount *mount;
	uint64_t index;

	if (map_get(by_device, device, &index)) {
		mount = &mounts->mounts[index];
		if (!strcmp(mount->type, type))
			return mount;
		/* The number of an unmounted file system in use again; its entry stays unlisted and goes. */
	}
	MEM_GROW(mounts->mounts, mounts->n_mounts, mounts->cap_mounts);
	map_put(by_device, device, mounts->n_mounts);
	mount = &mounts->mounts[mounts->n_mounts++];
	memset(mount, 0, sizeof *mount);
	mount->device = device;
	mount->type = mem_dup(type);
	mount->source = mem_dup(source);
	for (size_t i = 0; i < METRIC_MOUNT_COUNT; i++)
		mount->values[i] = METRIC_NA;
	return mount;
}

/* The mount that a path lies on: the longest, and of equals the last mounted. */
static struct libmnt_fs *find_path(struct libmnt_table *table, struct libmnt_iter *iter, const char *path)
{
	struct libmnt_fs *fs, *best = NULL;
	size_t best_len = 0;

	mnt_reset_iter(iter, MNT_ITER_FORWARD);
	while (path && mnt_table_next_fs(table, iter, &fs) == 0) {
		const char *target = mnt_fs_get_target(fs);

		if (target && lies_in(path, target) && strlen(target) >= best_len) {
			best = fs;
			best_len = strlen(target);
		}
	}
	return best;
}

/* Remembered by name alone, as the place where a task may be waiting. */
static void take_disk(struct mounts *mounts, struct libmnt_fs *fs)
{
	const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs),
		   *source = mnt_fs_get_source(fs);
	struct mount_disk *disk;

	if (!type || !target || mnt_fs_is_pseudofs(fs) || is_tmpfs(type))
		return;
	MEM_GROW(mounts->disks, mounts->n_disks, mounts->cap_disks);
	map_put(&mounts->disk_ids, (uint64_t)mnt_fs_get_id(fs), mounts->n_disks);
	disk = &mounts->disks[mounts->n_disks++];
	*disk = (struct mount_disk){.device = mnt_fs_get_devno(fs),
				    .point = mem_dup(target),
				    .type = mem_dup(type),
				    .source = mem_dup(source ? source : "")};
}

static void take_mount(struct mounts *mounts, struct map *by_device, const struct dangers *dangers,
		       struct libmnt_fs *fs, bool workdir, bool wanted)
{
	const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs),
		   *source = mnt_fs_get_source(fs);
	struct mount *mount;

	if (!type || !target || mounts_may_hang(type) || !(workdir || wanted || is_tmpfs(type)))
		return;
	mount = entry_of(mounts, by_device, mnt_fs_get_devno(fs), type, source ? source : "");
	mount->listed = true;
	mount->flags |= (workdir ? MOUNT_WORKDIR : 0u) | (is_tmpfs(type) ? MOUNT_TMPFS : 0u);
	mount->wanted |= wanted;
	mount->n_paths++;
	if (is_dangerous(dangers, target))
		return;
	if (mount->n_points < MOUNTS_POINTS_MAX)
		mount->points[mount->n_points++] = mem_dup(target);
	if (mount->n_points > 1 && (workdir || wanted)) { /* the path that it is known by comes first */
		free(mount->points[mount->n_points - 1]);
		mount->points[mount->n_points - 1] = mount->points[0];
		mount->points[0] = mem_dup(target);
	}
}

/* Entries as before, but without their paths. */
static void begin(struct mounts *mounts, struct map *by_device)
{
	for (size_t i = 0; i < mounts->n_mounts; i++) {
		struct mount *mount = &mounts->mounts[i];

		map_put(by_device, mount->device, i);
		mount->listed = false;
		mount->n_paths = 0;
		mount->wanted = false;
		mount->flags &= MOUNT_TMPFS;
	}
}

/* An entry that is gone keeps one path, for its last row. */
static void forget_points(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->n_mounts; i++) {
		struct mount *mount = &mounts->mounts[i];
		char *last = mount->n_points ? mount->points[mount->reached] : NULL;

		for (unsigned j = 0; j < mount->n_points; j++)
			if (mount->points[j] != last)
				free(mount->points[j]);
		mount->n_points = 0;
		mount->reached = 0;
		free(mount->last_point);
		mount->last_point = last;
	}
}

/* One of the paths that are to be watched lies on it. */
static bool is_wanted(const struct libmnt_fs *fs, struct libmnt_fs *const *wanted, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (wanted[i] == fs)
			return true;
	return false;
}

static void take_table(struct mounts *mounts, struct libmnt_table *table, struct libmnt_iter *iter)
{
	struct libmnt_fs *workdir = find_path(table, iter, mounts->workdir);
	struct libmnt_fs **wanted = mem_alloc(mounts->n_paths + 1, sizeof *wanted);
	struct dangers dangers = {0};
	struct map by_device = {0};
	struct libmnt_fs *fs;

	for (size_t i = 0; i < mounts->n_paths; i++)
		wanted[i] = find_path(table, iter, mounts->paths[i]);
	mnt_reset_iter(iter, MNT_ITER_FORWARD);
	while (mnt_table_next_fs(table, iter, &fs) == 0) {
		const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs);

		if (!type || !target || !(mounts_may_hang(type) || mnt_fs_is_netfs(fs)))
			continue;
		MEM_GROW(dangers.paths, dangers.count, dangers.capacity);
		dangers.paths[dangers.count++] = target;
	}
	forget_points(mounts);
	begin(mounts, &by_device);
	mnt_reset_iter(iter, MNT_ITER_FORWARD);
	mounts_forget_disks(mounts);
	while (mnt_table_next_fs(table, iter, &fs) == 0) {
		take_disk(mounts, fs);
		take_mount(mounts, &by_device, &dangers, fs, fs == workdir,
			   is_wanted(fs, wanted, mounts->n_paths));
	}
	free(wanted);
	free(dangers.paths);
	map_fini(&by_device);
}

int mount_table_read(struct mounts *mounts)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	int result = -ENOMEM;

	if (table && iter) {
		result = mnt_table_parse_file(table, mounts->table);
		if (result == 0)
			take_table(mounts, table, iter);
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return result;
}
