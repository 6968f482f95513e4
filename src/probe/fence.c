/* SPDX-License-Identifier: MIT
 *
 * Knows how to keep a library's descriptors off the numbers that the build may look for (make's jobserver),
 * without having to know which they are. Descriptors that were there before are left as they are. While
 * opening, one thread only.
 */
#include "fence.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "parse.h"

/* Calls for each open descriptor. */
static void mark_open(bool *open_now)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		uint64_t fd;

		if (parse_number(&name, &fd) && fd < FENCE_SPAN && (int)fd != dirfd(dir))
			open_now[fd] = true;
	}
	if (dir)
		closedir(dir);
}

void fence_raise(struct fence *fence)
{
	memset(fence, 0, sizeof *fence);
	while (fence->n_fillers < FENCE_FLOOR) {
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			break;
		if (fd >= FENCE_FLOOR) {
			close(fd);
			break;
		}
		fence->fillers[fence->n_fillers++] = fd;
	}
	mark_open(fence->before);
}

void fence_drop(struct fence *fence)
{
	bool after[FENCE_SPAN] = {false};

	mark_open(after);
	for (int fd = 0; fd < FENCE_SPAN; fd++)
		if (after[fd] && !fence->before[fd])
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	while (fence->n_fillers)
		close(fence->fillers[--fence->n_fillers]);
}
