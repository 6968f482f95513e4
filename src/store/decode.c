/* SPDX-License-Identifier: MIT
 *
 * The decoding of a sample, step by step as encode.c writes it. Keeps two samples: the one before and the one
 * at hand. Counts are held against the bytes that are left (each row takes one at least) before anything is
 * made of that size.
 */
#include "decode.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "notes.h"
#include "retell.h"
#include "sites.h"
#include "varint.h"

#define ROW_NONE SIZE_MAX

struct numbers {
	uint32_t *list;
	size_t capacity;
};

struct decoder {
	const struct header *header;
	uint64_t interval_us, look_interval_us;
	struct sample *before, *now;
	struct scan scan;
	size_t cursor;
	struct numbers moved;				  /* index of a task before -> now, or UINT32_MAX */
	struct numbers site_numbers, site_numbers_before; /* in the frame, of the sample's sites */
	struct sites sites;
	struct told told;
	struct models models;
	struct buf text; /* a command line */
};

struct decoder *decoder_new(const struct header *header)
{
	struct decoder *decoder = mem_alloc(1, sizeof *decoder);
	decoder->header = header;
	decoder->interval_us = (uint64_t)(header->run->interval_ns / NS_PER_US);
	decoder->look_interval_us = (uint64_t)(header->run->look_interval_ns / NS_PER_US);
	decoder->before = sample_new();
	decoder->now = sample_new();
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	sample_free(decoder->before);
	sample_free(decoder->now);
	sites_fini(&decoder->sites);
	models_fini(&decoder->models);
	buf_fini(&decoder->text);
	map_fini(&decoder->told.masks);
	free(decoder->moved.list);
	free(decoder->site_numbers.list);
	free(decoder->site_numbers_before.list);
	free(decoder);
}

void decoder_begin_frame(struct decoder *decoder)
{
	sample_reset(decoder->before);
	sites_clear(&decoder->sites);
	models_clear(&decoder->models);
}

static void numbers_reserve(struct numbers *numbers, size_t count)
{
	if (count <= numbers->capacity)
		return;
	numbers->capacity = count + count / 2;
	numbers->list = mem_resize(numbers->list, numbers->capacity, sizeof *numbers->list);
}

/* A count of things that take a byte each, at least. */
static size_t get_count(struct scan *scan, size_t max)
{
	uint64_t count = get_bounded(scan, max);
	if (count > scan_left(scan)) {
		scan->bad = true;
		return 0;
	}
	return count;
}

static uint32_t get_u32(struct scan *scan)
{
	return (uint32_t)get_bounded(scan, UINT32_MAX);
}

static int32_t get_i32(struct scan *scan, int64_t base)
{
	int64_t difference = get_signed(scan);
	if (difference > UINT32_MAX || difference < -(int64_t)UINT32_MAX || base + difference > INT32_MAX ||
	    base + difference < INT32_MIN) {
		scan->bad = true;
		return 0;
	}
	return (int32_t)(base + difference);
}

static bool mask_has(const uint8_t *mask, size_t bit)
{
	return mask[bit / 8] >> bit % 8 & 1;
}

static const uint8_t *get_mask(struct decoder *decoder, enum metric_scope scope, size_t first_bit)
{
	size_t bits = first_bit + decoder->header->scopes[scope].count;
	return get_raw(&decoder->scan, (bits + 7) / 8);
}

/* `values` holds those of the row before. A column that this program does not know keeps no value: its base
 * is lost, and so what it reads for it means nothing, but takes the right number of bytes. */
static void cells_get(struct decoder *decoder, enum metric_scope scope, const uint8_t *mask, size_t first_bit,
		      uint64_t *values)
{
	const struct columns *columns = &decoder->header->scopes[scope];
	for (size_t i = 0; i < columns->count; i++) {
		if (!mask_has(mask, first_bit + i))
			continue;
		uint64_t unknown = METRIC_NA;
		int metric = columns->list[i].metric;
		uint64_t *value = metric >= 0 ? &values[metric] : &unknown;
		*value = columns->list[i].is_size ? get_size(&decoder->scan, *value)
						  : get_number(&decoder->scan, *value);
	}
}

