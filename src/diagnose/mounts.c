/* SPDX-License-Identifier: MIT
 *
 * Growth is the median of slopes, so that a temporary file that comes and goes does not bend it: over the
 * last half minute, or the last ten seconds when those grow faster (a build that starts to fill must be seen
 * in time). The device is the identity: a mount that is missing from a sample keeps its past for a while.
 * The room of a tmpfs ends with its size or with memory, whichever is nearer.
 */
#include "mounts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define WINDOW_NS	(30 * NS_PER_S)
#define SHORT_WINDOW_NS (10 * NS_PER_S)
#define HISTORY_MIN_NS	(5 * NS_PER_S)
#define RISING_NS	(2 * NS_PER_S) /* before the median follows a step */
#define SPACING_NS	(480 * NS_PER_MS)
#define KEEP_NS		(60 * NS_PER_S)
#define POINTS_MIN	3 /* kept however old, where ticks are far apart */

#define WIDER 0.06 /* the range is so much wider than the slopes seen: the time to come is not the window */

/* Bytes (inodes) a second: the best estimate, and what it may be. */
struct growth {
	double middle, low, high; /* NAN: unknown */
};

void mounts_copy(struct mounts *to, const struct mounts *from)
{
	*to = *from;
	to->cap_pasts = from->n_pasts + 1;
	to->pasts = mem_alloc(to->cap_pasts, sizeof *to->pasts);
	if (from->n_pasts)
		memcpy(to->pasts, from->pasts, from->n_pasts * sizeof *to->pasts);
}

void mounts_fini(struct mounts *mounts)
{
	free(mounts->pasts);
}

static struct mount_past *past_of(struct mounts *mounts, uint64_t device)
{
	for (size_t i = 0; i < mounts->n_pasts; i++)
		if (mounts->pasts[i].device == device)
			return &mounts->pasts[i];
	MEM_GROW(mounts->pasts, mounts->n_pasts, mounts->cap_pasts);
	mounts->pasts[mounts->n_pasts] = (struct mount_past){.device = device,
							     .first_bytes = NAN,
							     .first_room = NAN,
							     .lowest_bytes = NAN,
							     .lowest_inodes = NAN};
	return &mounts->pasts[mounts->n_pasts++];
}

static double known(uint64_t value)
{
	return value == METRIC_NA ? NAN : (double)value;
}

/* What memory leaves to all tmpfs together: swap counts, since they can be swapped out. */
static double memory_room(const struct sample *sample, enum tick_room *by)
{
	const uint64_t *system = sample->system;
	double swap = known(system[METRIC_SYSTEM_SWAP_FREE_BYTES]);
	double machine = known(system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES]) + (isnan(swap) ? 0 : swap);
	double cgroup = known(system[METRIC_SYSTEM_CGROUP_ROOM_BYTES]);

	*by = cgroup < machine || isnan(machine) ? TICK_ROOM_CGROUP : TICK_ROOM_MEMORY;
	return fmin(cgroup, machine); /* NAN yields to a number */
}

/* A tmpfs without a limit does not tell what it holds. Where the build works it is taken for what memory lost
 * since it was first seen; elsewhere nobody could say whose that is. */
static bool is_endless(const struct mount_row *row)
{
	const uint32_t both = MOUNT_TMPFS | MOUNT_WORKDIR;

	return (row->flags & both) == both && row->values[METRIC_MOUNT_SIZE_BYTES] == METRIC_NA;
}

static double use_of(struct mount_past *past, const struct mount_row *row, const struct sample *sample)
{
	enum tick_room by;
	double room;

	if (!is_endless(row) || row->values[METRIC_MOUNT_USED_BYTES] != METRIC_NA)
		return known(row->values[METRIC_MOUNT_USED_BYTES]);
	room = memory_room(sample, &by);
	if (isnan(past->first_room))
		past->first_room = room;
	return fmax(past->first_room - room, 0);
}

static void point_add(struct mount_past *past, const struct mount_row *mount, const struct sample *sample)
{
	int64_t mono_ns = sample->mono_ns;
	double used = use_of(past, mount, sample);
	size_t old = 0;

	if (isnan(past->first_bytes))
		past->first_bytes = used;
	past->lowest_bytes = fmin(past->lowest_bytes, used);
	past->lowest_inodes = fmin(past->lowest_inodes, known(mount->values[METRIC_MOUNT_INODES_USED]));
	if (past->n_points && mono_ns - past->points[past->n_points - 1].mono_ns < SPACING_NS)
		return;
	while (past->n_points - old >= POINTS_MIN && mono_ns - past->points[old].mono_ns > WINDOW_NS)
		old++;
	if (past->n_points - old == MOUNT_POINTS_MAX)
		old++;
	past->n_points -= old;
	memmove(past->points, past->points + old, past->n_points * sizeof *past->points);
	past->points[past->n_points++] =
		(struct mount_point){mono_ns, used, known(mount->values[METRIC_MOUNT_INODES_USED])};
}

