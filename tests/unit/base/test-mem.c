/* SPDX-License-Identifier: MIT
 *
 * base/mem, base/buf and base/why: storage that is always there, always terminated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/why.h"

static void mem_is_zeroed_and_never_null(void **state)
{
	unsigned char *bytes = mem_alloc(100, 3);

	(void)state;
	for (int i = 0; i < 300; i++)
		assert_int_equal(bytes[i], 0);
	free(bytes);
	free(mem_alloc(0, 8));
	free(mem_resize(NULL, 0, 0));
}

static void mem_dup_keeps_nul_bytes(void **state)
{
	char *copy = mem_dup_n("a\0b", 3);

	(void)state;
	assert_memory_equal(copy, "a\0b", 4);
	free(copy);
	copy = mem_dup("");
	assert_string_equal(copy, "");
	free(copy);
	copy = mem_dup_n(NULL, 0);
	assert_string_equal(copy, "");
	free(copy);
}

static void mem_grow_keeps_what_is_there(void **state)
{
	int *numbers = NULL;
	size_t count = 0, capacity = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		MEM_GROW(numbers, count, capacity);
		numbers[count++] = i;
	}
	assert_true(capacity >= count && capacity < 2 * count);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	free(numbers);
}

/* The signal that ends a child which asks for that much; 0: it lives. */
static int mem_signal_of(size_t count, size_t size)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct rlimit none = {0, 0};

		setrlimit(RLIMIT_CORE, &none);
		free(mem_alloc(count, size));
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void mem_aborts_when_there_is_none(void **state)
{
	(void)state;
	assert_int_equal(mem_signal_of(10, 10), 0);
	assert_int_equal(mem_signal_of(SIZE_MAX / 2, 3), SIGABRT);
#ifndef BUILDTOP_SANITIZED /* their malloc() has its own ideas of too much */
	assert_int_equal(mem_signal_of(SIZE_MAX / 4, 1), SIGABRT);
#endif
}

static void buf_is_always_terminated(void **state)
{
	struct buf buf = {0};

	(void)state;
	buf_add(&buf, "", 0);
	assert_string_equal(buf.data, "");
	buf_add_string(&buf, "ab");
	buf_add_byte(&buf, 0);
	buf_add_byte(&buf, 'c');
	assert_int_equal(buf.len, 4);
	assert_memory_equal(buf.data, "ab\0c", 5);
	buf_clear(&buf);
	assert_int_equal(buf.len, 0);
	assert_string_equal(buf.data, "");
	buf_fini(&buf);
	assert_null(buf.data);
	buf_clear(&buf);
	buf_fini(&buf);
}

static void buf_reserve_gives_room_to_fill(void **state)
{
	struct buf buf = {0};

	(void)state;
	for (size_t size = 1; size < 5000; size += 37) {
		char *room = buf_reserve(&buf, size);

		memset(room, 'x', size);
		buf.len += size;
		assert_int_equal(strlen(buf.data), buf.len);
	}
	buf_fini(&buf);
}

static void buf_formats_any_length(void **state)
{
	struct buf buf = {0};

	(void)state;
	buf_add_format(&buf, "%s", "");
	assert_int_equal(buf.len, 0);
	buf_add_format(&buf, "%d,", 7);
	buf_add_format(&buf, "%300d", 8);
	assert_int_equal(buf.len, 302);
	assert_int_equal(strlen(buf.data), 302);
	assert_memory_equal(buf.data, "7, ", 3);
	assert_int_equal(buf.data[301], '8');
	buf_fini(&buf);
}

static void buf_drops_from_the_front(void **state)
{
	struct buf buf = {0};

	(void)state;
	buf_drop_front(&buf, 0);
	buf_add_string(&buf, "abcdef");
	buf_drop_front(&buf, 2);
	assert_string_equal(buf.data, "cdef");
	assert_int_equal(buf.len, 4);
	buf_drop_front(&buf, 4);
	assert_string_equal(buf.data, "");
	buf_fini(&buf);
}

static void why_keeps_the_sentence_and_returns_the_error(void **state)
{
	struct why why;
	char lengthy[2 * sizeof why.text];

	(void)state;
	assert_int_equal(why_set(&why, -ENOENT, "%s is not there", "/x"), -ENOENT);
	assert_string_equal(why.text, "/x is not there");
	assert_int_equal(why_set(NULL, -EPERM, "nobody asked"), -EPERM);
	memset(lengthy, 'a', sizeof lengthy);
	lengthy[sizeof lengthy - 1] = '\0';
	why_set(&why, -EIO, "%s", lengthy);
	assert_int_equal(strlen(why.text), sizeof why.text - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mem_is_zeroed_and_never_null),
		cmocka_unit_test(mem_dup_keeps_nul_bytes),
		cmocka_unit_test(mem_grow_keeps_what_is_there),
		cmocka_unit_test(mem_aborts_when_there_is_none),
		cmocka_unit_test(buf_is_always_terminated),
		cmocka_unit_test(buf_reserve_gives_room_to_fill),
		cmocka_unit_test(buf_formats_any_length),
		cmocka_unit_test(buf_drops_from_the_front),
		cmocka_unit_test(why_keeps_the_sentence_and_returns_the_error),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
