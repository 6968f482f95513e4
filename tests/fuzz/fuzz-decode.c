/* SPDX-License-Identifier: MIT
 *
 * What stands behind the checksums of a recording. The first byte says what the rest is: 0 the header's
 * content, 1 the index's, 2 the end of the run, 3 command lines, else payloads of sample records, each behind
 * its length in two bytes (0: a frame begins). What was decoded is encoded again and must come out the same.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/store/crc.h"
#include "../../src/store/decode.h"
#include "../../src/store/encode.h"
#include "../../src/store/header.h"
#include "../../src/store/index.h"
#include "../../src/store/record.h"
#include "../../src/store/retell.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void header_case(const uint8_t *data, size_t size)
{
	struct buf content = {0};
	struct header header = {0};
	struct why why;
	buf_add(&content, data, size);
	put_u32(&content, crc32_of(content.data, content.len));
	header_decode(&header, content.data, content.len, &why);
	header_fini(&header);
	buf_fini(&content);
}

static void index_case(const uint8_t *data, size_t size)
{
	struct buf content = {0};
	struct index index = {0};
	buf_add(&content, data, size);
	put_u32(&content, crc32_of(content.data, content.len));
	put_u32(&content, (uint32_t)(size + FORMAT_TRAILER_SIZE + FORMAT_SKIPPABLE_HEAD));
	buf_add(&content, FORMAT_INDEX_MARK, FORMAT_MARK_SIZE);
	index_decode(&index, content.data, content.len);
	index_fini(&index);
	buf_fini(&content);
}

static void end_case(const uint8_t *data, size_t size)
{
	struct run_end end = {0};
	end_decode(&end, data, size);
	run_end_fini(&end);
}

/* The text and its model, split at the first byte's place; and the rest as a telling. */
static void retell_case(const uint8_t *data, size_t size)
{
	size_t split = size > 0 ? data[0] % size : 0;
	struct scan model = scan_of(data, split);
	struct buf told = {0}, text = {0};
	retell_put(&told, (const char *)data + split, size - split, model);
	struct scan scan = scan_of(told.data, told.len);
	retell_get(&scan, model, &text, 1 << 20);
	must(!scan.bad && scan_left(&scan) == 0);
	must(text.len == size - split && memcmp(text.data ? text.data : "", data + split, text.len) == 0);
	scan = scan_of(data + split, size - split);
	retell_get(&scan, model, &text, 1000);
	must(scan.bad || text.len <= 1000);
	buf_fini(&told);
	buf_fini(&text);
}

static void same_string(const struct sample *a, uint32_t at_a, const struct sample *b, uint32_t at_b)
{
	size_t len_a, len_b;
	const char *text_a = sample_string(a, at_a, &len_a), *text_b = sample_string(b, at_b, &len_b);
	must(len_a == len_b && memcmp(text_a, text_b, len_a) == 0);
}

static void same_sample(const struct sample *a, const struct sample *b)
{
	must(a->number == b->number && a->flags == b->flags && a->missed == b->missed);
	must(memcmp(a->system, b->system, sizeof a->system) == 0);
	must(a->n_tasks == b->n_tasks && a->n_mounts == b->n_mounts && a->n_disks == b->n_disks);
	must(a->n_looks == b->n_looks && a->n_sites == b->n_sites && a->n_look_rows == b->n_look_rows);
	for (size_t i = 0; i < a->n_tasks; i++) {
		const struct task_row *x = &a->tasks[i], *y = &b->tasks[i];
		must(x->pid == y->pid && x->ppid == y->ppid && x->start_ticks == y->start_ticks);
		must(x->uid == y->uid && x->flags == y->flags && x->state == y->state);
		must(memcmp(x->values, y->values, sizeof x->values) == 0);
		same_string(a, x->comm, b, y->comm);
		same_string(a, x->cmdline, b, y->cmdline);
	}
	for (size_t i = 0; i < a->n_mounts; i++)
		same_string(a, a->mounts[i].point, b, b->mounts[i].point);
	for (size_t i = 0; i < a->n_disks; i++)
		same_string(a, a->disks[i].name, b, b->disks[i].name);
	for (size_t i = 0; i < a->n_look_rows; i++) {
		const struct look_row *x = &a->look_rows[i], *y = &b->look_rows[i];
		must(x->task == y->task && x->tid == y->tid && x->block == y->block && x->mask == y->mask);
		must(x->site == y->site);
	}
}

static void samples_case(const uint8_t *data, size_t size)
{
	struct header header = {.run = run_new()};
	header.run->interval_ns = 1000000000;
	header.run->look_interval_ns = 100000000;
	header_own_columns(&header);
	struct decoder *decoder = decoder_new(&header), *again = decoder_new(&header);
	struct encoder *encoder = encoder_new(header.run, true);
	struct buf out = {0};
	for (size_t at = 0; at + 2 <= size;) {
		size_t len = (size_t)data[at] | (size_t)data[at + 1] << 8;
		const struct sample *first, *second;
		struct record record;
		at += 2;
		if (len == 0) {
			decoder_begin_frame(decoder);
			continue;
		}
		if (len > size - at)
			len = size - at;
		if (decoder_sample(decoder, data + at, len, &first) < 0)
			break;
		at += len;
		buf_clear(&out);
		if (encoder_sample(encoder, first, &out) < 0)
			break;
		must(record_get(&record, out.data, out.len) == (long)out.len);
		must(decoder_sample(again, record.payload, record.len, &second) == 0);
		same_sample(first, second);
	}
	buf_fini(&out);
	encoder_free(encoder);
	decoder_free(decoder);
	decoder_free(again);
	header_fini(&header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const cases[])(const uint8_t *data, size_t size) = {header_case, index_case, end_case,
									  retell_case, samples_case};
	if (size > 0)
		cases[data[0] < 4 ? data[0] : 4](data + 1, size - 1);
	return 0;
}
