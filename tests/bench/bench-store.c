/* SPDX-License-Identifier: MIT
 *
 * What a recording costs: bytes and CPU a sample, writing and reading, on a made-up build with looks, or on
 * the samples of a real recording; and what the longest one costs that anybody looks at, ten hours of 45
 * processes. Prints; judges nothing.
 *
 *   bench-store            three sizes, and the long one
 *   bench-store FILE...    these
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/store/made.h"
#include "base/clock.h"
#include "base/mem.h"
#include "diagnose/tally.h"
#include "model/tick.h"
#include "store/reader.h"
#include "store/recorder.h"
#include "stream/replay.h"

#define SAMPLES	     600
#define LONG_SAMPLES 36000
#define LONG_TASKS   45
#define FRAME	     60

static void die(const struct why *why)
{
	fprintf(stderr, "%s\n", why->text);
	exit(1);
}

static double us_of(int64_t ns, size_t count)
{
	return (double)ns / 1000 / (double)count;
}

static const char *scratch(void)
{
	static char path[64]; /* a child has its parent's */
	if (!path[0])
		snprintf(path, sizeof path, "/tmp/bench-store-%d.buildtop", (int)getpid());
	return path;
}

static off_t size_of(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 ? status.st_size : 0;
}

static struct recorder *record_begin(const struct run *run, struct consumer *consumer)
{
	struct recorder *recorder;
	struct why why;
	if (recorder_open(&recorder, &(struct recorder_options){scratch(), true, NULL}, &why) < 0)
		die(&why);
	*consumer = recorder_consumer(recorder);
	consumer->begin(consumer->self, run);
	return recorder;
}

/* Writes the ticks, reads them back, seeks. */
static void measure(const struct run *run, struct tick **ticks, size_t n)
{
	struct consumer consumer;
	struct recorder *recorder = record_begin(run, &consumer);
	off_t before = size_of(scratch());
	int64_t cpu_ns = clock_thread_cpu_ns();
	for (size_t i = 0; i < n; i++)
		consumer.tick(consumer.self, ticks[i], 0);
	int64_t write_ns = clock_thread_cpu_ns() - cpu_ns;
	off_t after = size_of(scratch());
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	recorder_close(recorder);

	struct reader *reader;
	struct sample *sample = sample_new();
	struct why why;
	if (reader_open(&reader, scratch(), &why) < 0)
		die(&why);
	cpu_ns = clock_thread_cpu_ns();
	while (reader_next(reader, sample) > 0)
		;
	int64_t read_ns = clock_thread_cpu_ns() - cpu_ns;
	size_t frames = (n + FRAME - 1) / FRAME;
	cpu_ns = clock_thread_cpu_ns();
	for (size_t frame = 0; frame < frames; frame++) {
		reader_seek(reader, frame * 7 % frames);
		reader_next(reader, sample);
	}
	int64_t seek_ns = clock_thread_cpu_ns() - cpu_ns;
	double tasks = 0, rows = 0;
	for (size_t i = 0; i < n; i++) {
		tasks += (double)ticks[i]->sample->n_tasks;
		rows += (double)ticks[i]->sample->n_look_rows;
	}
	printf("%5.1f tasks, %5.1f look rows: header %lld bytes; %.0f bytes a sample; write %.1f us; read "
	       "%.1f us; seek %.0f us\n",
	       tasks / (double)n, rows / (double)n, (long long)before, (double)(after - before) / (double)n,
	       us_of(write_ns, n), us_of(read_ns, n), us_of(seek_ns, frames));
	reader_close(reader);
	sample_free(sample);
	unlink(scratch());
}

static void measure_made(size_t n_tasks)
{
	struct made made = made_begin(7, n_tasks, false);
	struct run *run = made_run();
	struct tick *ticks[SAMPLES];
	for (size_t i = 0; i < SAMPLES; i++)
		ticks[i] = tick_new(made_next(&made));
	measure(run, ticks, SAMPLES);
	for (size_t i = 0; i < SAMPLES; i++)
		tick_unref(ticks[i]);
	run_free(run);
	made_fini(&made);
}

static void measure_file(const char *path)
{
	struct tick **ticks = NULL;
	size_t n = 0, capacity = 0;
	struct reader *reader;
	struct why why;
	if (reader_open(&reader, path, &why) < 0)
		die(&why);
	for (;;) {
		struct sample *sample = sample_new();
		if (reader_next(reader, sample) <= 0) {
			sample_free(sample);
			break;
		}
		MEM_GROW(ticks, n, capacity);
		ticks[n++] = tick_new(sample);
	}
	if (n > 0)
		measure(reader_run(reader), ticks, n);
	for (size_t i = 0; i < n; i++)
		tick_unref(ticks[i]);
	free(ticks);
	reader_close(reader);
}

/* Ten hours */

