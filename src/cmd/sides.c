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
#include <unistd.h>

#include "account.h"
#include "base/buf.h"
#include "base/fd.h"
#include "report/report.h"

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

/* A run that is drawn while it is read. */
struct picture {
	const struct run *run;
	struct buf svg;
	void *state;
};

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

static void picture_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct picture *picture = self;
	(void)dropped;
	report_timeline.tick(&picture->svg, picture->run, tick, picture->state);
}

void sides_add_picture(struct compare *compare, const char *name)
{
	struct account account;
	struct why why;
	if (!compare_wants_picture(compare) || is_document(name) || account_open(&account, name, &why) < 0)
		return;
	struct picture picture = {.run = replay_run(account.replay)};
	struct consumer consumer = {.name = "picture", .self = &picture, .tick = picture_tick};
	picture.state = report_timeline.begin(&picture.svg, picture.run);
	int error = replay_feed(account.replay, &consumer, 1, &why);
	report_timeline.end(&picture.svg, picture.run, replay_end(account.replay), picture.state);
	if (error >= 0 && picture.svg.len > 0)
		compare_add_picture(compare, picture.svg.data, picture.svg.len);
	buf_fini(&picture.svg);
	account_close(&account);
}

/* A summary that `bench` wrote stands beside its recording. */
void sides_add_picture_of(struct compare *compare, const char *name)
{
	const char *dot = strrchr(name, '.');
	if (dot == NULL || strcmp(dot, ".json") != 0) {
		sides_add_picture(compare, name);
		return;
	}
	struct buf path = {0};
	buf_add_format(&path, "%.*s.buildtop", (int)(dot - name), name);
	if (access(path.data, R_OK) == 0)
		sides_add_picture(compare, path.data);
	buf_fini(&path);
}

int sides_add_run(struct compare *compare, const char *name, struct why *why)
{
	return is_document(name) ? add_document(compare, name, why) : add_recording(compare, name, why);
}

static int add_run(struct compare *compare, const char *name, bool pictures, struct why *why)
{
	int error = sides_add_run(compare, name, why);
	if (error == 0 && pictures)
		sides_add_picture_of(compare, name);
	return error;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);
	return len > tail && strcmp(name + len - tail, end) == 0;
}

/* What lies beside runs and is none: kept output, and what `bench` writes: notes, its run to warm up, and the
 * summary of a recording that is among them itself. Sorted, a recording stands right before its summary. */
static bool is_beside(char *const *names, size_t i)
{
	const char *slash = strrchr(names[i], '/'), *base = slash != NULL ? slash + 1 : names[i];
	size_t stem = strlen(names[i]) - (ends_with(names[i], ".json") ? strlen(".json") : 0);
	return ends_with(names[i], ".log") || ends_with(names[i], ".note") || ends_with(names[i], ".part") ||
	       strncmp(base, "warmup.", 7) == 0 ||
	       (i > 0 && ends_with(names[i], ".json") && strncmp(names[i - 1], names[i], stem) == 0 &&
		strcmp(names[i - 1] + stem, ".buildtop") == 0);
}

static int add_matches(struct compare *compare, const char *pattern, bool pictures, struct why *why)
{
	glob_t found;
	int error = 0;
	if (glob(pattern, 0, NULL, &found) != 0)
		return why_set(why, -ENOENT, "nothing is called %s", pattern);
	for (size_t i = 0; error == 0 && i < found.gl_pathc; i++) {
		if (!is_beside(found.gl_pathv, i))
			error = add_run(compare, found.gl_pathv[i], pictures, why);
	}
	globfree(&found);
	return error;
}

int sides_add_argument(struct compare *compare, const char *name, bool pictures, struct why *why)
{
	struct stat status;
	compare_add_side(compare, name);
	if (stat(name, &status) < 0 && strpbrk(name, "*?[") != NULL)
		return add_matches(compare, name, pictures, why);
	if (stat(name, &status) < 0 || !S_ISDIR(status.st_mode))
		return add_run(compare, name, pictures, why);
	struct buf pattern = {0};
	buf_add_format(&pattern, "%s/*.buildtop", name);
	int error = add_matches(compare, pattern.data, pictures, why);
	buf_fini(&pattern);
	return error;
}
