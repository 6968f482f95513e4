/* SPDX-License-Identifier: MIT
 *
 * The coding of a sample. A row begins with its head: how far its predecessor lies from where one would look
 * first, and whether anything changed; then a bit for each field and column that did, then those. So what
 * stays costs a byte a row, and zstd takes most of that. Times are in microseconds, against the rhythm that
 * the header announces.
 */
#include "encode.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "header.h"
#include "notes.h"
#include "record.h"
#include "retell.h"
#include "sites.h"
#include "varint.h"

#define ROW_NONE SIZE_MAX
#define MASK_MAX 32 /* bytes */

static_assert(TASK_BITS + METRIC_TASK_COUNT <= MASK_MAX * 8 && METRIC_SYSTEM_COUNT <= MASK_MAX * 8 &&
		      MOUNT_BITS + METRIC_MOUNT_COUNT <= MASK_MAX * 8 &&
		      DISK_BITS + METRIC_DISK_COUNT <= MASK_MAX * 8,
	      "a change mask holds all columns");

struct encoder {
	bool command_lines;
	uint64_t interval_us, look_interval_us;
	struct header own; /* its columns only */
	struct sample *before;
	struct buf payload;

	/* The row to be written: its change mask. */
	uint8_t mask[MASK_MAX];

	/* Rows of the sample before. */
	size_t cursor;	 /* where one looks first */
	struct map rows; /* identity -> index; filled when the first look fails */
	bool rows_filled;
	uint32_t *moved; /* index of a task before -> now, or UINT32_MAX */
	size_t cap_moved;

	struct sites sites;
	uint32_t *site_numbers, *site_numbers_before; /* in the frame, of the sample's sites */
	size_t cap_site_numbers, cap_site_numbers_before;
	struct told told;
	struct models models;
};

struct encoder *encoder_new(const struct run *run, bool command_lines)
{
	struct encoder *encoder = mem_alloc(1, sizeof *encoder);
	encoder->command_lines = command_lines;
	encoder->interval_us = (uint64_t)(run->interval_ns / NS_PER_US);
	encoder->look_interval_us = (uint64_t)(run->look_interval_ns / NS_PER_US);
	encoder->before = sample_new();
	header_own_columns(&encoder->own);
	return encoder;
}

void encoder_free(struct encoder *encoder)
{
	if (!encoder)
		return;
	header_fini(&encoder->own);
	sample_free(encoder->before);
	buf_fini(&encoder->payload);
	map_fini(&encoder->rows);
	map_fini(&encoder->told.masks);
	sites_fini(&encoder->sites);
	models_fini(&encoder->models);
	free(encoder->moved);
	free(encoder->site_numbers);
	free(encoder->site_numbers_before);
	free(encoder);
}

void encoder_begin_frame(struct encoder *encoder)
{
	sample_reset(encoder->before);
	sites_clear(&encoder->sites);
	models_clear(&encoder->models);
}

/* Change masks */

static void mask_set(struct encoder *encoder, size_t bit, bool changed)
{
	if (changed)
		encoder->mask[bit / 8] |= (uint8_t)(1u << bit % 8);
}

static bool mask_has(const struct encoder *encoder, size_t bit)
{
	return encoder->mask[bit / 8] >> bit % 8 & 1;
}

static bool mask_any(const struct encoder *encoder)
{
	for (size_t i = 0; i < MASK_MAX; i++)
		if (encoder->mask[i])
			return true;
	return false;
}

static void mask_begin(struct encoder *encoder)
{
	memset(encoder->mask, 0, MASK_MAX);
}

static void cells_mark(struct encoder *encoder, size_t first_bit, const uint64_t *now, const uint64_t *before,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		mask_set(encoder, first_bit + i, now[i] != before[i]);
}

static void cells_put(struct encoder *encoder, enum metric_scope scope, size_t first_bit, const uint64_t *now,
		      const uint64_t *before)
{
	const struct columns *columns = &encoder->own.scopes[scope];
	for (size_t i = 0; i < columns->count; i++) {
		if (!mask_has(encoder, first_bit + i))
			continue;
		if (columns->list[i].is_size)
			put_size(&encoder->payload, now[i], before[i]);
		else
			put_number(&encoder->payload, now[i], before[i]);
	}
}

static void mask_put(struct encoder *encoder, size_t bits)
{
	buf_add(&encoder->payload, encoder->mask, (bits + 7) / 8);
}

/* Rows and their predecessors */

