/* SPDX-License-Identifier: MIT
 *
 * Ticks in, frames out: encodes each sample, packs it, flushes it to the outlet. Knows when a frame ends
 * (sixty samples, or much in it) and what is missing before a sample. Everything after recorder_open()
 * happens on the recorder's thread, so a disk that stalls holds up this thread alone; ticks wait in the inbox
 * meanwhile.
 */
#include "store/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "encode.h"
#include "format.h"
#include "header.h"
#include "outlet.h"
#include "packer.h"
#include "record.h"
#include "transcript.h"

#define OUTPUT_PERIOD_MS 100 /* the tape is short */
#define READER_COMES_NS                                                                                      \
	(2 * NS_PER_S) /* at the end of the run; the reader of a FIFO may be slower than a short one */

struct recorder {
	char *path;
	bool command_lines;
	bool created; /* the file is ours */
	struct outlet outlet;
	struct transcript transcript;
	struct packer *packer;
	struct encoder *encoder; /* NULL until begin */

	uint64_t frame; /* the open one, or the next; from 1 */
	uint32_t frame_samples;
	size_t frame_size; /* bytes of its records, unpacked */
	struct buf records;
	uint64_t gap_queue, gap_write; /* samples missing, not yet written down */
	uint64_t lost_queue, lost_size;
	bool told_size;
};

static int path_open(const char *path, bool *created, struct why *why)
{
	if (strcmp(path, "-") == 0) {
		if (isatty(STDOUT_FILENO))
			return why_set(why, -EINVAL,
				       "standard output is a terminal; a recording is not text");
		int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? why_set(why, -errno, "standard output: %s", strerror(errno)) : fd_raise(fd);
	}
	struct stat status;
	int fd;
	if (stat(path, &status) == 0 && S_ISCHR(status.st_mode)) {
		fd = fd_open(path, O_WRONLY | O_NOCTTY, 0);
	} else {
		fd = fd_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		*created = fd >= 0;
	}
	if (fd == -EEXIST)
		return why_set(why, fd, "%s exists already; a recording is never written over", path);
	if (fd < 0)
		return why_set(why, fd, "cannot record to %s: %s", path, strerror(-fd));
	if (*created)
		flock(fd, LOCK_SH | LOCK_NB); /* keeps it on the shelf while we write; a file system may not
						 have locks */
	return fd;
}

/* A FIFO is opened later: the build does not wait for whoever will read it. */
static bool is_fifo(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISFIFO(status.st_mode) &&
	       access(path, W_OK) == 0;
}

int recorder_open(struct recorder **recorder_out, const struct recorder_options *options, struct why *why)
{
	struct recorder *recorder = mem_alloc(1, sizeof *recorder);
	recorder->path = mem_dup(options->path);
	recorder->command_lines = options->command_lines;
	recorder->transcript.fd = -1;
	recorder->frame = 1;
	bool fifo = is_fifo(options->path);
	int fd = fifo ? -1 : path_open(options->path, &recorder->created, why);
	outlet_init(&recorder->outlet, fd,
		    strcmp(options->path, "-") == 0 ? "standard output" : options->path);
	int status = fd < 0 && !fifo ? fd : 0;
	if (fifo)
		outlet_set_fifo(&recorder->outlet, options->path);
	if (status == 0 && !(recorder->packer = packer_new()))
		status = why_set(why, -ENOMEM, "cannot record: no memory for zstd");
	if (status == 0 && options->output && recorder->created)
		status = transcript_open(&recorder->transcript, options->path, options->output, why);
	if (status < 0) {
		recorder_close(recorder);
		return status;
	}
	*recorder_out = recorder;
	return 0;
}

void recorder_close(struct recorder *recorder)
{
	if (!recorder)
		return;
	bool unused = recorder->created && !recorder->encoder;
	if (unused)
		unlink(recorder->path);
	transcript_close(&recorder->transcript, unused);
	outlet_fini(&recorder->outlet);
	packer_free(recorder->packer);
	encoder_free(recorder->encoder);
	buf_fini(&recorder->records);
	free(recorder->path);
	free(recorder);
}

const char *recorder_path(const struct recorder *recorder)
{
	return recorder->path;
}

uint64_t recorder_lost(const struct recorder *recorder, uint64_t *output_bytes)
{
	if (output_bytes)
		*output_bytes = recorder->transcript.lost;
	return recorder->outlet.lost + recorder->lost_queue + recorder->lost_size;
}

static void recorder_begin(void *self, const struct run *run)
{
	struct recorder *recorder = self;
	recorder->encoder = encoder_new(run, recorder->command_lines);
	struct piece piece = {.queued_ns = clock_mono_ns()};
	header_encode(&piece.bytes, run, recorder->command_lines);
	outlet_add(&recorder->outlet, &piece);
	outlet_push(&recorder->outlet, clock_mono_ns(), false);
}

