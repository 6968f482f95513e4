/* SPDX-License-Identifier: MIT
 *
 * Growth is the median of slopes, so that a temporary file that comes and goes does not bend it: over the
 * last half minute, or the last ten seconds when those grow faster (a build that starts to fill must be seen
 * in time). The device is the identity: a mount that is missing from a sample keeps its past for a while.
 * Only a tmpfs with a limit raises alarms.
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

#define NEARLY_FULL	  0.90
#define NEARLY_FULL_CLEAR 0.87
#define FILLING_S	  60
#define FILLING_CLEAR_S	  90
#define FILLING_GROWN	  0.01 /* of its size, within the half minute */

/* One of the two things that can run out. */
struct supply {
	double used, size; /* size NAN: no limit */
	double growth_per_s;
	double seconds_to_full;
	double grown; /* within the window, as a part of its size */
	bool rising;  /* within the last seconds: a step that is over is no growth */
	bool at_peak; /* as full as it ever was within the window */
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
	mounts->pasts[mounts->n_pasts] = (struct mount_past){.device = device};
	return &mounts->pasts[mounts->n_pasts++];
}

static double known(uint64_t value)
{
	return value == METRIC_NA ? NAN : (double)value;
}

static void point_add(struct mount_past *past, const struct mount_row *mount, int64_t mono_ns)
{
	size_t old = 0;

	if (past->n_points && mono_ns - past->points[past->n_points - 1].mono_ns < SPACING_NS)
		return;
	while (past->n_points - old >= POINTS_MIN && mono_ns - past->points[old].mono_ns > WINDOW_NS)
		old++;
	if (past->n_points - old == MOUNT_POINTS_MAX)
		old++;
	past->n_points -= old;
	memmove(past->points, past->points + old, past->n_points * sizeof *past->points);
	past->points[past->n_points++] =
		(struct mount_point){mono_ns, known(mount->values[METRIC_MOUNT_USED_BYTES]),
				     known(mount->values[METRIC_MOUNT_INODES_USED])};
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

/* Median of the slopes between points half a window apart; NAN: too few. */
static double slope(const struct mount_point *points, size_t n, bool inodes)
{
	double slopes[MOUNT_POINTS_MAX];
	size_t lag = n / 2, count = 0;
	bool even = true; /* as of most file systems, at most times: there is nothing to sort */

	if (n < 2)
		return NAN;
	for (size_t i = 0; i + lag < n; i++) {
		const struct mount_point *a = &points[i], *b = &points[i + lag];
		double rise = point_value(b, inodes) - point_value(a, inodes);

		if (!isnan(rise))
			slopes[count++] = rate(rise, b->mono_ns - a->mono_ns);
		even &= count == 0 || slopes[count - 1] == slopes[0];
	}
	if (count == 0)
		return NAN;
	if (even)
		return slopes[0];
	sort(slopes, count);
	return count % 2 ? slopes[count / 2] : (slopes[count / 2 - 1] + slopes[count / 2]) / 2;
}

static double growth(const struct mount_past *past, bool inodes)
{
	size_t recent = past->n_points;
	int64_t now = past->points[past->n_points - 1].mono_ns;

	if (now - past->points[0].mono_ns < HISTORY_MIN_NS)
		return NAN;
	while (recent > 0 && (past->n_points - recent < POINTS_MIN ||
			      now - past->points[recent - 1].mono_ns <= SHORT_WINDOW_NS))
		recent--;
	return fmax(slope(past->points, past->n_points, inodes),
		    slope(past->points + recent, past->n_points - recent, inodes));
}

static struct supply supply_of(const struct mount_past *past, bool inodes, double used, double size,
			       double available)
{
	struct supply supply = {used, size > 0 ? size : NAN, growth(past, inodes), INFINITY, 0, false, true};
	int64_t now_ns = past->points[past->n_points - 1].mono_ns;
	double lowest = used, recent = 0;

	for (size_t i = 0; i < past->n_points; i++) {
		lowest = fmin(lowest, point_value(&past->points[i], inodes));
		if (point_value(&past->points[i], inodes) > used)
			supply.at_peak = false;
		if (past->points[i].mono_ns <= now_ns - RISING_NS)
			recent = rate(used - point_value(&past->points[i], inodes),
				      now_ns - past->points[i].mono_ns);
	}
	supply.rising = recent >= supply.growth_per_s / 4;
	supply.grown = (used - lowest) / supply.size;
	if (isnan(available))
		available = supply.size - used;
	if (isnan(supply.growth_per_s))
		supply.seconds_to_full = NAN;
	else if (supply.growth_per_s > 0 && !isnan(available))
		supply.seconds_to_full = fmax(available, 0) / supply.growth_per_s;
	return supply;
}

static bool is_filling(const struct supply *supply, bool already)
{
	if (isnan(supply->size))
		return false;
	if (already)
		return supply->seconds_to_full <= FILLING_CLEAR_S;
	return supply->seconds_to_full <= FILLING_S && supply->grown > FILLING_GROWN && supply->at_peak &&
	       supply->rising;
}

static enum tick_alarm judge(const struct mount_past *past, const struct tick_mount *told,
			     const struct supply *bytes, const struct supply *inodes)
{
	double fullest = fmax(told->used, told->inodes_used); /* NAN yields to a number */
	bool was_full = past->alarm == TICK_ALARM_NEARLY_FULL;
	bool was_filling = past->alarm != TICK_ALARM_NONE;

	if (fullest >= (was_full ? NEARLY_FULL_CLEAR : NEARLY_FULL))
		return TICK_ALARM_NEARLY_FULL;
	if (is_filling(bytes, was_filling) || is_filling(inodes, was_filling))
		return TICK_ALARM_FILLING;
	return TICK_ALARM_NONE;
}

static void mount_step(struct mount_past *past, const struct mount_row *mount, struct tick_mount *told)
{
	double size = known(mount->values[METRIC_MOUNT_SIZE_BYTES]),
	       all = known(mount->values[METRIC_MOUNT_INODES]);
	struct supply bytes = supply_of(past, false, known(mount->values[METRIC_MOUNT_USED_BYTES]), size,
					known(mount->values[METRIC_MOUNT_AVAILABLE_BYTES]));
	struct supply inodes =
		supply_of(past, true, known(mount->values[METRIC_MOUNT_INODES_USED]), all, NAN);
	enum tick_alarm alarm;

	told->used = bytes.used / bytes.size;
	told->inodes_used = inodes.used / inodes.size;
	told->growth_bytes_per_s = bytes.growth_per_s;
	told->by_inodes = inodes.seconds_to_full < bytes.seconds_to_full;
	told->seconds_to_full = fmin(bytes.seconds_to_full, inodes.seconds_to_full);
	told->alarm = TICK_ALARM_NONE;
	if (!(mount->flags & MOUNT_TMPFS) || mount->flags & MOUNT_GONE)
		return;
	alarm = judge(past, told, &bytes, &inodes);
	if (alarm == TICK_ALARM_NEARLY_FULL)
		told->by_inodes = isnan(told->used) || told->inodes_used > told->used;
	told->alarm = alarm;
	told->alarm_new = alarm > past->alarm && !(past->told & 1u << alarm);
	past->told = alarm == TICK_ALARM_NONE ? 0 : past->told | 1u << alarm;
	past->alarm = alarm;
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

void mounts_step(struct mounts *mounts, const struct sample *sample, struct tick *tick)
{
	for (size_t i = 0; i < sample->n_mounts; i++) {
		struct mount_past *past = past_of(mounts, sample->mounts[i].device);

		point_add(past, &sample->mounts[i], sample->mono_ns);
		mount_step(past, &sample->mounts[i], &tick->mounts[i]);
	}
	forget(mounts, sample);
}
