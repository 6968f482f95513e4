/* SPDX-License-Identifier: MIT
 *
 * All runs come as summary documents: those of recordings are made on the spot. A document is told from a
 * recording by its first byte.
 */
#include "sides.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "account.h"
#include "base/buf.h"
#include "base/fd.h"

#define DOCUMENT_MAX ((size_t)64 << 20)

/* A regular file whose first byte that is no blank opens a JSON object. */
static bool is_document(const char *path)
{
	struct buf begin = {0};
	struct stat status;
	bool document = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
			fd_read_file(path, &begin, 64) == 0 && begin.len > 0 &&
			begin.data[strspn(begin.data, " \t\r\n")] == '{';
	buf_fini(&begin);
	return document;
}

static int add_document(struct compare *compare, const char *path, struct why *why)
{
	struct buf document = {0};
	int error = fd_read_file(path, &document, DOCUMENT_MAX);
	error = error < 0 ? why_set(why, error, "cannot read %s: %s", path, strerror(-error))
			  : compare_add_run(compare, path, document.data, document.len, why);
	buf_fini(&document);
	return error;
}

static int add_recording(struct compare *compare, const char *name, struct why *why)
{
	struct account account;
	struct summary summary;
	int error = account_open(&account, name, why);
	if (error < 0)
		return error;
	error = account_summary(&account, &summary, why);
	if (error == 0) {
		char *document = summary_json(&summary);
		error = compare_add_run(compare, name, document, strlen(document), why);
		free(document);
		summary_fini(&summary);
	}
	account_close(&account);
	return error;
}

int sides_add_run(struct compare *compare, const char *name, struct why *why)
{
	return is_document(name) ? add_document(compare, name, why) : add_recording(compare, name, why);
}

static int add_matches(struct compare *compare, const char *pattern, struct why *why)
{
	glob_t found;
	int error = 0;
	if (glob(pattern, 0, NULL, &found) != 0)
		return why_set(why, -ENOENT, "nothing is called %s", pattern);
	for (size_t i = 0; error == 0 && i < found.gl_pathc; i++) {
		const char *dot = strrchr(found.gl_pathv[i], '.');
		if (dot == NULL || strcmp(dot, ".log") != 0) /* the output that is kept beside a recording */
			error = sides_add_run(compare, found.gl_pathv[i], why);
	}
	globfree(&found);
	return error;
}

int sides_add_argument(struct compare *compare, const char *name, struct why *why)
{
	struct stat status;
	compare_add_side(compare, name);
	if (stat(name, &status) < 0 && strpbrk(name, "*?[") != NULL)
		return add_matches(compare, name, why);
	if (stat(name, &status) < 0 || !S_ISDIR(status.st_mode))
		return sides_add_run(compare, name, why);
	struct buf pattern = {0};
	buf_add_format(&pattern, "%s/*.buildtop", name);
	int error = add_matches(compare, pattern.data, why);
	buf_fini(&pattern);
	return error;
}
