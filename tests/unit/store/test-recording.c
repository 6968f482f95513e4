/* SPDX-License-Identifier: MIT
 *
 * Recordings written and read back: whole, cut at every byte, with every byte flipped, growing, over a pipe,
 * by seeks.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../src/store/crc.h"
#include "../../../src/store/format.h"
#include "../../../src/store/varint.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "made.h"
#include "model/tick.h"
#include "store/reader.h"
#include "store/recorder.h"

static char directory[] = "/tmp/test-recording-XXXXXX";
static char path[64];

struct recording {
	struct tick *ticks[400];
	size_t n;
};

static struct recording recording_make(uint64_t seed, size_t n, size_t n_tasks, bool odd)
{
	struct recording recording = {.n = n};
	struct made made = made_begin(seed, n_tasks, odd);
	for (size_t i = 0; i < n; i++)
		recording.ticks[i] = tick_new(made_next(&made));
	made_fini(&made);
	return recording;
}

static void recording_free(struct recording *recording)
{
	for (size_t i = 0; i < recording->n; i++)
		tick_unref(recording->ticks[i]);
}

static struct recorder *recorder_start(struct consumer *consumer, bool command_lines)
{
	struct recorder *recorder;
	struct why why;
	unlink(path);
	struct recorder_options options = {.path = path, .command_lines = command_lines};
	assert_int_equal(recorder_open(&recorder, &options, &why), 0);
	struct run *run = made_run();
	*consumer = recorder_consumer(recorder);
	consumer->begin(consumer->self, run);
	run_free(run);
	return recorder;
}

static const struct run_end good_end = {.complete = true,
					.known = true,
					.status = 2,
					.mono_ns = 4300000000123,
					.wall_ns = 1796073500000000001,
					.user_us = 12345678,
					.system_us = METRIC_NA,
					.max_rss_bytes = 1 << 30,
					.left_behind = (char *)"sccache"};

static void recording_write(const struct recording *recording, bool command_lines)
{
	struct consumer consumer;
	struct recorder *recorder = recorder_start(&consumer, command_lines);
	for (size_t i = 0; i < recording->n; i++)
		consumer.tick(consumer.self, recording->ticks[i], 0);
	consumer.end(consumer.self, &good_end);
	assert_int_equal(recorder_lost(recorder, NULL), 0);
	recorder_close(recorder);
}

static struct reader *open_or_fail(void)
{
	struct reader *reader;
	struct why why;
	if (reader_open(&reader, path, &why) < 0)
		fail_msg("%s", why.text);
	return reader;
}

static void assert_sample(const struct sample *got, const struct sample *made)
{
	assert_true(made_equal(got, made));
}

static void round_trip(size_t n_tasks, bool odd)
{
	struct recording recording = recording_make(n_tasks, 150, n_tasks, odd);
	recording_write(&recording, true);
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	struct reader *reader = open_or_fail();
	struct sample *sample = sample_new();
	for (size_t i = 0; i < recording.n; i++) {
		assert_int_equal(reader_frame(reader), i / 60);
		assert_int_equal(reader_next(reader, sample), 1);
		assert_sample(sample, recording.ticks[i]->sample);
	}
	assert_int_equal(reader_next(reader, sample), 0);
	assert_null(reader_damage(reader));
	const struct run_end *end = reader_end(reader);
	assert_non_null(end);
	assert_true(end->complete && end->known && !end->interrupted);
	assert_int_equal(end->status, 2);
	assert_int_equal(end->mono_ns, good_end.mono_ns);
	assert_int_equal(end->wall_ns, good_end.wall_ns);
	assert_int_equal(end->user_us, good_end.user_us);
	assert_true(end->system_us == METRIC_NA);
	assert_string_equal(end->left_behind, "sccache");
	reader_close(reader);
	sample_free(sample);
	recording_free(&recording);
}

static void usual_samples_come_back(void **state)
{
	(void)state;
	round_trip(18, false);
}

static void odd_samples_come_back(void **state)
{
	(void)state;
	round_trip(23, true);
	round_trip(1, true);
}

static void the_run_comes_back(void **state)
{
	(void)state;
	struct recording recording = recording_make(1, 1, 4, false);
	recording_write(&recording, true);
	struct reader *reader = open_or_fail();
	const struct run *run = reader_run(reader);
	struct run *made = made_run();
	assert_string_equal(run->id, made->id);
	assert_string_equal(run->command[2], "CFLAGS=-O2 -g");
	assert_null(run->command[3]);
	assert_string_equal(run_label(run, "variant"), "x=y");
	assert_string_equal(run->host, "builder");
	assert_string_equal(run->machine, "x86_64");
	assert_string_equal(run->vcs_commit, made->vcs_commit);
	assert_int_equal(run->vcs_dirty, 1);
	assert_int_equal(run->cpus, 4);
	assert_int_equal(run->ticks_per_s, 100);
	assert_int_equal(run->memory_total_bytes, made->memory_total_bytes);
	assert_int_equal(run->start_wall_ns, made->start_wall_ns);
	assert_int_equal(run->start_mono_ns, made->start_mono_ns);
	assert_int_equal(run->interval_ns, made->interval_ns);
	assert_int_equal(run->look_interval_ns, made->look_interval_ns);
	assert_string_equal(run_source(run, "wchan"), "no: hidden");
	assert_string_equal(run->sources[1].remedy, "run as root");
	assert_null(run->sources[0].remedy);
	run_free(made);
	reader_close(reader);
	recording_free(&recording);
}

static void command_lines_are_left_out(void **state)
{
	(void)state;
	struct recording recording = recording_make(1, 3, 4, false);
	recording_write(&recording, false);
	struct reader *reader = open_or_fail();
	struct sample *sample = sample_new();
	assert_null(reader_run(reader)->command);
	while (reader_next(reader, sample) > 0)
		for (size_t i = 0; i < sample->n_tasks; i++) {
			assert_int_equal(sample->tasks[i].cmdline, 0);
			assert_int_not_equal(sample->tasks[i].comm, 0);
		}
	reader_close(reader);
	sample_free(sample);
	recording_free(&recording);
}

static void bytes_put(const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(fd_write_all(fd, bytes, len), 0);
	close(fd);
}

static struct buf small_recording(struct recording *recording)
{
	struct buf bytes = {0};
	*recording = recording_make(5, 66, 2, false);
	recording_write(recording, true);
	assert_int_equal(fd_read_file(path, &bytes, 1 << 20), 0);
	return bytes;
}

static void every_cut_gives_a_prefix(void **state)
{
	(void)state;
	struct recording recording;
	struct buf bytes = small_recording(&recording);
	struct sample *sample = sample_new();
	size_t most = 0;
	for (size_t cut = 1; cut < bytes.len; cut++) {
		bytes_put(bytes.data, cut);
		struct reader *reader = open_or_fail();
		size_t n = 0;
		for (; reader_next(reader, sample) > 0; n++)
			assert_sample(sample, recording.ticks[n]->sample);
		assert_true(n >= most);
		most = n;
		const char *damage = reader_damage(reader);
		char at[32];
		snprintf(at, sizeof at, "at byte %zu", cut);
		if (!damage || !strstr(damage, "breaks off") || !strstr(damage, at))
			fail_msg("cut at %zu: %s", cut, damage ? damage : "nothing said");
		reader_close(reader);
	}
	assert_int_equal(most, recording.n);
	sample_free(sample);
	buf_fini(&bytes);
	recording_free(&recording);
}

/* Every sample handed out is one of the originals, but for what says that some before it were lost. */
static void assert_true_samples(struct reader *reader, const struct recording *recording, size_t *n)
{
	struct sample *sample = sample_new();
	uint64_t expected = 0;
	for (*n = 0; reader_next(reader, sample) > 0; (*n)++) {
		assert_true(sample->number < recording->n);
		assert_true(sample->number >= expected);
		bool lost = sample->number > expected;
		assert_int_equal(!!(sample->flags & SAMPLE_LOST), lost);
		assert_int_equal(sample->missed, sample->number - expected);
		expected = sample->number + 1;
		sample->flags &= ~(unsigned)SAMPLE_LOST;
		sample->missed = 0;
		assert_sample(sample, recording->ticks[sample->number]->sample);
	}
	sample_free(sample);
}