static void rows_begin(struct encoder *encoder)
{
	encoder->cursor = 0;
	encoder->rows_filled = false;
}

/* Writes the head of a row whose predecessor is `row`, or ROW_NONE. */
static void head_put(struct encoder *encoder, size_t row, bool bit)
{
	uint64_t reference = 0;
	if (row != ROW_NONE) {
		reference = 1 + zigzag((uint64_t)row - (uint64_t)encoder->cursor);
		encoder->cursor = row + 1;
	}
	put_varint(&encoder->payload, reference << 1 | bit);
}

static bool string_differs(const struct sample *now, uint32_t a, const struct sample *before, uint32_t b)
{
	size_t len, len_before;
	const char *text = sample_string(now, a, &len);
	const char *text_before = sample_string(before, b, &len_before);
	return len != len_before || memcmp(text, text_before, len) != 0;
}

static void string_put(struct encoder *encoder, size_t bit, const struct sample *now, uint32_t offset)
{
	if (!mask_has(encoder, bit))
		return;
	size_t len;
	const char *text = sample_string(now, offset, &len);
	put_bytes(&encoder->payload, text, len < LIMIT_STRING_BYTES ? len : LIMIT_STRING_BYTES);
}

static void cmdline_put(struct encoder *encoder, const struct sample *now, const struct task_row *row)
{
	if (!mask_has(encoder, TASK_BIT_CMDLINE))
		return;
	size_t len, comm_len;
	const char *text = sample_string(now, row->cmdline, &len);
	const char *comm = sample_string(now, row->comm, &comm_len);
	len = len < LIMIT_STRING_BYTES ? len : LIMIT_STRING_BYTES;
	retell_put(&encoder->payload, text, len, models_find(&encoder->models, comm, comm_len));
	models_put(&encoder->models, comm, comm_len, text, len);
}

static uint64_t task_key(const struct task_row *row)
{
	return ((uint64_t)(uint32_t)row->pid << 42) ^ row->start_ticks;
}

static bool task_is(const struct task_row *a, const struct task_row *b)
{
	return a->pid == b->pid && a->start_ticks == b->start_ticks;
}

static size_t task_before(struct encoder *encoder, const struct task_row *row)
{
	const struct sample *before = encoder->before;
	if (encoder->cursor < before->n_tasks && task_is(&before->tasks[encoder->cursor], row))
		return encoder->cursor;
	if (!encoder->rows_filled) {
		map_clear(&encoder->rows);
		for (size_t i = 0; i < before->n_tasks; i++)
			map_put(&encoder->rows, task_key(&before->tasks[i]), i);
		encoder->rows_filled = true;
	}
	uint64_t found;
	if (!map_get(&encoder->rows, task_key(row), &found) || !task_is(&before->tasks[found], row))
		return ROW_NONE;
	return (size_t)found;
}

static void task_put(struct encoder *encoder, const struct sample *now, const struct task_row *row,
		     struct task_row *last_new)
{
	static const struct task_row blank = {.values = {[0 ... METRIC_TASK_COUNT - 1] = METRIC_NA}};
	const struct sample *sample_before = encoder->before;
	struct buf *out = &encoder->payload;
	size_t index = task_before(encoder, row);
	const struct task_row *before = index == ROW_NONE ? &blank : &sample_before->tasks[index];

	mask_begin(encoder);
	mask_set(encoder, TASK_BIT_PPID, row->ppid != before->ppid);
	mask_set(encoder, TASK_BIT_UID, row->uid != before->uid);
	mask_set(encoder, TASK_BIT_FLAGS, row->flags != before->flags);
	mask_set(encoder, TASK_BIT_COMM, string_differs(now, row->comm, sample_before, before->comm));
	mask_set(encoder, TASK_BIT_CMDLINE,
		 encoder->command_lines && string_differs(now, row->cmdline, sample_before, before->cmdline));
	mask_set(encoder, TASK_BIT_STATE, row->state != before->state);
	cells_mark(encoder, TASK_BITS, row->values, before->values, METRIC_TASK_COUNT);
	bool changed = mask_any(encoder);

