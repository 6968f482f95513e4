/* SPDX-License-Identifier: MIT
 *
 * Differences over the interval as it was measured, never over the nominal one, and never cut to what seems
 * possible: a late sample is marked, not mended. A task is (pid, start time); a new start time is a new task
 * that has no past. A counter that went backwards gives no rate. Of the pressure files only the totals count:
 * the averages come too late.
 */
#include "rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define THRASH_PRESSURE 0.10
#define AGAIN_PAGES_MIN 64
#define SHORT_PRESSURE	0.02
#define AVAILABLE_PART	4 /* memory is short when less than one part in so many is available */
#define AGAIN_S		3

void rates_init(struct rates *rates, const struct run *run)
{
	*rates = (struct rates){.ticks_per_s = run->ticks_per_s ? run->ticks_per_s : 100,
				.page_bytes = run->page_bytes ? run->page_bytes : 4096};
}

void rates_copy(struct rates *to, const struct rates *from)
{
	*to = *from;
	to->tasks = mem_alloc(from->n_tasks + 1, sizeof *to->tasks);
	to->cap_tasks = from->n_tasks + 1;
	to->disks = mem_alloc(from->n_disks + 1, sizeof *to->disks);
	to->cap_disks = from->n_disks + 1;
	to->index = (struct map){0};
	if (from->n_disks)
		memcpy(to->disks, from->disks, from->n_disks * sizeof *to->disks);
	for (size_t i = 0; i < from->n_tasks; i++)
		to->tasks[i] = from->tasks[i];
	size_t cursor = 0;
	uint64_t key, value;

	while (map_each(&from->index, &cursor, &key, &value))
		map_put(&to->index, key, value);
}

void rates_fini(struct rates *rates)
{
	free(rates->tasks);
	free(rates->disks);
	map_fini(&rates->index);
}

void rates_found_fini(struct rates_found *found)
{
	free(found->queued);
	free(found->ready_s);
	free(found->written);
	free(found->throttled_s);
	free(found->heirs);
	free(found->disk_written);
}

int64_t task_start_ns(const struct task_row *task, uint32_t ticks_per_s, int64_t asleep_ns)
{
	return (int64_t)((double)task->start_ticks / ticks_per_s * (double)NS_PER_S) - asleep_ns;
}

/* Unique for every pid the kernel gives out (22 bits). */
static uint64_t task_key(int32_t pid, uint64_t start_ticks)
{
	return start_ticks << 22 ^ (uint64_t)(uint32_t)pid;
}

static const struct rates_task *task_before(const struct rates *rates, const struct task_row *task)
{
	uint64_t i;

	if (!map_get(&rates->index, task_key(task->pid, task->start_ticks), &i))
		return NULL;
	if (rates->tasks[i].pid != task->pid || rates->tasks[i].start_ticks != task->start_ticks)
		return NULL;
	return &rates->tasks[i];
}

/* Grew by, in the interval. A task that began in it started from 0; one that was only found in it did not. */
static uint64_t task_delta(const struct rates *rates, const struct task_row *task,
			   const struct rates_task *before, enum metric_task metric)
{
	if (before)
		return metric_delta(task->values[metric], before->values[metric]);
	if (!(task->flags & TASK_NEW))
		return METRIC_NA;
	if (task_start_ns(task, rates->ticks_per_s, rates->asleep_ns) < rates->mono_ns - NS_PER_S)
		return METRIC_NA;
	return task->values[metric];
}

/* For each task that ended: who of those that live has its counts now, through all that ended with it;
 * SIZE_MAX. */
static void find_heirs(const struct sample *sample, size_t *heirs)
{
	enum { LEVELS = 64 }; /* a broken file may have a circle */
	struct map rows = {0};

	for (size_t i = 0; i < sample->n_tasks; i++)
		map_put(&rows, (uint32_t)sample->tasks[i].pid, i);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		uint64_t at = i;
		int levels = 0;

		heirs[i] = SIZE_MAX;
		if (!(sample->tasks[i].flags & TASK_ENDED))
			continue;
		while (levels++ < LEVELS && map_get(&rows, (uint32_t)sample->tasks[at].ppid, &at) &&
		       sample->tasks[at].flags & TASK_ENDED)
			;
		if (at != i && !(sample->tasks[at].flags & TASK_ENDED))
			heirs[i] = at;
	}
	map_fini(&rows);
}

