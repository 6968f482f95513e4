/* SPDX-License-Identifier: MIT
 *
 * Knows the records of forks, names, ends and counters, and makes processes of them. Each lies in the ring of
 * the CPU it happened on, so they are put in the order of time first; and the counters of a process follow
 * its end, so it is told one reading later. Invariant: by_pid has each process until it is told. What it
 * counts ends before the process frees its memory, and where the kernel dropped a record nothing may say so:
 * whoever adds up compares with METRIC_SYSTEM_EXITS_CPU_US. Sampler's thread.
 */
#include "exits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

/* A ring holds 500 KiB, about 2,400 processes on two CPUs; with many CPUs less, 4 MiB in all. */
#define RING_PAGES_MOST	 128
#define RING_PAGES_LEAST 16
#define RING_PAGES_ALL	 1024

/* Inheriting one event costs a process about that much; more than a fiftieth of its own time is too much. */
#define EVENT_COST_NS	 2700
#define COST_PART	 50
#define COST_WINDOW_NS	 (2 * NS_PER_S)
#define COST_ENDED_LEAST 200

static struct perf_event_attr event_attr(void)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.disabled = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1, /* or it needs a right; the clock runs in the kernel all the same */
		.exclude_hv = 1,
		.inherit = 1,
		.task = 1,
		.comm = 1,
		.comm_exec = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

