/* SPDX-License-Identifier: MIT
 *
 * Knows how reader and kernel share the ring: it moves the head, we the tail, and neither reads what the
 * other has not released. Refuses to know what records mean. One reader, any thread.
 */
#include "perf_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int perf_ring_open(struct perf_ring *ring, int event, size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);

	*ring = (struct perf_ring){0};
	if (map == MAP_FAILED)
		return -errno;
	*ring = (struct perf_ring){map, pages * page};
	return 0;
}

void perf_ring_close(struct perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, ring->bytes + (size_t)sysconf(_SC_PAGESIZE));
	ring->page = NULL;
}

static void copy(const struct perf_ring *ring, uint64_t from, void *out, size_t len)
{
	const char *records = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	size_t at = (size_t)(from % ring->bytes);
	size_t first = len < ring->bytes - at ? len : ring->bytes - at;

	memcpy(out, records + at, first);
	memcpy((char *)out + first, records, len - first);
}

size_t perf_ring_next(struct perf_ring *ring, void *out, size_t cap)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	struct perf_event_header header;

	if (head - tail < sizeof header)
		return 0;
	copy(ring, tail, &header, sizeof header);
	if (header.size < sizeof header || header.size > head - tail) { /* never; but not to turn for ever */
		__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
		return 0;
	}
	copy(ring, tail, out, header.size < cap ? header.size : cap);
	__atomic_store_n(&ring->page->data_tail, tail + header.size, __ATOMIC_RELEASE);
	return header.size;
}