	head_put(encoder, index, changed);
	if (index == ROW_NONE) {
		put_signed(out, (int64_t)row->pid - last_new->pid);
		put_varint(out, zigzag(row->start_ticks - last_new->start_ticks));
		*last_new = *row;
	} else {
		encoder->moved[index] = (uint32_t)(row - now->tasks);
	}
	if (!changed)
		return;
	mask_put(encoder, TASK_BITS + METRIC_TASK_COUNT);
	if (mask_has(encoder, TASK_BIT_PPID))
		put_signed(out, (int64_t)row->pid - row->ppid);
	if (mask_has(encoder, TASK_BIT_UID))
		put_varint(out, row->uid);
	if (mask_has(encoder, TASK_BIT_FLAGS))
		put_varint(out, row->flags);
	string_put(encoder, TASK_BIT_COMM, now, row->comm);
	cmdline_put(encoder, now, row);
	if (mask_has(encoder, TASK_BIT_STATE))
		buf_add_byte(out, (unsigned char)row->state);
	cells_put(encoder, METRIC_SCOPE_TASK, TASK_BITS, row->values, before->values);
}

static void tasks_put(struct encoder *encoder, const struct sample *now)
{
	size_t n_before = encoder->before->n_tasks;
	if (n_before > encoder->cap_moved) {
		encoder->cap_moved = n_before + n_before / 2;
		encoder->moved = mem_resize(encoder->moved, encoder->cap_moved, sizeof *encoder->moved);
	}
	if (n_before > 0)
		memset(encoder->moved, 0xff, n_before * sizeof *encoder->moved);
	rows_begin(encoder);
	put_varint(&encoder->payload, now->n_tasks);
	struct task_row last_new = {0};
	for (size_t i = 0; i < now->n_tasks; i++)
		task_put(encoder, now, &now->tasks[i], &last_new);
}

/* Mounts and disks are few: a walk from the cursor finds them. */
#define DEVICE_ROW_FIND(row_name, rows, n_rows)                                                              \
	static size_t row_name##_before(const struct encoder *encoder, uint64_t device)                      \
	{                                                                                                    \
		const struct sample *before = encoder->before;                                               \
		for (size_t i = 0; i < before->n_rows; i++) {                                                \
			size_t index = (encoder->cursor + i) % before->n_rows;                               \
			if (before->rows[index].device == device)                                            \
				return index;                                                                \
		}                                                                                            \
		return ROW_NONE;                                                                             \
	}
DEVICE_ROW_FIND(mount, mounts, n_mounts)
DEVICE_ROW_FIND(disk, disks, n_disks)

static void mount_put(struct encoder *encoder, const struct sample *now, const struct mount_row *row)
{
	static const struct mount_row blank = {.values = {[0 ... METRIC_MOUNT_COUNT - 1] = METRIC_NA}};
	const struct sample *sample_before = encoder->before;
	struct buf *out = &encoder->payload;
	size_t index = mount_before(encoder, row->device);
	const struct mount_row *before = index == ROW_NONE ? &blank : &sample_before->mounts[index];

	mask_begin(encoder);
	mask_set(encoder, MOUNT_BIT_POINT, string_differs(now, row->point, sample_before, before->point));
	mask_set(encoder, MOUNT_BIT_TYPE, string_differs(now, row->type, sample_before, before->type));
	mask_set(encoder, MOUNT_BIT_SOURCE, string_differs(now, row->source, sample_before, before->source));
	mask_set(encoder, MOUNT_BIT_FLAGS, row->flags != before->flags);
	mask_set(encoder, MOUNT_BIT_POINTS, row->points != before->points);
	cells_mark(encoder, MOUNT_BITS, row->values, before->values, METRIC_MOUNT_COUNT);
	bool changed = mask_any(encoder);

	head_put(encoder, index, changed);
	if (index == ROW_NONE)
		put_varint(out, row->device);
	if (!changed)
		return;
	mask_put(encoder, MOUNT_BITS + METRIC_MOUNT_COUNT);
	string_put(encoder, MOUNT_BIT_POINT, now, row->point);
	string_put(encoder, MOUNT_BIT_TYPE, now, row->type);
	string_put(encoder, MOUNT_BIT_SOURCE, now, row->source);
	if (mask_has(encoder, MOUNT_BIT_FLAGS))
		put_varint(out, row->flags);
	if (mask_has(encoder, MOUNT_BIT_POINTS))
		put_varint(out, row->points);
	cells_put(encoder, METRIC_SCOPE_MOUNT, MOUNT_BITS, row->values, before->values);
}

