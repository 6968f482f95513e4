/* SPDX-License-Identifier: MIT
 *
 * base/ring and base/tape, alone and with a second thread. Run it under a thread sanitizer too. With threads
 * nothing is said about timing: only that what arrives is right and what is missing is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/ring.h"
#include "base/tape.h"

static void ring_refuses_when_full_and_when_empty(void **state)
{
	struct ring *ring = ring_new(3); /* becomes 4 */
	uint64_t word = 99;

	(void)state;
	assert_false(ring_pop(ring, &word));
	for (uint64_t i = 0; i < 4; i++)
		assert_true(ring_push(ring, i));
	assert_false(ring_push(ring, 4));
	assert_int_equal(ring_count(ring), 4);
	for (uint64_t i = 0; i < 4; i++) {
		assert_true(ring_pop(ring, &word));
		assert_int_equal(word, i);
	}
	assert_false(ring_pop(ring, &word));
	assert_int_equal(ring_count(ring), 0);
	ring_free(ring);
	ring_free(NULL);
}

static void ring_of_one_works(void **state)
{
	struct ring *ring = ring_new(1);
	uint64_t word;

	(void)state;
	for (uint64_t i = 0; i < 5; i++) {
		assert_true(ring_push(ring, i));
		assert_false(ring_push(ring, i));
		assert_true(ring_pop(ring, &word));
		assert_int_equal(word, i);
	}
	ring_free(ring);
}

#define RING_WORDS 200000

static void *ring_producer(void *argument)
{
	for (uint64_t i = 1; i <= RING_WORDS; i++)
		while (!ring_push(argument, i * UINT64_C(0x100000001)))
			sched_yield();
	return NULL;
}

static void ring_keeps_order_between_threads(void **state)
{
	struct ring *ring = ring_new(64);
	pthread_t thread;
	uint64_t word;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, ring_producer, ring), 0);
	for (uint64_t i = 1; i <= RING_WORDS; i++) {
		while (!ring_pop(ring, &word))
			sched_yield();
		assert_true(word == i * UINT64_C(0x100000001));
		assert_true(ring_count(ring) <= 64);
	}
	pthread_join(thread, NULL);
	assert_false(ring_pop(ring, &word));
	ring_free(ring);
}

static void tape_gives_back_what_was_written(void **state)
{
	struct tape *tape = tape_new(100); /* becomes 128 */
	uint64_t position = 0, lost = 0;
	char out[256];

	(void)state;
	assert_int_equal(tape_read(tape, &position, out, sizeof out, &lost), 0);
	tape_write(tape, "hello ", 6);
	tape_write(tape, "", 0);
	tape_write(tape, "world", 5);
	assert_int_equal(tape_end(tape), 11);
	assert_int_equal(tape_read(tape, &position, out, 3, &lost), 3);
	assert_memory_equal(out, "hel", 3);
	assert_int_equal(tape_read(tape, &position, out, sizeof out, &lost), 8);
	assert_memory_equal(out, "lo world", 8);
	assert_int_equal(tape_read(tape, &position, out, sizeof out, &lost), 0);
	assert_int_equal(tape_read(tape, &position, out, 0, &lost), 0);
	assert_int_equal(position, 11);
	assert_int_equal(lost, 0);
	tape_free(tape);
	tape_free(NULL);
}

/* The byte at each position of the made-up stream. */
static char stream_byte(uint64_t position)
{
	return (char)(position * 131 + (position >> 8) * 17 + (position >> 16));
}

static void stream_write(struct tape *tape, uint64_t from, size_t len)
{
	char bytes[512];

	for (size_t i = 0; i < len; i++)
		bytes[i] = stream_byte(from + i);
	tape_write(tape, bytes, len);
}

static void tape_loses_the_oldest_and_says_so(void **state)
{
	struct tape *tape = tape_new(64);
	uint64_t position = 0, lost = 0;
	char out[64];
	size_t got;

	(void)state;
	stream_write(tape, 0, 500);
	assert_int_equal(tape_end(tape), 500);
	got = tape_read(tape, &position, out, sizeof out, &lost);
	assert_int_equal(got, 64);
	assert_int_equal(lost, 436);
	assert_int_equal(position, 500);
	for (size_t i = 0; i < got; i++)
		assert_int_equal(out[i], stream_byte(436 + i));
	tape_free(tape);
}

/* All lengths and alignments, read in other lengths. */
static void tape_copes_with_any_alignment(void **state)
{
	struct tape *tape = tape_new(256);
	uint64_t written = 0, position = 0, lost = 0;
	char out[64];

	(void)state;
	for (size_t round = 0; round < 4000; round++) {
		size_t len = round * 7 % 61, got;

		stream_write(tape, written, len);
		written += len;
		while ((got = tape_read(tape, &position, out, round % 64 + 1, &lost)))
			for (size_t i = 0; i < got; i++)
				assert_int_equal(out[i], stream_byte(position - got + i));
	}
	assert_int_equal(position, written);
	assert_int_equal(lost, 0);
	tape_free(tape);
}

#define TAPE_SIZE  4096
#define TAPE_BYTES UINT64_C(32000000)

static void *tape_writer(void *argument)
{
	for (uint64_t at = 0; at < TAPE_BYTES;) {
		size_t len = at % 300 + 1;

		if (len > TAPE_BYTES - at)
			len = (size_t)(TAPE_BYTES - at);
		stream_write(argument, at, len);
		at += len;
		if (at % 64 == 0)
			sched_yield();
	}
	return NULL;
}

static void *tape_reader(void *argument)
{
	struct tape *tape = argument;
	uint64_t position = 0, lost = 0, seen = 0, wrong = 0;
	char out[TAPE_SIZE]; /* a long copy, of the oldest there is: the writer is at its heels */

	while (position < TAPE_BYTES) {
		uint64_t before = position, lost_before = lost;
		size_t got = tape_read(tape, &position, out, sizeof out, &lost);

		if (!got)
			sched_yield();
		wrong += position - before != got + (lost - lost_before);
		for (size_t i = 0; i < got; i++)
			wrong += out[i] != stream_byte(position - got + i);
		seen += got;
	}
	wrong += seen + lost != TAPE_BYTES;
	return (void *)(uintptr_t)wrong;
}

static void tape_never_hands_out_torn_bytes(void **state)
{
	struct tape *tape = tape_new(TAPE_SIZE);
	pthread_t readers[2], writer;
	void *wrong;

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, tape_reader, tape), 0);
	assert_int_equal(pthread_create(&writer, NULL, tape_writer, tape), 0);
	pthread_join(writer, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_join(readers[i], &wrong);
		assert_null(wrong);
	}
	tape_free(tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_refuses_when_full_and_when_empty),
		cmocka_unit_test(ring_of_one_works),
		cmocka_unit_test(ring_keeps_order_between_threads),
		cmocka_unit_test(tape_gives_back_what_was_written),
		cmocka_unit_test(tape_loses_the_oldest_and_says_so),
		cmocka_unit_test(tape_copes_with_any_alignment),
		cmocka_unit_test(tape_never_hands_out_torn_bytes),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
