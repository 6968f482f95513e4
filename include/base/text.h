/* SPDX-License-Identifier: MIT
 *
 * The one sanitiser between foreign bytes (comm, argv, mount points, host names, recorded strings, build output,
 * server replies) and any terminal or text file. Whatever comes in, what goes out is printable text on one line.
 * Needs setlocale(LC_CTYPE, "") to know whether UTF-8 may be shown. Any thread.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* True when the locale's charset is UTF-8; read once by text_init() (call it after setlocale). */
void text_init(void);
bool text_is_utf8(void);

/*
 * Cleans len bytes of `in` into `out` (cap bytes, always NUL-terminated), returns the length written. Control characters,
 * escape sequences, invalid UTF-8, C1 controls, bidirectional overrides and unprintable characters become '?' (a newline or
 * tab becomes a space); outside UTF-8 every character beyond ASCII becomes '?'. Never cuts a character in two.
 */
size_t text_clean(char *out, size_t cap, const char *in, size_t len);
/* The same for a NUL-terminated string; returns out, for use as a printf argument. */
char *text_clean_string(char *out, size_t cap, const char *in);
void text_clean_add(struct buf *out, const char *in, size_t len);

/*
 * For documents (JSON and the like), which escape what they must but need valid UTF-8, whatever the locale: adds at most
 * `max` bytes, invalid bytes as U+FFFD, all else as it is. Never cuts a character in two.
 */
void text_utf8_add(struct buf *out, const char *in, size_t len, size_t max);

/* Columns that clean text takes on a terminal (wide characters 2, combining 0). */
size_t text_width(const char *clean);
/* Bytes of the longest prefix of clean text that fits `columns`; *used (may be NULL) gets its width. */
size_t text_fit(const char *clean, size_t columns, size_t *used);

/* Joins argv with spaces for a person to read: words with blanks are quoted, everything cleaned. */
void text_command(struct buf *out, char *const *argv);

#endif
