/* SPDX-License-Identifier: MIT
 *
 * The terminal made whole again when all else has failed.
 */
#ifndef TUI_CRASH_H
#define TUI_CRASH_H

#include <stddef.h>
#include <termios.h>

/*
 * From now on a fatal signal, or exit(), restores `modes` on fd and writes `bytes` (shortened to 512) to it.
 * Of the calling thread, the stack it may have run over is not used.
 */
void crash_arm(int fd, const struct termios *modes, const char *bytes, size_t len);
/* The terminal is whole: do nothing any more. */
void crash_disarm(void);
/* Does at once, without waiting for a terminal that takes nothing, what a crash would; disarms. */
void crash_restore(void);

#endif