/* Bytes that the tasks themselves read or wrote: in the kernel's count a parent has those of the children it
 * waited for as well, of which what was seen of them is taken away again. */
static void own_deltas(const struct rates *rates, const struct sample *sample, enum metric_task metric,
		       const size_t *heirs, uint64_t *own)
{
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];

		own[i] = task_delta(rates, task, task_before(rates, task), metric);
	}
	for (size_t i = 0; i < sample->n_tasks; i++) {
		uint64_t bytes = sample->tasks[i].values[metric];
		uint64_t *heir = heirs[i] == SIZE_MAX ? NULL : &own[heirs[i]];

		if (heir && *heir != METRIC_NA && bytes != METRIC_NA)
			*heir -= *heir < bytes ? *heir : bytes;
	}
}

static double ratio(uint64_t delta, double divisor)
{
	return delta == METRIC_NA || divisor <= 0 ? NAN : (double)delta / divisor;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a == METRIC_NA || b == METRIC_NA ? METRIC_NA : a + b;
}

static void tasks_step(const struct rates *rates, const struct sample *sample, struct tick *tick,
		       struct rates_found *found)
{
	tick->build_write_bytes = 0;
	own_deltas(rates, sample, METRIC_TASK_WRITE_BYTES, found->heirs, found->written);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];
		const struct rates_task *before = task_before(rates, task);
		struct tick_task *told = &tick->tasks[i];
		uint64_t cpu_ms = sum(task_delta(rates, task, before, METRIC_TASK_USER_MS),
				      task_delta(rates, task, before, METRIC_TASK_SYSTEM_MS));
		uint64_t queue_ms = task_delta(rates, task, before, METRIC_TASK_RUNQUEUE_MS);
		uint64_t written = found->written[i];

		told->cpu = ratio(cpu_ms, tick->interval_s * 1e3);
		told->read_bytes_per_s =
			ratio(task_delta(rates, task, before, METRIC_TASK_READ_BYTES), tick->interval_s);
		told->write_bytes_per_s = ratio(written, tick->interval_s);
		found->ready_s[i] = ratio(sum(cpu_ms, queue_ms), 1e3);
		found->throttled_s[i] = ratio(task_delta(rates, task, before, METRIC_TASK_THROTTLED_US), 1e6);
		if (written != METRIC_NA)
			tick->build_write_bytes += written;
		if (cpu_ms != METRIC_NA && queue_ms != METRIC_NA && queue_ms > 0)
			found->queued[i] = (double)queue_ms / ((double)cpu_ms + (double)queue_ms);
	}
}

static void disks_step(const struct rates *rates, const struct sample *sample, struct tick *tick,
		       struct rates_found *found)
{
	for (size_t i = 0; i < sample->n_disks; i++) {
		const struct disk_row *disk = &sample->disks[i];
		const struct disk_row *before = NULL;
		struct tick_disk *told = &tick->disks[i];

		for (size_t j = 0; j < rates->n_disks && !before; j++)
			if (rates->disks[j].device == disk->device)
				before = &rates->disks[j];
		found->disk_written[i] = METRIC_NA;
		told->in_flight = ratio(disk->values[METRIC_DISK_IN_FLIGHT], 1);
		told->read_bytes_per_s = told->write_bytes_per_s = told->busy = NAN;
		if (!before || tick->interval_s <= 0)
			continue;
#define DELTA(metric) metric_delta(disk->values[METRIC_DISK_##metric], before->values[METRIC_DISK_##metric])
		found->disk_written[i] = DELTA(WRITE_BYTES);
		told->read_bytes_per_s = ratio(DELTA(READ_BYTES), tick->interval_s);
		told->write_bytes_per_s = ratio(DELTA(WRITE_BYTES), tick->interval_s);
		told->busy = fmin(ratio(DELTA(BUSY_MS), tick->interval_s * 1e3), 1);
#undef DELTA
	}
}

static uint64_t system_delta(const struct rates *rates, const struct sample *sample,
			     enum metric_system metric)
{
	return metric_delta(sample->system[metric], rates->system[metric]);
}

static double pressure(const struct rates *rates, const struct sample *sample, enum metric_system metric,
		       double interval_s)
{
	double part = ratio(system_delta(rates, sample, metric), interval_s * 1e6);

	return part > 1 ? 1 : part; /* the kernel's grain */
}

