/* SPDX-License-Identifier: MIT
 *
 * Knows how a recording becomes ticks: its samples, in order, through the code that judged them live, so both
 * agree to the tick. The judgement as it stood at the start of frames is kept, so that a jump need not start
 * at the beginning; of a very long recording at the start of every second, fourth, … frame only. Ticks
 * themselves are not kept. One thread.
 */
#include "replay_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"

#define MARKS_MAX  1024
#define SPOOL_MAX  (INT64_C(2) << 30)
#define SPOOL_READ (64 * 1024)

static void thin_marks(struct replay *replay)
{
	size_t kept = 0;

	for (size_t i = 0; i < replay->n_marks; i++) {
		if (i % 2 == 0)
			replay->marks[kept++] = replay->marks[i];
		else
			diagnose_free(replay->marks[i].diagnose);
	}
	replay->n_marks = kept;
	replay->marks_apart *= 2;
}

static void add_mark(struct replay *replay, size_t frame, size_t tick, const struct diagnose *diagnose,
		     const struct sample *sample)
{
	if (replay->n_marks == MARKS_MAX)
		thin_marks(replay);
	MEM_GROW(replay->marks, replay->n_marks, replay->cap_marks);
	replay->marks[replay->n_marks++] = (struct replay_mark){.frame = frame,
								.tick = tick,
								.diagnose = diagnose_clone(diagnose),
								.flags = sample->flags,
								.missed = sample->missed};
}

/* Is this frame to be marked? The first always is. */
static bool wants_mark(const struct replay *replay, size_t frame)
{
	const struct replay_mark *last = replay->n_marks > 0 ? &replay->marks[replay->n_marks - 1] : NULL;

	return last == NULL || frame >= last->frame + replay->marks_apart;
}

static void end_unknown(struct replay *replay)
{
	const struct timeline *timeline = &replay->timeline;
	const struct run *run = reader_run(replay->reader);

	replay->end =
		(struct run_end){.user_us = METRIC_NA, .system_us = METRIC_NA, .max_rss_bytes = METRIC_NA};
	replay->end.mono_ns = run->start_mono_ns;
	if (timeline->n_briefs > 0)
		replay->end.mono_ns = timeline->briefs[timeline->n_briefs - 1].mono_ns;
	replay->end.wall_ns = run->start_wall_ns + (replay->end.mono_ns - run->start_mono_ns);
}

static void copy_end(struct replay *replay)
{
	const struct run_end *end = reader_end(replay->reader);

	if (end == NULL) {
		end_unknown(replay);
		return;
	}
	replay->end = *end;
	if (end->left_behind != NULL)
		replay->end.left_behind = mem_dup(end->left_behind);
}

/* Reads it all once: timeline and marks. */
static int think_over(struct replay *replay)
{
	struct diagnose *diagnose = diagnose_new(reader_run(replay->reader));
	int got;

	for (size_t tick = 0;; tick++) {
		struct sample *sample = sample_new();
		size_t frame = reader_frame(replay->reader);
		struct tick *judged;

		got = reader_next(replay->reader, sample);
		if (got <= 0) {
			sample_free(sample);
			break;
		}
		if (wants_mark(replay, frame))
			add_mark(replay, frame, tick, diagnose, sample);
		judged = diagnose_step(diagnose, sample);
		timeline_add(&replay->timeline, judged);
		tick_unref(judged);
	}
	diagnose_free(diagnose);
	if (got == 0)
		copy_end(replay);
	return got;
}

/* A pipe cannot be gone back in: its content goes to memory. Returns a descriptor or -errno. */
static int spool(int from_fd, struct why *why)
{
	char *bytes = mem_alloc(1, SPOOL_READ);
	int64_t total = 0;
	int fd = memfd_create("buildtop-recording", MFD_CLOEXEC), error = 0;
	ssize_t n = 0;

	fd = fd < 0 ? -errno : fd_raise(fd);
	while (fd >= 0 && error == 0 && (n = read(from_fd, bytes, SPOOL_READ)) != 0) {
		if (n < 0)
			error = errno == EINTR ? 0 : -errno;
		else if ((total += n) > SPOOL_MAX)
			error = -EFBIG;
		else
			error = fd_write_all(fd, bytes, (size_t)n);
	}
	free(bytes);
	if (error < 0)
		close(fd);
	error = fd < 0 ? fd : error;
	return error < 0 ? why_set(why, error, "cannot read the recording from a pipe: %s", strerror(-error))
			 : fd;
}

