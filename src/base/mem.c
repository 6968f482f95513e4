/* SPDX-License-Identifier: MIT
 *
 * The one place that meets a failing malloc(): it aborts. Nothing is printed here; a terminal is restored by
 * its owner's SIGABRT handler.
 */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The size of an array, never 0, so that malloc() has no reason but exhaustion to return NULL. */
static size_t mem_bytes(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		abort();
	return bytes ? bytes : 1;
}

void *mem_alloc(size_t count, size_t size)
{
	void *memory = calloc(1, mem_bytes(count, size));

	if (!memory)
		abort();
	return memory;
}

void *mem_resize(void *array, size_t count, size_t size)
{
	void *memory = realloc(array, mem_bytes(count, size));

	if (!memory)
		abort();
	return memory;
}

char *mem_dup(const char *string)
{
	return mem_dup_n(string, strlen(string));
}

char *mem_dup_n(const char *bytes, size_t len)
{
	char *copy = mem_alloc(len + 1, 1);

	if (len)
		memcpy(copy, bytes, len);
	return copy;
}
