/* SPDX-License-Identifier: MIT
 *
 * Knows the XDG base directories: a relative one counts as not set. The directory is the user's alone, since
 * command lines stand in the documents.
 */
#include "place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "history/history.h"

int place_make(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		int made = mkdir(path, 0700);
		*slash = '/';
		if (made < 0 && errno != EEXIST && errno != EACCES && errno != EROFS)
			return -errno;
	}
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

char *place_path(const char *name, struct why *why)
{
	struct buf path = {0};
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state != NULL && state[0] == '/') {
		buf_add_format(&path, "%s/buildtop", state);
	} else if (home != NULL && home[0] == '/') {
		buf_add_format(&path, "%s/.local/state/buildtop", home);
	} else {
		why_set(why, -ENOENT,
			"no place for the history: neither XDG_STATE_HOME nor HOME is set to a directory");
		return NULL;
	}
	int error = place_make(path.data);
	if (error < 0) {
		why_set(why, error, "%s cannot be made: %s", path.data, strerror(-error));
		buf_fini(&path);
		return NULL;
	}
	buf_add_format(&path, "/%s", name);
	return path.data;
}

char *history_beside(const char *name, struct why *why)
{
	return place_path(name, why);
}
