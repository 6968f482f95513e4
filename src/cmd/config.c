/* SPDX-License-Identifier: MIT
 *
 * One option a line, as on the command line without its dashes: "label project=ffmpeg", "post https://…",
 * "post-format influx"; an equals sign may stand between. Empty lines and those that begin with # are passed
 * over. Knows no option.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fd.h"

#define CONFIG_BYTES_MAX (64 * 1024)

static bool config_path(struct buf *path)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (config != NULL && config[0] == '/')
		buf_add_format(path, "%s/buildtop/config", config);
	else if (home != NULL && home[0] == '/')
		buf_add_format(path, "%s/.config/buildtop/config", home);
	return path->len > 0;
}

static char *skip_blanks(char *text)
{
	while (isblank((unsigned char)*text))
		text++;
	return text;
}

static int take_line(char *line, int (*take)(void *self, const char *key, const char *value, struct why *why),
		     void *self, struct why *why)
{
	char *key = skip_blanks(line), *end = key + strlen(key);
	while (end > key && isspace((unsigned char)end[-1]))
		*--end = '\0';
	if (key[0] == '\0' || key[0] == '#')
		return 0;
	char *value = key + strcspn(key, " \t=");
	bool has_value = *value != '\0';
	if (has_value) {
		bool equals = *value == '=';
		*value++ = '\0';
		value = skip_blanks(value);
		if (!equals && *value == '=')
			value = skip_blanks(value + 1);
	}
	return take(self, key, has_value ? value : NULL, why);
}

int config_read(int (*take)(void *self, const char *key, const char *value, struct why *why), void *self,
		bool *others_read, struct why *why)
{
	struct buf path = {0}, text = {0};
	struct stat status;
	struct why wrong;
	int error = 0, number = 0;
	if (config_path(&path))
		error = fd_read_file(path.data, &text, CONFIG_BYTES_MAX);
	/* EACCES: the HOME of somebody else, after su or setpriv. A build is not held up for that. */
	if (error == -ENOENT || error == -ENOTDIR || error == -EACCES)
		error = 0;
	else if (error < 0)
		why_set(why, error, "%s cannot be read: %s", path.data, strerror(-error));
	if (others_read != NULL)
		*others_read = text.len > 0 && stat(path.data, &status) == 0 && (status.st_mode & 077) != 0;
	char *rest = text.data, *line;
	while (error >= 0 && rest != NULL && (line = strsep(&rest, "\n")) != NULL) {
		number++;
		error = take_line(line, take, self, &wrong);
		if (error < 0)
			why_set(why, error, "%s:%d: %s", path.data, number, wrong.text);
	}
	if (text.data != NULL)
		explicit_bzero(text.data, text.cap);
	buf_fini(&text);
	buf_fini(&path);
	return error < 0 ? error : 0;
}