static void system_step(const struct rates *rates, const struct sample *sample, struct tick *tick,
			struct rates_found *found)
{
#define DELTA(id)    system_delta(rates, sample, METRIC_SYSTEM_##id)
#define PRESSURE(id) pressure(rates, sample, METRIC_SYSTEM_##id##_US, tick->interval_s)
	double ms = tick->interval_s * 1e3;

	tick->cpus_user = ratio(DELTA(CPU_USER_MS), ms);
	tick->cpus_system = ratio(DELTA(CPU_SYSTEM_MS), ms);
	tick->cpus_iowait = ratio(DELTA(CPU_IOWAIT_MS), ms);
	tick->cpus_steal = ratio(DELTA(CPU_STEAL_MS), ms);
	tick->cpus_busy = tick->cpus_user + tick->cpus_system;
	tick->psi_cpu = PRESSURE(PSI_CPU_SOME);
	tick->psi_io = PRESSURE(PSI_IO_SOME);
	tick->psi_io_full = PRESSURE(PSI_IO_FULL);
	tick->psi_memory = PRESSURE(PSI_MEM_SOME);
	tick->psi_memory_full = PRESSURE(PSI_MEM_FULL);
	tick->dirtied_bytes_per_s = ratio(DELTA(DIRTIED_BYTES), tick->interval_s);
	tick->written_bytes_per_s = ratio(DELTA(WRITTEN_BYTES), tick->interval_s);
	found->written_back_bytes = DELTA(WRITTEN_BYTES);
	tick->psi_build_io = PRESSURE(CGROUP_PSI_IO_SOME);
#undef PRESSURE
#undef DELTA
}

static double bytes_of(uint64_t count, uint64_t unit)
{
	return count == METRIC_NA ? 0 : (double)count * (double)unit;
}

/* What the tasks of the build read from disks, swap included; METRIC_NA: none of them tells. */
static uint64_t build_read(const struct rates *rates, const struct sample *sample, const size_t *heirs)
{
	uint64_t all = METRIC_NA, *read = mem_alloc(sample->n_tasks + 1, sizeof *read);

	own_deltas(rates, sample, METRIC_TASK_READ_BYTES, heirs, read);
	for (size_t i = 0; i < sample->n_tasks; i++)
		if (read[i] != METRIC_NA)
			all = (all == METRIC_NA ? 0 : all) + read[i];
	free(read);
	return all;
}

/* Memory is short, or may be. Where it is not, pages that are read again had been dropped long ago, or it was
 * somebody else who read them. */
static bool is_short_of_memory(const struct sample *sample, const struct tick *tick)
{
	uint64_t all = sample->system[METRIC_SYSTEM_MEM_TOTAL_BYTES];
	uint64_t available = sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES];

	return all == METRIC_NA || available == METRIC_NA || available < all / AVAILABLE_PART ||
	       sample->system[METRIC_SYSTEM_CGROUP_ROOM_BYTES] != METRIC_NA ||
	       tick->psi_memory >= SHORT_PRESSURE;
}

/* Bytes of pages that had been in memory before: of the build's own group where it tells of them, else the
 * machine's.
 */
static double read_again(const struct rates *rates, const struct sample *sample, const struct tick *tick,
			 enum metric_system own, enum metric_system all)
{
	uint64_t pages = system_delta(rates, sample, own);

	if (!is_short_of_memory(sample, tick))
		return 0;
	return bytes_of(pages == METRIC_NA ? system_delta(rates, sample, all) : pages, rates->page_bytes);
}

/* Reading is memory when at least half of what the build reads had been in memory before. Single pages, and
 * seconds in which little is read, must not decide: sums that fade with the last seconds do. */
static void again_step(struct rates *rates, const struct sample *sample, const struct tick *tick,
		       struct rates_found *found)
{
#define AGAIN(own, all) read_again(rates, sample, tick, METRIC_SYSTEM_##own, METRIC_SYSTEM_##all)
	struct rates_again *again = &rates->again;
	double fade = exp(-tick->interval_s / AGAIN_S);
	double anon = AGAIN(CGROUP_REFAULT_ANON_PAGES, REFAULT_ANON_PAGES);
	double swapped = AGAIN(CGROUP_REFAULT_ANON_PAGES, SWAP_IN_PAGES);
	double least = AGAIN_PAGES_MIN * (double)rates->page_bytes;
	uint64_t read = build_read(rates, sample, found->heirs);

