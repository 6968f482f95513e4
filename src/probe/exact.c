/* SPDX-License-Identifier: MIT
 *
 * Knows the tracepoint writeback:balance_dirty_pages, which tells each pause before it is made, with the
 * thread that makes it. One event a CPU, of all processes; what is not of the tree is skipped. Where others
 * are held back so often that reading it would cost 1 % of a CPU, it is given up for good. Sampler's thread,
 * but for opening.
 */
#include "exact.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"

#define RECORDS_MOST 15000 /* a tick: 0.6 µs each */

enum { PAGES = 16, CPUS_MOST = 512, RECORD_MOST = 512 };

/* PERF_SAMPLE_TID and PERF_SAMPLE_RAW, in that order. */
struct record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint32_t raw_bytes;
	char raw[RECORD_MOST];
};

static bool read_event(const char *name, struct buf *text)
{
	static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	char path[128];

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		snprintf(path, sizeof path, "%s/events/writeback/balance_dirty_pages/%s", roots[i], name);
		buf_clear(text);
		if (fd_read_file(path, text, 65536) == 0 && text->len)
			return true;
	}
	return false;
}

/* "field:long pause;	offset:112;	size:8;	signed:1;" */
static bool find_pause(struct exact *exact, const char *format)
{
	const char *field = strstr(format, " pause;"), *at, *size;

	at = field ? strstr(field, "offset:") : NULL;
	size = field ? strstr(field, "size:") : NULL;
	if (!at || !size)
		return false;
	exact->pause_at = strtoul(at + strlen("offset:"), NULL, 10);
	exact->pause_bytes = strtoul(size + strlen("size:"), NULL, 10);
	return (exact->pause_bytes == 8 || exact->pause_bytes == 4) && exact->pause_at < RECORD_MOST - 8;
}

static int open_cpu(struct exact *exact, int cpu, uint64_t id)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT,
				       .size = sizeof attr,
				       .config = id,
				       .sample_period = 1,
				       .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_RAW,
				       .watermark = 1,
				       .wakeup_watermark = 1u << 30}; /* nobody sleeps on it */
	int event = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC), error;

	if (event < 0)
		return -errno;
	event = fd_raise(event);
	if (event < 0)
		return event;
	error = perf_ring_open(&exact->rings[exact->n_cpus], event, PAGES);
	if (error) {
		close(event);
		return error;
	}
	exact->events[exact->n_cpus++] = event;
	return 0;
}

static int open_all(struct exact *exact, uint64_t id)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);
	int cpus = configured < CPUS_MOST ? (int)configured : CPUS_MOST, error = 0;

	exact->events = mem_alloc((size_t)cpus, sizeof *exact->events);
	exact->rings = mem_alloc((size_t)cpus, sizeof *exact->rings);
	for (int cpu = 0; cpu < cpus && !error; cpu++) {
		error = open_cpu(exact, cpu, id);
		if (error == -ENODEV) /* offline */
			error = 0;
	}
	return error ? error : exact->n_cpus ? 0 : -ENODEV;
}

void exact_open(struct exact *exact, struct run *run)
{
	struct buf id = {0}, format = {0};
	char status[160];
	int error = 0;

	*exact = (struct exact){0};
	if (!read_event("id", &id) || !read_event("format", &format)) {
		run_set_source(run, "throttle_trace",
			       "no: tracefs cannot be read; dirty throttling is told by looks", NULL);
	} else if (!find_pause(exact, format.data)) {
		run_set_source(run, "throttle_trace", "no: this kernel's tracepoint tells no pause", NULL);
	} else if ((error = open_all(exact, strtoull(id.data, NULL, 10))) < 0) {
		snprintf(status, sizeof status, "no: perf_event_open: %s; dirty throttling is told by looks",
			 strerror(-error));
		run_set_source(run, "throttle_trace", status, NULL);
		exact_close(exact);
	} else {
		run_set_source(run, "throttle_trace", "yes", NULL);
	}
	buf_fini(&id);
	buf_fini(&format);
}

void exact_close(struct exact *exact)
{
	for (size_t i = 0; i < exact->n_cpus; i++) {
		perf_ring_close(&exact->rings[i]);
		close(exact->events[i]);
	}
	free(exact->events);
	free(exact->rings);
	*exact = (struct exact){0};
}

/* Of the build, also when it has ended since the last tick. */
static struct tree_task *task_of(const struct tree *tree, int32_t pid)
{
	struct tree_task *task = tree_find(tree, pid);

	for (size_t i = tree->n_ended; !task && i-- > 0;)
		if (tree->ended[i]->pid == pid)
			task = tree->ended[i];
	return task;
}

static void take(const struct exact *exact, const struct tree *tree, const struct record *record)
{
	uint64_t *us;
	int64_t pause_ms;
	int32_t narrow;
	struct tree_task *task;

	if (record->header.type != PERF_RECORD_SAMPLE ||
	    record->raw_bytes < exact->pause_at + exact->pause_bytes)
		return;
	task = task_of(tree, (int32_t)record->pid);
	if (!task)
		return;
	memcpy(&pause_ms, record->raw + exact->pause_at, sizeof pause_ms);
	memcpy(&narrow, record->raw + exact->pause_at, sizeof narrow);
	if (exact->pause_bytes == sizeof narrow)
		pause_ms = narrow;
	us = &task->values[METRIC_TASK_THROTTLED_US];
	if (pause_ms > 0 && pause_ms < 10000) /* the kernel's most is 200 */
		*us = (*us == METRIC_NA ? 0 : *us) + (uint64_t)pause_ms * 1000;
}

void exact_read(struct exact *exact, struct tree *tree)
{
	struct record record;

	for (size_t i = 0; i < exact->n_cpus; i++)
		while (perf_ring_next(&exact->rings[i], &record, sizeof record) > 0) {
			exact->records++;
			take(exact, tree, &record);
		}
}

void exact_tick(struct exact *exact, struct tree *tree)
{
	bool given_up = exact->n_cpus > 0 && exact->records > RECORDS_MOST;

	if (given_up)
		exact_close(exact);
	for (size_t i = 0; i < tree->n_tasks; i++) {
		uint64_t *us = &tree->tasks[i]->values[METRIC_TASK_THROTTLED_US];

		if (given_up)
			*us = METRIC_NA;
		else if (exact->n_cpus && *us == METRIC_NA)
			*us = 0;
	}
	exact->records = 0;
}
