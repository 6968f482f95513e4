/* SPDX-License-Identifier: MIT
 *
 * Knows how a recording becomes ticks: its samples, in order, through the code that judged them live, so both
 * agree to the tick. That is done once, as far as the file goes, in slices as the caller likes, and goes on
 * when the file has grown. The judgement as it stood at the start of frames is kept, so that a jump need not
 * start at the beginning; of a long recording at the start of every second, fourth, … frame only. Ticks
 * themselves are not kept. One thread.
 */
#include "replay_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "spool.h"

#define MARKS_MAX   384
#define CLOCK_STEPS 8 /* so many samples are thought over between two looks at the clock */

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

static void add_mark(struct replay *replay, size_t frame, const struct reader_place *place,
		     const struct sample *sample)
{
	if (replay->n_marks == MARKS_MAX)
		thin_marks(replay);
	MEM_GROW(replay->marks, replay->n_marks, replay->cap_marks);
	replay->marks[replay->n_marks++] = (struct replay_mark){.frame = frame,
								.place = *place,
								.tick = replay->thought,
								.diagnose = diagnose_clone(replay->thinking),
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
	const struct run *run = replay_run(replay);

	replay->end =
		(struct run_end){.user_us = METRIC_NA, .system_us = METRIC_NA, .max_rss_bytes = METRIC_NA};
	replay->end.mono_ns = run->start_mono_ns;
	if (timeline->n_briefs > 0)
		replay->end.mono_ns = timeline->briefs[timeline->n_briefs - 1].mono_ns;
	replay->end.wall_ns = run->start_wall_ns + (replay->end.mono_ns - run->start_mono_ns);
}

static void copy_end(struct replay *replay)
{
	const struct run_end *end = reader_end(replay->ahead);

	run_end_fini(&replay->end);
	if (end == NULL) {
		end_unknown(replay);
		return;
	}
	replay->end = *end;
	if (end->left_behind != NULL)
		replay->end.left_behind = mem_dup(end->left_behind);
}

/* Thinks one sample over. 1: its tick, the caller's; 0: no more at present; -errno. */
static int think_step(struct replay *replay, struct tick **tick)
{
	struct sample *sample = sample_new();
	size_t frame = reader_frame(replay->ahead);
	struct reader_place place;
	int got;

	reader_place(replay->ahead, &place);
	got = reader_next(replay->ahead, sample);
	if (got <= 0) {
		sample_free(sample);
		copy_end(replay);
		return got;
	}
	if (replay->thinking == NULL) /* the run of a file that grows may not have been there before */
		replay->thinking = diagnose_new(replay_run(replay));
	if (wants_mark(replay, frame))
		add_mark(replay, frame, &place, sample);
	*tick = diagnose_step(replay->thinking, sample);
	timeline_add(&replay->timeline, *tick);
	replay->thought++;
	return 1;
}

int replay_think(struct replay *replay, int64_t at_most_ns, struct why *why)
{
	int64_t until_ns = at_most_ns < INT64_MAX ? clock_mono_ns() + at_most_ns : INT64_MAX;
	int got = 1;

	for (unsigned step = 1; got > 0; step++) {
		struct tick *tick = NULL;

		got = think_step(replay, &tick);
		tick_unref(tick);
		if (got > 0 && step % CLOCK_STEPS == 0 && until_ns < INT64_MAX && clock_mono_ns() >= until_ns)
			break;
	}
	return got < 0 ? why_set(why, got, "cannot read the recording: %s", strerror(-got)) : got;
}

int replay_open(struct replay **out, const char *path, struct why *why)
{
	struct replay *replay = mem_alloc(1, sizeof *replay);
	char name[32];
	int error;

	replay->marks_apart = 1;
	error = spool_open(path, &replay->spool_fd, why);
	if (error == 0 && replay->spool_fd >= 0)
		snprintf(name, sizeof name, "/proc/self/fd/%d", replay->spool_fd);
	if (error == 0)
		error = reader_open(&replay->ahead, replay->spool_fd >= 0 ? name : path, why);
	if (error < 0) {
		replay_close(replay);
		return error;
	}
	copy_end(replay);
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
	diagnose_free(replay->thinking);
	timeline_fini(&replay->timeline);
	run_end_fini(&replay->end);
	reader_close(replay->reader);
	reader_close(replay->ahead);
	if (replay->spool_fd >= 0)
		close(replay->spool_fd);
	free(replay);
}

const struct run *replay_run(const struct replay *replay)
{
	return reader_run(replay->ahead);
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
	return reader_damage(replay->ahead);
}

size_t replay_count(const struct replay *replay)
{
	return replay->timeline.n_briefs;
}

/* The cursor has a reader of its own: the other one is where the thinking is. */
static int open_reader(struct replay *replay)
{
	if (replay->reader != NULL)
		return 0;
	return reader_open_again(&replay->reader, replay->ahead, NULL);
}

int replay_seek(struct replay *replay, size_t tick)
{
	const struct replay_mark *mark = NULL;
	int error;

	for (size_t i = 0; i < replay->n_marks && replay->marks[i].tick <= tick; i++)
		mark = &replay->marks[i];
	if (mark == NULL)
		return -ENODATA;
	error = open_reader(replay);
	if (error == 0)
		error = reader_goto(replay->reader, &mark->place);
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

	/* A file that has grown since is as long as it was when it was last thought over. */
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

static void feed_tick(struct consumer *consumers, size_t n, struct tick *tick)
{
	for (size_t i = 0; i < n; i++)
		if (consumers[i].tick != NULL)
			consumers[i].tick(consumers[i].self, tick, 0);
	tick_unref(tick);
}

/* The ticks that have been thought over already. */
static int feed_again(struct replay *replay, struct consumer *consumers, size_t n, struct why *why)
{
	struct tick *tick;

	if (replay_seek(replay, 0) < 0)
		return why_set(why, -ESPIPE, "cannot go back to the start of the recording");
	while ((tick = replay_next(replay)) != NULL)
		feed_tick(consumers, n, tick);
	if (replay->next < replay_count(replay))
		return why_set(why, -EIO, "the recording could not be read to its end a second time");
	return 0;
}

int replay_feed(struct replay *replay, struct consumer *consumers, size_t n, struct why *why)
{
	struct tick *tick;
	int got = 0;

	for (size_t i = 0; i < n; i++)
		if (consumers[i].begin != NULL)
			consumers[i].begin(consumers[i].self, replay_run(replay));
	if (replay->thought > 0)
		got = feed_again(replay, consumers, n, why);
	while (got >= 0 && (got = think_step(replay, &tick)) > 0)
		feed_tick(consumers, n, tick);
	for (size_t i = 0; i < n; i++)
		if (consumers[i].end != NULL)
			consumers[i].end(consumers[i].self, &replay->end);
	return got;
}
