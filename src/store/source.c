/* SPDX-License-Identifier: MIT
 *
 * Reading in steps of 64 KiB, about two frames of a usual recording, so that a seek reads little and memory
 * stays small.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define STEP 65536

int source_open(struct source *source, const char *path, struct why *why)
{
	bool is_stdin = strcmp(path, "-") == 0;
	*source = (struct source){.fd = -1};
	int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : fd_open(path, O_RDONLY | O_NOCTTY, 0);
	if (is_stdin && fd < 0)
		fd = -errno;
	if (fd < 0)
		return why_set(why, fd, "cannot open %s: %s", path, strerror(-fd));
	struct stat status;
	if (fstat(fd, &status) < 0 || S_ISDIR(status.st_mode)) {
		close(fd);
		return why_set(why, -EISDIR, "%s is a directory", path);
	}
	source->fd = fd;
	source->seekable = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
	return 0;
}

int source_open_again(struct source *source, const struct source *of)
{
	*source = (struct source){.fd = -1, .seekable = true};
	if (!of->seekable)
		return -ESPIPE;
	source->fd = fcntl(of->fd, F_DUPFD_CLOEXEC, 3);
	return source->fd < 0 ? -errno : 0;
}

void source_close(struct source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
	buf_fini(&source->window);
}

const uint8_t *source_bytes(const struct source *source, size_t *len)
{
	*len = source->window.len - source->at;
	return (const uint8_t *)source->window.data + source->at;
}

long source_more(struct source *source)
{
	if (source->at > 0) {
		buf_drop_front(&source->window, source->at);
		source->offset += source->at;
		source->at = 0;
	}
	char *room = buf_reserve(&source->window, STEP);
	ssize_t n;
	do {
		if (source->seekable)
			n = pread(source->fd, room, STEP, (off_t)source_end(source));
		else
			n = read(source->fd, room, STEP);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	source->window.len += (size_t)n;
	return n;
}

int source_need(struct source *source, size_t len)
{
	while (source->window.len - source->at < len) {
		long n = source_more(source);
		if (n <= 0)
			return (int)n;
	}
	return 1;
}

void source_consume(struct source *source, size_t len)
{
	source->at += len;
}

uint64_t source_offset(const struct source *source)
{
	return source->offset + source->at;
}

uint64_t source_end(const struct source *source)
{
	return source->offset + source->window.len;
}

void source_goto(struct source *source, uint64_t offset)
{
	if (offset >= source->offset && offset <= source_end(source)) {
		source->at = (size_t)(offset - source->offset);
		return;
	}
	buf_clear(&source->window);
	source->at = 0;
	source->offset = offset;
}

size_t source_tail(const struct source *source, void *out, size_t len, uint64_t *end)
{
	struct stat status;
	if (!source->seekable || fstat(source->fd, &status) < 0 || (uint64_t)status.st_size < len)
		return 0;
	*end = (uint64_t)status.st_size;
	ssize_t n = pread(source->fd, out, len, status.st_size - (off_t)len);
	return n == (ssize_t)len ? len : 0;
}
