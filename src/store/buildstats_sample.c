/* SPDX-License-Identifier: MIT
 *
 * Samples of a build that buildstats was kept of: one a second, and one at each end of a task, so that ends
 * are told as they are. A sample asks the curves and logs what they say at its moment; moments only go
 * forward. One thread.
 */
#include "buildstats_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/metric.h"

static void put_system(struct buildstats *stats, struct sample *sample)
{
	static const struct {
		enum curve_name curve;
		enum metric_system metric;
		double factor;
	} counters[] = {
		{USER, METRIC_SYSTEM_CPU_USER_MS, 1e3},	       {SYSTEM, METRIC_SYSTEM_CPU_SYSTEM_MS, 1e3},
		{IDLE, METRIC_SYSTEM_CPU_IDLE_MS, 1e3},	       {IOWAIT, METRIC_SYSTEM_CPU_IOWAIT_MS, 1e3},
		{PSI_CPU, METRIC_SYSTEM_PSI_CPU_SOME_US, 1},   {PSI_IO, METRIC_SYSTEM_PSI_IO_SOME_US, 1},
		{PSI_MEMORY, METRIC_SYSTEM_PSI_MEM_SOME_US, 1}};
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		sample->system[counters[i].metric] =
			curve_count(&stats->curves[counters[i].curve], sample->wall_ns, counters[i].factor);
	if (stats->run->cpus != 0)
		sample->system[METRIC_SYSTEM_CPUS_ONLINE] = stats->run->cpus;
	sample->system[METRIC_SYSTEM_REAPED_USER_US] = (uint64_t)llround(stats->reaped_user_s * 1e6);
	sample->system[METRIC_SYSTEM_REAPED_SYSTEM_US] = (uint64_t)llround(stats->reaped_system_s * 1e6);
}

static void put_memory(struct buildstats *stats, struct sample *sample)
{
	static const enum metric_system metrics[] = {
		METRIC_SYSTEM_MEM_TOTAL_BYTES, METRIC_SYSTEM_MEM_FREE_BYTES,   METRIC_SYSTEM_BUFFERS_BYTES,
		METRIC_SYSTEM_CACHED_BYTES,    METRIC_SYSTEM_SWAP_TOTAL_BYTES, METRIC_SYSTEM_SWAP_FREE_BYTES};
	while (stats->memory_at < stats->memory.n &&
	       stats->memory.rows[stats->memory_at].stamp_s <= sample->wall_ns / NS_PER_S)
		stats->memory_at++;
	for (size_t i = 0; stats->memory_at > 0 && i < 6; i++) {
		double kib = stats->memory.rows[stats->memory_at - 1].values[i];
		sample->system[metrics[i]] = kib < 0x1p43 ? (uint64_t)kib * 1024 : METRIC_NA;
	}
}

static void put_places(struct buildstats *stats, struct sample *sample)
{
	for (; stats->disk_at < stats->disks.n &&
	       stats->disks.rows[stats->disk_at].stamp_s <= sample->wall_ns / NS_PER_S;
	     stats->disk_at++)
		stats->used[stats->disks.rows[stats->disk_at].name] = stats->disks.rows[stats->disk_at].bytes;
	for (size_t i = 0; i < stats->disks.n_names; i++) {
		if (stats->used[i] == METRIC_NA)
			continue;
		uint32_t name =
			sample_add_string(sample, stats->disks.names[i], strlen(stats->disks.names[i]));
		struct mount_row *mount = sample_add_mount(sample);
		mount->device = i + 1;
		mount->point = mount->source = name;
		mount->points = 1;
		mount->values[METRIC_MOUNT_USED_BYTES] = stats->used[i];
	}
	if (stats->curves[DISK_WRITE].n == 0)
		return;
	uint32_t name = sample_add_string(sample, "all disks", 9);
	struct disk_row *disk = sample_add_disk(sample);
	disk->device = 1;
	disk->name = name;
	disk->values[METRIC_DISK_READ_BYTES] = curve_count(&stats->curves[DISK_READ], sample->wall_ns, 1);
	disk->values[METRIC_DISK_WRITE_BYTES] = curve_count(&stats->curves[DISK_WRITE], sample->wall_ns, 1);
}

static uint64_t share_of(double all, double part)
{
	return all * part < 0x1p53 ? (uint64_t)llround(all * part) : METRIC_NA;
}

static uint64_t share_of_count(uint64_t all, double part)
{
	return all == METRIC_NA ? METRIC_NA : share_of((double)all, part);
}

