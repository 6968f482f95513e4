/* SPDX-License-Identifier: MIT
 *
 * The device of a stall is the one that those who waited had files open on for writing; else the one the
 * build's directory is on. A tmpfs is no device that could be waited for, so then none is named. Where no
 * disk has the mount's number (btrfs, overlay), one of its source's name will do; else what the whole machine
 * wrote back stands in.
 */
#include "facts.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

static void name_copy(char *to, size_t cap, const char *from)
{
	size_t len = strlen(from);

	memset(to, 0, cap);
	memcpy(to, from, len < cap ? len : cap - 1);
}

/* "/dev/mapper/vg-root" is vg-root; "server:/export" stays as it is. */
static const char *device_name(const char *source)
{
	const char *slash = strrchr(source, '/');

	return strncmp(source, "/dev/", 5) == 0 && slash[1] ? slash + 1 : source;
}

static void place_take(struct episode_place *place, const struct sample *sample,
		       const struct mount_row *mount)
{
	place->device = mount->device;
	name_copy(place->filesystem, sizeof place->filesystem, sample_string(sample, mount->type, NULL));
	name_copy(place->device_name, sizeof place->device_name,
		  device_name(sample_string(sample, mount->source, NULL)));
}

static double flushing_s(const struct tick_task *task)
{
	return task->cause_s[CAUSE_DIRTY_THROTTLE] + task->cause_s[CAUSE_FLUSH_WAIT];
}

/* The device that most of the flushing was waited for on, as far as it is known of at least half of it; 0:
 * not so. */
static uint64_t device_waited_on(const struct sample *sample, const struct tick *tick)
{
	uint64_t device = 0;
	double all_s = 0, most_s = 0;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		uint64_t its = sample->tasks[i].values[METRIC_TASK_WAIT_DEVICE];
		double its_s = 0;

		all_s += flushing_s(&tick->tasks[i]);
		if (its == METRIC_NA || its == device || flushing_s(&tick->tasks[i]) <= 0)
			continue;
		for (size_t j = 0; j < sample->n_tasks; j++)
			if (sample->tasks[j].values[METRIC_TASK_WAIT_DEVICE] == its)
				its_s += flushing_s(&tick->tasks[j]);
		if (its_s > most_s) {
			most_s = its_s;
			device = its;
		}
	}
	return most_s >= all_s / 2 ? device : 0;
}

static void gather_places(struct episode_facts *facts, const struct sample *sample, const struct tick *tick)
{
	uint64_t waited_on = device_waited_on(sample, tick);
	bool found = false;

	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *mount = &sample->mounts[i];

		if (mount->flags & MOUNT_TMPFS)
			continue;
		if (mount->flags & MOUNT_WORKDIR && !found) {
			place_take(&facts->build, sample, mount);
			found = true;
		}
		if (waited_on && mount->device == waited_on)
			place_take(&facts->written, sample, mount);
	}
}

static uint64_t flushed_bytes(const struct episode_place *place, const struct sample *sample,
			      const struct rates_found *found)
{
	for (size_t i = 0; i < sample->n_disks; i++)
		if (place->device && sample->disks[i].device == place->device)
			return found->disk_written[i];
	for (size_t i = 0; i < sample->n_disks; i++)
		if (place->device_name[0] &&
		    strcmp(sample_string(sample, sample->disks[i].name, NULL), place->device_name) == 0)
			return found->disk_written[i];
	return found->written_back_bytes;
}

/* Keeps the biggest, biggest first. */
static void writer_insert(struct episode_facts *facts, const struct stall_who *writer)
{
	size_t at = facts->n_writers;

	while (at > 0 && facts->writers[at - 1].bytes < writer->bytes)
		at--;
	if (at == STALL_WHO_MAX)
		return;
	if (facts->n_writers < STALL_WHO_MAX)
		facts->n_writers++;
	memmove(&facts->writers[at + 1], &facts->writers[at], (facts->n_writers - at - 1) * sizeof *writer);
	facts->writers[at] = *writer;
}

/* Of the tasks that ended and left their counts to that one: not one that was seen to have written nothing,
 * if there is another; then who waited longest for flushing, or just the last. SIZE_MAX: there is none. */
