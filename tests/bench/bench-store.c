/* SPDX-License-Identifier: MIT
 *
 * What a recording costs: bytes and CPU a sample, writing and reading, on a made-up build with looks. Prints;
 * judges nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/store/made.h"
#include "base/clock.h"
#include "model/tick.h"
#include "store/reader.h"
#include "store/recorder.h"

#define SAMPLES 600

static void measure(size_t n_tasks)
{
	char path[64];
	snprintf(path, sizeof path, "/tmp/bench-store-%d.bt", (int)getpid());
	struct made made = made_begin(7, n_tasks, false);
	struct tick **ticks = calloc(SAMPLES, sizeof(struct tick *));
	for (int i = 0; i < SAMPLES; i++)
		ticks[i] = tick_new(made_next(&made));
	struct run *run = made_run();
	struct recorder *recorder;
	struct why why;
	if (recorder_open(&recorder, &(struct recorder_options){path, true, NULL}, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	struct consumer consumer = recorder_consumer(recorder);
	consumer.begin(consumer.self, run);
	struct stat before, after;
	stat(path, &before);
	int64_t cpu_ns = clock_thread_cpu_ns();
	for (int i = 0; i < SAMPLES; i++)
		consumer.tick(consumer.self, ticks[i], 0);
	int64_t write_ns = clock_thread_cpu_ns() - cpu_ns;
	stat(path, &after);
	consumer.end(consumer.self, &(struct run_end){.complete = true});
	recorder_close(recorder);

	struct reader *reader;
	struct sample *sample = sample_new();
	if (reader_open(&reader, path, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	int read = 0;
	cpu_ns = clock_thread_cpu_ns();
	while (reader_next(reader, sample) > 0)
		read++;
	int64_t read_ns = clock_thread_cpu_ns() - cpu_ns;
	cpu_ns = clock_thread_cpu_ns();
	for (size_t frame = 0; frame < SAMPLES / 60; frame++) {
		reader_seek(reader, frame * 7 % (SAMPLES / 60));
		reader_next(reader, sample);
	}
	int64_t seek_ns = (clock_thread_cpu_ns() - cpu_ns) / (SAMPLES / 60);
	printf("%3zu tasks, %zu look rows: header %lld bytes; %.0f bytes a sample; write %.1f us; read %.1f "
	       "us; seek %.0f us (%d read)\n",
	       n_tasks, sample->n_look_rows, (long long)before.st_size,
	       (double)(after.st_size - before.st_size) / SAMPLES, (double)write_ns / SAMPLES / 1000,
	       (double)read_ns / SAMPLES / 1000, (double)seek_ns / 1000, read);
	reader_close(reader);
	sample_free(sample);
	run_free(run);
	for (int i = 0; i < SAMPLES; i++)
		tick_unref(ticks[i]);
	free(ticks);
	made_fini(&made);
	unlink(path);
}

int main(void)
{
	measure(18);
	measure(45);
	measure(300);
	return 0;
}
