/* SPDX-License-Identifier: MIT
 *
 * Descriptors out of the build's way. They go to 64 and above; where the soft limit on descriptors forbids
 * that, as high as a halving finds room, never to 0, 1 or 2. Close-on-exec is what keeps them from the build
 * in any case.
 */
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"

#define FD_FLOOR 64

int fd_raise(int fd)
{
	int raised = -1;
	int error;

	for (int floor = FD_FLOOR; raised < 0 && floor >= 4; floor /= 2)
		raised = fcntl(fd, F_DUPFD_CLOEXEC, floor);
	if (raised < 0)
		raised = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	error = errno;
	close(fd);
	return raised < 0 ? -error : raised;
}

int fd_open(const char *path, int flags, unsigned mode)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC, mode);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd_raise(fd);
}

int fd_read_file(const char *path, struct buf *out, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return -errno;
	while (max) {
		size_t step = max < 4096 ? max : 4096;
		ssize_t got = read(fd, buf_reserve(out, step), step);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			error = -errno;
		if (got <= 0)
			break;
		out->len += (size_t)got;
		max -= (size_t)got;
	}
	if (out->data)
		out->data[out->len] = '\0';
	close(fd);
	return error;
}

int fd_reread(int fd, char *out, size_t cap)
{
	size_t len = 0;

	if (!cap)
		return -EINVAL;
	while (len < cap - 1) {
		ssize_t got = pread(fd, out + len, cap - 1 - len, (off_t)len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int error = errno;

			out[0] = '\0';
			return -error;
		}
		if (got == 0)
			break;
		len += (size_t)got;
	}
	out[len] = '\0';
	return (int)len;
}

int fd_write_all(int fd, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		ssize_t done = write(fd, from, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		from += done;
		len -= (size_t)done;
	}
	return 0;
}
