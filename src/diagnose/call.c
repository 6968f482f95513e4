/* SPDX-License-Identifier: MIT
 *
 * The table of system calls: what the rule needs, and those a build is often seen in, for display. Numbers
 * are the kernel's ABI and never change; a machine without a column here has calls that are not used, never
 * guessed. Numbers of 32-bit programs on a 64-bit kernel are another table and are misread; no build is known
 * to suffer.
 */
#include "call.h"

#include <stddef.h>
#include <string.h>

#include "model/sample.h"

#define NO (-9) /* below every SITE_CALL_… */

/* clang-format off */
static const struct call calls[] = {
	{"fsync", CALL_SYNC, 74, 82},
	{"fdatasync", CALL_SYNC, 75, 83},
	{"sync", CALL_SYNC, 162, 81},
	{"msync", CALL_SYNC, 26, 227},
	{"sync_file_range", CALL_SYNC, 277, 84},
	{"syncfs", CALL_SYNC, 306, 267},
	{"unlink", CALL_REMOVE, 87, NO},
	{"unlinkat", CALL_REMOVE, 263, 35},
	{"rmdir", CALL_REMOVE, 84, NO},
	{"truncate", CALL_REMOVE, 76, 45},
	{"ftruncate", CALL_REMOVE, 77, 46},
	{"rename", CALL_REMOVE, 82, NO},
	{"renameat", CALL_REMOVE, 264, 38},
	{"renameat2", CALL_REMOVE, 316, 276},
	{"close", CALL_REMOVE, 3, 57},
	{"close_range", CALL_REMOVE, 436, 436},
	{"dup2", CALL_REMOVE, 33, NO},
	{"dup3", CALL_REMOVE, 292, 24},
	{"umount2", CALL_REMOVE, 166, 39},
	{"write", CALL_WRITE, 1, 64},
	{"pwrite64", CALL_WRITE, 18, 68},
	{"writev", CALL_WRITE, 20, 66},
	{"pwritev", CALL_WRITE, 296, 70},
	{"pwritev2", CALL_WRITE, 328, 287},
	{"fallocate", CALL_WRITE, 285, 47},
	{"copy_file_range", CALL_WRITE, 326, 285},
	{"sendfile", CALL_WRITE, 40, 71},
	{"splice", CALL_WRITE, 275, 76},
	{"read", CALL_READ, 0, 63},
	{"pread64", CALL_READ, 17, 67},
	{"readv", CALL_READ, 19, 65},
	{"preadv", CALL_READ, 295, 69},
	{"preadv2", CALL_READ, 327, 286},
	{"open", CALL_READ, 2, NO},
	{"openat", CALL_READ, 257, 56},
	{"openat2", CALL_READ, 437, 437},
	{"stat", CALL_READ, 4, NO},
	{"lstat", CALL_READ, 6, NO},
	{"fstat", CALL_READ, 5, 80},
	{"newfstatat", CALL_READ, 262, 79},
	{"statx", CALL_READ, 332, 291},
	{"access", CALL_READ, 21, NO},
	{"faccessat", CALL_READ, 269, 48},
	{"faccessat2", CALL_READ, 439, 439},
	{"readlink", CALL_READ, 89, NO},
	{"readlinkat", CALL_READ, 267, 78},
	{"getdents", CALL_READ, 78, NO},
	{"getdents64", CALL_READ, 217, 61},
	{"execve", CALL_READ, 59, 221},
	{"execveat", CALL_READ, 322, 281},
	{"readahead", CALL_READ, 187, 213},
	{"mmap", CALL_OTHER, 9, 222},
	{"wait4", CALL_CHILD, 61, 260},
	{"waitid", CALL_CHILD, 247, 95},
	{"clone", CALL_CHILD, 56, 220},
	{"clone3", CALL_CHILD, 435, 435},
	{"fork", CALL_CHILD, 57, NO},
	{"vfork", CALL_CHILD, 58, NO},
	{"poll", CALL_POLL, 7, NO},
	{"ppoll", CALL_POLL, 271, 73},
	{"select", CALL_POLL, 23, NO},
	{"pselect6", CALL_POLL, 270, 72},
	{"epoll_wait", CALL_POLL, 232, NO},
	{"epoll_pwait", CALL_POLL, 281, 22},
	{"epoll_pwait2", CALL_POLL, 441, 441},
	{"io_uring_enter", CALL_POLL, 426, 426},
	{"io_getevents", CALL_POLL, 208, 4},
	{"nanosleep", CALL_TIMER, 35, 101},
	{"clock_nanosleep", CALL_TIMER, 230, 115},
	{"accept", CALL_NETWORK, 43, 202},
	{"accept4", CALL_NETWORK, 288, 242},
	{"connect", CALL_NETWORK, 42, 203},
	{"recvfrom", CALL_NETWORK, 45, 207},
	{"recvmsg", CALL_NETWORK, 47, 212},
	{"recvmmsg", CALL_NETWORK, 299, 243},
	{"sendto", CALL_NETWORK, 44, 206},
	{"sendmsg", CALL_NETWORK, 46, 211},
	{"sendmmsg", CALL_NETWORK, 307, 269},
	{"futex", CALL_LOCK, 202, 98},
	{"futex_waitv", CALL_LOCK, 449, 449},
	{"flock", CALL_LOCK, 73, 32},
	{"fcntl", CALL_LOCK, 72, 25},
	{"semop", CALL_LOCK, 65, 193},
	{"semtimedop", CALL_LOCK, 220, 192},
	{"mkdir", CALL_OTHER, 83, NO},
	{"mkdirat", CALL_OTHER, 258, 34},
	{"link", CALL_OTHER, 86, NO},
	{"linkat", CALL_OTHER, 265, 37},
	{"symlink", CALL_OTHER, 88, NO},
	{"symlinkat", CALL_OTHER, 266, 36},
	{"chmod", CALL_OTHER, 90, NO},
	{"fchmod", CALL_OTHER, 91, 52},
	{"fchmodat", CALL_OTHER, 268, 53},
	{"chown", CALL_OTHER, 92, NO},
	{"fchown", CALL_OTHER, 93, 55},
	{"fchownat", CALL_OTHER, 260, 54},
	{"utimensat", CALL_OTHER, 280, 88},
	{"lseek", CALL_OTHER, 8, 62},
	{"ioctl", CALL_OTHER, 16, 29},
	{"munmap", CALL_OTHER, 11, 215},
	{"mprotect", CALL_OTHER, 10, 226},
	{"mremap", CALL_OTHER, 25, 216},
	{"brk", CALL_OTHER, 12, 214},
	{"madvise", CALL_OTHER, 28, 233},
	{"exit", CALL_OTHER, 60, 93},
	{"exit_group", CALL_OTHER, 231, 94},
	{"pause", CALL_OTHER, 34, NO},
	{"rt_sigsuspend", CALL_OTHER, 130, 133},
	{"rt_sigtimedwait", CALL_OTHER, 128, 137},
	{"kill", CALL_OTHER, 62, 129},
	{"setxattr", CALL_OTHER, 188, 5},
	{"getxattr", CALL_OTHER, 191, 8},
	{"mount", CALL_OTHER, 165, 40},
	{"pipe2", CALL_OTHER, 293, 59},
	{"rt_sigreturn", CALL_OTHER, 15, 139},
	{"sched_yield", CALL_OTHER, 24, 124},
	{"fadvise64", CALL_OTHER, 221, 223},
	{"restart_syscall", CALL_OTHER, 219, 128},
};
/* clang-format on */

