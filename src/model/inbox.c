/* SPDX-License-Identifier: MIT
 *
 * A ring of pairs: how many ticks were dropped before, and the tick. What was dropped after the last tick is
 * left beside the ring when the inbox is closed, and handed out by the take that finds nothing more. One
 * producer thread, one consumer thread.
 */
#include "model/inbox.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bell.h"
#include "base/mem.h"
#include "base/ring.h"

struct inbox {
	struct ring *ring;
	size_t capacity;
	int bell;
	uint64_t dropped; /* producer's: not told yet; the consumer's once `closed` is seen */
	atomic_bool closed;
};

struct inbox *inbox_new(size_t capacity)
{
	struct inbox *inbox = mem_alloc(1, sizeof *inbox);

	inbox->capacity = capacity;
	inbox->ring = ring_new(2 * capacity);
	inbox->bell = bell_open();
	if (inbox->bell < 0) {
		inbox_free(inbox);
		return NULL;
	}
	return inbox;
}

/* A pair is complete only when its second word is in. */
static struct tick *inbox_pop(struct inbox *inbox, uint64_t *dropped)
{
	uint64_t word = 0;

	if (ring_count(inbox->ring) < 2)
		return NULL;
	ring_pop(inbox->ring, dropped);
	ring_pop(inbox->ring, &word);
	return (struct tick *)(uintptr_t)word;
}

void inbox_free(struct inbox *inbox)
{
	uint64_t dropped;
	struct tick *tick;

	if (!inbox)
		return;
	while ((tick = inbox_pop(inbox, &dropped)))
		tick_unref(tick);
	ring_free(inbox->ring);
	if (inbox->bell >= 0)
		close(inbox->bell);
	free(inbox);
}

void inbox_put(struct inbox *inbox, struct tick *tick)
{
	/* A half-taken pair still counts as one. */
	if ((ring_count(inbox->ring) + 1) / 2 >= inbox->capacity) {
		inbox->dropped++;
		return;
	}
	ring_push(inbox->ring, inbox->dropped);
	ring_push(inbox->ring, (uintptr_t)tick_ref(tick));
	inbox->dropped = 0;
	bell_ring(inbox->bell);
}

void inbox_close(struct inbox *inbox)
{
	atomic_store_explicit(&inbox->closed, true, memory_order_release);
	bell_ring(inbox->bell);
}

int inbox_fd(const struct inbox *inbox)
{
	return inbox->bell;
}

static bool inbox_is_closed(const struct inbox *inbox)
{
	return atomic_load_explicit(&inbox->closed, memory_order_acquire);
}

/* Hushes the bell unless it has to stay on; true when something came in meanwhile. */
static bool inbox_settle(struct inbox *inbox)
{
	bell_hush(inbox->bell);
	if (!inbox_is_closed(inbox) && ring_count(inbox->ring) < 2)
		return false;
	bell_ring(inbox->bell);
	return ring_count(inbox->ring) >= 2;
}

struct tick *inbox_take(struct inbox *inbox, uint64_t *dropped)
{
	uint64_t lost = 0;
	struct tick *tick = inbox_pop(inbox, &lost);

	if (!tick && inbox_settle(inbox))
		tick = inbox_pop(inbox, &lost);
	if (!tick && inbox_is_closed(inbox) && ring_count(inbox->ring) == 0) {
		lost = inbox->dropped;
		inbox->dropped = 0;
	}
	if (dropped)
		*dropped = lost;
	return tick;
}

bool inbox_ended(const struct inbox *inbox)
{
	return inbox_is_closed(inbox) && ring_count(inbox->ring) == 0 && inbox->dropped == 0;
}