static void every_flip_is_told(void **state)
{
	(void)state;
	struct recording recording;
	struct buf bytes = small_recording(&recording);
	size_t whole = 0, refused = 0;
	for (size_t at = 0; at < bytes.len; at++) {
		char good = bytes.data[at];
		bytes.data[at] = (char)(good ^ (1 << at % 8));
		bytes_put(bytes.data, bytes.len);
		bytes.data[at] = good;
		struct reader *reader;
		struct why why;
		if (reader_open(&reader, path, &why) < 0) {
			assert_non_null(strstr(why.text, path));
			refused++;
			continue;
		}
		size_t n;
		assert_true_samples(reader, &recording, &n);
		if (n < recording.n && !reader_damage(reader))
			fail_msg("flip at %zu: %zu samples and nothing said", at, n);
		whole += n == recording.n;
		reader_close(reader);
	}
	assert_true(refused > 500 && refused < 2000); /* the header */
	assert_true(whole > 10);		      /* in the index */
	buf_fini(&bytes);
	recording_free(&recording);
}

static void a_lost_frame_is_a_gap(void **state)
{
	(void)state;
	struct recording recording = recording_make(3, 200, 3, false);
	recording_write(&recording, true);
	struct buf bytes = {0};
	assert_int_equal(fd_read_file(path, &bytes, 1 << 22), 0);
	struct reader *reader = open_or_fail();
	assert_int_equal(reader_seek(reader, 1), 0);
	reader_close(reader);
	bytes.data[bytes.len / 2] ^= 0x10;
	bytes_put(bytes.data, bytes.len);
	reader = open_or_fail();
	size_t n;
	assert_true_samples(reader, &recording, &n);
	assert_true(n >= 140 && n < 200);
	assert_non_null(strstr(reader_damage(reader), "frame "));
	reader_close(reader);
	buf_fini(&bytes);
	recording_free(&recording);
}

