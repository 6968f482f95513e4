/* SPDX-License-Identifier: MIT
 *
 * Knows the pty of the build: bytes from it to a tape, keys to it, its size. Refuses to interpret any of the
 * bytes. Invariant: nothing here waits, neither for the build to read its keys nor for our own terminal to
 * take its output: the tape drops the oldest instead, and a terminal that has gone is let go. Main thread.
 */
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

#define TYPED_MAX    4096
#define RECALL_BYTES 8192
#define READ_BURST   (64 * 1024) /* bytes taken at a time before signals and ticks get their turn */

static int find_terminal(void)
{
	static const int order[] = {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (isatty(order[i]))
			return order[i];
	return -1;
}

static int open_slave(int master_fd)
{
	char name[128];
	int error;

	if (grantpt(master_fd) < 0 || unlockpt(master_fd) < 0)
		return -errno;
	error = ptsname_r(master_fd, name, sizeof name);
	return error != 0 ? -error : fd_open(name, O_RDWR | O_NOCTTY, 0);
}

int pty_open(struct pty *pty, struct tape *tape, uint32_t size, struct why *why)
{
	struct termios settings;
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	*pty = (struct pty){.slave_fd = -1, .copy_fd = -1, .real_fd = find_terminal(), .tape = tape};
	pty->master_fd = fd < 0 ? -errno : fd_raise(fd);
	if (pty->master_fd < 0)
		return why_set(why, pty->master_fd, "cannot open a terminal for the build: %s",
			       strerror(-pty->master_fd));
	pty->slave_fd = open_slave(pty->master_fd);
	if (pty->slave_fd < 0) {
		int error = pty->slave_fd;

		pty_close(pty);
		return why_set(why, error, "cannot open a terminal for the build: %s", strerror(-error));
	}
	if (pty->real_fd >= 0 && tcgetattr(pty->real_fd, &settings) == 0)
		tcsetattr(pty->slave_fd, TCSANOW, &settings);
	pty_resize(pty, size);
	return 0;
}

bool pty_is_open(const struct pty *pty)
{
	return pty->master_fd >= 0;
}

void pty_close(struct pty *pty)
{
	int *fds[] = {&pty->master_fd, &pty->slave_fd, &pty->copy_fd};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	buf_fini(&pty->typed);
}

void pty_resize(struct pty *pty, uint32_t size)
{
	struct winsize window = {.ws_row = (unsigned short)(size >> 16), .ws_col = (unsigned short)size};

	if (size == 0 && (pty->real_fd < 0 || ioctl(pty->real_fd, TIOCGWINSZ, &window) < 0))
		return;
	ioctl(pty->master_fd, TIOCSWINSZ, &window);
}

static void write_typed(struct pty *pty)
{
	while (pty->typed.len > 0) {
		ssize_t n = write(pty->master_fd, pty->typed.data, pty->typed.len);

		if (n > 0)
			buf_drop_front(&pty->typed, (size_t)n);
		else if (errno != EINTR)
			return;
	}
}

void pty_type(struct pty *pty, unsigned char byte)
{
	if (pty->typed.len < TYPED_MAX)
		buf_add_byte(&pty->typed, byte);
	write_typed(pty);
}

pid_t pty_foreground(const struct pty *pty)
{
	pid_t group = -1;

	return ioctl(pty->master_fd, TIOCGPGRP, &group) == 0 && group > 0 ? group : -1;
}

/* What was printed on the screen's panel only is printed again, from the start of a line: a person who closes
 * the screen has not seen all of it. */
static void recall_output(struct pty *pty)
{
	uint64_t end = tape_end(pty->tape), lost = 0;

	pty->copy_position = end > RECALL_BYTES ? end - RECALL_BYTES : 0;
	while (pty->copy_position > 0 && pty->copy_position < end) {
		size_t len = tape_read(pty->tape, &pty->copy_position, pty->chunk, sizeof pty->chunk, &lost);
		char *newline = memchr(pty->chunk, '\n', len);

		if (newline == NULL)
			continue;
		pty->chunk_len = len - (size_t)(newline + 1 - pty->chunk);
		memmove(pty->chunk, newline + 1, pty->chunk_len);
		return;
	}
}

void pty_copy_out(struct pty *pty)
{
	char name[64];

	if (pty->copy_fd >= 0 || pty->real_fd < 0)
		return;
	/* Opened anew: O_NONBLOCK on the one we were given would change it for our parent as well. */
	snprintf(name, sizeof name, "/proc/self/fd/%d", pty->real_fd);
	pty->copy_fd = fd_open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY, 0);
	recall_output(pty);
	pty_resize(pty, 0);
}

bool pty_real_hung_up(const struct pty *pty)
{
	struct pollfd real = {.fd = pty->real_fd};

	return pty->real_fd >= 0 && poll(&real, 1, 0) > 0 &&
	       (real.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static bool has_to_copy(const struct pty *pty)
{
	return pty->copy_fd >= 0 && (pty->chunk_len > 0 || pty->copy_position != tape_end(pty->tape));
}

static void copy_out(struct pty *pty)
{
	while (has_to_copy(pty)) {
		uint64_t lost = 0;
		ssize_t n;

		if (pty->chunk_len == 0)
			pty->chunk_len = tape_read(pty->tape, &pty->copy_position, pty->chunk,
						   sizeof pty->chunk, &lost);
		n = write(pty->copy_fd, pty->chunk, pty->chunk_len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) { /* the terminal has gone; the build goes on */
			close(pty->copy_fd);
			pty->copy_fd = -1;
			return;
		}
		pty->chunk_len -= (size_t)n;
		memmove(pty->chunk, pty->chunk + n, pty->chunk_len);
	}
}

/* False: the other end is closed and all was read. */
static bool read_output(struct pty *pty)
{
	char bytes[4096];

	for (size_t taken = 0; taken < READ_BURST;) {
		ssize_t n = read(pty->master_fd, bytes, sizeof bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n <= 0)
			return false;
		tape_write(pty->tape, bytes, (size_t)n);
		taken += (size_t)n;
	}
	return true;
}

void pty_poll(const struct pty *pty, struct pollfd fds[2])
{
	fds[0] = (struct pollfd){.fd = pty->master_fd, .events = POLLIN};
	if (pty->typed.len > 0)
		fds[0].events |= POLLOUT;
	fds[1] = (struct pollfd){.fd = has_to_copy(pty) ? pty->copy_fd : -1, .events = POLLOUT};
}

void pty_serve(struct pty *pty)
{
	if (!pty_is_open(pty))
		return;
	write_typed(pty);
	read_output(pty);
	copy_out(pty);
}

void pty_drain(struct pty *pty, int limit_ms)
{
	int64_t until_ns = clock_mono_ns() + limit_ms * NS_PER_MS, left_ns;
	bool more = true;

	/* Without our own hold on it, the end of the output can be seen. */
	close(pty->slave_fd);
	pty->slave_fd = -1;
	buf_clear(&pty->typed);
	while ((left_ns = until_ns - clock_mono_ns()) > 0 && (more || has_to_copy(pty))) {
		struct pollfd fds[2];

		pty_poll(pty, fds);
		if (!more)
			fds[0].fd = -1;
		poll(fds, 2, (int)(left_ns / NS_PER_MS) + 1);
		if (more)
			more = read_output(pty);
		copy_out(pty);
	}
}