static void disk_put(struct encoder *encoder, const struct sample *now, const struct disk_row *row)
{
	static const struct disk_row blank = {.values = {[0 ... METRIC_DISK_COUNT - 1] = METRIC_NA}};
	const struct sample *sample_before = encoder->before;
	size_t index = disk_before(encoder, row->device);
	const struct disk_row *before = index == ROW_NONE ? &blank : &sample_before->disks[index];

	mask_begin(encoder);
	mask_set(encoder, DISK_BIT_NAME, string_differs(now, row->name, sample_before, before->name));
	cells_mark(encoder, DISK_BITS, row->values, before->values, METRIC_DISK_COUNT);
	bool changed = mask_any(encoder);

	head_put(encoder, index, changed);
	if (index == ROW_NONE)
		put_varint(&encoder->payload, row->device);
	if (!changed)
		return;
	mask_put(encoder, DISK_BITS + METRIC_DISK_COUNT);
	string_put(encoder, DISK_BIT_NAME, now, row->name);
	cells_put(encoder, METRIC_SCOPE_DISK, DISK_BITS, row->values, before->values);
}

/* Looks */

static uint64_t us_of(int64_t ns)
{
	return (uint64_t)(ns / NS_PER_US);
}

/* Looks are taken at a grain of milliseconds; then their times are told in those. */
static bool look_times_are_coarse(const struct sample *sample)
{
	for (size_t i = 0; i < sample->n_looks; i++)
		if (sample->look_ns[i] % NS_PER_MS != 0)
			return false;
	return true;
}

static void look_times_put(struct encoder *encoder, const struct sample *now)
{
	const struct sample *before = encoder->before;
	bool coarse = look_times_are_coarse(now);
	uint64_t grain_us = coarse ? FORMAT_COARSE_US : 1;
	uint64_t last =
		us_of(before->n_looks ? before->look_ns[before->n_looks - 1] : before->mono_ns) / grain_us;
	put_varint(&encoder->payload, (uint64_t)now->n_looks << 1 | coarse);
	for (size_t i = 0; i < now->n_looks; i++) {
		uint64_t look = us_of(now->look_ns[i]) / grain_us;
		put_varint(&encoder->payload, zigzag(look - last - encoder->look_interval_us / grain_us));
		last = look;
	}
}

static void sites_put(struct encoder *encoder, const struct sample *now)
{
	struct buf *out = &encoder->payload;
	if (now->n_sites > encoder->cap_site_numbers) {
		encoder->cap_site_numbers = now->n_sites + now->n_sites / 2;
		encoder->site_numbers = mem_resize(encoder->site_numbers, encoder->cap_site_numbers,
						   sizeof *encoder->site_numbers);
	}
	sites_leave(&encoder->sites);
	put_varint(out, now->n_sites);
	for (size_t i = 0; i < now->n_sites; i++) {
		const struct site *site = &now->sites[i];
		size_t len;
		const char *wchan = sample_string(now, site->wchan, &len);
		uint32_t number = sites_find(&encoder->sites, wchan, len, site->syscall, site->state);
		put_varint(out, number == SITE_NONE ? 0 : (uint64_t)number + 1);
		if (number == SITE_NONE) {
			put_bytes(out, wchan, len);
			put_signed(out, site->syscall);
			buf_add_byte(out, (unsigned char)site->state);
			number = sites_add(&encoder->sites, wchan, len, site->syscall, site->state);
		}
		encoder->sites.entries[number].here = (uint32_t)i;
		encoder->site_numbers[i] = number;
	}
}

/* Is this the row before of the same thread at the same site? */
static bool look_is(const struct encoder *encoder, size_t index, const struct look_row *row)
{
	const struct look_row *before = &encoder->before->look_rows[index];
	uint32_t number = encoder->site_numbers_before[before->site];
	return before->tid == row->tid && before->block == row->block &&
	       encoder->moved[before->task] == row->task && encoder->sites.entries[number].here == row->site;
}

static uint64_t look_key(uint32_t task, int32_t tid, uint32_t site, uint16_t block)
{
	uint64_t key = (uint64_t)task << 32 | (uint32_t)tid;
	return (key * UINT64_C(0x9E3779B97F4A7C15)) ^ ((uint64_t)site << 16 | block);
}

static size_t look_before(struct encoder *encoder, const struct look_row *row)
{
	const struct sample *before = encoder->before;
	if (encoder->cursor < before->n_look_rows && look_is(encoder, encoder->cursor, row))
		return encoder->cursor;
	if (!encoder->rows_filled) {
		map_clear(&encoder->rows);
		for (size_t i = 0; i < before->n_look_rows; i++) {
			const struct look_row *old = &before->look_rows[i];
			uint32_t number = encoder->site_numbers_before[old->site];
			map_put(&encoder->rows,
				look_key(encoder->moved[old->task], old->tid, number, old->block), i);
		}
		encoder->rows_filled = true;
	}
	uint64_t key = look_key(row->task, row->tid, encoder->site_numbers[row->site], row->block);
	uint64_t found;
	return map_get(&encoder->rows, key, &found) && look_is(encoder, found, row) ? (size_t)found
										    : ROW_NONE;
}