static void put_task(struct buildstats *stats, struct sample *sample, size_t index, bool new)
{
	const struct task *task = &stats->tasks[index];
	const struct bitbake_task *told = &task->told;
	struct buf words = {0};
	bool ended = told->end_ns >= 0 && told->end_ns <= sample->wall_ns;
	double length = (double)(told->end_ns - told->start_ns);
	double part = ended || !(length > 0) ? 1 : (double)(sample->wall_ns - told->start_ns) / length;

	size_t comm_len = strnlen(task->name, 15);
	uint32_t comm = sample_add_string(sample, task->name, comm_len);
	buf_add(&words, task->name, strlen(task->name) + 1);
	buf_add(&words, task->recipe, strlen(task->recipe) + 1);
	uint32_t cmdline = sample_add_string(sample, words.data, words.len);
	buf_fini(&words);

	struct task_row *row = sample_add_task(sample);
	row->pid = (int32_t)index + 1;
	row->start_ticks = (uint64_t)(told->start_ns / HUNDREDTH);
	row->uid = UINT32_MAX;
	row->flags = TASK_ROOT | (new ? TASK_NEW : 0) | (ended ? TASK_ENDED : 0);
	row->comm = comm;
	row->cmdline = cmdline;
	if (ended)
		row->values[METRIC_TASK_RSS_BYTES] = told->max_rss_bytes;
	if (told->end_ns < 0)
		return; /* how much it would have used nobody knows */
	row->values[METRIC_TASK_USER_MS] = share_of(told->user_s * 1e3, part);
	row->values[METRIC_TASK_SYSTEM_MS] = share_of(told->system_s * 1e3, part);
	row->values[METRIC_TASK_READ_BYTES] = share_of_count(told->read_bytes, part);
	row->values[METRIC_TASK_WRITE_BYTES] = share_of_count(told->write_bytes, part);
	row->values[METRIC_TASK_CANCELLED_BYTES] = share_of_count(told->cancelled_bytes, part);
	if (ended) {
		stats->reaped_user_s += isnan(told->user_s) ? 0 : told->user_s;
		stats->reaped_system_s += isnan(told->system_s) ? 0 : told->system_s;
	}
}

static void put_tasks(struct buildstats *stats, struct sample *sample)
{
	size_t kept = 0, old = stats->n_alive;
	for (; stats->next_start < stats->n_tasks &&
	       stats->tasks[stats->next_start].told.start_ns <= sample->wall_ns;
	     stats->next_start++) {
		MEM_GROW(stats->alive, stats->n_alive, stats->cap_alive);
		stats->alive[stats->n_alive++] = stats->next_start;
	}
	for (size_t i = 0; i < stats->n_alive; i++) {
		const struct bitbake_task *told = &stats->tasks[stats->alive[i]].told;
		put_task(stats, sample, stats->alive[i], i >= old);
		if (told->end_ns < 0 || told->end_ns > sample->wall_ns)
			stats->alive[kept++] = stats->alive[i];
	}
	stats->n_alive = kept;
}

/* The next whole second, or the end of a task before it, or the end. */
static int64_t next_moment(struct buildstats *stats)
{
	int64_t next_ns = (stats->now_ns / NS_PER_S + 1) * NS_PER_S;
	while (stats->next_end < stats->n_ends &&
	       stats->tasks[stats->by_end[stats->next_end]].told.end_ns <= stats->now_ns)
		stats->next_end++;
	if (stats->next_end < stats->n_ends &&
	    stats->tasks[stats->by_end[stats->next_end]].told.end_ns < next_ns)
		next_ns = stats->tasks[stats->by_end[stats->next_end]].told.end_ns;
	return next_ns < stats->end_ns ? next_ns : stats->end_ns;
}

int buildstats_next(struct buildstats *stats, struct sample *sample)
{
	bool first = stats->number == 0;
	if (!first && stats->now_ns >= stats->end_ns)
		return 0;
	stats->now_ns = first ? stats->run->start_wall_ns : next_moment(stats);
	sample_reset(sample);
	sample->number = stats->number++;
	sample->mono_ns = sample->wall_ns = stats->now_ns;
	if (first)
		sample->flags |= SAMPLE_FIRST;
	if (stats->now_ns >= stats->end_ns)
		sample->flags |= SAMPLE_LAST;
	put_tasks(stats, sample);
	put_system(stats, sample);
	put_memory(stats, sample);
	put_places(stats, sample);
	return 1;
}