/* The descriptor to spool from, or -1: the path can be gone back in (or is the reader's to complain of). */
static int open_pipe(const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? -1 : STDIN_FILENO;
	if (stat(path, &status) < 0 || !S_ISFIFO(status.st_mode))
		return -1;
	int fd = fd_open(path, 0, 0);

	return fd < 0 ? -1 : fd;
}

static int open_reader(struct replay *replay, const char *path, struct why *why)
{
	char name[64];
	int pipe_fd = open_pipe(path);

	if (pipe_fd < 0)
		return reader_open(&replay->reader, path, why);
	replay->spool_fd = spool(pipe_fd, why);
	if (pipe_fd != STDIN_FILENO)
		close(pipe_fd);
	if (replay->spool_fd < 0)
		return replay->spool_fd;
	snprintf(name, sizeof name, "/proc/self/fd/%d", replay->spool_fd);
	return reader_open(&replay->reader, name, why);
}

int replay_open(struct replay **out, const char *path, struct why *why)
{
	struct replay *replay = mem_alloc(1, sizeof *replay);
	int error;

	replay->spool_fd = -1;
	replay->marks_apart = 1;
	error = open_reader(replay, path, why);
	if (error >= 0) {
		error = think_over(replay);
		if (error < 0)
			why_set(why, error, "cannot read the recording: %s", strerror(-error));
	}
	if (error < 0) {
		replay_close(replay);
		return error;
	}
	*out = replay;
	return 0;
}

void replay_close(struct replay *replay)
{
	if (replay == NULL)
		return;
	for (size_t i = 0; i < replay->n_marks; i++)
		diagnose_free(replay->marks[i].diagnose);
	free(replay->marks);
	diagnose_free(replay->diagnose);
	timeline_fini(&replay->timeline);
	run_end_fini(&replay->end);
	reader_close(replay->reader);
	if (replay->spool_fd >= 0)
		close(replay->spool_fd);
	free(replay);
}

const struct run *replay_run(const struct replay *replay)
{
	return reader_run(replay->reader);
}

const struct run_end *replay_end(const struct replay *replay)
{
	return &replay->end;
}

const struct timeline *replay_timeline(const struct replay *replay)
{
	return &replay->timeline;
}

const char *replay_damage(const struct replay *replay)
{
	return reader_damage(replay->reader);
}

size_t replay_count(const struct replay *replay)
{
	return replay->timeline.n_briefs;
}

int replay_seek(struct replay *replay, size_t tick)
{
	const struct replay_mark *mark = NULL;
	int error;

	for (size_t i = 0; i < replay->n_marks && replay->marks[i].tick <= tick; i++)
		mark = &replay->marks[i];
	if (mark == NULL)
		return -ENODATA;
	error = reader_seek(replay->reader, mark->frame);
	if (error < 0)
		return error;
	diagnose_free(replay->diagnose);
	replay->diagnose = diagnose_clone(mark->diagnose);
	replay->next = mark->tick;
	replay->at_mark = mark;
	return 0;
}

struct tick *replay_next(struct replay *replay)
{
	struct sample *sample;

	/* A file that has grown since is as long as it was when it was thought over. */
	if (replay->diagnose == NULL || replay->next >= replay_count(replay))
		return NULL;
	sample = sample_new();
	if (reader_next(replay->reader, sample) <= 0) {
		sample_free(sample);
		return NULL;
	}
	if (replay->at_mark != NULL) {
		sample->flags = replay->at_mark->flags;
		sample->missed = replay->at_mark->missed;
		replay->at_mark = NULL;
	}
	replay->next++;
	return diagnose_step(replay->diagnose, sample);
}

static int feed_ticks(struct replay *replay, struct consumer *consumers, size_t n, struct why *why)
{
	struct tick *tick;

	if (replay_count(replay) == 0)
		return 0;
	if (replay_seek(replay, 0) < 0)
		return why_set(why, -ESPIPE, "cannot go back to the start of the recording");
	while ((tick = replay_next(replay)) != NULL) {
		for (size_t i = 0; i < n; i++)
			if (consumers[i].tick != NULL)
				consumers[i].tick(consumers[i].self, tick, 0);
		tick_unref(tick);
	}
	if (replay->next < replay_count(replay))
		return why_set(why, -EIO, "the recording could not be read to its end a second time");
	return 0;
}

int replay_feed(struct replay *replay, struct consumer *consumers, size_t n, struct why *why)
{
	int error;

	for (size_t i = 0; i < n; i++)
		if (consumers[i].begin != NULL)
			consumers[i].begin(consumers[i].self, replay_run(replay));
	error = feed_ticks(replay, consumers, n, why);
	for (size_t i = 0; i < n; i++)
		if (consumers[i].end != NULL)
			consumers[i].end(consumers[i].self, &replay->end);
	return error;
}
