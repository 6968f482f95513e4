/* SPDX-License-Identifier: MIT
 *
 * The one place that meets a failing malloc(): it aborts. Nothing is printed here; a terminal is restored by
 * its owner's SIGABRT handler.
 */
#include "base/mem.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_alloc(size_t count, size_t size)
{
	void *memory;

	assert(size == 0 || count <= SIZE_MAX / size);
	if (count == 0 || size == 0)
		count = size = 1;
	memory = calloc(count, size);
	if (!memory)
		abort();
	return memory;
}

void *mem_resize(void *array, size_t count, size_t size)
{
	void *memory;

	assert(size == 0 || count <= SIZE_MAX / size);
	if (count == 0 || size == 0)
		count = size = 1;
	memory = realloc(array, count * size);
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