static void seeks(bool with_index)
{
	struct recording recording = recording_make(3, 200, 3, false);
	recording_write(&recording, true);
	if (!with_index) { /* cut in the index */
		struct stat status;
		stat(path, &status);
		assert_int_equal(truncate(path, status.st_size - 1), 0);
	}
	struct reader *reader = open_or_fail();
	struct sample *sample = sample_new();
	for (size_t i = 0; i < 4; i++) {
		size_t frame = (i * 3 + 2) % 4;
		assert_int_equal(reader_seek(reader, frame), 0);
		assert_int_equal(reader_frame(reader), frame);
		assert_int_equal(reader_next(reader, sample), 1);
		assert_sample(sample, recording.ticks[frame * 60]->sample);
	}
	assert_int_equal(reader_seek(reader, 99), -ERANGE);
	assert_int_equal(reader_seek(reader, 0), 0);
	size_t n;
	assert_true_samples(reader, &recording, &n);
	assert_int_equal(n, 200);
	assert_int_equal(!reader_damage(reader), with_index);
	sample_free(sample);
	reader_close(reader);
	recording_free(&recording);
}

static void a_seek_finds_its_frame(void **state)
{
	(void)state;
	seeks(true);
	seeks(false);
}

static void a_growing_file_is_followed(void **state)
{
	(void)state;
	struct recording recording = recording_make(3, 130, 3, false);
	struct consumer consumer;
	struct recorder *recorder = recorder_start(&consumer, true);
	struct reader *reader = open_or_fail();
	struct sample *sample = sample_new();
	for (size_t i = 0; i < recording.n; i++) {
		assert_int_equal(reader_next(reader, sample), 0);
		consumer.tick(consumer.self, recording.ticks[i], 0);
		assert_int_equal(reader_next(reader, sample), 1);
		assert_sample(sample, recording.ticks[i]->sample);
	}
	consumer.end(consumer.self, &good_end);
	assert_int_equal(reader_next(reader, sample), 0);
	assert_non_null(reader_end(reader));
	assert_null(reader_damage(reader));
	recorder_close(recorder);
	reader_close(reader);
	sample_free(sample);
	recording_free(&recording);
}

static void a_pipe_is_read(void **state)
{
	(void)state;
	struct recording recording;
	struct buf bytes = small_recording(&recording);
	int ends[2], saved = dup(STDIN_FILENO);
	assert_int_equal(pipe(ends), 0);
	assert_true(bytes.len < 65536); /* fits into a pipe */
	assert_int_equal(fd_write_all(ends[1], bytes.data, bytes.len), 0);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	struct reader *reader;
	struct why why;
	assert_int_equal(reader_open(&reader, "-", &why), 0);
	dup2(saved, STDIN_FILENO);
	size_t n;
	assert_true_samples(reader, &recording, &n);
	assert_int_equal(n, recording.n);
	assert_int_equal(reader_seek(reader, 0), -ESPIPE);
	assert_null(reader_damage(reader));
	reader_close(reader);
	close(ends[0]);
	close(saved);
	buf_fini(&bytes);
	recording_free(&recording);
}

