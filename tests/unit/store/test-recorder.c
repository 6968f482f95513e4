/* SPDX-License-Identifier: MIT
 *
 * The recorder in trouble: a full disk, a reader that goes away, ticks that the queue dropped; and the output
 * beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../src/store/outlet.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "made.h"
#include "model/inbox.h"
#include "model/tick.h"
#include "store/reader.h"
#include "store/recorder.h"

static char directory[] = "/tmp/test-recorder-XXXXXX";
static char path[64];

static struct recorder *recorder_start(struct consumer *consumer, const char *to, const struct tape *output)
{
	struct recorder *recorder;
	struct why why;
	struct recorder_options options = {.path = to, .command_lines = true, .output = output};
	if (recorder_open(&recorder, &options, &why) < 0)
		fail_msg("%s", why.text);
	struct run *run = made_run();
	*consumer = recorder_consumer(recorder);
	consumer->begin(consumer->self, run);
	run_free(run);
	return recorder;
}

static void ticks_feed(struct consumer *consumer, struct made *made, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tick *tick = tick_new(made_next(made));
		consumer->tick(consumer->self, tick, 0);
		tick_unref(tick);
	}
}

static size_t said(const char *words)
{
	char line[LOG_LINE_SIZE];
	size_t n = 0;
	while (log_take(line))
		n += strstr(line, words) != NULL;
	return n;
}

static void limit_set(rlim_t bytes)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The samples of the file, all in order; *missed gets what it says is missing between them. */
static size_t file_read(uint64_t *missed, char damage[512])
{
	struct reader *reader;
	struct why why;
	struct sample *sample = sample_new();
	size_t n = 0;
	*missed = 0;
	if (reader_open(&reader, path, &why) < 0)
		fail_msg("%s", why.text);
	for (; reader_next(reader, sample) > 0; n++)
		*missed += sample->flags & SAMPLE_LOST ? sample->missed : 0;
	const char *sentence = reader_damage(reader);
	snprintf(damage, 512, "%s", sentence ? sentence : "");
	reader_close(reader);
	sample_free(sample);
	return n;
}

static void a_full_disk_is_waited_for(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 6, false);
	uint64_t missed;
	char damage[512];
	limit_set(9001);
	struct recorder *recorder = recorder_start(&consumer, path, NULL);
	ticks_feed(&consumer, &made, 200);
	struct stat status;
	stat(path, &status);
	assert_int_equal(status.st_size, 9001);
	assert_int_equal(said("kept in memory, trying again"), 1);
	assert_true(file_read(&missed, damage) > 5); /* valid up to the cut */
	assert_non_null(strstr(damage, "breaks off at byte 9001"));
	limit_set(RLIM_INFINITY);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	assert_int_equal(said("goes on"), 1);
	assert_int_equal(recorder_lost(recorder, NULL), 0);
	recorder_close(recorder);
	assert_int_equal(file_read(&missed, damage), 200);
	assert_string_equal(damage, "");
	made_fini(&made);
	unlink(path);
}

static void a_disk_that_stays_full_is_counted(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 6, false);
	uint64_t missed;
	char damage[512];
	limit_set(9001);
	struct recorder *recorder = recorder_start(&consumer, path, NULL);
	ticks_feed(&consumer, &made, 100);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	limit_set(RLIM_INFINITY);
	uint64_t lost = recorder_lost(recorder, NULL);
	recorder_close(recorder);
	size_t n = file_read(&missed, damage);
	assert_true(lost > 0 && lost < 100);
	/* The sample that was cut in two can be read if what is missing of it is only the end of its frame.
	 */
	assert_true(n == 100 - lost);
	made_fini(&made);
	unlink(path);
}

static void a_full_device_ends_nothing(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 3, false);
	said("");
	struct recorder *recorder = recorder_start(&consumer, "/dev/full", NULL);
	ticks_feed(&consumer, &made, 10);
	assert_int_equal(said("No space left on device"), 1);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	assert_int_equal(recorder_lost(recorder, NULL), 10);
	recorder_close(recorder);
	made_fini(&made);
}

static void a_reader_that_goes_ends_the_recording(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 3, false);
	assert_int_equal(mkfifo(path, 0600), 0);
	int reading = open(path, O_RDONLY | O_NONBLOCK);
	struct recorder *recorder = recorder_start(&consumer, path, NULL);
	ticks_feed(&consumer, &made, 5);
	close(reading);
	said("");
	ticks_feed(&consumer, &made, 7);
	assert_int_equal(said("reader is gone"), 1);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	assert_int_equal(recorder_lost(recorder, NULL), 7);
	recorder_close(recorder);
	assert_int_equal(access(path, F_OK), 0); /* not ours to remove */
	made_fini(&made);
	unlink(path);
}

static void a_reader_that_comes_late_gets_all(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 3, false);
	char magic[4];
	assert_int_equal(mkfifo(path, 0600), 0);
	struct recorder *recorder = recorder_start(&consumer, path, NULL); /* does not wait */
	ticks_feed(&consumer, &made, 5);
	int reading = open(path, O_RDONLY | O_NONBLOCK);
	ticks_feed(&consumer, &made, 1);
	assert_int_equal(read(reading, magic, sizeof magic), 4);
	assert_memory_equal(magic, "\x5b\x2a\x4d\x18", 4);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	assert_int_equal(recorder_lost(recorder, NULL), 0);
	recorder_close(recorder);
	close(reading);
	made_fini(&made);
	unlink(path);
}

