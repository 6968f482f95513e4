/* SPDX-License-Identifier: MIT
 *
 * Knows where a control group keeps its memory limit (Documentation/admin-guide/cgroup-v2.rst, and v1's
 * memory.rst) and looks under /sys/fs/cgroup, where all systems mount it. The limit that counts is the one
 * with least room left, at any level. File pages that are not in active use can be dropped, so they count as
 * room; pages of tmpfs never do. Of the root group nothing is told: what it counts is the whole machine's.
 * Sampler's thread, but for opening.
 */
#include "cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"
#include "parse.h"

#define NO_LIMIT (UINT64_C(1) << 60) /* version 1 says "none" with a number near the largest */

static const struct names {
	const char *root, *limit, *used, *droppable;
} names[] = {
	{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "\ntotal_inactive_file "},
	{"/sys/fs/cgroup", "memory.max", "memory.current", "\ninactive_file "},
};

static const struct names *names_of(const struct cgroup *cgroup)
{
	return &names[cgroup->version - 1];
}

/* The path behind "N:memory:" or "0::"; NULL: no such line. */
static char *find_path(char *text, int version)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (version == 2 ? controllers[1] == '\0' : strstr(controllers, "memory") != NULL)
			return path;
	}
	return NULL;
}

static void add_levels(struct cgroup *cgroup, const char *path)
{
	struct buf level = {0};
	size_t root_len = strlen(names_of(cgroup)->root);

	buf_add_format(&level, "%s%s", names_of(cgroup)->root, strcmp(path, "/") ? path : "");
	while (level.len >= root_len && cgroup->n_levels < CGROUP_LEVELS_MAX) {
		size_t len = level.len;

		buf_add_format(&level, "/%s", names_of(cgroup)->limit);
		if (access(level.data, R_OK) == 0)
			cgroup->levels[cgroup->n_levels++] = mem_dup_n(level.data, len);
		level.data[len] = '\0';
		level.len = (size_t)(strrchr(level.data, '/') - level.data);
		level.data[level.len] = '\0';
	}
	buf_fini(&level);
}

/* Pressure is version 2's alone, whose files are in the one place or, beside version 1, in the other. */
static void find_pressed(struct cgroup *cgroup, const char *file)
{
	static const char *const roots[] = {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"};
	struct buf text = {0}, dir = {0};
	char *path = NULL;

	if (fd_read_file(file, &text, 65536) == 0 && text.len)
		path = find_path(text.data, 2);
	for (size_t i = 0; path && strcmp(path, "/") && !cgroup->pressed && i < sizeof roots / sizeof *roots;
	     i++) {
		buf_clear(&dir);
		buf_add_format(&dir, "%s%s/io.pressure", roots[i], path);
		if (access(dir.data, R_OK) == 0)
			cgroup->pressed = mem_dup_n(dir.data, dir.len - strlen("/io.pressure"));
	}
	buf_fini(&dir);
	buf_fini(&text);
}

void cgroup_open(struct cgroup *cgroup, pid_t pid)
{
	char file[64];

	snprintf(file, sizeof file, "/proc/%d/cgroup", (int)pid);
	for (int version = 1; version <= 2 && cgroup->n_levels == 0; version++) {
		struct buf text = {0};
		char *path;

		cgroup->version = version;
		if (fd_read_file(file, &text, 65536) == 0 && text.len &&
		    (path = find_path(text.data, version))) {
			add_levels(cgroup, path);
			if (strcmp(path, "/") && cgroup->n_levels > 0)
				cgroup->own = mem_dup(cgroup->levels[0]);
		}
		buf_fini(&text);
	}
	find_pressed(cgroup, file);
}

void cgroup_close(struct cgroup *cgroup)
{
	for (unsigned i = 0; i < cgroup->n_levels; i++)
		free(cgroup->levels[i]);
	free(cgroup->own);
	free(cgroup->pressed);
}

static bool read_text(const char *level, const char *name, struct buf *text)
{
	char path[4300];

	snprintf(path, sizeof path, "%s/%s", level, name);
	buf_clear(text);
	return fd_read_file(path, text, 65536) == 0 && text->len > 0;
}

/* METRIC_NA: no limit, or not to be read. */
static uint64_t room_at(const struct cgroup *cgroup, const char *level, struct buf *text)
{
	const struct names *file = names_of(cgroup);
	uint64_t limit, used, droppable = 0;
	const char *found;

	if (!read_text(level, file->limit, text) || text->data[0] == 'm')
		return METRIC_NA;
	limit = strtoull(text->data, NULL, 10);
	if (limit >= NO_LIMIT || !read_text(level, file->used, text))
		return METRIC_NA;
	used = strtoull(text->data, NULL, 10);
	if (read_text(level, "memory.stat", text) && (found = strstr(text->data, file->droppable)))
		droppable = strtoull(found + strlen(file->droppable), NULL, 10);
	used -= droppable < used ? droppable : used;
	return used < limit ? limit - used : 0;
}

static void read_refaults(const struct cgroup *cgroup, struct sample *sample, struct buf *text)
{
	uint64_t value;

	if (!cgroup->own || !read_text(cgroup->own, "memory.stat", text))
		return;
	/* version 1 counts groups below only in the totals */
	if (parse_named(text->data, "total_workingset_refault_file", &value) ||
	    parse_named(text->data, "workingset_refault_file", &value))
		sample->system[METRIC_SYSTEM_CGROUP_REFAULT_FILE_PAGES] = value;
	if (parse_named(text->data, "total_workingset_refault_anon", &value) ||
	    parse_named(text->data, "workingset_refault_anon", &value))
		sample->system[METRIC_SYSTEM_CGROUP_REFAULT_ANON_PAGES] = value;
}

/* Version 1 has it among its settings, of this group alone. */
static void read_kills(const struct cgroup *cgroup, struct sample *sample, struct buf *text)
{
	uint64_t value;

	if (cgroup->own &&
	    read_text(cgroup->own, cgroup->version == 2 ? "memory.events" : "memory.oom_control", text) &&
	    parse_named(text->data, "oom_kill", &value))
		sample->system[METRIC_SYSTEM_CGROUP_OOM_KILLS] = value;
}

static void read_pressure(const struct cgroup *cgroup, struct sample *sample, struct buf *text)
{
	uint64_t total;

	if (!cgroup->pressed)
		return;
	if (read_text(cgroup->pressed, "io.pressure", text) && parse_pressure(text->data, "some", &total))
		sample->system[METRIC_SYSTEM_CGROUP_PSI_IO_SOME_US] = total;
	if (read_text(cgroup->pressed, "memory.pressure", text) && parse_pressure(text->data, "some", &total))
		sample->system[METRIC_SYSTEM_CGROUP_PSI_MEM_SOME_US] = total;
}

void cgroup_read(const struct cgroup *cgroup, struct sample *sample)
{
	uint64_t *least = &sample->system[METRIC_SYSTEM_CGROUP_ROOM_BYTES];
	struct buf text = {0};

	for (unsigned i = 0; i < cgroup->n_levels; i++) {
		uint64_t room = room_at(cgroup, cgroup->levels[i], &text);

		if (room < *least) /* METRIC_NA is above all */
			*least = room;
	}
	read_refaults(cgroup, sample, &text);
	read_kills(cgroup, sample, &text);
	read_pressure(cgroup, sample, &text);
	buf_fini(&text);
}