/* The head of a row: its predecessor (ROW_NONE: none) and its bit. */
static size_t head_get(struct decoder *decoder, size_t n_before, bool *bit)
{
	uint64_t head = get_varint(&decoder->scan);
	*bit = head & 1;
	uint64_t reference = head >> 1;
	if (reference == 0)
		return ROW_NONE;
	uint64_t row = decoder->cursor + unzigzag(reference - 1);
	if (row >= n_before) {
		decoder->scan.bad = true;
		return ROW_NONE;
	}
	decoder->cursor = (size_t)row + 1;
	return (size_t)row;
}

static uint32_t string_add(struct decoder *decoder, const void *bytes, size_t len)
{
	struct sample *now = decoder->now;
	if (now->strings_len + len > LIMIT_STRINGS_BYTES) {
		decoder->scan.bad = true;
		return 0;
	}
	return sample_add_string(now, bytes, len);
}

/* A new string when the bit is set, else the one of the row before. */
static uint32_t string_get(struct decoder *decoder, const uint8_t *mask, size_t bit, uint32_t offset_before)
{
	size_t len;
	if (mask && mask_has(mask, bit)) {
		const uint8_t *bytes = get_bytes(&decoder->scan, LIMIT_STRING_BYTES, &len);
		return bytes ? string_add(decoder, bytes, len) : 0;
	}
	if (offset_before == 0)
		return 0;
	const char *text = sample_string(decoder->before, offset_before, &len);
	return string_add(decoder, text, len);
}

static uint32_t cmdline_get(struct decoder *decoder, const uint8_t *mask, const struct task_row *row)
{
	if (!mask || !mask_has(mask, TASK_BIT_CMDLINE))
		return string_get(decoder, NULL, 0, row->cmdline);
	size_t comm_len;
	const char *comm = sample_string(decoder->now, row->comm, &comm_len);
	struct buf *text = &decoder->text;
	retell_get(&decoder->scan, models_find(&decoder->models, comm, comm_len), text, LIMIT_STRING_BYTES);
	if (decoder->scan.bad)
		return 0;
	models_put(&decoder->models, comm, comm_len, text->data, text->len);
	return string_add(decoder, text->data, text->len);
}

static void task_get(struct decoder *decoder, struct task_row *last_new)
{
	static const struct task_row blank = {.values = {[0 ... METRIC_TASK_COUNT - 1] = METRIC_NA}};
	const struct sample *before = decoder->before;
	struct scan *scan = &decoder->scan;
	struct task_row *row = sample_add_task(decoder->now);
	bool changed;
	size_t index = head_get(decoder, before->n_tasks, &changed);
	if (index == ROW_NONE) {
		*row = blank;
		row->pid = get_i32(scan, last_new->pid);
		row->start_ticks = last_new->start_ticks + unzigzag(get_varint(scan));
		*last_new = *row;
	} else {
		*row = before->tasks[index];
		decoder->moved.list[index] = (uint32_t)(row - decoder->now->tasks);
	}
	const uint8_t *mask = changed ? get_mask(decoder, METRIC_SCOPE_TASK, TASK_BITS) : NULL;
	if (mask && mask_has(mask, TASK_BIT_PPID)) {
		int64_t up = get_signed(scan);
		if (up < (int64_t)row->pid - INT32_MAX || up > (int64_t)row->pid - INT32_MIN)
			scan->bad = true;
		else
			row->ppid = (int32_t)(row->pid - up);
	}
	if (mask && mask_has(mask, TASK_BIT_UID))
		row->uid = get_u32(scan);
	if (mask && mask_has(mask, TASK_BIT_FLAGS))
		row->flags = get_u32(scan);
	row->comm = string_get(decoder, mask, TASK_BIT_COMM, row->comm);
	row->cmdline = cmdline_get(decoder, mask, row);
	if (mask && mask_has(mask, TASK_BIT_STATE))
		row->state = (char)get_byte(scan);
	if (mask)
		cells_get(decoder, METRIC_SCOPE_TASK, mask, TASK_BITS, row->values);
}

static void tasks_get(struct decoder *decoder)
{
	size_t n_before = decoder->before->n_tasks;
	numbers_reserve(&decoder->moved, n_before);
	if (n_before > 0)
		memset(decoder->moved.list, 0xff, n_before * sizeof *decoder->moved.list);
	decoder->cursor = 0;
	struct task_row last_new = {0};
	size_t n = get_count(&decoder->scan, LIMIT_ROWS);
	for (size_t i = 0; i < n && !decoder->scan.bad; i++)
		task_get(decoder, &last_new);
}

