/* SPDX-License-Identifier: MIT
 *
 * Knows gitrepository-layout(5): HEAD, loose refs, packed-refs, and the `.git` files and `commondir` of
 * linked work trees. Refuses to run anything or to follow a ref out of the repository; what it reads is
 * foreign, so a commit is hex of the right length or nothing at all. Main thread, before the build starts.
 */
#include "vcs.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"

#define SMALL_FILE_MAX	4096
#define PACKED_REFS_MAX (16u << 20)

/* dir/name as one line without its end; false: cannot be read. */
static bool read_line(struct buf *line, const char *dir, const char *name, size_t max)
{
	char path[PATH_MAX];

	buf_clear(line);
	if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
		return false;
	if (fd_read_file(path, line, max) < 0 || line->len == 0)
		return false;
	line->data[strcspn(line->data, "\r\n")] = '\0';
	return true;
}

static size_t hex_length(const char *text)
{
	size_t n = 0;

	while (isxdigit((unsigned char)text[n]))
		n++;
	return n;
}

static char *commit_of(const char *text)
{
	size_t n = hex_length(text);

	if ((n != 40 && n != 64) || (text[n] != '\0' && !isspace((unsigned char)text[n])))
		return NULL;
	return mem_dup_n(text, n);
}

/* `relative` as seen from dir, into out (PATH_MAX bytes). */
static bool join_path(char *out, const char *dir, const char *relative)
{
	int n = relative[0] == '/' ? snprintf(out, PATH_MAX, "%s", relative)
				   : snprintf(out, PATH_MAX, "%s/%s", dir, relative);

	return n > 0 && n < PATH_MAX;
}

/* The repository of `directory` or of the nearest one above it. */
static bool find_git_dir(char *git_dir, const char *directory)
{
	char dir[PATH_MAX];
	struct buf line = {0};
	bool found = false;

	if (realpath(directory, dir) == NULL)
		return false;
	while (!found) {
		struct stat status;
		char *slash = strrchr(dir, '/');

		if (!join_path(git_dir, dir, ".git"))
			break;
		if (stat(git_dir, &status) == 0) {
			static const char prefix[] = "gitdir: ";

			found = S_ISDIR(status.st_mode) ||
				(S_ISREG(status.st_mode) && read_line(&line, dir, ".git", SMALL_FILE_MAX) &&
				 strncmp(line.data, prefix, sizeof prefix - 1) == 0 &&
				 join_path(git_dir, dir, line.data + sizeof prefix - 1));
			break;
		}
		if (slash == NULL || dir[0] == '\0')
			break;
		*slash = '\0';
	}
	buf_fini(&line);
	return found;
}

/* "<hex> <name>" lines; others start with '#' or '^'. */
static char *find_packed(const char *common_dir, const char *ref)
{
	struct buf file = {0};
	char path[PATH_MAX], *commit = NULL, *rest, *line;

	if (join_path(path, common_dir, "packed-refs") && fd_read_file(path, &file, PACKED_REFS_MAX) >= 0 &&
	    file.len > 0) {
		rest = file.data;
		while (commit == NULL && (line = strsep(&rest, "\n")) != NULL) {
			size_t n = hex_length(line);

			if (line[n] == ' ' && strcmp(line + n + 1, ref) == 0)
				commit = commit_of(line);
		}
	}
	buf_fini(&file);
	return commit;
}

static char *resolve_ref(const char *git_dir, const char *ref)
{
	struct buf line = {0};
	char common_dir[PATH_MAX], *commit = NULL;

	if (strncmp(ref, "refs/", 5) != 0 || strstr(ref, "..") != NULL)
		return NULL;
	if (!read_line(&line, git_dir, "commondir", SMALL_FILE_MAX) ||
	    !join_path(common_dir, git_dir, line.data))
		snprintf(common_dir, sizeof common_dir, "%s", git_dir);
	if (read_line(&line, git_dir, ref, SMALL_FILE_MAX) ||
	    read_line(&line, common_dir, ref, SMALL_FILE_MAX))
		commit = commit_of(line.data);
	if (commit == NULL)
		commit = find_packed(common_dir, ref);
	buf_fini(&line);
	return commit;
}

char *vcs_commit(const char *directory)
{
	static const char prefix[] = "ref: ";
	char git_dir[PATH_MAX], *commit = NULL;
	struct buf head = {0};

	if (find_git_dir(git_dir, directory) && read_line(&head, git_dir, "HEAD", SMALL_FILE_MAX)) {
		if (strncmp(head.data, prefix, sizeof prefix - 1) == 0)
			commit = resolve_ref(git_dir, head.data + sizeof prefix - 1);
		else
			commit = commit_of(head.data);
	}
	buf_fini(&head);
	return commit;
}