/* Gives a known key another name of the same length in the header, checksum and all. */
static void unknown_metrics_are_skipped(void **state)
{
	(void)state;
	struct recording recording;
	struct buf bytes = small_recording(&recording);
	static const char *const keys[] = {"sbgdirty_bytes", "tbgrss_bytes", "smccpu_user_ms",
					   "dcgin_flight"};
	uint32_t size = u32_at(bytes.data + 4);
	for (size_t i = 0; i < 4; i++) {
		char *key = memmem(bytes.data, size, keys[i], strlen(keys[i]));
		assert_non_null(key);
		key[3] = '~';
	}
	uint32_t crc = crc32_of(bytes.data + 8, size - 4);
	for (int i = 0; i < 4; i++)
		bytes.data[8 + size - 4 + (uint32_t)i] = (char)(crc >> 8 * i);
	bytes_put(bytes.data, bytes.len);
	struct reader *reader = open_or_fail();
	struct sample *sample = sample_new(), *want = sample_new();
	size_t n = 0;
	for (; reader_next(reader, sample) > 0; n++) {
		sample_copy(want, recording.ticks[n]->sample);
		want->system[METRIC_SYSTEM_DIRTY_BYTES] = METRIC_NA;
		want->system[METRIC_SYSTEM_CPU_USER_MS] = METRIC_NA;
		for (size_t i = 0; i < want->n_tasks; i++)
			want->tasks[i].values[METRIC_TASK_RSS_BYTES] = METRIC_NA;
		for (size_t i = 0; i < want->n_disks; i++)
			want->disks[i].values[METRIC_DISK_IN_FLIGHT] = METRIC_NA;
		assert_sample(sample, want);
	}
	assert_int_equal(n, recording.n);
	assert_null(reader_damage(reader));
	sample_free(want);
	sample_free(sample);
	reader_close(reader);
	buf_fini(&bytes);
	recording_free(&recording);
}

static void other_files_are_refused(void **state)
{
	(void)state;
	static const char *const contents[] = {"", "PK\3\4 something else",
					       "\x5b\x2a\x4d\x18\x08\0\0\0notours!"};
	for (size_t i = 0; i < 3; i++) {
		struct reader *reader;
		struct why why;
		bytes_put(contents[i], i == 2 ? 16 : strlen(contents[i]));
		assert_true(reader_open(&reader, path, &why) < 0);
		assert_non_null(strstr(why.text, path));
	}
}

static void numbers_come_back(void **state)
{
	(void)state;
	static const uint64_t values[] = {
		0, 1, 127, 128, 4096, 1024 * 3, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 2, 1ull << 63};
	enum { N = sizeof values / sizeof *values };
	struct buf buf = {0};
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			put_number(&buf, values[i], values[j]);
			put_size(&buf, values[i], values[j]);
		}
	struct scan scan = scan_of(buf.data, buf.len);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			assert_true(get_number(&scan, values[j]) == values[i]);
			assert_true(get_size(&scan, values[j]) == values[i]);
		}
	assert_false(scan.bad);
	assert_int_equal(scan_left(&scan), 0);
	assert_int_equal(get_varint(&scan), 0);
	assert_true(scan.bad);
	buf_fini(&buf);
	assert_int_equal(crc32_of("123456789", 9), 0xCBF43926);
}

int main(void)
{
	log_init();
	if (!mkdtemp(directory))
		return 1;
	snprintf(path, sizeof path, "%s/r.buildtop", directory);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(usual_samples_come_back),
		cmocka_unit_test(odd_samples_come_back),
		cmocka_unit_test(the_run_comes_back),
		cmocka_unit_test(command_lines_are_left_out),
		cmocka_unit_test(a_growing_file_is_followed),
		cmocka_unit_test(a_pipe_is_read),
		cmocka_unit_test(a_seek_finds_its_frame),
		cmocka_unit_test(a_lost_frame_is_a_gap),
		cmocka_unit_test(unknown_metrics_are_skipped),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(every_cut_gives_a_prefix),
		cmocka_unit_test(every_flip_is_told),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(directory);
	return failed;
}
