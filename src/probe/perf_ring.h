/* SPDX-License-Identifier: MIT
 *
 * A ring of perf_event_open(2): the event, its mapped buffer, and the records in it, one after the other.
 */
#ifndef PROBE_PERF_RING_H
#define PROBE_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_ring {
	int fd; /* -1: closed */
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	size_t size; /* of data, a power of two */
	uint64_t at, head;
	uint8_t *joined; /* a record that goes around the end, in one piece */
	size_t cap_joined;
};

/* An event, close-on-exec, out of the build's way; the descriptor or -errno. */
int perf_event_start(const struct perf_event_attr *attr, pid_t pid, int cpu);
/* An event with a ring of so many pages (a power of two); 0 or -errno. */
int perf_ring_open(struct perf_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
		   size_t pages);
/* A ring over a buffer of the caller's, for tests. */
void perf_ring_attach(struct perf_ring *ring, struct perf_event_mmap_page *page, const void *data,
		      size_t size);
void perf_ring_close(struct perf_ring *ring);

/* Takes note of what has been written so far; bytes that wait. */
size_t perf_ring_begin(struct perf_ring *ring);
/* The next record of those, until the next call; NULL: no more. One that cannot be one ends the reading. */
const struct perf_event_header *perf_ring_next(struct perf_ring *ring);
/* Gives the room back. */
void perf_ring_end(struct perf_ring *ring);

#endif
