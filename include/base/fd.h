/* SPDX-License-Identifier: MIT
 *
 * Descriptors. All of ours are close-on-exec and lie above the ones we were started with, so that the build inherits
 * exactly what our caller gave it (make's jobserver sits on 3 and 4).
 */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stddef.h>

struct buf;

/* Moves fd to 64 or above, close-on-exec; returns the new one or -errno (fd is closed either way). */
int fd_raise(int fd);
/* open(2) with O_CLOEXEC and fd_raise(); -errno. */
int fd_open(const char *path, int flags, unsigned mode);
/* The whole of a (small, /proc-like) file, at most max bytes, into buf; 0 or -errno. */
int fd_read_file(const char *path, struct buf *out, size_t max);
/* pread() from 0 into out, NUL-terminated; the number of bytes or -errno. For descriptors that are kept on /proc files. */
int fd_reread(int fd, char *out, size_t cap);
/* write(2) until all is written, however often interrupted; 0 or -errno. */
int fd_write_all(int fd, const void *bytes, size_t len);

#endif
