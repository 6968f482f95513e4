/* SPDX-License-Identifier: MIT
 *
 * The words, made into rows.
 */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

static uint32_t put(struct words *words, const char *string)
{
	return sample_add_string(words->sample, string, strlen(string));
}

struct run *words_run(void)
{
	struct run *run = run_new();

	run->machine = mem_dup("x86_64");
	run->cpus = 2;
	run->ticks_per_s = 100;
	run->page_bytes = 4096;
	run->start_mono_ns = WORDS_START_NS;
	run->interval_ns = 1000 * MS;
	run->look_interval_ns = 100 * MS;
	return run;
}

static void sample_begin(struct words *words)
{
	words->sample = sample_new();
	words->sample->number = words->number++;
}

void words_begin_run(struct words *words, struct run *run)
{
	*words = (struct words){.run = run, .now_ns = WORDS_START_NS};
	words->diagnose = diagnose_new(run);
	sample_begin(words);
	words->sample->flags = SAMPLE_FIRST;
	words_tick(words);
}

void words_begin(struct words *words)
{
	words_begin_run(words, words_run());
}

void words_end(struct words *words)
{
	tick_unref(words->tick);
	sample_free(words->sample);
	diagnose_free(words->diagnose);
	run_free(words->run);
}

void words_pass(struct words *words, int ms)
{
	words->now_ns += ms * MS;
}

const struct tick *words_tick(struct words *words)
{
	words->sample->mono_ns = words->now_ns;
	tick_unref(words->tick);
	words->tick = diagnose_step(words->diagnose, words->sample);
	sample_begin(words);
	return words->tick;
}

/* A process is known by its whole name: its pid comes from that, so it is the same one in the next sample. */
static size_t task_index(struct words *words, const char *name)
{
	struct sample *sample = words->sample;
	int32_t pid = (int32_t)(map_hash(name, strlen(name)) % 4000000) + 1;
	struct task_row *row;
	char comm[16] = "";

	for (size_t i = 0; i < sample->n_tasks; i++)
		if (sample->tasks[i].pid == pid)
			return i;
	snprintf(comm, sizeof comm, "%.*s", (int)strcspn(name, "#"), name);
	row = sample_add_task(sample);
	row->pid = pid;
	row->state = 'S';
	row->start_ticks = 100000;
	row->comm = put(words, comm);
	return sample->n_tasks - 1;
}

struct task_row *words_task(struct words *words, const char *name)
{
	size_t i = task_index(words, name);

	return &words->sample->tasks[i];
}

static uint16_t site_index(struct words *words, char state, const char *wchan, int32_t call)
{
	struct sample *sample = words->sample;
	struct site *site;

	for (size_t i = 0; i < sample->n_sites; i++)
		if (sample->sites[i].state == state && sample->sites[i].syscall == call &&
		    strcmp(sample_string(sample, sample->sites[i].wchan, NULL), wchan) == 0)
			return (uint16_t)i;
	site = sample_add_site(sample);
	site->state = state;
	site->wchan = put(words, wchan);
	site->syscall = call;
	return (uint16_t)(sample->n_sites - 1);
}

static void thread_add(struct words *words, const char *text, size_t look)
{
	char name[32] = "", state = 'S', wchan[64] = "", call[16] = "";
	int number = 0;
	struct look_row row = {.block = (uint16_t)(look / 64), .mask = UINT64_C(1) << look % 64};
	struct look_row *found = NULL;

	sscanf(text, "%31s %c %63s %15s", name, &state, wchan, call);
	if (strchr(name, '+')) {
		number = atoi(strchr(name, '+') + 1);
		*strchr(name, '+') = '\0';
	}
	row.task = (uint32_t)task_index(words, name);
	row.tid = words->sample->tasks[row.task].pid + number;
	words->sample->tasks[row.task].state = state;
	row.site = site_index(words, state, wchan,
			      !call[0]			    ? SITE_CALL_UNREAD
			      : strcmp(call, "fault") == 0  ? SITE_CALL_NONE
			      : strcmp(call, "hidden") == 0 ? SITE_CALL_HIDDEN
							    : atoi(call));
	for (size_t i = 0; i < words->sample->n_look_rows && !found; i++) {
		struct look_row *other = &words->sample->look_rows[i];

		if (other->tid == row.tid && other->site == row.site && other->block == row.block)
			found = other;
	}
	if (found)
		found->mask |= row.mask;
	else
		*sample_add_look_row(words->sample) = row;
}

void words_look(struct words *words, ...)
{
	const char *text;
	va_list list;
	size_t look;

	words_pass(words, 100);
	look = sample_add_look(words->sample, words->now_ns);
	va_start(list, words);
	while ((text = va_arg(list, const char *)))
		thread_add(words, text, look);
	va_end(list);
}

void words_go_on(struct words *words, int n, const char *a, const char *b, const char *c)
{
	for (int i = 0; i < n; i++) {
		words_look(words, a, a ? b : NULL, a && b ? c : NULL, NULL);
		if (words->sample->n_looks == 10)
			words_tick(words);
	}
}

uint64_t *words_system(struct words *words, enum metric_system metric)
{
	return &words->sample->system[metric];
}

struct mount_row *words_mount(struct words *words, const char *point, const char *type, const char *source,
			      uint32_t flags)
{
	uint32_t strings[3] = {put(words, point), put(words, type), put(words, source)};
	struct mount_row *row = sample_add_mount(words->sample);

	row->device = map_hash(point, strlen(point)) | 1;
	row->point = strings[0];
	row->type = strings[1];
	row->source = strings[2];
	row->flags = flags;
	row->points = 1;
	return row;
}

struct disk_row *words_disk(struct words *words, uint64_t device, const char *name)
{
	uint32_t string = put(words, name);
	struct disk_row *row = sample_add_disk(words->sample);

	row->device = device;
	row->name = string;
	return row;
}
