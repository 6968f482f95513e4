/* SPDX-License-Identifier: MIT
 *
 * Knows which mounts may be asked for their usage: the kind is looked up in mountinfo before any call, and
 * only paths that do not lead through a network, FUSE or automount file system are walked. What is kept is
 * the path, never a descriptor: that would keep the file system from being unmounted. Whether a path still
 * leads to the same file system is seen by its device number (another may be mounted over it). Sampler's
 * thread.
 */
#include "mounts.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "mount_table.h"

enum {
	FEW = 32,	  /* so many are all looked at in each tick */
	IN_TURN = 16,	  /* of more, so many a tick beside those that are in use, */
	ROUND = 32,	  /* or as many as make a round in so many ticks */
	WATCHED_MAX = 64, /* rows */
	USED_SHARE = 100, /* in use: more than a hundredth */
};

bool mounts_may_hang(const char *type)
{
	static const char *const types[] = {
		"nfs",	  "nfs4",     "cifs",	  "smb3",      "smbfs", "ncpfs",   "afs",    "coda",
		"ceph",	  "9p",	      "virtiofs", "autofs",    "fuse",	"fuseblk", "lustre", "gpfs",
		"beegfs", "orangefs", "pvfs2",	  "glusterfs", "davfs", "vboxsf",  "vmhgfs", "prl_fs",
		"gfs2",	  "ocfs2",    "panfs",	  "acfs",      "sshfs",
	};

	if (!strncmp(type, "fuse.", 5))
		return true;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

void mounts_open(struct mounts *mounts, const char *workdir)
{
	snprintf(mounts->table, sizeof mounts->table, "/proc/self/mountinfo");
	mounts->file = fd_open(mounts->table, O_RDONLY, 0);
	mounts->workdir = workdir ? mem_dup(workdir) : NULL;
	mounts->changed = true;
}

void mounts_add_path(struct mounts *mounts, const char *path)
{
	MEM_GROW(mounts->paths, mounts->n_paths, mounts->cap_paths);
	mounts->paths[mounts->n_paths++] = mem_dup(path);
	mounts->changed = true;
}

void mounts_look_through(struct mounts *mounts, pid_t pid)
{
	if (mounts->file >= 0)
		close(mounts->file);
	snprintf(mounts->table, sizeof mounts->table, "/proc/%d/mountinfo", (int)pid);
	snprintf(mounts->root, sizeof mounts->root, "/proc/%d/root", (int)pid);
	mounts->file = fd_open(mounts->table, O_RDONLY, 0);
	mounts->changed = true;
}

static void mount_fini(struct mount *mount)
{
	for (unsigned i = 0; i < mount->n_points; i++)
		free(mount->points[i]);
	free(mount->last_point);
	free(mount->type);
	free(mount->source);
}

void mounts_close(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->n_mounts; i++)
		mount_fini(&mounts->mounts[i]);
	mounts_forget_disks(mounts);
	free(mounts->disks);
	map_fini(&mounts->disk_ids);
	free(mounts->mounts);
	free(mounts->workdir);
	for (size_t i = 0; i < mounts->n_paths; i++)
		free(mounts->paths[i]);
	free(mounts->paths);
	if (mounts->file >= 0)
		close(mounts->file);
}

static void take_usage(struct mount *mount, const struct statvfs *usage)
{
	uint64_t *values = mount->values;
	uint32_t readonly = usage->f_flag & ST_RDONLY ? MOUNT_READONLY : 0;
	uint64_t unit = usage->f_frsize ? usage->f_frsize : usage->f_bsize;

	for (size_t i = 0; i < METRIC_MOUNT_COUNT; i++)
		values[i] = METRIC_NA;
	if (usage->f_blocks) { /* 0: a tmpfs without a limit, which tells nothing */
		values[METRIC_MOUNT_SIZE_BYTES] = usage->f_blocks * unit;
		values[METRIC_MOUNT_USED_BYTES] = (usage->f_blocks - usage->f_bfree) * unit;
		values[METRIC_MOUNT_AVAILABLE_BYTES] = usage->f_bavail * unit;
	}
	if (usage->f_files) {
		values[METRIC_MOUNT_INODES] = usage->f_files;
		values[METRIC_MOUNT_INODES_USED] = usage->f_files - usage->f_ffree;
	}
	mount->flags = (mount->flags & ~(uint32_t)MOUNT_READONLY) | readonly;
}

