/* SPDX-License-Identifier: MIT
 *
 * An independent measure of where a build's threads spent their time: truth FILE COMMAND... runs COMMAND (a
 * buildtop that runs a build) and follows its descendants, without COMMAND's own threads, through every
 * switch of every CPU, with the kernel stack of whoever stops running. Each thread is at any moment on a CPU,
 * ready, or blocked; what it is blocked on is decided by the functions on its stack (stacks.c), not by its
 * wait channel. One line for each interval: FROM TO TID CLASS COMM, in nanoseconds of CLOCK_MONOTONIC; the
 * last line tells how many events were lost. Needs root and tracefs. One thread; records are sorted by time,
 * and taken up when no older ones can be in the rings any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stacks.h"

#define RING_PAGES 2048
#define CPUS_MAX   64
#define TIDS_MAX   (1 << 22)
#define SETTLE_NS  50000000 /* younger records wait: another CPU's ring may hold one before them */

enum doing { DOING_NONE, DOING_CPU, DOING_READY, DOING_BLOCKED };

struct thread {
	enum doing doing;
	enum stack_class blocked_on;
	uint64_t since_ns;
	char comm[16];
};

/* A record, copied out of its ring. */
struct event {
	uint64_t time_ns;
	struct perf_event_header *record;
};

struct truth {
	FILE *out;
	pid_t watcher; /* whose own threads do not count */
	struct thread *threads;
	int switch_id, waking_id;
	int n_cpus;
	int fds[CPUS_MAX];
	struct perf_event_mmap_page *rings[CPUS_MAX];
	struct event *events;
	size_t n_events, cap_events;
	uint64_t lost;
};

/* What a switch or a wake-up looks like in a sample of ours: TID, TIME, CALLCHAIN, RAW. */
struct sample_head {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint64_t n_frames;
	uint64_t frames[];
};

