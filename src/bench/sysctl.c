/* SPDX-License-Identifier: MIT
 *
 * The journal has a line "NAME VALUE" for each setting and ends with "end"; without that nothing had been
 * changed yet. Its lock is held while settings are made, so that it tells a killed benchmark from a live one.
 */
#include "bench/sysctl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"

/* Writing one of a pair makes the other 0, and a 0 that is written back would unmake the first. */
static const char *const pairs[][2] = {{"dirty_ratio", "dirty_bytes"},
				       {"dirty_background_ratio", "dirty_background_bytes"}};

static const char *other_of_pair(const char *name)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		if (strcmp(name, pairs[i][0]) == 0)
			return pairs[i][1];
		if (strcmp(name, pairs[i][1]) == 0)
			return pairs[i][0];
	}
	return NULL;
}

static int write_setting(const char *name, const char *value, struct why *why)
{
	struct buf path = {0};
	buf_add_format(&path, "/proc/sys/vm/%s", name);
	int fd = fd_open(path.data, O_WRONLY, 0);
	int error = fd < 0 ? fd : fd_write_all(fd, value, strlen(value));
	if (fd >= 0)
		close(fd);
	if (error < 0)
		why_set(why, error, "vm.%s cannot be set to %s: %s", name, value, strerror(-error));
	buf_fini(&path);
	return error;
}

static int note_setting(struct buf *journal, const char *name, struct why *why)
{
	struct buf path = {0}, value = {0};
	buf_add_format(&path, "/proc/sys/vm/%s", name);
	int error = fd_read_file(path.data, &value, 64);
	if (error == 0 && value.len > 0)
		buf_add_format(journal, "%s %.*s\n", name, (int)strcspn(value.data, "\n"), value.data);
	else
		error = why_set(why, error < 0 ? error : -ENODATA, "vm.%s cannot be read", name);
	buf_fini(&path);
	buf_fini(&value);
	return error;
}

/* The locked journal, or -errno. One that was removed between opening and locking is none. */
static int open_journal(int flags)
{
	for (;;) {
		struct stat status;
		int fd = fd_open(BENCH_SYSCTL_JOURNAL, O_RDWR | O_NOFOLLOW | flags, 0600);
		if (fd < 0)
			return fd;
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			int error = errno == EWOULDBLOCK ? -EBUSY : -errno;
			close(fd);
			return error;
		}
		if (fstat(fd, &status) == 0 && status.st_nlink > 0)
			return fd;
		close(fd);
	}
}

/* Puts back what is noted, in a copy of the journal. The first error stays, but all are tried. */
static int put_back(char *text, struct why *why)
{
	char *line;
	int first = 0;
	size_t len = strlen(text);
	if (len < 4 || strcmp(text + len - 4, "end\n") != 0)
		return 0;
	while ((line = strsep(&text, "\n")) != NULL) {
		char *value = strchr(line, ' ');
		if (value == NULL)
			continue;
		*value++ = '\0';
		if (other_of_pair(line) != NULL && strcmp(value, "0") == 0)
			continue;
		int error = write_setting(line, value, first == 0 ? why : NULL);
		first = first == 0 ? error : first;
	}
	return first;
}

/* Restores from the locked journal and removes it; on an error it stays for the next one. */
static int restore_from(int fd, struct why *why)
{
	struct buf text = {0};
	int error = fd_read_file(BENCH_SYSCTL_JOURNAL, &text, 65536);
	if (error == 0 && text.len > 0) {
		buf_add_byte(&text, '\0');
		error = put_back(text.data, why);
	}
	if (error == 0)
		unlink(BENCH_SYSCTL_JOURNAL);
	close(fd);
	buf_fini(&text);
	return error;
}

int bench_sysctl_recover(struct why *why)
{
	int fd = open_journal(0);
	if (fd == -ENOENT || fd == -EACCES)
		return 0;
	if (fd < 0)
		return why_set(why, fd, "%s: %s", BENCH_SYSCTL_JOURNAL,
			       fd == -EBUSY ? "a benchmark with kernel settings runs" : strerror(-fd));
	int error = restore_from(fd, why);
	return error < 0 ? error : 1;
}

/* Name and value of "vm.NAME=VALUE"; free() the name. */
static char *split(const char *setting, const char **value)
{
	const char *name = setting + strlen("vm.");
	*value = strchr(name, '=') + 1;
	return mem_dup_n(name, (size_t)(*value - name) - 1);
}

static int make_journal(int fd, const struct bench_words *settings, struct why *why)
{
	struct buf journal = {0};
	int error = 0;
	for (size_t i = 0; error == 0 && i < settings->n; i++) {
		const char *value;
		char *name = split(settings->words[i], &value);
		error = note_setting(&journal, name, why);
		if (error == 0 && other_of_pair(name) != NULL)
			error = note_setting(&journal, other_of_pair(name), why);
		free(name);
	}
	buf_add_string(&journal, "end\n");
	if (error == 0) {
		error = fd_write_all(fd, journal.data, journal.len);
		if (error == 0 && fsync(fd) < 0)
			error = -errno;
		if (error < 0)
			why_set(why, error, "%s cannot be written: %s", BENCH_SYSCTL_JOURNAL,
				strerror(-error));
	}
	buf_fini(&journal);
	return error;
}

int bench_sysctl_set(struct bench_sysctl *held, const struct bench_words *settings, struct why *why)
{
	held->fd = -1;
	if (settings->n == 0)
		return 0;
	int error = bench_sysctl_recover(why);
	if (error < 0)
		return error;
	int fd = open_journal(O_CREAT);
	if (fd < 0)
		return why_set(why, fd, "kernel settings can be made by root only (%s: %s)",
			       BENCH_SYSCTL_JOURNAL, strerror(-fd));
	held->fd = fd;
	error = make_journal(fd, settings, why);
	for (size_t i = 0; error == 0 && i < settings->n; i++) {
		const char *value;
		char *name = split(settings->words[i], &value);
		error = write_setting(name, value, why);
		free(name);
	}
	if (error < 0)
		bench_sysctl_restore(held, NULL);
	return error;
}

int bench_sysctl_restore(struct bench_sysctl *held, struct why *why)
{
	int fd = held->fd;
	held->fd = -1;
	return fd < 0 ? 0 : restore_from(fd, why);
}
