/* SPDX-License-Identifier: MIT
 *
 * Knows how looks become rows of a sample: one bit a look in the row of (thread, site, block of 64 looks). A
 * thread that has not moved costs one comparison and one bit. Refuses to know what a site means. Sampler's
 * thread.
 */
#include "looks.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define LOOKS_A_BLOCK 64

void looks_begin(struct looks *looks)
{
	looks->sample = sample_new();
	looks->serial++;
}

void looks_fini(struct looks *looks)
{
	sample_free(looks->sample);
	free(looks->before);
	free(looks->names);
	free(looks->name_serials);
}

struct task_row *looks_task(struct looks *looks, struct tree_task *task)
{
	if (task->row_serial != looks->serial) {
		task->row_serial = looks->serial;
		task->row = (uint32_t)looks->sample->n_tasks;
		sample_add_task(looks->sample);
	}
	return &looks->sample->tasks[task->row];
}

static uint32_t name_string(struct looks *looks, const struct symbols *symbols, uint32_t id)
{
	if (!id)
		return 0;
	if (id >= looks->cap_names) {
		size_t cap = id + 64;

		looks->names = mem_resize(looks->names, cap, sizeof *looks->names);
		looks->name_serials = mem_resize(looks->name_serials, cap, sizeof *looks->name_serials);
		memset(looks->name_serials + looks->cap_names, 0,
		       (cap - looks->cap_names) * sizeof *looks->name_serials);
		looks->cap_names = cap;
	}
	if (looks->name_serials[id] != looks->serial) {
		const char *name = symbols_name(symbols, id);

		looks->names[id] = sample_add_string(looks->sample, name, strlen(name));
		looks->name_serials[id] = looks->serial;
	}
	return looks->names[id];
}

/* Index of the thread's site, or -1 when the sample can take no more. */
static int site_index(struct looks *looks, const struct symbols *symbols, struct tree_thread *thread)
{
	struct sample *sample = looks->sample;
	uint32_t wchan;
	struct site *site;

	if (thread->site_serial == looks->serial)
		return thread->site;
	wchan = name_string(looks, symbols, thread->wchan);
	for (size_t i = 0; i < sample->n_sites; i++) {
		site = &sample->sites[i];
		if (site->wchan == wchan && site->syscall == thread->call && site->state == thread->state) {
			thread->site = (uint16_t)i;
			thread->site_serial = looks->serial;
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
	thread->site_serial = looks->serial;
	return thread->site;
}

/* The thread's row for a site in a block, made where there is none. */
static struct look_row *thread_row(struct looks *looks, struct tree_task *task, struct tree_thread *thread,
				   uint16_t site, uint16_t block)
{
	struct sample *sample = looks->sample;
	uint32_t last = thread->row_serial == looks->serial ? thread->row + 1 : 0;
	struct look_row *row;

	for (uint32_t at = last; at; at = looks->before[at - 1]) {
		row = &sample->look_rows[at - 1];
		if (row->block != block)
			break;
		if (row->site == site)
			return row;
	}
	row = sample_add_look_row(sample);
	if (sample->n_look_rows > looks->cap_before) {
		looks->cap_before = sample->n_look_rows + sample->n_look_rows / 2 + 64;
		looks->before = mem_resize(looks->before, looks->cap_before, sizeof *looks->before);
	}
	looks->before[sample->n_look_rows - 1] = last;
	thread->row = (uint32_t)(sample->n_look_rows - 1);
	thread->row_serial = looks->serial;
	looks_task(looks, task);
	row->task = task->row;
	row->tid = thread->tid;
	row->site = site;
	row->block = block;
	return row;
}

void looks_take(struct looks *looks, const struct tree *tree, int64_t mono_ns)
{
	size_t look = sample_add_look(looks->sample, mono_ns / NS_PER_US * NS_PER_US);
	uint16_t block = (uint16_t)(look / LOOKS_A_BLOCK);
	uint64_t bit = UINT64_C(1) << look % LOOKS_A_BLOCK;

	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		for (size_t j = 0; task->seen && j < task->n_threads; j++) {
			struct tree_thread *thread = &task->threads[j];
			int site = thread->state ? site_index(looks, &tree->symbols, thread) : -1;

			if (site >= 0)
				thread_row(looks, task, thread, (uint16_t)site, block)->mask |= bit;
		}
	}
}
