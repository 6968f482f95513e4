/* SPDX-License-Identifier: MIT
 *
 * A growing byte buffer. Invariant: while cap is not 0, len < cap and data[len] is NUL.
 */
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void buf_fini(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

char *buf_reserve(struct buf *buf, size_t more)
{
	size_t need;

	assert(more < SIZE_MAX / 2 - buf->len);
	need = buf->len + more + 1;
	if (need > buf->cap) {
		size_t cap = buf->cap + buf->cap / 2;

		if (cap < need)
			cap = need < 64 ? 64 : need;
		buf->data = mem_resize(buf->data, cap, 1);
		buf->cap = cap;
		buf->data[buf->len] = '\0';
	}
	/* Whoever fills the room and adds to len finds a NUL behind it if he fills all of it. */
	buf->data[buf->len + more] = '\0';
	return buf->data + buf->len;
}

void buf_add(struct buf *buf, const void *bytes, size_t len)
{
	char *room = buf_reserve(buf, len);

	if (len)
		memcpy(room, bytes, len);
	buf->len += len;
}

void buf_add_byte(struct buf *buf, unsigned char byte)
{
	buf_add(buf, &byte, 1);
}

void buf_add_string(struct buf *buf, const char *string)
{
	buf_add(buf, string, strlen(string));
}

void buf_add_format(struct buf *buf, const char *format, ...)
{
	va_list arguments, again;
	int len;

	va_start(arguments, format);
	va_copy(again, arguments);
	len = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	assert(len >= 0);
	if (len > 0) {
		char *room = buf_reserve(buf, (size_t)len);

		vsnprintf(room, (size_t)len + 1, format, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

void buf_drop_front(struct buf *buf, size_t len)
{
	assert(len <= buf->len);
	if (!len)
		return;
	buf->len -= len;
	memmove(buf->data, buf->data + len, buf->len + 1);
}
