/* SPDX-License-Identifier: MIT
 *
 * The bytes printed in docs/buildtop-recording.5 are a recording, and say what the page says they say. They
 * were not made by our encoder, so this also tests that page and decoder mean the same.
 */
#include <ctype.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "store/reader.h"

/* The hex digits between the marks of `part` in the page, as bytes. */
static struct buf page_bytes(const char *part)
{
	char path[4096], mark[64];
	const char *srcdir = getenv("srcdir");
	struct buf page = {0}, bytes = {0};
	snprintf(path, sizeof path, "%s/docs/buildtop-recording.5", srcdir ? srcdir : ".");
	if (fd_read_file(path, &page, 1 << 20) < 0)
		fail_msg("%s cannot be read; set srcdir", path);
	snprintf(mark, sizeof mark, "test-page: %s\n.EX\n", part);
	const char *at = strstr(page.data, mark);
	assert_non_null(at);
	for (at += strlen(mark); *at != '.'; at++)
		if (isxdigit((unsigned char)*at)) {
			char digits[3] = {at[0], at[1], '\0'};
			buf_add_byte(&bytes, (unsigned char)strtoul(digits, NULL, 16));
			at++;
		}
	buf_fini(&page);
	return bytes;
}

static void first_sample(const struct sample *sample)
{
	assert_int_equal(sample->number, 0);
	assert_int_equal(sample->flags, SAMPLE_FIRST);
	assert_int_equal(sample->mono_ns, 5000000000);
	assert_int_equal(sample->wall_ns, 1796073411000000000);
	assert_int_equal(sample->system[METRIC_SYSTEM_DIRTY_BYTES], 1228800);
	assert_int_equal(sample->system[METRIC_SYSTEM_CPU_USER_MS], 70);
	assert_true(sample->system[METRIC_SYSTEM_WRITEBACK_BYTES] == METRIC_NA);
	assert_int_equal(sample->n_tasks, 1);
	const struct task_row *task = &sample->tasks[0];
	assert_int_equal(task->pid, 41000);
	assert_int_equal(task->ppid, 1);
	assert_int_equal(task->start_ticks, 400);
	assert_int_equal(task->flags, TASK_ROOT | TASK_NEW);
	assert_string_equal(sample_string(sample, task->comm, NULL), "make");
	assert_int_equal(task->state, 'S');
	assert_int_equal(task->values[METRIC_TASK_USER_MS], 20);
	assert_true(task->values[METRIC_TASK_RSS_BYTES] == METRIC_NA);
}

static void second_sample(const struct sample *sample)
{
	assert_int_equal(sample->number, 1);
	assert_int_equal(sample->flags, 0);
	assert_int_equal(sample->mono_ns, 6000012000);
	assert_int_equal(sample->system[METRIC_SYSTEM_DIRTY_BYTES], 1146880);
	assert_int_equal(sample->system[METRIC_SYSTEM_CPU_USER_MS], 120);
	assert_int_equal(sample->tasks[0].flags, TASK_ROOT);
	assert_int_equal(sample->tasks[0].values[METRIC_TASK_USER_MS], 30);
	assert_int_equal(sample->n_looks, 1);
	assert_int_equal(sample->look_ns[0], 5500000000);
	assert_int_equal(sample->n_sites, 1);
	assert_string_equal(sample_string(sample, sample->sites[0].wchan, NULL), "do_wait");
	assert_int_equal(sample->sites[0].syscall, 61);
	assert_int_equal(sample->sites[0].state, 'S');
	assert_int_equal(sample->n_look_rows, 1);
	assert_int_equal(sample->look_rows[0].tid, 41000);
	assert_int_equal(sample->look_rows[0].mask, 1);
}

static void the_example_says_what_the_page_says(void **state)
{
	(void)state;
	struct buf bytes = page_bytes("file");
	char path[] = "/tmp/test-page-XXXXXX";
	int fd = mkstemp(path);
	assert_int_equal(fd_write_all(fd, bytes.data, bytes.len), 0);
	close(fd);
	struct reader *reader;
	struct why why;
	struct sample *sample = sample_new();
	if (reader_open(&reader, path, &why) < 0)
		fail_msg("%s", why.text);
	unlink(path);
	assert_non_null(reader_end(reader)); /* from the index */
	assert_int_equal(reader_next(reader, sample), 1);
	first_sample(sample);
	assert_int_equal(reader_next(reader, sample), 1);
	second_sample(sample);
	assert_int_equal(reader_next(reader, sample), 0);
	assert_null(reader_damage(reader));
	const struct run_end *end = reader_end(reader);
	assert_true(end->complete && end->known);
	assert_int_equal(end->mono_ns, 6000000000);
	assert_int_equal(end->user_us, 90000);
	assert_int_equal(end->system_us, 20000);
	assert_int_equal(end->max_rss_bytes, 2048000);
	reader_close(reader);
	sample_free(sample);
	buf_fini(&bytes);
}

static void the_unpacked_frame_is_the_one_of_the_file(void **state)
{
	(void)state;
	struct buf bytes = page_bytes("file"), plain = page_bytes("plain");
	const unsigned char *header = (const unsigned char *)bytes.data;
	size_t at = 8 + (size_t)header[4] + ((size_t)header[5] << 8);
	size_t size = ZSTD_findFrameCompressedSize(bytes.data + at, bytes.len - at);
	assert_false(ZSTD_isError(size));
	char unpacked[1024];
	size_t len = ZSTD_decompress(unpacked, sizeof unpacked, bytes.data + at, size);
	assert_int_equal(len, plain.len);
	assert_memory_equal(unpacked, plain.data, len);
	buf_fini(&bytes);
	buf_fini(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_says_what_the_page_says),
		cmocka_unit_test(the_unpacked_frame_is_the_one_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
