/* SPDX-License-Identifier: MIT
 *
 * Knows when it is worth looking who fills a tmpfs: it is more than half full and its use has changed. Walks
 * and reads at idle priority, on a thread of its own; what was found is handed to the sampler whole, by one
 * exchanged pointer, so neither waits for the other. The build's directory is counted once, at the start,
 * when it is on a disk.
 */
#include "finder.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "largest.h"
#include "writers.h"

#define HALF	    0.5
#define WRITERS_NS  (2 * NS_PER_S)
#define WALK_NS	    (5 * NS_PER_S)
#define WALK_SHARE  20 /* a walk is followed by so many times its own CPU time without one */
#define COUNT_NS     (30 * NS_PER_S) /* what takes longer is a tree too large to be read beside a build */
#define TARGETS_MAX 16
#define TASKS_TRIED 64
#define IOPRIO_IDLE (3 << 13)
#define IOPRIO_SELF 1 /* IOPRIO_WHO_PROCESS: the calling thread */

struct target {
	uint64_t device;
	uint64_t used, inodes_used; /* when it was looked at last */
	int64_t walk_due_ns;
	struct buf writers, largest;
};

struct note {
	uint64_t device;
	struct buf writers, largest;
};

struct notes {
	struct note notes[TARGETS_MAX];
	size_t n;
	uint64_t workdir_bytes;
};

struct finder {
	const struct run *run;
	struct inbox *inbox;
	struct tick *tick; /* the newest; NULL: none yet */
	struct target targets[TARGETS_MAX];
	size_t n_targets;
	uint64_t workdir_bytes;
	bool workdir_done;
	int64_t count_until_ns;

	_Atomic(struct notes *) fresh; /* for the sampler to take */
	struct notes *noted;	       /* the sampler's */
};

struct finder *finder_new(const struct run *run)
{
	struct finder *finder = mem_alloc(1, sizeof *finder);

	finder->run = run;
	finder->workdir_bytes = METRIC_NA;
	return finder;
}

static void notes_free(struct notes *notes)
{
	for (size_t i = 0; notes && i < notes->n; i++) {
		buf_fini(&notes->notes[i].writers);
		buf_fini(&notes->notes[i].largest);
	}
	free(notes);
}

void finder_free(struct finder *finder)
{
	if (!finder)
		return;
	notes_free(atomic_load(&finder->fresh));
	notes_free(finder->noted);
	for (size_t i = 0; i < finder->n_targets; i++) {
		buf_fini(&finder->targets[i].writers);
		buf_fini(&finder->targets[i].largest);
	}
	tick_unref(finder->tick);
	free(finder);
}

/* The sampler's side. */

static void mark_mount(const struct notes *notes, struct sample *sample, size_t at)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct note *note = &notes->notes[i];

		if (note->device != sample->mounts[at].device)
			continue;
		if (note->writers.len > 0)
			sample->mounts[at].writers =
				sample_add_string(sample, note->writers.data, note->writers.len);
		if (note->largest.len > 0)
			sample->mounts[at].largest =
				sample_add_string(sample, note->largest.data, note->largest.len);
	}
}

void finder_mark(struct finder *finder, struct sample *sample)
{
	struct notes *fresh;

	if (!finder)
		return;
	fresh = atomic_exchange(&finder->fresh, NULL);
	if (fresh) {
		notes_free(finder->noted);
		finder->noted = fresh;
	}
	if (!finder->noted)
		return;
	sample->system[METRIC_SYSTEM_WORKDIR_BYTES] = finder->noted->workdir_bytes;
	for (size_t i = 0; i < sample->n_mounts; i++)
		mark_mount(finder->noted, sample, i);
}

/* The finder's side. */

static void buf_copy(struct buf *to, const struct buf *from)
{
	if (from->len > 0)
		buf_add(to, from->data, from->len);
}