static void mount_get(struct decoder *decoder)
{
	const struct sample *before = decoder->before;
	struct scan *scan = &decoder->scan;
	struct mount_row *row = sample_add_mount(decoder->now);
	bool changed;
	size_t index = head_get(decoder, before->n_mounts, &changed);
	if (index == ROW_NONE)
		row->device = get_varint(scan);
	else
		*row = before->mounts[index];
	row->writers = row->largest = 0; /* told anew, behind the looks */
	const uint8_t *mask = changed ? get_mask(decoder, METRIC_SCOPE_MOUNT, MOUNT_BITS) : NULL;
	row->point = string_get(decoder, mask, MOUNT_BIT_POINT, row->point);
	row->type = string_get(decoder, mask, MOUNT_BIT_TYPE, row->type);
	row->source = string_get(decoder, mask, MOUNT_BIT_SOURCE, row->source);
	if (mask && mask_has(mask, MOUNT_BIT_FLAGS))
		row->flags = get_u32(scan);
	if (mask && mask_has(mask, MOUNT_BIT_POINTS))
		row->points = get_u32(scan);
	if (mask)
		cells_get(decoder, METRIC_SCOPE_MOUNT, mask, MOUNT_BITS, row->values);
}

static void disk_get(struct decoder *decoder)
{
	const struct sample *before = decoder->before;
	struct disk_row *row = sample_add_disk(decoder->now);
	bool changed;
	size_t index = head_get(decoder, before->n_disks, &changed);
	if (index == ROW_NONE)
		row->device = get_varint(&decoder->scan);
	else
		*row = before->disks[index];
	const uint8_t *mask = changed ? get_mask(decoder, METRIC_SCOPE_DISK, DISK_BITS) : NULL;
	row->name = string_get(decoder, mask, DISK_BIT_NAME, row->name);
	if (mask)
		cells_get(decoder, METRIC_SCOPE_DISK, mask, DISK_BITS, row->values);
}

static void devices_get(struct decoder *decoder)
{
	decoder->cursor = 0;
	size_t n_mounts = get_count(&decoder->scan, LIMIT_ROWS);
	for (size_t i = 0; i < n_mounts && !decoder->scan.bad; i++)
		mount_get(decoder);
	decoder->cursor = 0;
	size_t n_disks = get_count(&decoder->scan, LIMIT_ROWS);
	for (size_t i = 0; i < n_disks && !decoder->scan.bad; i++)
		disk_get(decoder);
}

/* Looks */

static uint64_t us_of(int64_t ns)
{
	return (uint64_t)(ns / NS_PER_US);
}

static int64_t ns_of(uint64_t us)
{
	return (int64_t)(us * (uint64_t)NS_PER_US);
}

static void look_times_get(struct decoder *decoder)
{
	const struct sample *before = decoder->before;
	uint64_t count = get_bounded(&decoder->scan, LIMIT_LOOKS * 2 + 1);
	uint64_t grain_us = count & 1 ? FORMAT_COARSE_US : 1;
	uint64_t last =
		us_of(before->n_looks ? before->look_ns[before->n_looks - 1] : before->mono_ns) / grain_us;
	if (count >> 1 > scan_left(&decoder->scan))
		decoder->scan.bad = true;
	for (size_t i = 0; i < count >> 1 && !decoder->scan.bad; i++) {
		last += decoder->look_interval_us / grain_us + unzigzag(get_varint(&decoder->scan));
		sample_add_look(decoder->now, ns_of(last * grain_us));
	}
}

static uint32_t site_new(struct decoder *decoder)
{
	size_t len;
	const uint8_t *wchan = get_bytes(&decoder->scan, LIMIT_STRING_BYTES, &len);
	int32_t syscall = get_i32(&decoder->scan, 0);
	char state = (char)get_byte(&decoder->scan);
	if (decoder->scan.bad || decoder->sites.count == LIMIT_SITES) {
		decoder->scan.bad = true;
		return SITE_NONE;
	}
	return sites_add(&decoder->sites, (const char *)wchan, len, syscall, state);
}

