/* SPDX-License-Identifier: MIT
 *
 * What a person asks of a target: what would be sent, whether it arrives at all, and to take away what is
 * there.
 */
#include "post/post.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "influx.h"
#include "libcurl.h"
#include "pushgateway.h"
#include "spool.h"

const char *post_library(void)
{
	static struct why why;
	return libcurl_load(&why) == 0 ? libcurl.version() : why.text;
}

static int send_alone(const struct post_target *target, const struct letter *letter, struct why *why)
{
	struct interrupt interrupt;
	struct send_result result;
	struct post_tally tally;
	struct delivery delivery = delivery_begin(NULL, target, 1, &interrupt, &tally);
	int error = send_letter(target, letter, &delivery.budget, &result, why);
	delivery_end(&interrupt);
	return error;
}

int post_test(const struct post_target *target, struct why *why)
{
	const struct post_format *format = format_of(target);
	struct letter letter = {.id = "buildtop-test"};
	struct letter_part *part;
	if (format == &format_influx || format == &format_influx_numeric) {
		part = letter_add(&letter, "POST", target->url, "text/plain; charset=utf-8");
		influx_add_url(part);
		buf_add_string(&part->body, "buildtop_test value=1\n");
	} else if (format == &format_pushgateway) {
		part = letter_add(&letter, "PUT", "", "text/plain; version=0.0.4");
		pushgateway_group(&part->url, target->url, "buildtop-test", NULL, NULL);
		buf_add_string(&part->body, "# TYPE buildtop_test gauge\nbuildtop_test 1\n");
	} else {
		return why_set(why, -ENOTSUP, "the format %s has no test point", format->name);
	}
	int error = send_alone(target, &letter, why);
	letter_fini(&letter);
	return error;
}

int post_delete_group(const struct post_target *target, const char *project, const char *variant,
		      const char *host, struct why *why)
{
	struct letter letter = {.id = "buildtop-delete"};
	if (format_of(target) != &format_pushgateway)
		return why_set(why, -ENOTSUP,
			       "only a Pushgateway has groups; is it one? --post-format pushgateway");
	struct letter_part *part = letter_add(&letter, "DELETE", "", "text/plain");
	pushgateway_group(&part->url, target->url, project, variant, host);
	int error = send_alone(target, &letter, why);
	letter_fini(&letter);
	return error;
}

int post_preview(struct buf *out, const struct post_target *target, const char *document, struct why *why)
{
	struct letter letter;
	int error = format_write(&letter, target, document, false, why);
	if (error < 0)
		return error;
	bool has_secret = target->token_file != NULL || target->token != NULL;
	for (size_t i = 0; i < letter.n_parts; i++) {
		struct letter_part *part = &letter.parts[i];
		struct post_target shown;
		post_target_init(&shown, part->url.data);
		buf_add_format(out, "%s %s\nContent-Type: %s\nIdempotency-Key: %s\n%s\n", part->method,
			       shown.name, part->content_type, letter.id,
			       has_secret ? "Authorization: ***\n" : "");
		buf_add(out, part->body.data, part->body.len);
		buf_add_byte(out, '\n');
		post_target_fini(&shown);
	}
	letter_fini(&letter);
	return 0;
}
