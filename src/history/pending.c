/* SPDX-License-Identifier: MIT
 *
 * pending/ID.json is the document; pending/ID.targets has for each target its name, its settings and an empty
 * line. The targets are written first: whoever sees a document sees them too. Each file is there whole or not
 * at all.
 */
#include "pending.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "place.h"

#define DIRECTORY     "pending"
#define DOCUMENT_MAX  (16u << 20)
#define TARGETS_MAX   16
#define TAKEN_AT_ONCE 1000

static int put_file(const char *directory, const char *id, const char *suffix, const char *text)
{
	struct buf path = {0}, temporary = {0};
	buf_add_format(&path, "%s/%s%s", directory, id, suffix);
	buf_add_format(&temporary, "%s.part", path.data);
	int fd = fd_open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int error = fd < 0 ? fd : fd_write_all(fd, text, strlen(text));
	if (fd >= 0) {
		if (error == 0 && fsync(fd) < 0)
			error = -errno;
		close(fd);
	}
	if (error == 0 && rename(temporary.data, path.data) < 0)
		error = -errno;
	if (error < 0)
		unlink(temporary.data);
	buf_fini(&temporary);
	buf_fini(&path);
	return error;
}

int pending_put(const char *document, const char *id, const struct history_target *targets, size_t n_targets,
		struct why *why)
{
	char *directory = place_path(DIRECTORY, why);
	if (directory == NULL)
		return -ENOENT;
	struct buf list = {0};
	for (size_t i = 0; i < n_targets; i++)
		buf_add_format(&list, "%s\n%s\n", targets[i].name, targets[i].settings);
	int error = place_make(directory);
	if (error == 0 && list.len > 0)
		error = put_file(directory, id, ".targets", list.data);
	if (error == 0)
		error = put_file(directory, id, ".json", document);
	if (error < 0)
		why_set(why, error, "%s cannot be written: %s", directory, strerror(-error));
	buf_fini(&list);
	free(directory);
	return error;
}

/* Cuts the list in place. */
static size_t read_targets(char *text, struct history_target *targets)
{
	size_t n = 0;
	while (text != NULL && *text != '\0' && n < TARGETS_MAX) {
		char *end = strstr(text, "\n\n"), *line = strchr(text, '\n');
		if (line == NULL)
			break;
		*line = '\0';
		if (end != NULL)
			end[1] = '\0';
		targets[n++] = (struct history_target){.name = text, .settings = line + 1};
		text = end != NULL ? end + 2 : NULL;
	}
	return n;
}

/* What is no summary is not tried again for ever. */
static void set_aside(const char *path)
{
	struct buf aside = {0};
	buf_add_format(&aside, "%s.refused", path);
	rename(path, aside.data);
	buf_fini(&aside);
}

static void take_in(struct history *history, const char *directory, const char *name)
{
	struct history_target targets[TARGETS_MAX];
	struct buf path = {0}, targets_path = {0}, document = {0}, list = {0};
	size_t stem = strlen(name) - strlen(".json");
	buf_add_format(&path, "%s/%s", directory, name);
	buf_add_format(&targets_path, "%s/%.*s.targets", directory, (int)stem, name);
	if (fd_read_file(path.data, &document, DOCUMENT_MAX) >= 0 && document.len > 0) {
		fd_read_file(targets_path.data, &list, DOCUMENT_MAX);
		size_t n = read_targets(list.data, targets);
		int error = history_add(history, document.data, targets, n, NULL);
		if (error == 0) {
			unlink(path.data);
			unlink(targets_path.data);
		} else if (error == -EINVAL) {
			set_aside(path.data);
		}
	}
	buf_fini(&path);
	buf_fini(&targets_path);
	buf_fini(&document);
	buf_fini(&list);
}

void pending_take_in(struct history *history)
{
	char *directory = place_path(DIRECTORY, NULL);
	DIR *stream = directory != NULL ? opendir(directory) : NULL;
	if (stream != NULL) {
		struct dirent *entry;
		for (int n = 0; n < TAKEN_AT_ONCE && (entry = readdir(stream)) != NULL;) {
			size_t len = strlen(entry->d_name);
			if (entry->d_name[0] == '.' || len <= 5 ||
			    strcmp(entry->d_name + len - 5, ".json") != 0)
				continue;
			take_in(history, directory, entry->d_name);
			n++;
		}
		closedir(stream);
	}
	free(directory);
}
