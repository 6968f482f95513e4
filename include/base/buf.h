/* SPDX-License-Identifier: MIT
 *
 * A growing byte buffer, always followed by a NUL that is not counted in len. Zero-initialised is empty.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>

struct buf {
	char *data; /* NULL while empty */
	size_t len;
	size_t cap;
};

void buf_fini(struct buf *buf);
void buf_clear(struct buf *buf);                 /* keeps the storage */
char *buf_reserve(struct buf *buf, size_t more); /* room for `more` bytes behind len; add to len what was used */
void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_add_byte(struct buf *buf, unsigned char byte);
void buf_add_string(struct buf *buf, const char *string);
void buf_add_format(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_drop_front(struct buf *buf, size_t len);

#endif
