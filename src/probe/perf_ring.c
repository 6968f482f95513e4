/* SPDX-License-Identifier: MIT
 *
 * Knows the protocol of the shared buffer: the kernel moves the head, we move the tail, and a record may go
 * around the end. Refuses to know what the records say. Sampler's thread.
 */
#include "perf_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"

int perf_event_start(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd_raise(fd);
}

void perf_ring_attach(struct perf_ring *ring, struct perf_event_mmap_page *page, const void *data,
		      size_t size)
{
	*ring = (struct perf_ring){.fd = -1, .page = page, .data = data, .size = size};
}

int perf_ring_open(struct perf_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
		   size_t pages)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	int fd = perf_event_start(attr, pid, cpu);
	uint8_t *map;

	*ring = (struct perf_ring){.fd = -1};
	if (fd < 0)
		return fd;
	map = mmap(NULL, (pages + 1) * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		int error = errno;

		close(fd);
		return -error;
	}
	perf_ring_attach(ring, (struct perf_event_mmap_page *)map, map + page_size, pages * page_size);
	ring->fd = fd;
	return 0;
}

void perf_ring_close(struct perf_ring *ring)
{
	if (ring->fd >= 0) {
		munmap(ring->page, ring->size + (size_t)sysconf(_SC_PAGESIZE));
		close(ring->fd);
	}
	free(ring->joined);
	*ring = (struct perf_ring){.fd = -1};
}

size_t perf_ring_begin(struct perf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ring->at = ring->page->data_tail;
	return (size_t)(ring->head - ring->at);
}

static const void *whole(struct perf_ring *ring, size_t offset, size_t len)
{
	size_t first = ring->size - offset;

	if (len <= first)
		return ring->data + offset;
	if (len > ring->cap_joined) {
		ring->cap_joined = len;
		ring->joined = mem_resize(ring->joined, len, 1);
	}
	memcpy(ring->joined, ring->data + offset, first);
	memcpy(ring->joined + first, ring->data, len - first);
	return ring->joined;
}

const struct perf_event_header *perf_ring_next(struct perf_ring *ring)
{
	uint64_t left = ring->head - ring->at;
	size_t offset = (size_t)(ring->at & (ring->size - 1));
	const struct perf_event_header *header;
	size_t len;

	if (left < sizeof *header)
		return NULL;
	header = (const void *)(ring->data + offset); /* all are multiples of 8 long: never around the end */
	len = header->size;
	if (len < sizeof *header || len % sizeof *header != 0 || len > left || len > ring->size) {
		ring->at = ring->head;
		return NULL;
	}
	ring->at += len;
	return whole(ring, offset, len);
}

void perf_ring_end(struct perf_ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->at, __ATOMIC_RELEASE);
}