enum column { COLUMN_NONE, COLUMN_X86_64, COLUMN_GENERIC };

static enum column column_of(const char *machine)
{
	static const char *const generic[] = {"aarch64", "riscv64", "loongarch64"};

	if (!machine)
		return COLUMN_NONE;
	if (strcmp(machine, "x86_64") == 0)
		return COLUMN_X86_64;
	for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
		if (strcmp(machine, generic[i]) == 0)
			return COLUMN_GENERIC;
	return COLUMN_NONE;
}

const struct call *call_find(const char *machine, int32_t number)
{
	enum column column = column_of(machine);

	if (column == COLUMN_NONE || number < 0)
		return NULL;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if ((column == COLUMN_X86_64 ? calls[i].x86_64 : calls[i].generic) == number)
			return &calls[i];
	return NULL;
}

enum call_kind call_kind(const char *machine, int32_t number)
{
	const struct call *call;

	if (number == SITE_CALL_NONE)
		return CALL_FAULT;
	if (number < 0 || column_of(machine) == COLUMN_NONE)
		return CALL_UNKNOWN;
	call = call_find(machine, number);
	return call ? call->kind : CALL_OTHER;
}

bool call_is_unlink(const char *machine, int32_t number)
{
	const struct call *call = call_find(machine, number);

	return call && strncmp(call->name, "unlink", strlen("unlink")) == 0;
}