static size_t main_heritage(const struct sample *sample, const struct tick *tick,
			    const struct rates_found *found, size_t heir)
{
	size_t main = SIZE_MAX;
	double most = -1;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		bool idle = sample->tasks[i].values[METRIC_TASK_WRITE_BYTES] == 0;
		double weight = idle ? 0 : 1 + flushing_s(&tick->tasks[i]);

		if (found->heirs[i] != heir || weight < most)
			continue;
		most = weight;
		main = i;
	}
	return main;
}

/* Who only waited for its children wrote nothing: what it has beyond what was seen of them, they wrote at the
 * last. */
static size_t writer_of(const struct sample *sample, const struct tick *tick, const struct rates_found *found,
			size_t task)
{
	const double *cause_s = tick->tasks[task].cause_s;
	double all_s = 0;
	size_t child;

	if (sample->tasks[task].flags & TASK_ENDED)
		return task;
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		all_s += cause_s[cause];
	child = cause_s[CAUSE_WAIT] >= 0.8 * all_s ? main_heritage(sample, tick, found, task) : SIZE_MAX;
	return child == SIZE_MAX ? task : child;
}

/* By command; a build runs few different ones at once. */
static void gather_writers(struct episode_facts *facts, const struct sample *sample, const struct tick *tick,
			   const struct rates_found *found)
{
	struct stall_who names[64];
	size_t n_names = 0;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		char comm[16];
		size_t n = 0;

		if (found->written[i] == METRIC_NA || found->written[i] == 0)
			continue;
		name_copy(comm, sizeof comm,
			  sample_string(sample, sample->tasks[writer_of(sample, tick, found, i)].comm, NULL));
		while (n < n_names && memcmp(names[n].comm, comm, sizeof comm) != 0)
			n++;
		if (n == sizeof names / sizeof *names)
			continue;
		if (n == n_names) {
			names[n_names] = (struct stall_who){0};
			memcpy(names[n_names++].comm, comm, sizeof comm);
		}
		names[n].bytes += found->written[i];
	}
	for (size_t n = 0; n < n_names; n++)
		writer_insert(facts, &names[n]);
}

/* Never below nothing: what the disk wrote for others is no credit for what the build writes next. */
static uint64_t backlog_step(struct facts_backlog *backlog, uint64_t written_bytes, uint64_t flushed_bytes)
{
	if (flushed_bytes == METRIC_NA || written_bytes == METRIC_NA)
		return METRIC_NA;
	backlog->bytes += (double)written_bytes - (double)flushed_bytes;
	if (backlog->bytes < 0)
		backlog->bytes = 0;
	return (uint64_t)backlog->bytes;
}

void facts_gather(struct episode_facts *facts, struct facts_backlog *backlog, const struct sample *sample,
		  const struct tick *tick, const struct rates_found *found)
{
	*facts = (struct episode_facts){
		.from_ns = sample->mono_ns - (int64_t)(tick->interval_s * (double)NS_PER_S),
		.to_ns = sample->mono_ns,
		.dirty_before_bytes = found->dirty_before_bytes,
		.dirty_bytes = sample->system[METRIC_SYSTEM_DIRTY_BYTES],
		.writeback_bytes = sample->system[METRIC_SYSTEM_WRITEBACK_BYTES],
		.threshold_bytes = sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES],
		.background_bytes = sample->system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES],
		.tree_written_bytes = tick->build_write_bytes,
		.psi_io = tick->psi_io,
		.psi_memory = tick->psi_memory,
		.exact = tick->exact,
	};
	gather_places(facts, sample, tick);
	facts->flushed_bytes =
		flushed_bytes(facts->written.device ? &facts->written : &facts->build, sample, found);
	facts->dirtied_bytes = isfinite(tick->dirtied_bytes_per_s)
				       ? (uint64_t)(tick->dirtied_bytes_per_s * tick->interval_s)
				       : METRIC_NA;
	facts->backlog_bytes = facts->build.device ? backlog_step(backlog, facts->tree_written_bytes,
								  flushed_bytes(&facts->build, sample, found))
						   : METRIC_NA;
	gather_writers(facts, sample, tick, found);
}