	if (read == METRIC_NA)
		read = system_delta(rates, sample, METRIC_SYSTEM_PAGED_IN_BYTES);
	again->read = again->read * fade + bytes_of(read, 1);
	again->refaulted = again->refaulted * fade + AGAIN(CGROUP_REFAULT_FILE_PAGES, REFAULT_FILE_PAGES);
	/* a page swapped in is in both counters */
	again->swapped_in = again->swapped_in * fade + fmax(swapped, anon);
	found->swapping = again->swapped_in >= least && again->swapped_in >= again->read / 2;
	found->refaulting =
		again->refaulted >= least && again->refaulted + again->swapped_in >= again->read / 2;
	/* kernels before 5.9 count no refaults by kind: pressure stands in */
	if (system_delta(rates, sample, METRIC_SYSTEM_SWAP_IN_PAGES) == METRIC_NA &&
	    system_delta(rates, sample, METRIC_SYSTEM_REFAULT_ANON_PAGES) == METRIC_NA &&
	    system_delta(rates, sample, METRIC_SYSTEM_REFAULT_FILE_PAGES) == METRIC_NA)
		found->swapping = found->refaulting = tick->psi_memory >= THRASH_PRESSURE;
#undef AGAIN
}

static void remember(struct rates *rates, const struct sample *sample)
{
	rates->started = true;
	rates->mono_ns = sample->mono_ns;
	rates->asleep_ns = sample->asleep_ns;
	memcpy(rates->system, sample->system, sizeof rates->system);
	map_clear(&rates->index);
	rates->n_tasks = 0;
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];
		struct rates_task *kept;

		if (task->flags & TASK_ENDED)
			continue;
		MEM_GROW(rates->tasks, rates->n_tasks, rates->cap_tasks);
		kept = &rates->tasks[rates->n_tasks];
		kept->pid = task->pid;
		kept->start_ticks = task->start_ticks;
		memcpy(kept->values, task->values, sizeof kept->values);
		map_put(&rates->index, task_key(task->pid, task->start_ticks), rates->n_tasks++);
	}
	if (sample->n_disks > rates->cap_disks) {
		rates->cap_disks = sample->n_disks;
		rates->disks = mem_resize(rates->disks, rates->cap_disks, sizeof *rates->disks);
	}
	rates->n_disks = sample->n_disks;
	if (sample->n_disks)
		memcpy(rates->disks, sample->disks, sample->n_disks * sizeof *rates->disks);
}

static uint64_t page_cache(const struct sample *sample)
{
	uint64_t all =
		sum(sample->system[METRIC_SYSTEM_CACHED_BYTES], sample->system[METRIC_SYSTEM_BUFFERS_BYTES]);
	uint64_t shmem = sample->system[METRIC_SYSTEM_SHMEM_BYTES];

	if (all == METRIC_NA || shmem == METRIC_NA)
		return METRIC_NA;
	return all > shmem ? all - shmem : 0;
}

void rates_step(struct rates *rates, const struct sample *sample, struct tick *tick,
		struct rates_found *found)
{
	bool usable = rates->started && !(sample->flags & SAMPLE_FIRST) && sample->mono_ns > rates->mono_ns;

	*found = (struct rates_found){
		.queued = mem_alloc(sample->n_tasks + 1, sizeof *found->queued),
		.ready_s = mem_alloc(sample->n_tasks + 1, sizeof *found->ready_s),
		.throttled_s = mem_alloc(sample->n_tasks + 1, sizeof *found->throttled_s),
		.written = mem_alloc(sample->n_tasks + 1, sizeof *found->written),
		.heirs = mem_alloc(sample->n_tasks + 1, sizeof *found->heirs),
		.disk_written = mem_alloc(sample->n_disks + 1, sizeof *found->disk_written),
		.dirty_before_bytes = METRIC_NA,
		.written_back_bytes = METRIC_NA};
	tick->interval_s = usable ? (double)(sample->mono_ns - rates->mono_ns) / (double)NS_PER_S : 0;
	tick->page_cache_bytes = page_cache(sample);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		found->written[i] = METRIC_NA;
		found->ready_s[i] = found->throttled_s[i] = NAN;
	}
	find_heirs(sample, found->heirs);
	if (usable) {
		found->dirty_before_bytes = rates->system[METRIC_SYSTEM_DIRTY_BYTES];
		system_step(rates, sample, tick, found);
		tasks_step(rates, sample, tick, found);
		again_step(rates, sample, tick, found);
	}
	disks_step(rates, sample, tick, found);
	remember(rates, sample);
}
