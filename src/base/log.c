/* SPDX-License-Identifier: MIT
 *
 * A bounded queue of lines, many threads in, one out, without a lock. A slot's turn says whose it is: a
 * multiple of the slot count is the lap in which a line may be put there, one more that the line is ready.
 * Zeroed is empty, so lines may be said before log_init(); only the descriptor is missing then. Prints
 * nothing.
 */
#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bell.h"

#define LOG_SLOTS 64

struct log_slot {
	_Atomic uint64_t turn;
	char line[LOG_LINE_SIZE];
};

static struct log_slot log_slots[LOG_SLOTS];
static _Atomic uint64_t log_tail;
static uint64_t log_head; /* main thread's */
static _Atomic uint64_t log_lost;
static atomic_int log_bell = -1;

void log_init(void)
{
	if (log_bell < 0)
		log_bell = bell_open();
}

int log_fd(void)
{
	return log_bell;
}

static struct log_slot *log_slot(uint64_t position)
{
	return &log_slots[position % LOG_SLOTS];
}

static uint64_t log_lap(uint64_t position)
{
	return position - position % LOG_SLOTS;
}

/* A slot to write to, or NULL when all are taken. */
static struct log_slot *log_claim(uint64_t *position)
{
	*position = atomic_load_explicit(&log_tail, memory_order_relaxed);
	for (;;) {
		struct log_slot *slot = log_slot(*position);
		uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);

		if (turn == log_lap(*position)) {
			if (atomic_compare_exchange_weak_explicit(&log_tail, position, *position + 1,
								  memory_order_relaxed, memory_order_relaxed))
				return slot;
		} else if (turn < log_lap(*position)) {
			return NULL;
		} else {
			*position = atomic_load_explicit(&log_tail, memory_order_relaxed);
		}
	}
}

void log_say(const char *format, ...)
{
	uint64_t position;
	struct log_slot *slot = log_claim(&position);
	va_list arguments;

	if (slot) {
		va_start(arguments, format);
		vsnprintf(slot->line, sizeof slot->line, format, arguments);
		va_end(arguments);
		atomic_store_explicit(&slot->turn, log_lap(position) + 1, memory_order_release);
	} else {
		atomic_fetch_add(&log_lost, 1);
	}
	if (log_bell >= 0)
		bell_ring(log_bell);
}

static bool log_take_waiting(char out[LOG_LINE_SIZE])
{
	struct log_slot *slot = log_slot(log_head);
	uint64_t lost;

	if (atomic_load_explicit(&slot->turn, memory_order_acquire) == log_lap(log_head) + 1) {
		memcpy(out, slot->line, LOG_LINE_SIZE);
		atomic_store_explicit(&slot->turn, log_lap(log_head) + LOG_SLOTS, memory_order_release);
		log_head++;
		return true;
	}
	lost = atomic_exchange(&log_lost, 0);
	if (!lost)
		return false;
	snprintf(out, LOG_LINE_SIZE, "%" PRIu64 " more message%s lost", lost, lost == 1 ? " was" : "s were");
	return true;
}

bool log_take(char out[LOG_LINE_SIZE])
{
	if (log_take_waiting(out))
		return true;
	if (log_bell < 0)
		return false;
	bell_hush(log_bell);
	if (!log_take_waiting(out))
		return false;
	bell_ring(log_bell);
	return true;
}