static double point_value(const struct mount_point *point, bool inodes)
{
	return inodes ? point->inodes_used : point->used_bytes;
}

static double rate(double rise, int64_t ns)
{
	return rise / ((double)ns / (double)NS_PER_S);
}

/* In place; there are few. */
static void sort(double *values, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double value = values[i];
		size_t at = i;

		for (; at > 0 && values[at - 1] > value; at--)
			values[at] = values[at - 1];
		values[at] = value;
	}
}

/* Of the slopes between points half a window apart; NAN: too few. */
static struct growth slope(const struct mount_point *points, size_t n, bool inodes)
{
	double slopes[MOUNT_POINTS_MAX];
	size_t lag = n / 2, count = 0;
	bool even = true; /* as of most file systems, at most times: there is nothing to sort */

	for (size_t i = 0; n >= 2 && i + lag < n; i++) {
		const struct mount_point *a = &points[i], *b = &points[i + lag];
		double rise = point_value(b, inodes) - point_value(a, inodes);

		if (!isnan(rise))
			slopes[count++] = rise == 0 ? 0 : rate(rise, b->mono_ns - a->mono_ns);
		even &= count == 0 || slopes[count - 1] == slopes[0];
	}
	if (count == 0)
		return (struct growth){NAN, NAN, NAN};
	if (!even)
		sort(slopes, count);
	return (struct growth){
		.middle = count % 2 ? slopes[count / 2] : (slopes[count / 2 - 1] + slopes[count / 2]) / 2,
		.low = slopes[0] * (1 - WIDER),
		.high = slopes[count - 1] * (1 + WIDER),
	};
}

static struct growth growth(const struct mount_past *past, bool inodes)
{
	size_t recent = past->n_points;
	int64_t now = past->points[past->n_points - 1].mono_ns;
	struct growth whole, end;

	if (now - past->points[0].mono_ns < HISTORY_MIN_NS)
		return (struct growth){NAN, NAN, NAN};
	while (recent > 0 && (past->n_points - recent < POINTS_MIN ||
			      now - past->points[recent - 1].mono_ns <= SHORT_WINDOW_NS))
		recent--;
	whole = slope(past->points, past->n_points, inodes);
	end = slope(past->points + recent, past->n_points - recent, inodes);
	return (struct growth){fmax(whole.middle, end.middle), fmin(whole.low, end.low),
			       fmax(whole.high, end.high)};
}

static double seconds_at(double left, double per_s)
{
	if (isnan(per_s))
		return NAN;
	return per_s > 0 && !isnan(left) ? fmax(left, 0) / per_s : INFINITY;
}

static struct supply supply_of(const struct mount_past *past, bool inodes, double used, double size,
			       double left)
{
	struct growth growing = growth(past, inodes);
	struct supply supply = {
		.used = used,
		.size = size > 0 ? size : NAN,
		.left = left,
		.growth_per_s = growing.middle,
		.growth_low = growing.low,
		.growth_high = growing.high,
		.at_peak = true,
	};
	int64_t now_ns = past->points[past->n_points - 1].mono_ns;
	const struct mount_point *before = NULL; /* the newest that is old enough */
	double lowest = used, recent = 0;

	for (size_t i = 0; i < past->n_points; i++) {
		lowest = fmin(lowest, point_value(&past->points[i], inodes));
		if (point_value(&past->points[i], inodes) > used)
			supply.at_peak = false;
		if (past->points[i].mono_ns <= now_ns - RISING_NS)
			before = &past->points[i];
	}
	if (before)
		recent = rate(used - point_value(before, inodes), now_ns - before->mono_ns);
	supply.rising = recent >= supply.growth_per_s / 4;
	supply.fill = used / supply.size;
	supply.grown = (used - lowest) / supply.size;
	supply.grown_ever = (used - (inodes ? past->lowest_inodes : past->lowest_bytes)) / supply.size;
	supply.seconds_to_full = seconds_at(supply.left, growing.middle);
	supply.seconds_min = seconds_at(supply.left, growing.high);
	supply.seconds_max = seconds_at(supply.left, growing.low);
	return supply;
}

