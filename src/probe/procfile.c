/* SPDX-License-Identifier: MIT
 *
 * Knows how many descriptors we may hold and keeps count of them. A descriptor stays with the process it was
 * opened for: when that has ended, reading gives ESRCH, even if its number is in use again. Sampler's thread.
 */
#include "procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.h"

#define MOST_KEPT  1000
#define MOST_NEEDS 1400 /* those, what else buildtop holds, and the numbers below 64 that stay free */

void procfile_budget_init(struct procfile_budget *budget)
{
	struct rlimit limit = {.rlim_cur = 256, .rlim_max = 256};
	rlim_t wanted;

	getrlimit(RLIMIT_NOFILE, &limit);
	wanted = limit.rlim_max < MOST_NEEDS ? limit.rlim_max : MOST_NEEDS;
	if (limit.rlim_cur < wanted) {
		rlim_t before = limit.rlim_cur;

		limit.rlim_cur = wanted;
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
			limit.rlim_cur = before;
	}
	budget->kept = 0;
	budget->most = limit.rlim_cur / 4 * 3 < MOST_KEPT ? (unsigned)(limit.rlim_cur / 4 * 3) : MOST_KEPT;
	if (budget->most > 64 && limit.rlim_cur < MOST_NEEDS)
		budget->most -= 64;
}

static int read_once(int fd, char *out, size_t cap)
{
	ssize_t got;

	do
		got = pread(fd, out, cap - 1, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	out[got] = '\0';
	return (int)got;
}

int procfile_read(struct procfile_budget *budget, int *kept, const char *path, char *out, size_t cap)
{
	int fd, got;

	if (*kept >= 0)
		return read_once(*kept, out, cap);
	if (budget->kept < budget->most) {
		fd = fd_open(path, O_RDONLY, 0);
		if (fd < 0)
			return fd;
		*kept = fd;
		budget->kept++;
		return read_once(fd, out, cap);
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read_once(fd, out, cap);
	close(fd);
	return got;
}

void procfile_close(struct procfile_budget *budget, int *kept)
{
	if (*kept < 0)
		return;
	close(*kept);
	*kept = PROCFILE_NONE;
	budget->kept--;
}

bool procfile_gone(int error)
{
	return error == -ENOENT || error == -ESRCH;
}
