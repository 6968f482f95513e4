/* SPDX-License-Identifier: MIT
 *
 * base/fd and base/bell: descriptors stay out of the build's way, whatever the limits are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/bell.h"
#include "base/buf.h"
#include "base/fd.h"

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void raise_goes_above_and_closes_the_old(void **state)
{
	int low = open("/dev/null", O_RDONLY);
	int high = fd_raise(low);

	(void)state;
	assert_true(high >= 64);
	assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
	assert_false(is_open(low));
	close(high);
	assert_int_equal(fd_raise(12345), -EBADF);
}

static void raise_copes_with_a_low_limit(void **state)
{
	struct rlimit before, low = {.rlim_cur = 20};
	int fd = open("/dev/null", O_RDONLY);
	int raised;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	low.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	raised = fd_raise(fd);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_true(raised >= 16 && raised < 20);
	assert_int_equal(fcntl(raised, F_GETFD), FD_CLOEXEC);
	assert_false(is_open(fd));
	close(raised);
}

static void raise_never_becomes_stdin(void **state)
{
	int saved = fcntl(0, F_DUPFD_CLOEXEC, 200);
	int fd, raised;

	(void)state;
	close(0);
	fd = open("/dev/null", O_RDONLY);
	assert_int_equal(fd, 0);
	raised = fd_raise(fd);
	assert_true(raised >= 64);
	close(raised);
	if (saved >= 0) {
		dup2(saved, 0);
		close(saved);
	}
}

static void raise_fails_without_leaking(void **state)
{
	struct rlimit before, low;
	int fd = open("/dev/null", O_RDONLY);

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	low = before;
	low.rlim_cur = 3;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	assert_true(fd_raise(fd) < 0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_false(is_open(fd));
}

static char *scratch(void)
{
	static char path[] = "/tmp/buildtop-fd-XXXXXX";

	strcpy(path + sizeof path - 7, "XXXXXX");
	close(mkstemp(path));
	return path;
}

static void files_are_read_whole_or_up_to_max(void **state)
{
	char *path = scratch();
	struct buf buf = {0};
	static char bytes[20000];
	int fd = fd_open(path, O_RDWR, 0);

	(void)state;
	assert_true(fd >= 64);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)('a' + i % 26);
	assert_int_equal(fd_write_all(fd, bytes, sizeof bytes), 0);
	assert_int_equal(fd_read_file(path, &buf, SIZE_MAX), 0);
	assert_int_equal(buf.len, sizeof bytes);
	assert_memory_equal(buf.data, bytes, sizeof bytes);
	assert_int_equal(buf.data[buf.len], 0);
	buf_clear(&buf);
	assert_int_equal(fd_read_file(path, &buf, 5000), 0);
	assert_int_equal(buf.len, 5000);
	assert_int_equal(strlen(buf.data), 5000);
	buf_clear(&buf);
	assert_int_equal(fd_read_file("/nonexistent/file", &buf, 10), -ENOENT);
	assert_int_equal(fd_read_file("/", &buf, 10), -EISDIR);
	assert_string_equal(buf.data, "");
	buf_fini(&buf);
	assert_int_equal(fd_open("/nonexistent/file", O_RDONLY, 0), -ENOENT);
	close(fd);
	unlink(path);
}

static void reread_starts_anew(void **state)
{
	char *path = scratch();
	int fd = fd_open(path, O_RDWR, 0);
	char out[8];

	(void)state;
	assert_int_equal(fd_reread(fd, out, sizeof out), 0);
	assert_string_equal(out, "");
	fd_write_all(fd, "abc", 3);
	assert_int_equal(fd_reread(fd, out, sizeof out), 3);
	assert_int_equal(fd_reread(fd, out, sizeof out), 3);
	assert_string_equal(out, "abc");
	fd_write_all(fd, "defghij", 7);
	assert_int_equal(fd_reread(fd, out, sizeof out), 7);
	assert_string_equal(out, "abcdefg");
	assert_int_equal(fd_reread(-1, out, sizeof out), -EBADF);
	assert_string_equal(out, "");
	assert_int_equal(fd_reread(fd, out, 0), -EINVAL);
	close(fd);
	unlink(path);

	fd = fd_open("/proc/self/stat", O_RDONLY, 0);
	assert_int_equal(fd_reread(fd, out, sizeof out), 7);
	close(fd);
}

static void write_all_tells_of_a_full_device(void **state)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_int_equal(fd_write_all(fd, "x", 1), -ENOSPC);
	assert_int_equal(fd_write_all(fd, NULL, 0), 0);
	close(fd);
}

static int rings(int bell)
{
	struct pollfd entry = {.fd = bell, .events = POLLIN};

	return poll(&entry, 1, 0) == 1 && (entry.revents & POLLIN);
}

static void bell_rings_until_hushed(void **state)
{
	int bell = bell_open();

	(void)state;
	assert_true(bell >= 64);
	assert_false(rings(bell));
	bell_hush(bell); /* does not wait */
	bell_ring(bell);
	bell_ring(bell);
	assert_true(rings(bell));
	errno = 42;
	bell_hush(bell);
	assert_false(rings(bell));
	bell_hush(bell);
	assert_int_equal(errno, 42);
	close(bell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raise_goes_above_and_closes_the_old),
		cmocka_unit_test(raise_copes_with_a_low_limit),
		cmocka_unit_test(raise_never_becomes_stdin),
		cmocka_unit_test(raise_fails_without_leaking),
		cmocka_unit_test(files_are_read_whole_or_up_to_max),
		cmocka_unit_test(reread_starts_anew),
		cmocka_unit_test(write_all_tells_of_a_full_device),
		cmocka_unit_test(bell_rings_until_hushed),
	};

	return cmocka_run_group_tests_name("fd", tests, NULL, NULL);
}