static void publish(struct finder *finder)
{
	struct notes *notes = mem_alloc(1, sizeof *notes);

	notes->workdir_bytes = finder->workdir_bytes;
	notes->n = finder->n_targets;
	for (size_t i = 0; i < finder->n_targets; i++) {
		notes->notes[i].device = finder->targets[i].device;
		buf_copy(&notes->notes[i].writers, &finder->targets[i].writers);
		buf_copy(&notes->notes[i].largest, &finder->targets[i].largest);
	}
	notes_free(atomic_exchange(&finder->fresh, notes));
}

/* Takes what has come; true: it is over. Asked between two steps of a walk, too. */
static bool is_over(void *arg)
{
	struct finder *finder = arg;
	struct tick *tick;

	while ((tick = inbox_take(finder->inbox, NULL)) != NULL) {
		tick_unref(finder->tick);
		finder->tick = tick;
	}
	return inbox_ended(finder->inbox);
}

static bool is_late(void *arg)
{
	const struct finder *finder = arg;

	return is_over(arg) || clock_mono_ns() > finder->count_until_ns;
}

static int open_directory(const char *path, uint64_t device)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat stat;

	if (fd >= 0 && (fstat(fd, &stat) < 0 || stat.st_dev != device)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Where it is mounted for us, or for one of the build's tasks. */
static int open_mount(const struct finder *finder, const char *point, uint64_t device)
{
	const struct sample *sample = finder->tick->sample;
	int fd = open_directory(point, device);
	char path[4200];

	for (size_t i = 0; fd < 0 && i < sample->n_tasks && i < TASKS_TRIED; i++) {
		snprintf(path, sizeof path, "/proc/%d/root%s", (int)sample->tasks[i].pid, point);
		fd = open_directory(path, device);
	}
	return fd;
}

/* How full it is, or would be once memory has run out; NAN: unknown. */
static double fullness(const struct mount_row *row, const struct tick_mount *mount)
{
	double full = fmax(mount->used, mount->inodes_used),
	       used = (double)row->values[METRIC_MOUNT_USED_BYTES];

	if (row->values[METRIC_MOUNT_USED_BYTES] != METRIC_NA && mount->room_bytes != METRIC_NA && used > 0)
		full = fmax(full, used / (used + (double)mount->room_bytes));
	return full;
}

static struct target *target_of(struct finder *finder, const struct mount_row *row)
{
	for (size_t i = 0; i < finder->n_targets; i++)
		if (finder->targets[i].device == row->device)
			return &finder->targets[i];
	if (finder->n_targets == TARGETS_MAX)
		return NULL;
	finder->targets[finder->n_targets] =
		(struct target){.device = row->device,
				.used = row->values[METRIC_MOUNT_USED_BYTES],
				.inodes_used = row->values[METRIC_MOUNT_INODES_USED]};
	return &finder->targets[finder->n_targets++];
}

static void walk(struct finder *finder, struct target *target, const char *point, bool files)
{
	struct largest_walk walk = {.device = target->device, .files = files, .stop = is_over, .arg = finder};
	int64_t began_ns = clock_thread_cpu_ns();
	int fd = open_mount(finder, point, target->device);
	struct buf list = {0};

	if (fd >= 0)
		largest_find(&walk, fd, &list);
	if (!walk.stopped) {
		buf_fini(&target->largest);
		target->largest = list;
	} else {
		buf_fini(&list);
	}
	target->walk_due_ns =
		clock_mono_ns() +
		(int64_t)fmax((double)WALK_NS, (double)(clock_thread_cpu_ns() - began_ns) * WALK_SHARE);
}

/* Those above half that changed: their devices, targets and rows. */
static size_t choose(struct finder *finder, struct target **targets, size_t *rows, size_t max)
{
	const struct tick *tick = finder->tick;
	size_t n = 0;

	for (size_t i = 0; i < tick->sample->n_mounts && n < max; i++) {
		const struct mount_row *row = &tick->sample->mounts[i];
		uint64_t used = row->values[METRIC_MOUNT_USED_BYTES];
		uint64_t inodes_used = row->values[METRIC_MOUNT_INODES_USED];
		struct target *target;

		if (!(row->flags & MOUNT_TMPFS) || row->flags & (MOUNT_GONE | MOUNT_READONLY))
			continue;
		target = target_of(finder, row); /* what it held when it was seen first is no change */
		if (!target || (used == target->used && inodes_used == target->inodes_used) ||
		    !(fullness(row, &tick->mounts[i]) > HALF))
			continue;
		target->used = used;
		target->inodes_used = inodes_used;
		targets[n] = target;
		rows[n++] = i;
	}
	return n;
}

static void look(struct finder *finder)
{
	struct tick *tick = tick_ref(finder->tick); /* a newer one may come while we walk */
	struct target *targets[TARGETS_MAX];
	uint64_t devices[TARGETS_MAX];
	struct buf lists[TARGETS_MAX] = {0};
	size_t rows[TARGETS_MAX], n = choose(finder, targets, rows, TARGETS_MAX);

	for (size_t i = 0; i < n; i++)
		devices[i] = targets[i]->device;
	if (n > 0)
		writers_find(tick->sample, devices, lists, n);
	for (size_t i = 0; i < n; i++) {
		buf_fini(&targets[i]->writers);
		targets[i]->writers = lists[i];
	}
	if (n > 0)
		publish(finder);
	for (size_t i = 0; i < n && !is_over(finder); i++) {
		const struct tick_mount *mount = &tick->mounts[rows[i]];

		if (clock_mono_ns() < targets[i]->walk_due_ns)
			continue;
		walk(finder, targets[i],
		     sample_string(tick->sample, tick->sample->mounts[rows[i]].point, NULL),
		     mount->inodes_used > fmax(mount->used, 0) || isnan(mount->used));
		publish(finder);
	}
	tick_unref(tick);
}

/* What is below it now, were it moved into a tmpfs. */
static void count_workdir(struct finder *finder)
{
	const struct sample *sample = finder->tick->sample;
	const char *path = finder->run->workdir;
	struct stat stat;
	bool on_disk = false;

	for (size_t i = 0; i < sample->n_mounts; i++)
		on_disk |= (sample->mounts[i].flags & (MOUNT_WORKDIR | MOUNT_TMPFS)) == MOUNT_WORKDIR;
	finder->workdir_done = true;
	if (!on_disk || !path)
		return;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat) < 0) {
		if (fd >= 0)
			close(fd);
		return;
	}
	struct largest_walk walk = {.device = stat.st_dev, .stop = is_late, .arg = finder};
	finder->count_until_ns = clock_mono_ns() + COUNT_NS;
	uint64_t bytes = largest_find(&walk, fd, NULL);
	if (!walk.stopped)
		finder->workdir_bytes = bytes;
	publish(finder);
}

static void be_idle(void)
{
	const struct sched_param none = {0};

	sched_setscheduler(0, SCHED_IDLE, &none);
	syscall(SYS_ioprio_set, IOPRIO_SELF, 0, IOPRIO_IDLE);
}

static void serve(void *self, struct inbox *inbox)
{
	struct finder *finder = self;
	struct pollfd ready = {.fd = inbox_fd(inbox), .events = POLLIN};
	int64_t due_ns = 0;

	finder->inbox = inbox;
	be_idle();
	while (!is_over(finder)) {
		if (finder->tick && !finder->workdir_done)
			count_workdir(finder);
		if (finder->tick && clock_mono_ns() >= due_ns) {
			look(finder);
			due_ns = clock_mono_ns() + WRITERS_NS;
		}
		if (!is_over(finder))
			poll(&ready, 1, -1);
	}
}

struct consumer finder_consumer(struct finder *finder)
{
	return (struct consumer){.name = "finder", .self = finder, .serve = serve, .expendable = true};
}