int exits_try(void)
{
	struct perf_event_attr attr = event_attr();
	int fd = perf_event_start(&attr, 0, 0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static size_t ring_pages(size_t cpus)
{
	size_t pages = RING_PAGES_MOST;

	while (pages > RING_PAGES_LEAST && pages * cpus > RING_PAGES_ALL)
		pages /= 2;
	return pages;
}

static int open_rings(struct exits *exits, pid_t root)
{
	struct perf_event_attr attr = event_attr();
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t pages = ring_pages((size_t)cpus);
	int error;

	exits->rings = mem_alloc((size_t)cpus, sizeof *exits->rings);
	for (int cpu = 0; cpu < cpus; cpu++) {
		struct perf_ring *ring = &exits->rings[exits->n_rings];

		do
			error = perf_ring_open(ring, &attr, root, cpu, pages);
		while ((error == -EPERM || error == -ENOMEM) && exits->n_rings == 0 &&
		       (pages /= 2) >= RING_PAGES_LEAST); /* more than may be locked */
		if (error == -ENODEV || error == -ENXIO || (error == -EINVAL && exits->n_rings > 0))
			continue; /* a CPU that is not there */
		if (error < 0)
			return error;
		exits->n_rings++;
	}
	return exits->n_rings ? 0 : -ENODEV;
}

static struct exits_process *process_add(struct exits *exits, int32_t pid, int32_t ppid, int64_t start_ns)
{
	struct exits_process *process;

	MEM_GROW(exits->processes, exits->n_processes, exits->cap_processes);
	map_put(&exits->by_pid, (uint64_t)pid, exits->n_processes);
	process = &exits->processes[exits->n_processes++];
	*process = (struct exits_process){.pid = pid, .ppid = ppid, .threads = 1, .start_ns = start_ns};
	return process;
}

int exits_open(struct exits *exits, pid_t root)
{
	int error;

	*exits = (struct exits){.root = root};
	error = open_rings(exits, root);
	if (error < 0) {
		exits_close(exits);
		return error;
	}
	process_add(exits, root, (int32_t)getpid(), clock_mono_ns());
	exits->weighed_ns = clock_mono_ns();
	exits->state = EXITS_ON;
	return 0;
}

void exits_close(struct exits *exits)
{
	for (size_t i = 0; i < exits->n_rings; i++)
		perf_ring_close(&exits->rings[i]);
	free(exits->rings);
	free(exits->events);
	free(exits->processes);
	map_fini(&exits->by_pid);
	*exits = (struct exits){0};
}

/* Records, as linux/perf_event.h has them. */

struct fork_record {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[]; /* NUL-terminated, filled up to a multiple of 8 */
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* At the end of each: whose it is, and when. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
};

/* False: nothing for us, or not as long as it should be. */
static bool understand_record(const struct perf_event_header *header, struct exits_event *event)
{
	const struct fork_record *fork = (const void *)header;
	const struct comm_record *comm = (const void *)header;
	struct trailer trailer;
	size_t len = header->size;

	if (len < sizeof *header + sizeof trailer)
		return false;
	memcpy(&trailer, (const uint8_t *)header + len - sizeof trailer, sizeof trailer);
	*event = (struct exits_event){.type = header->type, .time_ns = (int64_t)trailer.time};
	switch (header->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (len < sizeof *fork + sizeof trailer)
			return false;
		event->pid = (int32_t)fork->pid;
		event->ppid = (int32_t)fork->ppid;
		event->tid = (int32_t)fork->tid;
		break;
	case PERF_RECORD_COMM:
		if (len < sizeof *comm + sizeof(uint64_t) + sizeof trailer)
			return false;
		event->pid = (int32_t)comm->pid;
		event->tid = (int32_t)comm->tid;
		len -= sizeof *comm + sizeof trailer;
		memcpy(event->comm, comm->comm, len < sizeof event->comm ? len : sizeof event->comm);
		event->comm[sizeof event->comm - 1] = '\0';
		break;
	case PERF_RECORD_SWITCH:
		event->pid = (int32_t)trailer.pid;
		event->tid = (int32_t)trailer.tid;
		event->leaves = header->misc & PERF_RECORD_MISC_SWITCH_OUT;
		break;
	default:
		return false;
	}
	return event->pid > 0;
}

void exits_take(struct exits *exits, struct perf_ring *ring)
{
	const struct perf_event_header *header;
	const struct lost_record *lost;
	struct exits_event event;

	perf_ring_begin(ring);
	while ((header = perf_ring_next(ring))) {
		lost = (const void *)header;
		if (header->type == PERF_RECORD_LOST && header->size >= sizeof *lost)
			exits->lost += lost->lost;
		if (!understand_record(header, &event))
			continue;
		MEM_GROW(exits->events, exits->n_events, exits->cap_events);
		exits->events[exits->n_events++] = event;
	}
	perf_ring_end(ring);
}

static int by_time(const void *a, const void *b)
{
	const struct exits_event *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static struct exits_process *process_of(struct exits *exits, int32_t pid)
{
	uint64_t index;

	return map_get(&exits->by_pid, (uint64_t)pid, &index) ? &exits->processes[index] : NULL;
}

static void fork_understand(struct exits *exits, const struct exits_event *event)
{
	struct exits_process *process = process_of(exits, event->pid);
	const struct exits_process *parent;

	if (event->pid == event->ppid) { /* a thread */
		if (process)
			process->threads++;
		return;
	}
	process = process_add(exits, event->pid, event->ppid, event->time_ns);
	parent = process_of(exits, event->ppid);
	if (parent)
		memcpy(process->comm, parent->comm, sizeof process->comm);
}

/* A thread comes to a CPU or leaves it. */
static void process_runs(struct exits_process *process, bool leaves, int64_t time_ns)
{
	process->cpu_ns += leaves ? time_ns : -time_ns;
	process->running += leaves ? -1 : 1;
	process->wrong |= process->running < 0;
}

static void event_understand(struct exits *exits, const struct exits_event *event)
{
	struct exits_process *process;

	if (event->type == PERF_RECORD_FORK) {
		fork_understand(exits, event);
		return;
	}
	process = process_of(exits, event->pid);
	if (!process || process->threads == 0) /* its fork was lost, or it is over */
		return;
	switch (event->type) {
	case PERF_RECORD_COMM:
		if (process->pid == exits->root &&
		    !exits->began) { /* its exec: it has a CPU, and from now on counts */
			exits->began = true;
			process_runs(process, false, event->time_ns);
		}
		if (event->tid == event->pid)
			memcpy(process->comm, event->comm, sizeof process->comm);
		break;
	case PERF_RECORD_EXIT:
		process->end_ns = event->time_ns;
		process->threads--;
		process_runs(process, true, event->time_ns);
		process->wrong |= process->threads == 0 && process->running != 0;
		break;
	case PERF_RECORD_SWITCH:
		process_runs(process, event->leaves, event->time_ns);
		break;
	}
}

/* Later ones wait for what other rings may have to say of the time before. */
void exits_understand(struct exits *exits, int64_t until_ns)
{
	size_t done = 0;

	if (exits->n_events)
		qsort(exits->events, exits->n_events, sizeof *exits->events, by_time);
	while (done < exits->n_events && exits->events[done].time_ns <= until_ns)
		event_understand(exits, &exits->events[done++]);
	exits->n_events -= done;
	if (exits->n_events)
		memmove(exits->events, exits->events + done, exits->n_events * sizeof *exits->events);
}

static uint64_t counter_read(int fd)
{
	uint64_t value;

	return read(fd, &value, sizeof value) == sizeof value ? value : 0;
}

static void row_tell(struct exits *exits, const struct exits_process *process, struct sample *sample)
{
	struct exit_row *row = sample_add_exit(sample);

	row->pid = process->pid;
	row->ppid = process->ppid;
	row->comm = sample_add_string(sample, process->comm, strlen(process->comm));
	row->start_ns = process->start_ns / NS_PER_US * NS_PER_US;
	row->end_ns = process->end_ns / NS_PER_US * NS_PER_US;
	row->cpu_us = process->wrong ? METRIC_NA : (uint64_t)(process->cpu_ns / NS_PER_US);
	exits->ended++;
	exits->ended_cpu_us += process->wrong ? 0 : row->cpu_us;
	exits->lost += process->wrong;
}

static int by_end(const void *a, const void *b)
{
	const struct exit_row *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

void exits_tell(struct exits *exits, struct sample *sample)
{
	size_t kept = 0, before = sample->n_exits;

	for (size_t i = 0; i < exits->n_processes; i++) {
		struct exits_process process = exits->processes[i];
		uint64_t index;
		bool current = map_get(&exits->by_pid, (uint64_t)process.pid, &index) && index == i;

		if (process.threads == 0 && process.settled) {
			row_tell(exits, &process, sample);
			if (current)
				map_delete(&exits->by_pid, (uint64_t)process.pid);
			continue;
		}
		process.settled = process.threads == 0;
		exits->processes[kept] = process;
		if (current)
			map_put(&exits->by_pid, (uint64_t)process.pid, kept);
		kept++;
	}
	exits->n_processes = kept;
	if (sample->n_exits > before)
		qsort(sample->exits, sample->n_exits, sizeof *sample->exits, by_end);
}

void exits_read(struct exits *exits, struct sample *sample)
{
	int64_t until_ns = clock_mono_ns();

	if (exits->state != EXITS_ON)
		return;
	for (size_t i = 0; i < exits->n_rings; i++)
		exits_take(exits, &exits->rings[i]);
	exits_understand(exits, until_ns);
	exits_tell(exits, sample);
}

/* Where processes are so short, and CPUs so many, that being counted is a burden to them. */
static bool too_dear(struct exits *exits, int64_t now_ns)
{
	bool dear;

	if (now_ns - exits->weighed_ns < COST_WINDOW_NS)
		return false;
	dear = exits->ended >= COST_ENDED_LEAST &&
	       exits->ended * exits->n_rings * EVENT_COST_NS > exits->ended_cpu_us * 1000 / COST_PART;
	exits->weighed_ns = now_ns;
	exits->ended = exits->ended_cpu_us = 0;
	return dear;
}

void exits_tick(struct exits *exits, struct sample *sample)
{
	uint64_t counted_ns = 0;

	if (exits->state != EXITS_ON)
		return;
	for (size_t i = 0; i < exits->n_rings; i++)
		counted_ns += counter_read(exits->rings[i].fd);
	sample->system[METRIC_SYSTEM_EXITS_CPU_US] = counted_ns / (uint64_t)NS_PER_US;
	sample->system[METRIC_SYSTEM_EXITS_LOST] = exits->lost;
	if (too_dear(exits, sample->mono_ns)) {
		exits_close(exits);
		exits->state = EXITS_GIVEN_UP;
	}
}
