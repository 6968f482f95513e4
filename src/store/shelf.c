/* SPDX-License-Identifier: MIT
 *
 * The shelf is a directory and the names in it sort by time; there is no list to go stale. A recording that
 * is being written holds a shared lock on its file, so whoever prunes tries for an exclusive one first.
 */
#include "store/shelf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"

#define SHELF_KEEP   50
#define SHELF_BYTES  (INT64_C(1) << 30)
#define SHELF_SUFFIX ".buildtop"
#define NAME_PART    32
#define ID_TAIL	     8

/* The directory, which need not exist; NULL: no place. */
static char *shelf_directory(struct why *why)
{
	struct buf path = {0};
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state &&
	    state[0] == '/') /* a relative one is to be ignored, says the XDG base directory specification */
		buf_add_format(&path, "%s/buildtop", state);
	else if (home && home[0] == '/')
		buf_add_format(&path, "%s/.local/state/buildtop", home);
	else
		why_set(why, -ENOENT,
			"no place to keep recordings: neither XDG_STATE_HOME nor HOME is set to a directory");
	return path.data;
}

static int directories_make(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		int made = mkdir(path, 0700);
		*slash = '/';
		if (made < 0 && errno != EEXIST && errno != EACCES && errno != EROFS)
			return -errno;
	}
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* The command's own name, of plain characters only. */
static void name_add(struct buf *out, const struct run *run)
{
	const char *name = run->mode == RUN_MACHINE ? "machine" : run->mode == RUN_WATCH ? "watch" : "run";
	if (run->command && run->command[0]) {
		const char *slash = strrchr(run->command[0], '/');
		const char *base = slash ? slash + 1 : run->command[0];
		while (*base && !isalnum((unsigned char)*base))
			base++;
		name = *base ? base : name;
	}
	for (size_t i = 0; name[i] && i < NAME_PART; i++) {
		unsigned char byte = (unsigned char)name[i];
		bool plain = byte < 0x80 && (isalnum(byte) || strchr("._+", byte));
		buf_add_byte(out, plain ? byte : '_');
	}
}

static void path_add_name(struct buf *path, const struct run *run)
{
	int64_t wall_ns = run->start_wall_ns ? run->start_wall_ns : clock_wall_ns();
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm utc;
	char stamp[32] = "";
	if (gmtime_r(&seconds, &utc))
		strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
	char fresh[UUID_SIZE];
	uuid7(fresh, wall_ns);
	const char *id = strlen(run->id) >= ID_TAIL ? run->id : fresh;
	buf_add_format(path, "/%s-", stamp);
	name_add(path, run);
	buf_add_format(path, "-%s" SHELF_SUFFIX, id + strlen(id) - ID_TAIL);
}

char *shelf_new_path(const struct run *run, struct why *why)
{
	char *directory = shelf_directory(why);
	if (!directory)
		return NULL;
	struct buf path = {0};
	int made = directories_make(directory);
	if (made < 0) {
		why_set(why, made, "cannot make %s to keep the recording: %s", directory, strerror(-made));
	} else {
		buf_add_string(&path, directory);
		path_add_name(&path, run);
	}
	free(directory);
	return path.data;
}

static int is_recording(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), suffix = strlen(SHELF_SUFFIX);
	return entry->d_name[0] != '.' && len > suffix &&
	       strcmp(entry->d_name + len - suffix, SHELF_SUFFIX) == 0;
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int shelf_list(const char *directory, struct dirent ***entries)
{
	int n = scandir(directory, entries, is_recording, newest_first);
	return n < 0 ? -errno : n;
}

static void list_free(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int64_t file_bytes(int directory, const char *name)
{
	struct stat status;
	return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? (int64_t)status.st_size : 0;
}

/* A recording that nobody writes, and its log. */
static void recording_remove(int directory, const char *name, const char *log)
{
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	struct stat status;
	bool idle = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (idle) {
		unlinkat(directory, name, 0);
		unlinkat(directory, log, 0);
	}
	close(fd);
}

void shelf_prune(void)
{
	char *path = shelf_directory(NULL);
	int directory = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct dirent **entries = NULL;
	int n = directory >= 0 ? shelf_list(path, &entries) : 0;
	int64_t bytes = 0;
	for (int i = 0; i < n; i++) {
		struct buf log = {0};
		buf_add_format(&log, "%s.log", entries[i]->d_name);
		bytes += file_bytes(directory, entries[i]->d_name) + file_bytes(directory, log.data);
		/* The newest stays, however large. */
		if (i > 0 && (i >= SHELF_KEEP || bytes > SHELF_BYTES))
			recording_remove(directory, entries[i]->d_name, log.data);
		buf_fini(&log);
	}
	if (n >= 0)
		list_free(entries, n);
	if (directory >= 0)
		close(directory);
	free(path);
}

/* The id of a run, or its last eight digits, with which the names on the shelf end. */
static bool is_id(const char *name)
{
	size_t len = strlen(name);
	return (len == ID_TAIL || len == UUID_SIZE - 1) && strspn(name, "0123456789abcdef-") == len &&
	       access(name, F_OK) < 0;
}

static char *find_id(const char *id, struct why *why)
{
	char *directory = shelf_directory(why);
	if (!directory)
		return NULL;
	struct dirent **entries = NULL;
	struct buf path = {0}, ending = {0};
	buf_add_format(&ending, "-%s" SHELF_SUFFIX, id + strlen(id) - ID_TAIL);
	int n = shelf_list(directory, &entries);
	for (int i = 0; i < n && path.len == 0; i++) {
		size_t len = strlen(entries[i]->d_name);
		if (len > ending.len && strcmp(entries[i]->d_name + len - ending.len, ending.data) == 0)
			buf_add_format(&path, "%s/%s", directory, entries[i]->d_name);
	}
	if (path.len == 0)
		why_set(why, -ENOENT, "the recording of %s is not kept any more in %s", id, directory);
	if (n >= 0)
		list_free(entries, n);
	buf_fini(&ending);
	free(directory);
	return path.data;
}

char *shelf_resolve(const char *name, struct why *why)
{
	if (is_id(name))
		return find_id(name, why);
	if (name[0] != '@')
		return mem_dup(name);
	char *end;
	errno = 0;
	long number = isdigit((unsigned char)name[1]) ? strtol(name + 1, &end, 10) : 0;
	if (number < 1 || *end || errno) {
		why_set(why, -EINVAL,
			"%s is not a recording: @1 is the newest, @2 the one before (a file of that name: "
			"./%s)",
			name, name);
		return NULL;
	}
	char *directory = shelf_directory(why);
	if (!directory)
		return NULL;
	struct dirent **entries = NULL;
	struct buf path = {0};
	int n = shelf_list(directory, &entries);
	if (n >= number)
		buf_add_format(&path, "%s/%s", directory, entries[number - 1]->d_name);
	else
		why_set(why, -ENOENT, "there is no %s: %d recordings are kept in %s", name, n < 0 ? 0 : n,
			directory);
	if (n >= 0)
		list_free(entries, n);
	free(directory);
	return path.data;
}