/* Asks by one path; false when it leads elsewhere. */
static bool ask_by(struct mount *mount, const char *root, const char *point)
{
	char inside[4200];
	const char *path = point;
	struct statvfs usage;
	struct stat stat;
	bool good;
	int fd;

	if (root[0]) {
		snprintf(inside, sizeof inside, "%s%s", root, point);
		path = inside;
	}
	fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	/* Only of a tmpfs is the number in mountinfo surely the one that stat tells (btrfs has one for each
	 * subvolume). */
	good = fstat(fd, &stat) == 0 && (!(mount->flags & MOUNT_TMPFS) || stat.st_dev == mount->device) &&
	       fstatvfs(fd, &usage) == 0;
	close(fd);
	if (good)
		take_usage(mount, &usage);
	return good;
}

/* True when the usage changed. */
static bool ask(struct mount *mount, const char *root)
{
	uint64_t before[METRIC_MOUNT_COUNT];

	memcpy(before, mount->values, sizeof before);
	mount->reachable = false;
	for (unsigned i = 0; i < mount->n_points; i++) {
		unsigned at = (mount->reached + i) % mount->n_points;

		if (ask_by(mount, root, mount->points[at])) {
			mount->reached = at;
			mount->reachable = true;
			return memcmp(before, mount->values, sizeof before) != 0;
		}
	}
	for (size_t i = 0; i < METRIC_MOUNT_COUNT; i++)
		mount->values[i] = METRIC_NA;
	return false;
}

static bool in_use(const struct mount *mount)
{
	uint64_t size = mount->values[METRIC_MOUNT_SIZE_BYTES];
	uint64_t used = mount->values[METRIC_MOUNT_USED_BYTES];
	uint64_t inodes = mount->values[METRIC_MOUNT_INODES];
	uint64_t inodes_used = mount->values[METRIC_MOUNT_INODES_USED];

	return (size != METRIC_NA && used > size / USED_SHARE) ||
	       (inodes != METRIC_NA && inodes_used > 1 && inodes_used > inodes / USED_SHARE);
}

/* Asks one that is not watched; 1 when it is from now on: it is in use, or what it said has changed. */
static size_t watch_if_used(struct mount *mount, const char *root, size_t watched)
{
	bool known = mount->asked;

	if (mount->watched)
		return 0;
	mount->asked = true;
	mount->watched = ((ask(mount, root) && known) || in_use(mount)) && watched < WATCHED_MAX;
	return mount->watched;
}

static void ask_all(struct mounts *mounts)
{
	bool few = mounts->n_mounts <= FEW;
	size_t watched = 0, turns;

	for (size_t i = 0; i < mounts->n_mounts; i++) {
		struct mount *mount = &mounts->mounts[i];

		if (few || mount->wanted || mount->flags & MOUNT_WORKDIR)
			mount->watched = true;
		if (mount->watched) {
			ask(mount, mounts->root);
			mount->asked = true;
			watched++;
		}
	}
	if (few)
		return;
	turns = mounts->n_mounts / ROUND > IN_TURN ? mounts->n_mounts / ROUND : IN_TURN;
	for (size_t i = mounts->n_mounts; i > 0 && !mounts->mounts[i - 1].asked;
	     i--) /* new ones stand at the end */
		watched += watch_if_used(&mounts->mounts[i - 1], mounts->root, watched);
	for (size_t turn = 0; turn < turns; turn++)
		watched += watch_if_used(&mounts->mounts[mounts->next++ % mounts->n_mounts], mounts->root,
					 watched);
}