static void sites_get(struct decoder *decoder)
{
	struct sample *now = decoder->now;
	sites_leave(&decoder->sites);
	size_t n = get_count(&decoder->scan, LIMIT_SITES);
	numbers_reserve(&decoder->site_numbers, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t code = get_bounded(&decoder->scan, decoder->sites.count);
		uint32_t number = code ? (uint32_t)code - 1 : site_new(decoder);
		if (decoder->scan.bad)
			return;
		struct sites_entry *entry = &decoder->sites.entries[number];
		entry->here = (uint32_t)i;
		decoder->site_numbers.list[i] = number;
		struct site *site = sample_add_site(now);
		site->syscall = entry->syscall;
		site->state = entry->state;
		site->wchan = entry->wchan_len
				      ? string_add(decoder, decoder->sites.names.data + entry->wchan_at,
						   entry->wchan_len)
				      : 0;
	}
}

static void look_row_get(struct decoder *decoder, uint64_t *last_task)
{
	struct sample *now = decoder->now;
	struct scan *scan = &decoder->scan;
	bool explicit;
	size_t index = head_get(decoder, decoder->before->n_look_rows, &explicit);
	struct look_row row = {0};
	uint64_t task, site;
	if (index == ROW_NONE) {
		task = *last_task + unzigzag(get_varint(scan));
		if (task >= now->n_tasks) {
			scan->bad = true;
			return;
		}
		row.tid = get_i32(scan, now->tasks[task].pid);
		site = get_varint(scan);
		row.block = (uint16_t)get_bounded(scan, UINT16_MAX);
	} else {
		const struct look_row *before = &decoder->before->look_rows[index];
		task = decoder->moved.list[before->task];
		site = decoder->sites.entries[decoder->site_numbers_before.list[before->site]].here;
		row.tid = before->tid;
		row.block = before->block;
	}
	if (scan->bad || task >= now->n_tasks || site >= now->n_sites) {
		scan->bad = true;
		return;
	}
	row.task = (uint32_t)task;
	row.site = (uint16_t)site;
	*last_task = task;
	uint64_t rest = told_rest(&decoder->told, &row);
	row.mask = explicit ? get_varint(scan) : rest;
	told_add(&decoder->told, &row);
	*sample_add_look_row(now) = row;
}

static void look_rows_get(struct decoder *decoder)
{
	decoder->cursor = 0;
	told_begin(&decoder->told, decoder->now->n_looks);
	size_t n = get_count(&decoder->scan, LIMIT_ROWS);
	uint64_t last_task = 0;
	for (size_t i = 0; i < n && !decoder->scan.bad; i++)
		look_row_get(decoder, &last_task);
}

/* The sample */

static void times_get(struct decoder *decoder)
{
	const struct sample *before = decoder->before;
	struct sample *now = decoder->now;
	struct scan *scan = &decoder->scan;
	uint64_t mono_us_before = us_of(before->mono_ns);
	uint64_t apart_us_before = us_of(before->wall_ns) - mono_us_before;
	now->number = before->number + get_varint(scan);
	uint64_t mono_us = mono_us_before + decoder->interval_us + unzigzag(get_varint(scan));
	now->mono_ns = ns_of(mono_us);
	now->wall_ns = ns_of(mono_us + apart_us_before + unzigzag(get_varint(scan)));
	now->asleep_ns = ns_of(us_of(before->asleep_ns) + unzigzag(get_varint(scan)));
	now->flags = get_u32(scan);
	now->missed = get_u32(scan);
}

static void swap_roles(struct decoder *decoder)
{
	struct sample *sample = decoder->before;
	decoder->before = decoder->now;
	decoder->now = sample;
	struct numbers numbers = decoder->site_numbers;
	decoder->site_numbers = decoder->site_numbers_before;
	decoder->site_numbers_before = numbers;
}

int decoder_sample(struct decoder *decoder, const void *payload, size_t len, const struct sample **sample)
{
	decoder->scan = scan_of(payload, len);
	sample_reset(decoder->now);
	times_get(decoder);
	memcpy(decoder->now->system, decoder->before->system, sizeof decoder->now->system);
	const uint8_t *mask = get_mask(decoder, METRIC_SCOPE_SYSTEM, 0);
	if (mask)
		cells_get(decoder, METRIC_SCOPE_SYSTEM, mask, 0, decoder->now->system);
	tasks_get(decoder);
	devices_get(decoder);
	look_times_get(decoder);
	sites_get(decoder);
	look_rows_get(decoder);
	if (decoder->scan.bad)
		return -EBADMSG;
	notes_get(&decoder->scan, decoder->now);
	swap_roles(decoder);
	*sample = decoder->before;
	return 0;
}
