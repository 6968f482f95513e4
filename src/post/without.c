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

int post_send(const struct post_target *target, const struct summary *summary, struct why *why)
{
	(void)target;
	(void)summary;
	return say_without(why);
}