static void long_record(void)
{
	struct made made = made_begin(7, LONG_TASKS, false);
	struct run *run = made_run();
	struct consumer consumer;
	struct recorder *recorder = record_begin(run, &consumer);
	for (size_t i = 0; i < LONG_SAMPLES; i++) {
		struct tick *tick = tick_new(made_next(&made));
		consumer.tick(consumer.self, tick, 0);
		tick_unref(tick);
	}
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	recorder_close(recorder);
	run_free(run);
	made_fini(&made);
}

struct screen {
	struct control *control;
	int64_t first_ns, whole_ns, seek_ns, seek_most_ns; /* CPU time of the process */
};

static void screen_wait(struct inbox *inbox)
{
	struct pollfd ready = {.fd = inbox_fd(inbox), .events = POLLIN};
	struct tick *tick;
	while (!(tick = inbox_take(inbox, NULL)))
		poll(&ready, 1, -1);
	tick_unref(tick);
}

static struct timeline *screen_wait_timeline(struct control *control, size_t ticks)
{
	struct pollfd told = {.fd = control_told_fd(control), .events = POLLIN};
	for (;;) {
		enum control_tell tell;
		int64_t arg;
		struct timeline *timeline = control_take_timeline(control);
		if (timeline && timeline->n_briefs == ticks)
			return timeline;
		timeline_free(timeline);
		poll(&told, 1, -1);
		while (control_told(control, &tell, &arg))
			;
	}
}

/* In place of the screen: the first tick, then the whole timeline, then jumps all over it. */
static void screen_serve(void *self, struct inbox *inbox)
{
	enum { SEEKS = 50 };
	struct screen *screen = self;
	screen_wait(inbox);
	screen->first_ns = clock_process_cpu_ns();
	control_ask(screen->control, CONTROL_ASK_PLAY, 0);
	struct timeline *timeline = screen_wait_timeline(screen->control, LONG_SAMPLES);
	screen->whole_ns = clock_process_cpu_ns();
	for (size_t i = 1; i <= SEEKS; i++) {
		int64_t before_ns = clock_process_cpu_ns();
		control_ask(screen->control, CONTROL_ASK_SEEK,
			    timeline->briefs[i * 7919 % LONG_SAMPLES].mono_ns);
		screen_wait(inbox);
		int64_t took_ns = clock_process_cpu_ns() - before_ns;
		screen->seek_ns += took_ns / SEEKS;
		if (took_ns > screen->seek_most_ns)
			screen->seek_most_ns = took_ns;
	}
	timeline_free(timeline);
	control_ask(screen->control, CONTROL_ASK_CLOSE, 0);
}

static void long_show(const char *what)
{
	struct screen screen = {.control = control_new()};
	struct consumer consumer = {.name = "screen", .self = &screen, .serve = screen_serve};
	struct replay *replay;
	struct why why;
	if (replay_open(&replay, scratch(), &why) < 0 ||
	    replay_show(replay, false, &consumer, screen.control, &why) < 0)
		die(&why);
	replay_close(replay);
	control_free(screen.control);
	printf("  replay %s, CPU: first tick after %.1f ms, whole timeline after %.0f ms, a jump %.2f ms, at "
	       "most "
	       "%.1f ms",
	       what, us_of(screen.first_ns, 1000), us_of(screen.whole_ns, 1000), us_of(screen.seek_ns, 1000),
	       us_of(screen.seek_most_ns, 1000));
}

static void sum_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	tally_add(self, tick, dropped);
}

static void long_report(const char *what)
{
	struct replay *replay;
	struct summary summary;
	struct why why;
	if (replay_open(&replay, scratch(), &why) < 0)
		die(&why);
	struct tally *tally = tally_new(replay_run(replay));
	struct consumer consumer = {.name = "tally", .self = tally, .tick = sum_tick};
	if (replay_feed(replay, &consumer, 1, &why) < 0)
		die(&why);
	tally_summary(tally, replay_end(replay), &summary);
	summary_fini(&summary);
	tally_free(tally);
	replay_close(replay);
	printf("  report %s, CPU: %.0f ms", what, us_of(clock_process_cpu_ns(), 1000));
}

/* In a process of its own, so that its memory is its own. */
static void apart(void (*work)(const char *what), const char *what)
{
	struct rusage usage;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		work(what);
		getrusage(RUSAGE_SELF, &usage);
		printf("; peak memory %.1f MiB\n", (double)usage.ru_maxrss / 1024);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void measure_long(void)
{
	long_record();
	off_t size = size_of(scratch());
	printf("%d samples of %d tasks: %.1f MB\n", LONG_SAMPLES, LONG_TASKS, (double)size / 1e6);
	apart(long_show, "with its index");
	apart(long_report, "with its index");
	if (truncate(scratch(), size - 20) == 0)
		apart(long_show, "without");
	unlink(scratch());
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		measure_file(argv[i]);
	if (argc > 1)
		return 0;
	measure_long(); /* first: what it takes in memory is to be its own */
	measure_made(18);
	measure_made(45);
	measure_made(300);
	return 0;
}
