/* SPDX-License-Identifier: MIT
 *
 * Reads a pipe to its end. Knows nothing of recordings; refuses what would eat the machine's memory. The
 * caller's thread.
 */
#include "spool.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"

#define SPOOL_MAX  (INT64_C(2) << 30)
#define SPOOL_READ (64 * 1024)

/* A pipe cannot be gone back in: its content goes to memory. Returns a descriptor or -errno. */
static int spool(int from_fd, struct why *why)
{
	char *bytes = mem_alloc(1, SPOOL_READ);
	int64_t total = 0;
	int fd = memfd_create("buildtop-recording", MFD_CLOEXEC), error = 0;
	ssize_t n = 0;

	fd = fd < 0 ? -errno : fd_raise(fd);
	while (fd >= 0 && error == 0 && (n = read(from_fd, bytes, SPOOL_READ)) != 0) {
		if (n < 0)
			error = errno == EINTR ? 0 : -errno;
		else if ((total += n) > SPOOL_MAX)
			error = -EFBIG;
		else
			error = fd_write_all(fd, bytes, (size_t)n);
	}
	free(bytes);
	if (error < 0)
		close(fd);
	error = fd < 0 ? fd : error;
	return error < 0 ? why_set(why, error, "cannot read the recording from a pipe: %s", strerror(-error))
			 : fd;
}

/* The descriptor to spool from, or -1: the path can be gone back in (or is the reader's to complain of). */
static int open_pipe(const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? -1 : STDIN_FILENO;
	if (stat(path, &status) < 0 || !S_ISFIFO(status.st_mode))
		return -1;
	int fd = fd_open(path, 0, 0);

	return fd < 0 ? -1 : fd;
}

int spool_open(const char *path, int *fd, struct why *why)
{
	int pipe_fd = open_pipe(path), got;

	*fd = -1;
	if (pipe_fd < 0)
		return 0;
	got = spool(pipe_fd, why);
	if (pipe_fd != STDIN_FILENO)
		close(pipe_fd);
	if (got < 0)
		return got;
	*fd = got;
	return 0;
}
