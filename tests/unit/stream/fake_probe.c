/* SPDX-License-Identifier: MIT */
#include "fake_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "probe/probe.h"

struct fake_probe fake_probe;

struct probe {
	uint64_t number;
	atomic_bool stop_names;
};

int probe_open(struct probe **probe, const struct probe_options *options, struct run *run, struct why *why)
{
	(void)options;
	(void)run;
	(void)why;
	*probe = mem_alloc(1, sizeof **probe);
	return 0;
}

void probe_close(struct probe *probe)
{
	free(probe);
}

void probe_add_root(struct probe *probe, pid_t pid)
{
	(void)probe;
	(void)pid;
}

size_t probe_roots_alive(const struct probe *probe)
{
	(void)probe;
	return atomic_load(&fake_probe.roots_gone) ? 0 : 1;
}

size_t probe_look(struct probe *probe)
{
	(void)probe;
	return 0;
}

static void add_task(struct sample *sample, int pid)
{
	char path[64], line[512] = "", *name, *end;
	struct task_row *row;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return;
	if (fgets(line, sizeof line, file) != NULL && (name = strchr(line, '(')) != NULL &&
	    (end = strrchr(line, ')')) != NULL) {
		row = sample_add_task(sample);
		row->pid = pid;
		row->state = end[2];
		row->comm = sample_add_string(sample, name + 1, (size_t)(end - name - 1));
	}
	fclose(file);
}

struct sample *probe_tick(struct probe *probe)
{
	struct sample *sample = sample_new();
	char path[64];
	FILE *file;
	int pid;

	sample->number = probe->number++;
	sample->flags = sample->number == 0 ? SAMPLE_FIRST : 0;
	sample->mono_ns = clock_mono_ns() / 1000 * 1000;
	sample->wall_ns = clock_wall_ns();
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	file = fopen(path, "re");
	while (file != NULL && fscanf(file, "%d", &pid) == 1)
		add_task(sample, pid);
	if (file != NULL)
		fclose(file);
	return sample;
}

void probe_serve_names(struct probe *probe)
{
	atomic_fetch_add(&fake_probe.names_alive, 1);
	while (fake_probe.names_hang || !atomic_load(&probe->stop_names))
		usleep(1000);
	atomic_fetch_sub(&fake_probe.names_alive, 1);
}

bool probe_names_stuck(const struct probe *probe)
{
	(void)probe;
	return fake_probe.names_hang;
}

void probe_stop_names(struct probe *probe)
{
	atomic_store(&probe->stop_names, true);
}
