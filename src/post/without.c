/* SPDX-License-Identifier: MIT
 *
 * Posting in a build of buildtop that has no libcurl: it says so, before a build is started rather than after
 * it.
 */
#include "post/post.h"

#include <errno.h>

static int say_without(struct why *why)
{
	return why_set(why, -ENOSYS,
		       "--post: this buildtop was built without libcurl (configure --without-curl)");
}

const char *post_library(void)
{
	return NULL;
}

int post_check(const struct post_target *target, struct why *why)
{
	(void)target;
	return say_without(why);
}

unsigned post_deliver(struct history *history, const char *document, const struct post_target *targets,
		      size_t n, struct post_tally *tally)
{
	(void)history;
	(void)document;
	(void)targets;
	*tally = (struct post_tally){.kept = (unsigned)n};
	return (unsigned)n;
}

int post_pending(struct history *history, const struct post_target *targets, size_t n, const char *token,
		 const char *only, bool retry_rejected, struct post_tally *tally, struct why *why)
{
	(void)history;
	(void)targets;
	(void)n;
	(void)token;
	(void)only;
	(void)retry_rejected;
	*tally = (struct post_tally){0};
	return say_without(why);
}

int post_test(const struct post_target *target, struct why *why)
{
	(void)target;
	return say_without(why);
}

int post_delete_group(const struct post_target *target, const char *project, const char *variant,
		      const char *host, struct why *why)
{
	(void)target;
	(void)project;
	(void)variant;
	(void)host;
	return say_without(why);
}

int post_preview(struct buf *out, const struct post_target *target, const char *document, struct why *why)
{
	(void)out;
	(void)target;
	(void)document;
	return say_without(why);
}

struct post_live *post_live_new(const struct post_target *targets, size_t n, double interval_s, bool alerts)
{
	(void)targets;
	(void)n;
	(void)interval_s;
	(void)alerts;
	return NULL;
}

void post_live_free(struct post_live *live)
{
	(void)live;
}

struct consumer post_live_consumer(struct post_live *live)
{
	return (struct consumer){.name = "post", .self = live};
}
