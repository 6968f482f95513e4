/* SPDX-License-Identifier: MIT
 *
 * The build's terminal while a screen has ours: a pty whose output goes to a tape, and on to our terminal
 * once the screen is left.
 */
#ifndef STREAM_PTY_H
#define STREAM_PTY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/tape.h"
#include "base/why.h"

struct pty {
	int master_fd;
	int slave_fd; /* kept open, or reading the master would fail whenever the build has closed its end */
	int real_fd;  /* the one of our stdin, stdout, stderr that is a terminal; -1: none */
	struct tape *tape;
	struct buf typed; /* keys that the build has not taken yet */
	int copy_fd; /* our terminal, non-blocking, once pty_copy_out() was called; -1 before, or when it has
			gone */
	uint64_t copy_position;
	char chunk[512]; /* read from the tape, not yet written to copy_fd */
	size_t chunk_len;
};

/* As our terminal is set now, of the size given (rows << 16 | columns; 0: that of ours). */
int pty_open(struct pty *pty, struct tape *tape, uint32_t size, struct why *why);
void pty_close(struct pty *pty);
bool pty_is_open(const struct pty *pty);
void pty_resize(struct pty *pty, uint32_t size); /* 0: as our terminal is */
void pty_type(struct pty *pty, unsigned char byte);
pid_t pty_foreground(const struct pty *pty); /* the process group that keys like Ctrl-C go to; -1: none */
/* From now on copies the build's output to our terminal as well. */
void pty_copy_out(struct pty *pty);
bool pty_real_hung_up(const struct pty *pty); /* our own terminal has gone */

/* Two entries; then what they reported. Never waits. */
void pty_poll(const struct pty *pty, struct pollfd fds[2]);
void pty_serve(struct pty *pty);
/* The build has ended: takes what is still to be read, for at most limit_ms, and copies it out likewise. */
void pty_drain(struct pty *pty, int limit_ms);

#endif