struct __attribute__((packed)) raw_switch {
	uint16_t type;
	uint8_t common[6];
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

struct __attribute__((packed)) raw_waking {
	uint16_t type;
	uint8_t common[6];
	char comm[16];
	int32_t pid;
};

struct record_fork {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

static void die(const char *what)
{
	fprintf(stderr, "truth: %s: %s\n", what, strerror(errno));
	exit(77);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int tracepoint_id(const char *name)
{
	char path[128];
	int id;
	FILE *file;

	snprintf(path, sizeof path, "/sys/kernel/tracing/events/sched/%s/id", name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &id) != 1)
		die(path);
	fclose(file);
	return id;
}

static int event_open(int id, int cpu, bool with_stack)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof attr,
		.config = (uint64_t)id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
		.exclude_callchain_user = 1,
		.sample_max_stack = with_stack ? STACK_DEPTH : 1,
		.disabled = 1,
		.task = with_stack,
		.watermark = 1,
		.wakeup_watermark = 1 << 20,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void rings_open(struct truth *truth)
{
	truth->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (truth->n_cpus > CPUS_MAX)
		truth->n_cpus = CPUS_MAX;
	for (int cpu = 0; cpu < truth->n_cpus; cpu++) {
		int waking = event_open(truth->waking_id, cpu, false);

		truth->fds[cpu] = event_open(truth->switch_id, cpu, true);
		truth->rings[cpu] = mmap(NULL, (RING_PAGES + 1) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
					 truth->fds[cpu], 0);
		if (truth->rings[cpu] == MAP_FAILED)
			die("mmap");
		if (ioctl(waking, PERF_EVENT_IOC_SET_OUTPUT, truth->fds[cpu]) < 0)
			die("set output");
		ioctl(waking, PERF_EVENT_IOC_ENABLE, 0);
		ioctl(truth->fds[cpu], PERF_EVENT_IOC_ENABLE, 0);
	}
}

static uint64_t record_time(const struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_SAMPLE)
		return ((const struct sample_head *)(const void *)record)->time_ns;
	return ((const struct record_fork *)(const void *)record)->time_ns;
}

static void ring_copy(const struct perf_event_mmap_page *ring, uint64_t at, void *to, size_t len)
{
	const char *data = (const char *)ring + 4096;
	size_t size = (size_t)RING_PAGES * 4096, from = at % size;
	size_t first = len < size - from ? len : size - from;

	memcpy(to, data + from, first);
	memcpy((char *)to + first, data, len - first);
}

static void ring_drain(struct truth *truth, struct perf_event_mmap_page *ring)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), tail = ring->data_tail;

	while (tail < head) {
		struct perf_event_header header, *record;

		ring_copy(ring, tail, &header, sizeof header);
		record = malloc(header.size);
		ring_copy(ring, tail, record, header.size);
		tail += header.size;
		if (header.type == PERF_RECORD_LOST)
			truth->lost += ((uint64_t *)(void *)record)[2];
		if (header.type != PERF_RECORD_SAMPLE && header.type != PERF_RECORD_FORK) {
			free(record);
			continue;
		}
		if (truth->n_events == truth->cap_events) {
			truth->cap_events = truth->cap_events * 2 + 4096;
			truth->events = realloc(truth->events, truth->cap_events * sizeof *truth->events);
		}
		truth->events[truth->n_events++] = (struct event){record_time(record), record};
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

static struct thread *thread_find(struct truth *truth, int32_t tid)
{
	return tid > 0 && tid < TIDS_MAX && truth->threads[tid].doing ? &truth->threads[tid] : NULL;
}

/* Ends what the thread did, and begins something else. */
static void thread_turn(struct truth *truth, struct thread *thread, enum doing doing, uint64_t time_ns)
{
	const char *class = thread->doing == DOING_CPU	   ? "cpu"
			    : thread->doing == DOING_READY ? "runqueue"
							   : stack_class_name(thread->blocked_on);

	if (time_ns > thread->since_ns)
		fprintf(truth->out, "%lu %lu %ld %s %.15s\n", thread->since_ns, time_ns,
			(long)(thread - truth->threads), class, thread->comm);
	thread->doing = doing;
	thread->since_ns = time_ns;
}

static void take_switch(struct truth *truth, const struct sample_head *sample, const struct raw_switch *raw)
{
	struct thread *prev = thread_find(truth, raw->prev_pid);
	struct thread *next = thread_find(truth, raw->next_pid);
	bool over = raw->prev_state & 0x70; /* dead, zombie */

	if (prev) {
		memcpy(prev->comm, raw->prev_comm, sizeof prev->comm);
		thread_turn(truth, prev,
			    over			    ? DOING_NONE
			    : (raw->prev_state & 0xff) == 0 ? DOING_READY
							    : DOING_BLOCKED,
			    sample->time_ns);
		if (prev->doing == DOING_BLOCKED)
			prev->blocked_on = stack_judge(sample->frames, sample->n_frames);
	}
	if (next) {
		memcpy(next->comm, raw->next_comm, sizeof next->comm);
		thread_turn(truth, next, DOING_CPU, sample->time_ns);
	}
}

static void take_sample(struct truth *truth, const struct sample_head *sample)
{
	const char *raw = (const char *)(sample->frames + sample->n_frames) + sizeof(uint32_t);
	const struct raw_waking *waking = (const void *)raw;

	if (waking->type == truth->switch_id) {
		take_switch(truth, sample, (const void *)raw);
	} else if (waking->type == truth->waking_id) {
		struct thread *thread = thread_find(truth, waking->pid);

		if (thread && thread->doing == DOING_BLOCKED)
			thread_turn(truth, thread, DOING_READY, sample->time_ns);
	}
}

static void take_fork(struct truth *truth, const struct record_fork *fork)
{
	bool of_watcher = (pid_t)fork->ppid == truth->watcher;

	if ((pid_t)fork->pid == truth->watcher || fork->tid >= TIDS_MAX)
		return;
	if (of_watcher || thread_find(truth, (int32_t)fork->ptid))
		truth->threads[fork->tid] = (struct thread){.doing = DOING_READY, .since_ns = fork->time_ns};
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static void take_events(struct truth *truth, uint64_t until_ns)
{
	size_t done = 0;

	qsort(truth->events, truth->n_events, sizeof *truth->events, by_time);
	while (done < truth->n_events && truth->events[done].time_ns <= until_ns) {
		struct perf_event_header *record = truth->events[done++].record;

		if (record->type == PERF_RECORD_SAMPLE)
			take_sample(truth, (const void *)record);
		else
			take_fork(truth, (const void *)record);
		free(record);
	}
	truth->n_events -= done;
	memmove(truth->events, truth->events + done, truth->n_events * sizeof *truth->events);
}

/* Runs until the command has ended; its status. */
static int follow(struct truth *truth)
{
	bool over = false;
	int status = 0;

	while (!over) {
		struct timespec pause = {.tv_nsec = 20000000};
		uint64_t before_ns;

		nanosleep(&pause, NULL);
		over = waitpid(truth->watcher, &status, WNOHANG) == truth->watcher;
		before_ns = now_ns();
		for (int cpu = 0; cpu < truth->n_cpus; cpu++)
			ring_drain(truth, truth->rings[cpu]);
		take_events(truth, over ? UINT64_MAX : before_ns - SETTLE_NS);
	}
	for (int tid = 1; tid < TIDS_MAX; tid++)
		if (truth->threads[tid].doing)
			thread_turn(truth, &truth->threads[tid], DOING_NONE, now_ns());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct truth truth = {0};
	int start[2], status;
	char go = 1;

	if (argc < 3) {
		fputs("usage: truth FILE COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	truth.switch_id = tracepoint_id("sched_switch");
	truth.waking_id = tracepoint_id("sched_waking");
	stacks_load();
	truth.threads = mmap(NULL, sizeof *truth.threads * TIDS_MAX, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	truth.out = fopen(argv[1], "we");
	if (truth.threads == MAP_FAILED || !truth.out || pipe2(start, O_CLOEXEC) < 0)
		die(argv[1]);
	truth.watcher = fork();
	if (truth.watcher == 0) {
		if (read(start[0], &go, 1) == 1)
			execvp(argv[2], argv + 2);
		_exit(127);
	}
	rings_open(&truth);
	setpriority(PRIO_PROCESS, 0, -10);
	if (write(start[1], &go, 1) != 1)
		die("start");
	status = follow(&truth);
	fprintf(truth.out, "lost %lu\n", truth.lost);
	if (fclose(truth.out) != 0)
		die(argv[1]);
	if (getenv("TRUTH_STACKS"))
		stacks_print(stderr);
	return status;
}
