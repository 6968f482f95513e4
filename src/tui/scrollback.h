/* SPDX-License-Identifier: MIT
 *
 * The build's output as lines: what a terminal of endless height would show of it, without colours. Pure,
 * bounded.
 */
#ifndef TUI_SCROLLBACK_H
#define TUI_SCROLLBACK_H

#include <stddef.h>
#include <stdint.h>

#define SCROLLBACK_LINES   10000
#define SCROLLBACK_COLUMNS 1024 /* characters of a line that are kept */

struct scrollback;

struct scrollback *scrollback_new(void);
void scrollback_free(struct scrollback *scrollback);
void scrollback_add(struct scrollback *scrollback, const char *bytes, size_t len);
/* What is added from now on is of this moment. */
void scrollback_set_time(struct scrollback *scrollback, int64_t mono_ns);
uint64_t scrollback_total(const struct scrollback *scrollback); /* lines finished since the start */
/* When that line was finished, or last written to; counted as below. */
int64_t scrollback_time(const struct scrollback *scrollback, size_t back);
/* Marks that so many bytes are missing here. */
void scrollback_lost(struct scrollback *scrollback, uint64_t bytes);
size_t scrollback_count(const struct scrollback *scrollback);
/* Line `back` lines before the newest, clean; 0 is the one being written. */
const char *scrollback_line(struct scrollback *scrollback, size_t back);

#endif