/* Bytes of a tmpfs end where the mount, the control group or the memory ends. The latter two only count for
 * one that grew under our eyes: what was there before is not the build's. */
static struct supply bytes_of(struct mount_past *past, const struct mount_row *row,
			      const struct sample *sample, struct tick_mount *told)
{
	double used = use_of(past, row, sample);
	double size = known(row->values[METRIC_MOUNT_SIZE_BYTES]);
	double left = known(row->values[METRIC_MOUNT_AVAILABLE_BYTES]);
	enum tick_room by;
	double memory = memory_room(sample, &by);

	if (isnan(left))
		left = size - used;
	if (row->flags & MOUNT_TMPFS && !isnan(memory) && !(memory >= left)) {
		told->room_by = by;
		left = isnan(size) || used > past->first_bytes ? memory : left;
		if (is_endless(row) || (!isnan(size) && used > past->first_bytes))
			size = used + memory;
	}
	told->room_bytes = isnan(left) ? METRIC_NA : (uint64_t)left;
	return supply_of(past, false, used, size, left);
}

static void mount_step(struct mount_past *past, const struct sample *sample, size_t i, struct alerts *alerts,
		       struct tick *tick)
{
	const struct mount_row *row = &sample->mounts[i];
	struct tick_mount *told = &tick->mounts[i];
	struct supply bytes = bytes_of(past, row, sample, told);
	struct supply inodes = supply_of(past, true, known(row->values[METRIC_MOUNT_INODES_USED]),
					 known(row->values[METRIC_MOUNT_INODES]),
					 known(row->values[METRIC_MOUNT_INODES]) -
						 known(row->values[METRIC_MOUNT_INODES_USED]));

	told->used = bytes.used / known(row->values[METRIC_MOUNT_SIZE_BYTES]);
	told->inodes_used = inodes.fill;
	told->growth_bytes_per_s = bytes.growth_per_s;
	told->by_inodes = inodes.seconds_to_full < bytes.seconds_to_full;
	told->seconds_to_full = fmin(bytes.seconds_to_full, inodes.seconds_to_full);
	told->seconds_to_full_min = told->by_inodes ? inodes.seconds_min : bytes.seconds_min;
	told->seconds_to_full_max = told->by_inodes ? inodes.seconds_max : bytes.seconds_max;
	alerts_mount(alerts, sample, i, &bytes, &inodes, tick);
}

static void forget(struct mounts *mounts, const struct sample *sample)
{
	for (size_t i = mounts->n_pasts; i-- > 0;) {
		const struct mount_past *past = &mounts->pasts[i];
		bool gone = sample->mono_ns - past->points[past->n_points - 1].mono_ns > KEEP_NS;

		for (size_t m = 0; m < sample->n_mounts; m++)
			if (sample->mounts[m].device == past->device)
				gone = (sample->mounts[m].flags & MOUNT_GONE) != 0;
		if (gone)
			mounts->pasts[i] = mounts->pasts[--mounts->n_pasts];
	}
}

/* All tmpfs hold more than there is of them in memory: the rest is in swap. Memory that is shared without a
 * file counts as Shmem too, and not every tmpfs has a row, so it is the least. */
static uint64_t shmem_swapped(const struct sample *sample)
{
	uint64_t shmem = sample->system[METRIC_SYSTEM_SHMEM_BYTES], used = 0;
	uint64_t swapped = metric_delta(sample->system[METRIC_SYSTEM_SWAP_TOTAL_BYTES],
					sample->system[METRIC_SYSTEM_SWAP_FREE_BYTES]);

	if (shmem == METRIC_NA || swapped == METRIC_NA)
		return METRIC_NA;
	for (size_t i = 0; i < sample->n_mounts; i++)
		if (sample->mounts[i].flags & MOUNT_TMPFS && !(sample->mounts[i].flags & MOUNT_GONE) &&
		    sample->mounts[i].values[METRIC_MOUNT_USED_BYTES] != METRIC_NA)
			used += sample->mounts[i].values[METRIC_MOUNT_USED_BYTES];
	used = used > shmem ? used - shmem : 0;
	return used < swapped ? used : swapped;
}

void mounts_step(struct mounts *mounts, const struct sample *sample, struct alerts *alerts, struct tick *tick)
{
	for (size_t i = 0; i < sample->n_mounts; i++) {
		struct mount_past *past = past_of(mounts, sample->mounts[i].device);

		point_add(past, &sample->mounts[i], sample);
		mount_step(past, sample, i, alerts, tick);
	}
	forget(mounts, sample);
	tick->shmem_swapped_bytes = shmem_swapped(sample);
}
