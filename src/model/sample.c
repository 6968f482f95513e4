/* SPDX-License-Identifier: MIT
 *
 * Storage of a sample: arrays that grow and an arena of strings. Nothing here reads the kernel. Resetting
 * keeps all storage, so that thousands of samples are decoded through one. One thread makes a sample; nobody
 * changes it after.
 */
#include "model/sample.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SAMPLE_LEN_SIZE sizeof(uint32_t)

static void sample_values_clear(uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = METRIC_NA;
}

/* The arena starts with the empty string at offset 0. */
static void sample_strings_clear(struct sample *sample)
{
	if (!sample->cap_strings) {
		sample->cap_strings = 256;
		sample->strings = mem_alloc(sample->cap_strings, 1);
	}
	sample->strings[0] = '\0';
	sample->strings_len = 1;
}

struct sample *sample_new(void)
{
	struct sample *sample = mem_alloc(1, sizeof *sample);

	sample_reset(sample);
	return sample;
}

void sample_free(struct sample *sample)
{
	if (!sample)
		return;
	free(sample->tasks);
	free(sample->mounts);
	free(sample->disks);
	free(sample->exits);
	free(sample->look_ns);
	free(sample->sites);
	free(sample->look_rows);
	free(sample->strings);
	free(sample);
}

void sample_reset(struct sample *sample)
{
	sample->number = 0;
	sample->mono_ns = sample->wall_ns = sample->asleep_ns = 0;
	sample->flags = sample->missed = 0;
	sample_values_clear(sample->system, METRIC_SYSTEM_COUNT);
	sample->n_tasks = sample->n_mounts = sample->n_disks = 0;
	sample->n_exits = 0;
	sample->n_looks = sample->n_sites = sample->n_look_rows = 0;
	sample_strings_clear(sample);
}

/* Makes *to an array of the n elements of from, in the storage it has where that is enough. */
static void sample_copy_array(void **to, size_t *cap, const void *from, size_t n, size_t size)
{
	if (n > *cap) {
		*to = mem_resize(*to, n, size);
		*cap = n;
	}
	if (n)
		memcpy(*to, from, n * size);
}

#define SAMPLE_COPY(array, count, capacity)                                                                  \
	do {                                                                                                 \
		void *storage = to->array;                                                                   \
		sample_copy_array(&storage, &to->capacity, from->array, from->count, sizeof *to->array);     \
		to->array = storage;                                                                         \
		to->count = from->count;                                                                     \
	} while (0)

void sample_copy(struct sample *to, const struct sample *from)
{
	if (to == from)
		return;
	to->number = from->number;
	to->mono_ns = from->mono_ns;
	to->wall_ns = from->wall_ns;
	to->asleep_ns = from->asleep_ns;
	to->flags = from->flags;
	to->missed = from->missed;
	memcpy(to->system, from->system, sizeof to->system);
	SAMPLE_COPY(tasks, n_tasks, cap_tasks);
	SAMPLE_COPY(mounts, n_mounts, cap_mounts);
	SAMPLE_COPY(disks, n_disks, cap_disks);
	SAMPLE_COPY(exits, n_exits, cap_exits);
	SAMPLE_COPY(look_ns, n_looks, cap_looks);
	SAMPLE_COPY(sites, n_sites, cap_sites);
	SAMPLE_COPY(look_rows, n_look_rows, cap_look_rows);
	SAMPLE_COPY(strings, strings_len, cap_strings);
}

struct task_row *sample_add_task(struct sample *sample)
{
	struct task_row *row;

	MEM_GROW(sample->tasks, sample->n_tasks, sample->cap_tasks);
	row = &sample->tasks[sample->n_tasks++];
	memset(row, 0, sizeof *row);
	sample_values_clear(row->values, METRIC_TASK_COUNT);
	return row;
}

struct mount_row *sample_add_mount(struct sample *sample)
{
	struct mount_row *row;

	MEM_GROW(sample->mounts, sample->n_mounts, sample->cap_mounts);
	row = &sample->mounts[sample->n_mounts++];
	memset(row, 0, sizeof *row);
	sample_values_clear(row->values, METRIC_MOUNT_COUNT);
	return row;
}

struct disk_row *sample_add_disk(struct sample *sample)
{
	struct disk_row *row;

	MEM_GROW(sample->disks, sample->n_disks, sample->cap_disks);
	row = &sample->disks[sample->n_disks++];
	memset(row, 0, sizeof *row);
	sample_values_clear(row->values, METRIC_DISK_COUNT);
	return row;
}

struct exit_row *sample_add_exit(struct sample *sample)
{
	MEM_GROW(sample->exits, sample->n_exits, sample->cap_exits);
	sample->exits[sample->n_exits] = (struct exit_row){0};
	return &sample->exits[sample->n_exits++];
}

struct site *sample_add_site(struct sample *sample)
{
	MEM_GROW(sample->sites, sample->n_sites, sample->cap_sites);
	sample->sites[sample->n_sites] = (struct site){0};
	return &sample->sites[sample->n_sites++];
}

struct look_row *sample_add_look_row(struct sample *sample)
{
	MEM_GROW(sample->look_rows, sample->n_look_rows, sample->cap_look_rows);
	sample->look_rows[sample->n_look_rows] = (struct look_row){0};
	return &sample->look_rows[sample->n_look_rows++];
}

size_t sample_add_look(struct sample *sample, int64_t mono_ns)
{
	MEM_GROW(sample->look_ns, sample->n_looks, sample->cap_looks);
	sample->look_ns[sample->n_looks] = mono_ns;
	return sample->n_looks++;
}

uint32_t sample_add_string(struct sample *sample, const char *bytes, size_t len)
{
	size_t need = sample->strings_len + SAMPLE_LEN_SIZE + len + 1;
	uint32_t stored = (uint32_t)len;
	size_t offset;

	if (!len)
		return 0;
	assert(len < UINT32_MAX && need <= UINT32_MAX);
	if (need > sample->cap_strings) {
		sample->cap_strings = need + need / 2;
		sample->strings = mem_resize(sample->strings, sample->cap_strings, 1);
	}
	memcpy(sample->strings + sample->strings_len, &stored, SAMPLE_LEN_SIZE);
	offset = sample->strings_len + SAMPLE_LEN_SIZE;
	memcpy(sample->strings + offset, bytes, len);
	sample->strings[offset + len] = '\0';
	sample->strings_len = need;
	return (uint32_t)offset;
}

const char *sample_string(const struct sample *sample, uint32_t offset, size_t *len)
{
	uint32_t stored = 0;

	assert(offset < sample->strings_len);
	if (offset)
		memcpy(&stored, sample->strings + offset - SAMPLE_LEN_SIZE, SAMPLE_LEN_SIZE);
	if (len)
		*len = stored;
	return sample->strings + offset;
}
