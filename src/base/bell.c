/* SPDX-License-Identifier: MIT
 *
 * Knows eventfd(2). The counter's value says nothing; that it is not zero says "look". A full counter is rung
 * enough, so a failing write is fine.
 */
#include "base/bell.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/fd.h"

int bell_open(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? -errno : fd_raise(fd);
}

void bell_ring(int bell)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t done;

	do
		done = write(bell, &one, sizeof one);
	while (done < 0 && errno == EINTR);
	errno = saved;
}

void bell_hush(int bell)
{
	int saved = errno;
	uint64_t count;
	ssize_t done;

	do
		done = read(bell, &count, sizeof count);
	while (done < 0 && errno == EINTR);
	errno = saved;
}