static void gaps_put(struct recorder *recorder)
{
	if (recorder->gap_queue > 0)
		record_put_gap(&recorder->records, GAP_QUEUE, recorder->gap_queue);
	if (recorder->gap_write > 0)
		record_put_gap(&recorder->records, GAP_WRITE, recorder->gap_write);
	recorder->gap_queue = recorder->gap_write = 0;
}

/* Packs the records that were made, and hands them on; `sample` is the one among them, or NULL. */
static void records_flush(struct recorder *recorder, const struct sample *sample, bool last)
{
	struct piece piece = {.frame = recorder->frame, .queued_ns = clock_mono_ns()};
	if (sample) {
		piece.samples = 1;
		piece.number = sample->number;
		piece.mono_us = sample->mono_ns / NS_PER_US;
	}
	packer_add(recorder->packer, recorder->records.data, recorder->records.len, last, &piece.bytes);
	buf_clear(&recorder->records);
	outlet_add(&recorder->outlet, &piece);
}

static void frame_end(struct recorder *recorder)
{
	recorder->frame++;
	recorder->frame_samples = 0;
	recorder->frame_size = 0;
	encoder_begin_frame(recorder->encoder);
}

static bool sample_put(struct recorder *recorder, const struct sample *sample)
{
	if (encoder_sample(recorder->encoder, sample, &recorder->records) == 0)
		return true;
	/* Too much for this frame, or for any? */
	if (recorder->frame_samples > 0) {
		records_flush(recorder, NULL, true);
		frame_end(recorder);
	}
	encoder_begin_frame(recorder->encoder);
	if (encoder_sample(recorder->encoder, sample, &recorder->records) == 0)
		return true;
	encoder_begin_frame(recorder->encoder);
	if (!recorder->told_size)
		log_say("recording: a sample of %zu tasks is too large to be kept", sample->n_tasks);
	recorder->told_size = true;
	recorder->lost_size++;
	recorder->gap_write++;
	return false;
}

static void recorder_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct recorder *recorder = self;
	recorder->gap_queue += dropped;
	recorder->lost_queue += dropped;
	gaps_put(recorder);
	if (sample_put(recorder, tick->sample)) {
		recorder->frame_samples++;
		recorder->frame_size += recorder->records.len;
		bool last = recorder->frame_samples == FORMAT_FRAME_SAMPLES ||
			    recorder->frame_size > LIMIT_FRAME_GOAL;
		records_flush(recorder, tick->sample, last);
		if (last)
			frame_end(recorder);
	}
	int64_t now_ns = clock_mono_ns();
	outlet_push(&recorder->outlet, now_ns, false);
	recorder->gap_write += outlet_trim(&recorder->outlet, now_ns, recorder->frame);
	transcript_follow(&recorder->transcript);
}

static void recorder_serve(void *self, struct inbox *inbox)
{
	struct recorder *recorder = self;
	int timeout_ms = recorder->transcript.fd >= 0 ? OUTPUT_PERIOD_MS : -1;
	while (!inbox_ended(inbox)) {
		struct pollfd wait = {.fd = inbox_fd(inbox), .events = POLLIN};
		poll(&wait, 1, timeout_ms);
		transcript_follow(&recorder->transcript);
		struct tick *tick;
		uint64_t dropped;
		while ((tick = inbox_take(inbox, &dropped))) {
			recorder_tick(recorder, tick, dropped);
			tick_unref(tick);
		}
		recorder->gap_queue += dropped;
		recorder->lost_queue += dropped;
	}
}

static void recorder_end(void *self, const struct run_end *end)
{
	struct recorder *recorder = self;
	if (!recorder->encoder)
		return;
	gaps_put(recorder);
	struct buf payload = {0};
	end_encode(&payload, end);
	record_put(&recorder->records, RECORD_END, payload.data, payload.len);
	buf_fini(&payload);
	records_flush(recorder, NULL, true);
	frame_end(recorder);
	transcript_follow(&recorder->transcript);

	struct outlet *outlet = &recorder->outlet;
	outlet_wait_reader(outlet, READER_COMES_NS);
	bool whole = outlet_push(outlet, clock_mono_ns(), true) && !outlet->closed;
	if (whole) {
		struct piece piece = {.frame = recorder->frame, .queued_ns = clock_mono_ns()};
		index_encode(&piece.bytes, &outlet->index, end);
		outlet_add(outlet, &piece);
		outlet_push(outlet, clock_mono_ns(), true);
	}
	if (recorder->created)
		fsync(outlet->fd);
	outlet_drop(outlet);
	if (recorder_lost(recorder, NULL) > 0)
		log_say("recording to %s: %llu samples were lost", outlet->name,
			(unsigned long long)recorder_lost(recorder, NULL));
}

struct consumer recorder_consumer(struct recorder *recorder)
{
	return (struct consumer){
		.name = "recorder",
		.self = recorder,
		.begin = recorder_begin,
		.tick = recorder_tick,
		.serve = recorder_serve,
		.end = recorder_end,
	};
}
