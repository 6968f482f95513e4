/* SPDX-License-Identifier: MIT
 *
 * The newest bytes of a stream, kept in words that are written and read as atomics. Before the writer
 * overwrites, it says up to where it will have written (reserve); every word is then stored with release and
 * loaded with acquire. So a reader that copied a word of the new lap also sees the reserve that was set
 * before it, and drops what that reserve declares gone. No fence is needed, and a thread sanitizer can follow
 * it.
 */
#include "base/tape.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TAPE_WORD sizeof(uint64_t)

struct tape {
	size_t capacity;
	_Atomic uint64_t reserve; /* the writer may be writing up to here */
	_Atomic uint64_t end;	  /* all before it is written */
	_Atomic uint64_t *words;
};

struct tape *tape_new(size_t capacity)
{
	struct tape *tape = mem_alloc(1, sizeof *tape);

	tape->capacity = 64;
	while (tape->capacity < capacity)
		tape->capacity *= 2;
	tape->words = mem_alloc(tape->capacity / TAPE_WORD, TAPE_WORD);
	return tape;
}

void tape_free(struct tape *tape)
{
	if (!tape)
		return;
	free(tape->words);
	free(tape);
}

static _Atomic uint64_t *tape_word(const struct tape *tape, uint64_t position)
{
	return &tape->words[(position & (tape->capacity - 1)) / TAPE_WORD];
}

static size_t tape_step(uint64_t position, size_t len)
{
	size_t left = TAPE_WORD - position % TAPE_WORD;

	return len < left ? len : left;
}

static void tape_write_piece(struct tape *tape, uint64_t position, const char *bytes, size_t len)
{
	atomic_store_explicit(&tape->reserve, position + len, memory_order_relaxed);
	while (len) {
		size_t step = tape_step(position, len);
		_Atomic uint64_t *cell = tape_word(tape, position);
		uint64_t word = atomic_load_explicit(cell, memory_order_relaxed);

		memcpy((char *)&word + position % TAPE_WORD, bytes, step);
		atomic_store_explicit(cell, word, memory_order_release);
		position += step;
		bytes += step;
		len -= step;
	}
	atomic_store_explicit(&tape->end, position, memory_order_release);
}

void tape_write(struct tape *tape, const void *bytes, size_t len)
{
	uint64_t end = atomic_load_explicit(&tape->end, memory_order_relaxed);
	const char *from = bytes;

	/* In pieces, so that a reader always finds the better part of the tape readable. */
	while (len) {
		size_t piece = len < tape->capacity / 4 ? len : tape->capacity / 4;

		tape_write_piece(tape, end, from, piece);
		end += piece;
		from += piece;
		len -= piece;
	}
}

uint64_t tape_end(const struct tape *tape)
{
	return atomic_load_explicit(&tape->end, memory_order_acquire);
}

/* How many of the len bytes from position on are overwritten once the writer has reached `written`. */
static size_t tape_gone(const struct tape *tape, uint64_t position, uint64_t len, uint64_t written)
{
	uint64_t oldest = written > tape->capacity ? written - tape->capacity : 0;

	if (position >= oldest)
		return 0;
	return oldest - position < len ? (size_t)(oldest - position) : (size_t)len;
}

static void tape_copy(const struct tape *tape, uint64_t position, char *out, size_t len)
{
	while (len) {
		size_t step = tape_step(position, len);
		uint64_t word = atomic_load_explicit(tape_word(tape, position), memory_order_acquire);

		memcpy(out, (const char *)&word + position % TAPE_WORD, step);
		position += step;
		out += step;
		len -= step;
	}
}

size_t tape_read(const struct tape *tape, uint64_t *position, void *out, size_t cap, uint64_t *lost)
{
	while (cap) {
		uint64_t end = tape_end(tape);
		uint64_t reserve = atomic_load_explicit(&tape->reserve, memory_order_relaxed);
		size_t gone = tape_gone(tape, *position, end - *position, reserve);
		size_t len;

		*position += gone;
		*lost += gone;
		len = end - *position < cap ? (size_t)(end - *position) : cap;
		if (!len)
			return 0;
		tape_copy(tape, *position, out, len);

		reserve = atomic_load_explicit(&tape->reserve, memory_order_relaxed);
		gone = tape_gone(tape, *position, len, reserve);
		if (gone)
			memmove(out, (char *)out + gone, len - gone);
		*position += len;
		*lost += gone;
		if (len > gone)
			return len - gone;
	}
	return 0;
}
