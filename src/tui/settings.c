/* SPDX-License-Identifier: MIT
 *
 * A text file of lines "name value", replaced whole by rename, so that two screens that end at once leave one
 * of the two.
 */
#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "notice.h"
#include "theme.h"

/* .../buildtop, made when it is not there and `make` says so. */
static bool directory(struct buf *out, bool make)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		buf_add_string(out, config);
	else if (home && *home == '/')
		buf_add_format(out, "%s/.config", home);
	else
		return false;
	if (make && mkdir(out->data, 0700) < 0 && errno != EEXIST)
		return false;
	buf_add_string(out, "/buildtop");
	return !make || mkdir(out->data, 0700) == 0 || errno == EEXIST;
}

static void set(struct view *view, const char *name, const char *value)
{
	if (strcmp(name, "theme") == 0)
		theme_choose(value);
	if (strcmp(name, "notify") == 0)
		view->notices = notice_parse(value);
	for (int i = 0; strcmp(name, "sort") == 0 && i < TASKLIST_SORTS; i++)
		if (strcmp(value, tasklist_sort_name((enum tasklist_sort)i)) == 0)
			view->sort = (enum tasklist_sort)i;
	for (int i = 0; strcmp(name, "shape") == 0 && i < TASKLIST_SHAPES; i++)
		if (strcmp(value, tasklist_shape_name((enum tasklist_shape)i)) == 0)
			view->shape = (enum tasklist_shape)i;
}

void settings_load(struct view *view)
{
	const char *theme = getenv("BUILDTOP_THEME"), *notify = getenv("BUILDTOP_NOTIFY");
	char line[128], name[32], value[64];
	struct buf path = {0};
	FILE *file = NULL;

	view->notices = NOTICE_BELL;
	if (directory(&path, false)) {
		buf_add_string(&path, "/screen");
		file = fopen(path.data, "re");
	}
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "%31s %63[^\n]", name, value) == 2)
			set(view, name, value);
	if (file)
		fclose(file);
	buf_fini(&path);
	if (theme)
		theme_choose(theme);
	view->notices_kept = view->notices;
	if (notify)
		view->notices = notice_parse(notify);
}

void settings_save(const struct view *view)
{
	struct buf path = {0}, fresh = {0}, notify = {0};
	FILE *file;

	if (!view->chosen || !directory(&path, true)) {
		buf_fini(&path);
		return;
	}
	buf_add_string(&path, "/screen");
	buf_add_format(&fresh, "%s.new", path.data);
	file = fopen(fresh.data, "we");
	if (file) {
		notice_words(view->notices_kept, &notify);
		fprintf(file, "theme %s\nsort %s\nshape %s\nnotify %s\n", theme_name(),
			tasklist_sort_name(view->sort), tasklist_shape_name(view->shape), notify.data);
		if (fclose(file) == 0)
			rename(fresh.data, path.data);
	}
	buf_fini(&path);
	buf_fini(&fresh);
	buf_fini(&notify);
}
