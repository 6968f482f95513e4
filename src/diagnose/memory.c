/* SPDX-License-Identifier: MIT
 *
 * Adds up resident memory. Pages of files are shared by all who run the same program, so adding up what each
 * has would count them many times; what each has for itself is added, and of files the most that one of each
 * command has. Memory that processes share since a fork is still counted more than once: telling it apart
 * takes smaps, whose reading holds up those that are read.
 */
#include "memory.h"

#include <math.h>
#include <string.h>

#define COMMANDS_MAX 64 /* told apart; further ones are one */

struct part {
	const char *name;
	uint64_t count, own_bytes, file_bytes;
};

static bool is_alive(const struct task_row *row)
{
	return !(row->flags & TASK_ENDED) && row->state != 'Z' && row->state != 'X' &&
	       row->values[METRIC_TASK_RSS_BYTES] != METRIC_NA;
}

static struct part *part_of(struct part *parts, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	if (*n == COMMANDS_MAX)
		return &parts[COMMANDS_MAX - 1];
	parts[*n] = (struct part){.name = name};
	return &parts[(*n)++];
}

static size_t parts_add(struct part parts[COMMANDS_MAX], const struct sample *sample)
{
	size_t n = 0;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *row = &sample->tasks[i];
		uint64_t rss = row->values[METRIC_TASK_RSS_BYTES];
		uint64_t file = row->values[METRIC_TASK_RSS_FILE_BYTES];
		struct part *part;

		if (!is_alive(row))
			continue;
		part = part_of(parts, &n, sample_string(sample, row->comm, NULL));
		if (file == METRIC_NA || file > rss)
			file = 0;
		part->count++;
		part->own_bytes += rss - file;
		part->file_bytes = file > part->file_bytes ? file : part->file_bytes;
	}
	return n;
}

uint64_t memory_of_tree(const struct sample *sample)
{
	struct part parts[COMMANDS_MAX];
	size_t n = parts_add(parts, sample);
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += parts[i].own_bytes + parts[i].file_bytes;
	return n ? bytes : METRIC_NA;
}

void memory_init(struct memory *memory)
{
	*memory = (struct memory){.told.peak_at_s = NAN, .kills = METRIC_NA};
}

/* Who made up this moment, the largest first. */
static void parts_take(struct summary_memory *told, const struct sample *sample)
{
	struct part parts[COMMANDS_MAX];
	size_t n = parts_add(parts, sample);

	told->n_parts = 0;
	told->parts_dropped = n > SUMMARY_MEMORY_PARTS_MAX ? n - SUMMARY_MEMORY_PARTS_MAX : 0;
	while (told->n_parts < SUMMARY_MEMORY_PARTS_MAX && told->n_parts < n) {
		struct summary_memory_part *to = &told->parts[told->n_parts++];
		struct part *most = parts;

		for (struct part *part = parts; part < parts + n; part++)
			if (!most->name || (part->name && part->own_bytes + part->file_bytes >
								  most->own_bytes + most->file_bytes))
				most = part;
		*to = (struct summary_memory_part){.count = most->count,
						   .bytes = most->own_bytes + most->file_bytes};
		strncpy(to->name, most->name, sizeof to->name - 1);
		*most = (struct part){0};
	}
}

/* Nothing tells who was killed. Of those that ended in the interval the largest is it most likely. */
static void kill_add(struct summary_memory *told, const struct sample *sample, double at_s, uint64_t more)
{
	const struct task_row *victim = NULL;
	struct summary_oom *oom;

	told->oom_kills += more;
	if (told->n_ooms == SUMMARY_OOMS_MAX)
		return;
	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *row = &sample->tasks[i];

		if ((row->flags & TASK_ENDED || row->state == 'Z' || row->state == 'X') &&
		    row->values[METRIC_TASK_RSS_BYTES] != METRIC_NA &&
		    (!victim || row->values[METRIC_TASK_RSS_BYTES] > victim->values[METRIC_TASK_RSS_BYTES]))
			victim = row;
	}
	oom = &told->ooms[told->n_ooms++];
	*oom = (struct summary_oom){.at_s = at_s, .count = more, .bytes = METRIC_NA};
	if (!victim)
		return;
	strncpy(oom->name, sample_string(sample, victim->comm, NULL), sizeof oom->name - 1);
	oom->pid = victim->pid;
	oom->bytes = victim->values[METRIC_TASK_RSS_BYTES];
}

static void kills_add(struct memory *memory, const struct sample *sample, double at_s)
{
	uint64_t kills = sample->system[METRIC_SYSTEM_CGROUP_OOM_KILLS], more;

	memory->told.oom_of_build = kills != METRIC_NA;
	if (kills == METRIC_NA)
		kills = sample->system[METRIC_SYSTEM_OOM_KILLS];
	more = metric_delta(kills, memory->kills);
	memory->kills = kills;
	if (kills != METRIC_NA)
		memory->told.oom_known = true;
	if (more != METRIC_NA && more > 0 && more < 1000000 && !(sample->flags & SAMPLE_FIRST))
		kill_add(&memory->told, sample, at_s, more);
}

void memory_add(struct memory *memory, const struct tick *tick, double at_s)
{
	struct summary_memory *told = &memory->told;

	if (tick->build_tasks > 0 && tick->build_rss_bytes != METRIC_NA &&
	    (isnan(told->peak_at_s) || tick->build_rss_bytes > told->peak_bytes)) {
		told->peak_bytes = tick->build_rss_bytes;
		told->peak_at_s = at_s;
		told->peak_jobs = tick->jobs_running;
		parts_take(told, tick->sample);
	}
	if (tick->jobs_told > memory->jobs_told)
		memory->jobs_told = tick->jobs_told;
	if (tick->jobs_running > memory->jobs_running)
		memory->jobs_running = tick->jobs_running;
	kills_add(memory, tick->sample, at_s);
}

void memory_summary(const struct memory *memory, struct summary *summary)
{
	summary->memory = memory->told;
	summary->memory.jobs = memory->jobs_told ? memory->jobs_told : memory->jobs_running;
	summary->memory.jobs_told = memory->jobs_told > 0;
}
