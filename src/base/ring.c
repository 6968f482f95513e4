/* SPDX-License-Identifier: MIT
 *
 * A single-producer single-consumer queue. head and tail count words since the start and never wrap in
 * practice; tail - head is what is in it. The producer alone writes tail, the consumer alone head; each
 * publishes with release and reads the other's with acquire. They lie on cache lines of their own, so that
 * neither side slows the other.
 */
#include "base/ring.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"

#define RING_CACHE_LINE 64

struct ring {
	size_t mask;
	uint64_t *words;
	char apart_1[RING_CACHE_LINE];
	atomic_size_t head;
	char apart_2[RING_CACHE_LINE];
	atomic_size_t tail;
	char apart_3[RING_CACHE_LINE];
};

struct ring *ring_new(size_t capacity)
{
	struct ring *ring = mem_alloc(1, sizeof *ring);
	size_t size = 1;

	while (size < capacity)
		size *= 2;
	ring->mask = size - 1;
	ring->words = mem_alloc(size, sizeof *ring->words);
	return ring;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->words);
	free(ring);
}

bool ring_push(struct ring *ring, uint64_t word)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);

	if (tail - head > ring->mask)
		return false;
	ring->words[tail & ring->mask] = word;
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
	return true;
}

bool ring_pop(struct ring *ring, uint64_t *word)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	if (head == tail)
		return false;
	*word = ring->words[head & ring->mask];
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	return true;
}

size_t ring_count(const struct ring *ring)
{
	/* head first: it only grows, so the difference is never negative. */
	size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	return tail - head;
}