static void look_rows_put(struct encoder *encoder, const struct sample *now)
{
	struct buf *out = &encoder->payload;
	rows_begin(encoder);
	told_begin(&encoder->told, now->n_looks);
	put_varint(out, now->n_look_rows);
	uint64_t last_task = 0;
	for (size_t i = 0; i < now->n_look_rows; i++) {
		const struct look_row *row = &now->look_rows[i];
		assert(row->task < now->n_tasks && row->site < now->n_sites);
		size_t index = look_before(encoder, row);
		bool explicit = row->mask != told_rest(&encoder->told, row);
		told_add(&encoder->told, row);
		head_put(encoder, index, explicit);
		if (index == ROW_NONE) {
			put_varint(out, zigzag(row->task - last_task));
			put_signed(out, (int64_t)row->tid - now->tasks[row->task].pid);
			put_varint(out, row->site);
			put_varint(out, row->block);
		}
		last_task = row->task;
		if (explicit)
			put_varint(out, row->mask);
	}
}

/* The sample */

static bool sample_fits(const struct sample *sample)
{
	return sample->n_tasks <= LIMIT_ROWS && sample->n_mounts <= LIMIT_ROWS &&
	       sample->n_disks <= LIMIT_ROWS && sample->n_look_rows <= LIMIT_ROWS &&
	       sample->n_looks <= LIMIT_LOOKS && sample->n_sites <= LIMIT_SITES &&
	       sample->strings_len <= LIMIT_STRINGS_BYTES / 2;
}

static void times_put(struct encoder *encoder, const struct sample *now)
{
	const struct sample *before = encoder->before;
	struct buf *out = &encoder->payload;
	uint64_t mono_us = us_of(now->mono_ns), mono_us_before = us_of(before->mono_ns);
	put_varint(out, now->number - before->number);
	put_varint(out, zigzag(mono_us - mono_us_before - encoder->interval_us));
	put_varint(out, zigzag((us_of(now->wall_ns) - mono_us) - (us_of(before->wall_ns) - mono_us_before)));
	put_varint(out, zigzag(us_of(now->asleep_ns) - us_of(before->asleep_ns)));
	put_varint(out, now->flags);
	put_varint(out, now->missed);
}

static void site_numbers_swap(struct encoder *encoder)
{
	uint32_t *numbers = encoder->site_numbers;
	size_t capacity = encoder->cap_site_numbers;
	encoder->site_numbers = encoder->site_numbers_before;
	encoder->cap_site_numbers = encoder->cap_site_numbers_before;
	encoder->site_numbers_before = numbers;
	encoder->cap_site_numbers_before = capacity;
}

int encoder_sample(struct encoder *encoder, const struct sample *sample, struct buf *out)
{
	if (!sample_fits(sample))
		return -E2BIG;
	buf_clear(&encoder->payload);
	times_put(encoder, sample);
	mask_begin(encoder);
	cells_mark(encoder, 0, sample->system, encoder->before->system, METRIC_SYSTEM_COUNT);
	mask_put(encoder, METRIC_SYSTEM_COUNT);
	cells_put(encoder, METRIC_SCOPE_SYSTEM, 0, sample->system, encoder->before->system);

	tasks_put(encoder, sample);
	rows_begin(encoder);
	put_varint(&encoder->payload, sample->n_mounts);
	for (size_t i = 0; i < sample->n_mounts; i++)
		mount_put(encoder, sample, &sample->mounts[i]);
	rows_begin(encoder);
	put_varint(&encoder->payload, sample->n_disks);
	for (size_t i = 0; i < sample->n_disks; i++)
		disk_put(encoder, sample, &sample->disks[i]);

	look_times_put(encoder, sample);
	sites_put(encoder, sample);
	look_rows_put(encoder, sample);
	notes_put(&encoder->payload, sample);
	if (encoder->payload.len > LIMIT_RECORD_BYTES || encoder->sites.count > LIMIT_SITES)
		return -E2BIG;
	record_put(out, RECORD_SAMPLE, encoder->payload.data, encoder->payload.len);
	sample_copy(encoder->before, sample);
	site_numbers_swap(encoder);
	return 0;
}
