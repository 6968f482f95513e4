/* SPDX-License-Identifier: MIT
 *
 * How whoever does not look is told of an alert: bell, flash, or a notification of the terminal's.
 */
#ifndef TUI_NOTICE_H
#define TUI_NOTICE_H

#include "base/buf.h"

struct terminal;

enum { NOTICE_BELL = 1, NOTICE_FLASH = 2, NOTICE_OSC9 = 4, NOTICE_OSC777 = 8 };

/* "flash,osc9"; "none": nothing. Words that are not known are passed over. */
unsigned notice_parse(const char *words);
void notice_words(unsigned ways, struct buf *out); /* the other way round */
/* What a terminal takes as a notification, the text (clean) in it; nothing when no such way is chosen. */
void notice_sequence(unsigned ways, const char *text, struct buf *out);
void notice_give(struct terminal *terminal, unsigned ways, const char *text);

#endif
