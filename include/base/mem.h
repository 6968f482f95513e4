/* SPDX-License-Identifier: MIT
 *
 * Memory. A monitor that cannot get a few kilobytes has nothing left to say, so these never return NULL:
 * they abort(), and whoever owns a terminal restores it on SIGABRT. Sizes are in bytes. Any thread.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Zeroed storage for count * size bytes; count * size must not overflow (it aborts). Free with free(). */
void *mem_alloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* As realloc() of an array; added storage is not zeroed. */
void *mem_resize(void *array, size_t count, size_t size) __attribute__((returns_nonnull));

char *mem_dup(const char *string) __attribute__((malloc, returns_nonnull));
char *mem_dup_n(const char *bytes, size_t len) __attribute__((malloc, returns_nonnull));

/* Makes room for one more element: array, count and capacity are lvalues; growth is by half. */
#define MEM_GROW(array, count, capacity)                                                                     \
	do {                                                                                                 \
		if ((count) == (capacity)) {                                                                 \
			(capacity) = (capacity) + (capacity) / 2 + 8;                                        \
			(array) = mem_resize((array), (capacity), sizeof *(array));                          \
		}                                                                                            \
	} while (0)

#endif
