/* SPDX-License-Identifier: MIT
 *
 * Knows the order of things: what a look and a tick read, and in which order, so that no CPU time is counted
 * twice: first what we have reaped ourselves, then the tasks, parents before children. What ends in between
 * is missed for one tick. Refuses to judge. Sampler's thread, but for opening, the roots and the names.
 */
#include "probe/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "model/alert.h"
#include "cgroup.h"
#include "disks.h"
#include "exits.h"
#include "exact.h"
#include "fence.h"
#include "sightings.h"
#include "mounts.h"
#include "names.h"
#include "opened.h"
#include "pressure.h"
#include "rows.h"
#include "sources.h"
#include "spaces.h"
#include "system.h"
#include "tree.h"

struct probe {
	struct tree tree;
	struct sightings looks;
	struct rows rows;
	struct system_source system;
	struct disks disks;
	struct pressure pressure;
	struct mounts mounts;
	struct spaces spaces;
	struct cgroup cgroup;
	struct exits exits;
	struct opened opened;
	struct exact exact;
	struct names *names; /* NULL: no command lines */
	uint64_t number;
	int64_t asleep_ns; /* at the last tick */
	int64_t wall_less_boot_ns;
	uint64_t reaped_user_us, reaped_system_us; /* before we began */
};

static uint64_t timeval_us(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static void replace(char **slot, const char *text, size_t len)
{
	free(*slot);
	*slot = mem_dup_n(text, len);
}

static void describe_machine(const struct probe *probe, struct run *run)
{
	struct utsname name;
	struct buf text = {0};

	if (uname(&name) == 0) {
		replace(&run->host, name.nodename, strlen(name.nodename));
		replace(&run->kernel, name.release, strlen(name.release));
		replace(&run->machine, name.machine, strlen(name.machine));
	}
	if (fd_read_file("/proc/sys/kernel/random/boot_id", &text, 64) == 0 && text.len)
		replace(&run->boot_id, text.data, strcspn(text.data, "\n"));
	buf_fini(&text);
	run->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	run->ticks_per_s = (uint32_t)probe->tree.ticks_per_s;
	run->page_bytes = probe->tree.page_bytes;
	run->memory_total_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * probe->tree.page_bytes;
}

void probe_examine(struct run *run, const char *workdir)
{
	sources_of_child(run);
	sources_of_machine(run, workdir);
	sources_of_exits(run, exits_try());
}

/* Only of a command that waits for its exec: what began before us was forked by nobody we hear of. */
static void open_exits(struct probe *probe, const struct probe_options *options, struct run *run)
{
	if (!options->own_children || options->n_roots != 1)
		run_set_source(
			run, "exits",
			"no: only for a command that buildtop starts; short processes are counted in their "
			"parents",
			NULL);
	else
		sources_of_exits(run, exits_open(&probe->exits, options->roots[0]));
}

/* The file systems that an alert is about. */
static void want_disks(struct mounts *mounts, const struct run *run)
{
	for (size_t i = 0; i < run->n_alerts; i++) {
		struct alert_spec spec;

		if (alert_spec_parse(&spec, run->alerts[i], NULL) < 0)
			continue;
		if (spec.path)
			mounts_add_path(mounts, spec.path);
		alert_spec_fini(&spec);
	}
}

int probe_open(struct probe **out, const struct probe_options *options, struct run *run, struct why *why)
{
	struct fence *fence;
	struct rusage reaped;
	struct probe *probe;

	if (access("/proc/self/stat", R_OK) < 0)
		return why_set(
			why, -errno,
			"there is no usable /proc (%s): nothing can be watched; mount -t proc proc /proc",
			strerror(errno));
	fence = mem_alloc(1, sizeof *fence);
	fence_raise(fence);
	probe_examine(run, options->workdir);
	probe = mem_alloc(1, sizeof *probe);
	tree_init(&probe->tree, options->own_children);
	probe->tree.helper = options->helper;
	rows_open(&probe->rows, probe->tree.has_children);
	system_open(&probe->system, probe->tree.page_bytes, probe->tree.ticks_per_s);
	disks_open(&probe->disks);
	pressure_open(&probe->pressure);
	mounts_open(&probe->mounts, options->workdir);
	want_disks(&probe->mounts, run);
	spaces_open(&probe->spaces);
	cgroup_open(&probe->cgroup, options->n_roots > 0 ? options->roots[0] : getpid());
	exact_open(&probe->exact, run);
	if (options->command_lines)
		probe->names = names_new();
	fence_drop(fence);
	free(fence);
	describe_machine(probe, run);
	sightings_begin(&probe->looks);
	open_exits(probe, options, run);
	getrusage(RUSAGE_CHILDREN, &reaped);
	probe->reaped_user_us = timeval_us(reaped.ru_utime);
	probe->reaped_system_us = timeval_us(reaped.ru_stime);
	for (size_t i = 0; i < options->n_roots; i++)
		probe_add_root(probe, options->roots[i]);
	*out = probe;
	return 0;
}

void probe_close(struct probe *probe)
{
	if (!probe)
		return;
	if (probe->names)
		names_stop(probe->names);
	names_unref(probe->names);
	exits_close(&probe->exits);
	exact_close(&probe->exact);
	spaces_close(&probe->spaces);
	cgroup_close(&probe->cgroup);
	mounts_close(&probe->mounts);
	pressure_close(&probe->pressure);
	disks_close(&probe->disks);
	system_close(&probe->system);
	rows_close(&probe->rows);
	sightings_fini(&probe->looks);
	tree_fini(&probe->tree);
	free(probe);
}

void probe_add_root(struct probe *probe, pid_t pid)
{
	tree_add_root(&probe->tree, pid);
}

size_t probe_roots_alive(const struct probe *probe)
{
	size_t alive = 0;

	for (size_t i = 0; i < probe->tree.n_tasks; i++) {
		const struct tree_task *task = probe->tree.tasks[i];
		bool over = task->seen && task->n_threads <= 1 && (task->state == 'Z' || task->state == 'X');

		alive += task->flags & TASK_ROOT && !over;
	}
	return alive;
}

/* Takes the command lines that were read, asks for those that are wanted. */
static void exchange_names(struct probe *probe, bool tick)
{
	struct tree *tree = &probe->tree;
	struct name name;

	if (!probe->names)
		return;
	while (names_collect(probe->names, &name)) {
		struct tree_task *task = tree_find(tree, name.pid);

		if (!task || task->start != name.start || task->naming != TREE_NAME_ASKED) {
			free(name.words);
			continue;
		}
		free(task->cmdline);
		task->cmdline = name.words;
		task->cmdline_len = name.len;
		task->naming = name.len || task->name_retried ? TREE_NAME_KNOWN : TREE_NAME_EMPTY;
	}
	for (size_t i = 0; i < tree->n_tasks; i++) {
		struct tree_task *task = tree->tasks[i];

		if (tick && task->naming == TREE_NAME_EMPTY) { /* it was between fork and exec, perhaps */
			task->naming = TREE_NAME_WANTED;
			task->name_retried = true;
		}
		if (task->naming != TREE_NAME_WANTED || !task->seen || task->state == 'Z')
			continue;
		if (!names_ask(probe->names, task->pid, task->start))
			break;
		task->naming = TREE_NAME_ASKED;
	}
	names_wake(probe->names);
}

size_t probe_look(struct probe *probe)
{
	int64_t now_ns = clock_mono_ns();
	size_t blocked;

	tree_walk(&probe->tree, false);
	blocked = sightings_take(&probe->looks, &probe->tree, now_ns);
	exact_read(&probe->exact, &probe->tree);
	if (blocked > 0)
		opened_look(&probe->opened, &probe->tree, &probe->mounts);
	exchange_names(probe, false);
	exits_read(&probe->exits, probe->looks.sample);
	return blocked;
}

static void fill_row(struct sightings *looks, struct tree_task *task)
{
	struct task_row *row = sightings_task(looks, task);
	struct sample *sample = looks->sample;

	task->values[METRIC_TASK_RUNQUEUE_MS] = task->runqueue_ns / (uint64_t)NS_PER_MS;
	row->pid = task->pid;
	row->ppid = task->ppid;
	row->start_ticks = task->start;
	row->uid = task->uid;
	row->flags = task->flags;
	row->state = task->state;
	memcpy(row->values, task->values, sizeof row->values);
	row->comm = sample_add_string(sample, task->comm, task->comm_len);
	if (task->naming == TREE_NAME_KNOWN && task->cmdline_len)
		row->cmdline = sample_add_string(sample, task->cmdline, task->cmdline_len);
}

static void fill_rows(struct probe *probe)
{
	struct tree *tree = &probe->tree;

	for (size_t i = 0; i < tree->n_tasks; i++) {
		if (!tree->tasks[i]->seen)
			continue;
		fill_row(&probe->looks, tree->tasks[i]);
		tree->tasks[i]->flags &= ~(uint32_t)TASK_NEW;
	}
	for (size_t i = 0; i < tree->n_ended; i++)
		fill_row(&probe->looks, tree->ended[i]);
	if (!tree->has_schedstat)
		for (size_t i = 0; i < probe->looks.sample->n_tasks; i++)
			probe->looks.sample->tasks[i].values[METRIC_TASK_RUNQUEUE_MS] = METRIC_NA;
	tree_forget_ended(tree);
}

/* The times of the sample, and what they say of the interval. */
static void take_times(struct probe *probe, struct sample *sample)
{
	enum { SLEPT_MS = 100, STEPPED_MS = 500 };
	int64_t mono_ns = clock_mono_ns();
	int64_t wall_ns = clock_wall_ns();
	int64_t boot_ns = clock_boot_ns();
	int64_t step_ns = wall_ns - boot_ns - probe->wall_less_boot_ns;

	sample->number = probe->number++;
	sample->mono_ns = mono_ns / NS_PER_US * NS_PER_US;
	sample->wall_ns = wall_ns;
	sample->asleep_ns = (boot_ns - mono_ns) / NS_PER_US * NS_PER_US; /* the grain of recordings */
	if (sample->number == 0) {
		sample->flags |= SAMPLE_FIRST;
	} else {
		if (sample->asleep_ns - probe->asleep_ns > SLEPT_MS * NS_PER_MS)
			sample->flags |= SAMPLE_SUSPENDED;
		if (step_ns > STEPPED_MS * NS_PER_MS || step_ns < -STEPPED_MS * NS_PER_MS)
			sample->flags |= SAMPLE_CLOCK_STEP;
	}
	probe->asleep_ns = sample->asleep_ns;
	probe->wall_less_boot_ns = wall_ns - boot_ns;
}

static void take_reaped(const struct probe *probe, struct sample *sample)
{
	struct rusage reaped;

	if (!probe->tree.own_children || getrusage(RUSAGE_CHILDREN, &reaped) < 0)
		return;
	sample->system[METRIC_SYSTEM_REAPED_USER_US] = timeval_us(reaped.ru_utime) - probe->reaped_user_us;
	sample->system[METRIC_SYSTEM_REAPED_SYSTEM_US] =
		timeval_us(reaped.ru_stime) - probe->reaped_system_us;
}

struct sample *probe_tick(struct probe *probe)
{
	struct sample *sample = probe->looks.sample;

	take_reaped(probe, sample);
	take_times(probe, sample);
	if (!probe->tree.has_children)
		rows_find(&probe->rows, &probe->tree);
	if (!sample->n_looks)
		tree_walk(&probe->tree, false); /* nobody else finds what is new */
	rows_read(&probe->rows, &probe->tree);
	tree_walk(&probe->tree, true);
	exchange_names(probe, true);
	exact_read(&probe->exact, &probe->tree);
	exact_tick(&probe->exact, &probe->tree);
	fill_rows(probe);
	exits_read(&probe->exits, sample);
	exits_tick(&probe->exits, sample);
	system_read(&probe->system, sample);
	pressure_read(&probe->pressure, sample);
	disks_read(&probe->disks, sample);
	cgroup_read(&probe->cgroup, sample);
	mounts_read(&probe->mounts, sample, sample->mono_ns);
	spaces_read(&probe->spaces, &probe->tree, sample, sample->mono_ns);
	opened_tick(&probe->opened, &probe->tree, &probe->mounts, sample);
	sample->system[METRIC_SYSTEM_MONITOR_CPU_US] = (uint64_t)(clock_process_cpu_ns() / NS_PER_US);
	sightings_begin(&probe->looks);
	return sample;
}

void probe_serve_names(struct probe *probe)
{
	struct names *names;

	if (!probe->names)
		return;
	names = names_ref(probe->names);
	names_serve(names);
	names_unref(names);
}

bool probe_names_stuck(const struct probe *probe)
{
	return probe->names && names_stuck(probe->names);
}

void probe_stop_names(struct probe *probe)
{
	if (probe->names)
		names_stop(probe->names);
}
