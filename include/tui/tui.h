/* SPDX-License-Identifier: MIT
 *
 * The screen. A consumer with a thread of its own: draws ticks, reads keys, asks by `control`. It cannot tell a live run from a
 * replayed one but by what it was given here. It restores the terminal on every way out, a crash included.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/tape.h"
#include "base/why.h"
#include "model/consumer.h"
#include "model/control.h"
#include "model/timeline.h"

struct tui;

struct tui_options {
	struct control *control;
	const struct timeline *timeline; /* the whole run; NULL: it grows by what comes, or is told by `control` */
	const struct tape *output;       /* the build's output; NULL: none */
	const char *recording;           /* name shown behind REC, or of the file replayed; NULL: none */
	const char *note;                /* a sentence shown at the start (damage of the file); NULL: none */
	bool replay;
};

/* Can a screen be shown on this terminal (TERM known, a size, cursor addressing)? 0 or -errno with why; changes nothing. */
int tui_check(struct why *why);
/* Opens /dev/tty; takes the terminal only when serving. */
int tui_open(struct tui **tui, const struct tui_options *options, struct why *why);
struct consumer tui_consumer(struct tui *tui);
/* Size that the build's terminal should have: rows << 16 | columns. */
uint32_t tui_pty_size(const struct tui *tui);
void tui_close(struct tui *tui);

/* The key table, for `list keys` and the manual: "key", "what it does", until both are NULL. */
struct tui_key_info {
	const char *key;
	const char *help;
};
const struct tui_key_info *tui_keys(void);

#endif
