/* SPDX-License-Identifier: MIT
 *
 * Knows how looks become rows of a sample: one bit a look in the row of (thread, site, block of 64 looks). A
 * thread that has not moved costs one comparison and one bit. Refuses to know what a site means. Sampler's
 * thread.
 */
#include "sightings.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define LOOKS_A_BLOCK 64

void sightings_begin(struct sightings *sightings)
{
	sightings->sample = sample_new();
	sightings->serial++;
}

void sightings_fini(struct sightings *sightings)
{
	sample_free(sightings->sample);
	free(sightings->before);
	free(sightings->names);
	free(sightings->name_serials);
}

struct task_row *sightings_task(struct sightings *sightings, struct tree_task *task)
{
	if (task->row_serial != sightings->serial) {
		task->row_serial = sightings->serial;
		task->row = (uint32_t)sightings->sample->n_tasks;
		sample_add_task(sightings->sample);
	}
	return &sightings->sample->tasks[task->row];
}

static uint32_t name_string(struct sightings *sightings, const struct symbols *symbols, uint32_t id)
{
	if (!id)
		return 0;
	if (id >= sightings->cap_names) {
		size_t cap = id + 64;

		sightings->names = mem_resize(sightings->names, cap, sizeof *sightings->names);
		sightings->name_serials =
			mem_resize(sightings->name_serials, cap, sizeof *sightings->name_serials);
		memset(sightings->name_serials + sightings->cap_names, 0,
		       (cap - sightings->cap_names) * sizeof *sightings->name_serials);
		sightings->cap_names = cap;
	}
	if (sightings->name_serials[id] != sightings->serial) {
		const char *name = symbols_name(symbols, id);

		sightings->names[id] = sample_add_string(sightings->sample, name, strlen(name));
		sightings->name_serials[id] = sightings->serial;
	}
	return sightings->names[id];
}

/* Index of the thread's site, or -1 when the sample can take no more. */
static int site_index(struct sightings *sightings, const struct symbols *symbols, struct tree_thread *thread)
{
	struct sample *sample = sightings->sample;
	uint32_t wchan;
	struct site *site;

	if (thread->site_serial == sightings->serial)
		return thread->site;
	wchan = name_string(sightings, symbols, thread->wchan);
	for (size_t i = 0; i < sample->n_sites; i++) {
		site = &sample->sites[i];
		if (site->wchan == wchan && site->syscall == thread->call && site->state == thread->state) {
			thread->site = (uint16_t)i;
			thread->site_serial = sightings->serial;
			return (int)i;
		}
	}
	if (sample->n_sites > UINT16_MAX)
		return -1;
	site = sample_add_site(sample);
	site->wchan = wchan;
	site->syscall = thread->call;
	site->state = thread->state;
	thread->site = (uint16_t)(sample->n_sites - 1);
	thread->site_serial = sightings->serial;
	return thread->site;
}

/* The thread's row for a site in a block, made where there is none. */
static struct look_row *thread_row(struct sightings *sightings, struct tree_task *task,
				   struct tree_thread *thread, uint16_t site, uint16_t block)
{
	struct sample *sample = sightings->sample;
	uint32_t last = thread->row_serial == sightings->serial ? thread->row + 1 : 0;
	struct look_row *row;

	for (uint32_t at = last; at; at = sightings->before[at - 1]) {
		row = &sample->look_rows[at - 1];
		if (row->block != block)
			break;
		if (row->site == site)
			return row;
	}
	row = sample_add_look_row(sample);
	if (sample->n_look_rows > sightings->cap_before) {
		sightings->cap_before = sample->n_look_rows + sample->n_look_rows / 2 + 64;
		sightings->before =
			mem_resize(sightings->before, sightings->cap_before, sizeof *sightings->before);
	}
	sightings->before[sample->n_look_rows - 1] = last;
	thread->row = (uint32_t)(sample->n_look_rows - 1);
	thread->row_serial = sightings->serial;
	sightings_task(sightings, task);
	row->task = task->row;
	row->tid = thread->tid;
	row->site = site;
	row->block = block;
	return row;
}

size_t sightings_take(struct sightings *sightings, const struct tree *tree, int64_t mono_ns)
{
	size_t look = sample_add_look(sightings->sample, mono_ns / NS_PER_MS * NS_PER_MS);
	uint16_t block = (uint16_t)(look / LOOKS_A_BLOCK);
	uint64_t bit = UINT64_C(1) << look % LOOKS_A_BLOCK;
	size_t blocked = 0;

	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		for (size_t j = 0; task->seen && j < task->n_threads; j++) {
			struct tree_thread *thread = &task->threads[j];
			int site = thread->state ? site_index(sightings, &tree->symbols, thread) : -1;

			blocked += thread->state == 'D';
			if (site >= 0)
				thread_row(sightings, task, thread, (uint16_t)site, block)->mask |= bit;
		}
	}
	return blocked;
}
