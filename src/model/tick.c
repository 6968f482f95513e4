/* SPDX-License-Identifier: MIT
 *
 * Birth and end of a tick. The count of references is the only thing in it that changes after it was
 * published: the last one to let go frees it, in whatever thread that is.
 */
#include "model/tick.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static void tick_unset_rows(struct tick *tick)
{
	const struct sample *sample = tick->sample;

	tick->tasks = mem_alloc(sample->n_tasks, sizeof *tick->tasks);
	for (size_t i = 0; i < sample->n_tasks; i++) {
		struct tick_task *task = &tick->tasks[i];

		task->cpu = task->read_bytes_per_s = task->write_bytes_per_s = NAN;
		task->cause = CAUSE_NONE;
		task->doing = TICK_UNKNOWN;
		task->syscall = SITE_CALL_UNREAD;
	}
	tick->mounts = mem_alloc(sample->n_mounts, sizeof *tick->mounts);
	for (size_t i = 0; i < sample->n_mounts; i++) {
		struct tick_mount *mount = &tick->mounts[i];

		mount->used = mount->inodes_used = mount->growth_bytes_per_s = mount->seconds_to_full = NAN;
		mount->seconds_to_full_min = mount->seconds_to_full_max = NAN;
		mount->room_bytes = METRIC_NA;
	}
	tick->disks = mem_alloc(sample->n_disks, sizeof *tick->disks);
	for (size_t i = 0; i < sample->n_disks; i++) {
		struct tick_disk *disk = &tick->disks[i];

		disk->read_bytes_per_s = disk->write_bytes_per_s = disk->busy = disk->in_flight = NAN;
	}
}

struct tick *tick_new(struct sample *sample)
{
	struct tick *tick = mem_alloc(1, sizeof *tick);
	struct brief *brief = &tick->brief;

	atomic_init(&tick->references, 1);
	tick->sample = sample;
	tick->cpus_busy = tick->cpus_user = tick->cpus_system = tick->cpus_iowait = tick->cpus_steal = NAN;
	tick->psi_cpu = tick->psi_io = tick->psi_io_full = tick->psi_memory = tick->psi_memory_full = NAN;
	tick->dirtied_bytes_per_s = tick->written_bytes_per_s = NAN;
	tick->page_cache_bytes = tick->shmem_swapped_bytes = METRIC_NA;
	tick->build_cpus = NAN;
	tick->build_write_bytes = METRIC_NA;
	tick->share = tick->path_s = tick->psi_build_io = NAN;
	tick->stall.cause = CAUSE_NONE;
	tick_unset_rows(tick);

	brief->mono_ns = sample->mono_ns;
	brief->flags = (uint16_t)sample->flags;
	brief->cpus_busy = brief->build_cpus = brief->share = brief->tmpfs_used = NAN;
	brief->psi_cpu = brief->psi_io = brief->psi_memory = NAN;
	brief->dirty_bytes = brief->writeback_bytes = brief->page_cache_bytes = METRIC_NA;
	brief->threshold_bytes = brief->background_bytes = METRIC_NA;
	brief->cause = brief->busiest = CAUSE_NONE;
	return tick;
}

struct tick_alert *tick_add_alert(struct tick *tick, const char *spec)
{
	struct tick_alert *alert;

	MEM_GROW(tick->alerts, tick->n_alerts, tick->cap_alerts);
	alert = &tick->alerts[tick->n_alerts++];
	*alert = (struct tick_alert){.spec = mem_dup(spec),
				     .used = METRIC_NA,
				     .size = METRIC_NA,
				     .seconds_to_full = NAN,
				     .growth_bytes_per_s = NAN};
	return alert;
}

struct tick *tick_ref(struct tick *tick)
{
	atomic_fetch_add_explicit(&tick->references, 1, memory_order_relaxed);
	return tick;
}

void tick_unref(struct tick *tick)
{
	if (!tick || atomic_fetch_sub_explicit(&tick->references, 1, memory_order_acq_rel) != 1)
		return;
	sample_free(tick->sample);
	free(tick->closed);
	free(tick->tasks);
	free(tick->mounts);
	free(tick->disks);
	for (size_t i = 0; i < tick->n_alerts; i++)
		free(tick->alerts[i].spec);
	free(tick->alerts);
	free(tick);
}