static void add_row(const struct mount *mount, struct sample *sample, uint32_t flags)
{
	const char *point = mount->n_points	? mount->points[mount->reached]
			    : mount->last_point ? mount->last_point
						: "";
	struct mount_row *row = sample_add_mount(sample);

	row->device = mount->device;
	row->point = sample_add_string(sample, point, strlen(point));
	row->type = sample_add_string(sample, mount->type, strlen(mount->type));
	row->source = sample_add_string(sample, mount->source, strlen(mount->source));
	row->flags = mount->flags | flags;
	row->points = mount->n_paths;
	memcpy(row->values, mount->values, sizeof row->values);
}

/* Drops what the new table has not, each with one last row. */
static void drop_gone(struct mounts *mounts, struct sample *sample)
{
	size_t kept = 0;

	for (size_t i = 0; i < mounts->n_mounts; i++) {
		struct mount *mount = &mounts->mounts[i];

		if (mount->listed) {
			mounts->mounts[kept++] = *mount;
			continue;
		}
		if (mount->watched && mount->reachable)
			add_row(mount, sample, MOUNT_GONE);
		mount_fini(mount);
	}
	mounts->n_mounts = kept;
}

uint64_t mounts_disk_of(const struct mounts *mounts, uint64_t mount_id)
{
	uint64_t at;

	return map_get(&mounts->disk_ids, mount_id, &at) ? mounts->disks[at].device : 0;
}

void mounts_add_disk(const struct mounts *mounts, struct sample *sample, uint64_t device)
{
	for (size_t i = 0; i < mounts->n_disks; i++) {
		const struct mount_disk *disk = &mounts->disks[i];
		struct mount_row *row;

		if (disk->device != device)
			continue;
		row = sample_add_mount(sample);
		row->device = device;
		row->point = sample_add_string(sample, disk->point, strlen(disk->point));
		row->type = sample_add_string(sample, disk->type, strlen(disk->type));
		row->source = sample_add_string(sample, disk->source, strlen(disk->source));
		row->flags = MOUNT_WAITED;
		row->points = 1;
		return;
	}
}

void mounts_forget_disks(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->n_disks; i++) {
		free(mounts->disks[i].point);
		free(mounts->disks[i].type);
		free(mounts->disks[i].source);
	}
	mounts->n_disks = 0;
	map_clear(&mounts->disk_ids);
}

static bool has_changed(struct mounts *mounts)
{
	struct pollfd change = {.fd = mounts->file, .events = POLLPRI};

	if (mounts->file >= 0 && poll(&change, 1, 0) > 0 && change.revents & (POLLPRI | POLLERR))
		mounts->changed = true;
	return mounts->changed;
}

void mounts_read(struct mounts *mounts, struct sample *sample, int64_t now_ns)
{
	enum { SHARE = 50 }; /* reading a table of thousands takes at most a fiftieth of the time */
	int64_t wait_ns = mounts->read_cost_ns * SHARE;

	if (mounts->file < 0)
		return;
	if (wait_ns < NS_PER_S * 9 / 10)
		wait_ns = NS_PER_S * 9 / 10;
	if (has_changed(mounts) && (!mounts->read_ns || now_ns - mounts->read_ns >= wait_ns)) {
		int64_t before_ns = clock_thread_cpu_ns();

		mounts->changed = false;
		if (mount_table_read(mounts) == 0)
			drop_gone(mounts, sample);
		mounts->read_ns = now_ns;
		mounts->read_cost_ns = clock_thread_cpu_ns() - before_ns;
	}
	if (mounts->n_mounts)
		ask_all(mounts);
	for (size_t i = 0; i < mounts->n_mounts; i++)
		if (mounts->mounts[i].watched && mounts->mounts[i].reachable)
			add_row(&mounts->mounts[i], sample, 0);
}