static void dropped_ticks_are_a_gap(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 3, false);
	uint64_t missed;
	char damage[512];
	struct recorder *recorder = recorder_start(&consumer, path, NULL);
	struct inbox *inbox = inbox_new(4);
	for (int i = 0; i < 10; i++) { /* six are too many */
		struct tick *tick = tick_new(made_next(&made));
		inbox_put(inbox, tick);
		tick_unref(tick);
	}
	inbox_close(inbox);
	consumer.serve(consumer.self, inbox);
	ticks_feed(&consumer, &made, 1);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	assert_int_equal(recorder_lost(recorder, NULL), 6);
	recorder_close(recorder);
	inbox_free(inbox);
	assert_int_equal(file_read(&missed, damage), 5);
	assert_int_equal(missed, 6);
	assert_non_null(strstr(damage, "6 samples were not recorded"));
	made_fini(&made);
	unlink(path);
}

static void nothing_is_overwritten(void **state)
{
	(void)state;
	struct recorder *recorder;
	struct why why;
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(recorder_open(&recorder, &(struct recorder_options){.path = path}, &why), -EEXIST);
	assert_non_null(strstr(why.text, "exists already"));
	close(fd);
	unlink(path);
}

static void an_unused_recording_leaves_nothing(void **state)
{
	(void)state;
	struct recorder *recorder;
	struct why why;
	assert_int_equal(recorder_open(&recorder, &(struct recorder_options){.path = path}, &why), 0);
	assert_int_equal(access(path, F_OK), 0);
	recorder_close(recorder);
	assert_int_equal(access(path, F_OK), -1);
}

static void output_is_kept(void **state)
{
	(void)state;
	struct consumer consumer;
	struct made made = made_begin(1, 3, false);
	struct tape *tape = tape_new(4096);
	char log[80];
	snprintf(log, sizeof log, "%s.log", path);
	struct recorder *recorder = recorder_start(&consumer, path, tape);
	tape_write(tape, "one\n", 4);
	ticks_feed(&consumer, &made, 1);
	char block[1000];
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 9; i++)
		tape_write(tape, block, sizeof block);
	ticks_feed(&consumer, &made, 1);
	tape_write(tape, "last\n", 5);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	uint64_t lost;
	recorder_lost(recorder, &lost);
	assert_true(lost >= 9000 - 4096 && lost < 9000);
	recorder_close(recorder);
	struct buf text = {0};
	struct stat status;
	stat(log, &status);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(fd_read_file(log, &text, 1 << 16), 0);
	char mark[80];
	snprintf(mark, sizeof mark, "one\n\n[buildtop: %llu bytes of output lost here]\nx",
		 (unsigned long long)lost);
	assert_int_equal(strncmp(text.data, mark, strlen(mark)), 0);
	assert_string_equal(text.data + text.len - 6, "xlast\n");
	buf_fini(&text);
	tape_free(tape);
	made_fini(&made);
	unlink(path);
	unlink(log);
}

static void piece_add(struct outlet *outlet, uint64_t frame, uint64_t number, int64_t queued_ns)
{
	struct piece piece = {.frame = frame, .samples = 1, .number = number, .queued_ns = queued_ns};
	buf_add(&piece.bytes, "abc", 3);
	outlet_add(outlet, &piece);
}

static void the_oldest_frames_go_first(void **state)
{
	(void)state;
	struct outlet outlet;
	outlet_init(&outlet, open("/dev/full", O_WRONLY), "x");
	for (uint64_t i = 0; i < 8; i++)
		piece_add(&outlet, 1 + i / 2, i, 0);
	assert_false(outlet_push(&outlet, 0, false));
	assert_int_equal(outlet_trim(&outlet, OUTLET_KEEP_NS, 4), 0);
	assert_int_equal(outlet_trim(&outlet, OUTLET_KEEP_NS + 1, 4), 6); /* not the open one */
	assert_int_equal(outlet.count - outlet.head, 2);
	assert_int_equal(outlet.lost, 6);
	/* Not tried again before its time. */
	int null = open("/dev/null", O_WRONLY);
	dup2(null, outlet.fd);
	close(null);
	assert_false(outlet_push(&outlet, OUTLET_RETRY_NS - 1, false));
	assert_true(outlet_push(&outlet, OUTLET_RETRY_NS, false));
	assert_int_equal(outlet.index.n_frames, 1);
	assert_int_equal(outlet.index.frames[0].first, 6);
	assert_int_equal(outlet.index.frames[0].last, 7);
	outlet_fini(&outlet);
}

int main(void)
{
	log_init();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (!mkdtemp(directory))
		return 1;
	snprintf(path, sizeof path, "%s/r.buildtop", directory);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_is_waited_for),
		cmocka_unit_test(a_disk_that_stays_full_is_counted),
		cmocka_unit_test(a_full_device_ends_nothing),
		cmocka_unit_test(a_reader_that_goes_ends_the_recording),
		cmocka_unit_test(a_reader_that_comes_late_gets_all),
		cmocka_unit_test(dropped_ticks_are_a_gap),
		cmocka_unit_test(nothing_is_overwritten),
		cmocka_unit_test(an_unused_recording_leaves_nothing),
		cmocka_unit_test(output_is_kept),
		cmocka_unit_test(the_oldest_frames_go_first),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(directory);
	return failed;
}
