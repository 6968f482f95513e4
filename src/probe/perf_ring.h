/* SPDX-License-Identifier: MIT
 *
 * The ring that the kernel writes the records of a perf event into; perf_event_open(2).
 */
#ifndef PROBE_PERF_RING_H
#define PROBE_PERF_RING_H

#include <stddef.h>

struct perf_event_mmap_page;

struct perf_ring {
	struct perf_event_mmap_page *page; /* NULL: closed */
	size_t bytes;			   /* of the records' part */
};

/* pages: a power of two. 0 or -errno. */
int perf_ring_open(struct perf_ring *ring, int event, size_t pages);
void perf_ring_close(struct perf_ring *ring);
/* The next record, copied to out, as far as it has room; its size, 0: there is none. */
size_t perf_ring_next(struct perf_ring *ring, void *out, size_t cap);

#endif
