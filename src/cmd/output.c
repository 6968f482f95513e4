/* SPDX-License-Identifier: MIT
 *
 * Whoever reads a summary or a report never finds half of one, and a file that was there before stays until
 * the new one is complete. Files are private (0600): they hold command lines.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"

static int refuse(const char *path, int error, struct why *why)
{
	return why_set(why, error, "cannot write %s: %s", path, strerror(-error));
}

static int open_in_place(struct output *output, const char *path, struct why *why)
{
	output->fd = fd_open(path, O_WRONLY, 0);
	return output->fd < 0 ? refuse(path, output->fd, why) : 0;
}

static int open_beside(struct output *output, const char *path, struct why *why)
{
	struct buf temporary = {0};
	buf_add_format(&temporary, "%s.XXXXXX", path);
	int fd = mkostemp(temporary.data, O_CLOEXEC);
	if (fd < 0) {
		int error = -errno;
		buf_fini(&temporary);
		return refuse(path, error, why);
	}
	output->fd = fd_raise(fd);
	output->path = mem_dup(path);
	output->temporary = temporary.data;
	return output->fd < 0 ? refuse(path, output->fd, why) : 0;
}

int output_open(struct output *output, const char *path, struct why *why)
{
	*output = (struct output){.fd = -1};
	if (strcmp(path, "-") == 0) {
		output->fd = STDOUT_FILENO;
		return 0;
	}
	struct stat status;
	if (stat(path, &status) < 0)
		return open_beside(output, path, why);
	if (S_ISDIR(status.st_mode))
		return refuse(path, -EISDIR, why);
	if (!S_ISREG(status.st_mode))
		return open_in_place(output, path, why);
	char *real = realpath(path, NULL); /* a link stays one, what it points to is replaced */
	int error = real != NULL ? open_beside(output, real, why) : refuse(path, -errno, why);
	free(real);
	return error;
}

int output_write(struct output *output, const void *bytes, size_t len, struct why *why)
{
	int error = fd_write_all(output->fd, bytes, len);
	return error < 0 ? refuse(output->path != NULL ? output->path : "the output", error, why) : 0;
}

static void release(struct output *output)
{
	if (output->fd >= 0 && output->fd != STDOUT_FILENO)
		close(output->fd);
	free(output->path);
	free(output->temporary);
	*output = (struct output){.fd = -1};
}

int output_close(struct output *output, struct why *why)
{
	int error = 0;
	if (output->temporary != NULL && rename(output->temporary, output->path) < 0) {
		error = refuse(output->path, -errno, why);
		unlink(output->temporary);
	}
	release(output);
	return error;
}

void output_discard(struct output *output)
{
	if (output->temporary != NULL)
		unlink(output->temporary);
	release(output);
}

int output_put(const char *path, const void *bytes, size_t len, struct why *why)
{
	struct output output;
	int error = output_open(&output, path, why);
	if (error == 0)
		error = output_write(&output, bytes, len, why);
	if (error == 0)
		return output_close(&output, why);
	output_discard(&output);
	return error;
}

int output_check(const char *path, struct why *why)
{
	struct stat status;
	/* opening a FIFO would wait for its reader, and tell it that we are gone */
	if (strcmp(path, "-") == 0 ||
	    (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
		return 0;
	struct output output;
	int error = output_open(&output, path, why);
	output_discard(&output);
	return error;
}
