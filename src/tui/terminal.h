/* SPDX-License-Identifier: MIT
 *
 * The terminal: taken, given back, sized, read. All of ncurses' own state is handled here; panels only draw.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <stdbool.h>

#include "base/why.h"

struct terminal;

int terminal_check(struct why *why);
int terminal_open(struct terminal **terminal, struct why *why); /* changes nothing yet */
void terminal_close(struct terminal *terminal);
int terminal_fd(const struct terminal *terminal);
void terminal_size(const struct terminal *terminal, int *rows,
		   int *columns); /* as the kernel has it; never 0 */

int terminal_enter(struct terminal *terminal, struct why *why); /* takes it, or takes it again */
void terminal_leave(struct terminal *terminal);			/* gives it back whole; again is fine */
void terminal_resized(struct terminal *terminal);
bool terminal_writable(const struct terminal *terminal); /* a frame would not have to wait */
void terminal_redraw(void);				 /* the next frame is sent whole */

void terminal_bell(struct terminal *terminal);
void terminal_flash(struct terminal *terminal);
/* A sequence that moves nothing on the screen. Lost when the terminal takes nothing now. */
void terminal_tell(struct terminal *terminal, const char *sequence);

/* Beside the codes of ncurses: a terminal's marks around what is pasted. */
enum { TERMINAL_PASTE_BEGIN = 0x1001, TERMINAL_PASTE_END };

/* The next key (a character's byte or KEY_…), or -1: none. */
int terminal_key(struct terminal *terminal);
/* Call when poll() says something about the terminal: true when it is gone. */
bool terminal_gone(struct terminal *terminal, short revents);

#endif
