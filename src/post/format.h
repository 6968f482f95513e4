/* SPDX-License-Identifier: MIT
 *
 * A format turns the summary document into the requests that a kind of server wants. Each is a file and a
 * line in the table; none knows how things are sent.
 */
#ifndef POST_FORMAT_H
#define POST_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/buf.h"
#include "base/why.h"
#include "post/post.h"

#define LETTER_PARTS_MAX 2

struct letter_part {
	const char *method;
	struct buf url;
	const char *content_type;
	struct buf body;
};

/* What goes to one server for one document. */
struct letter {
	char id[64];
	struct letter_part parts[LETTER_PARTS_MAX];
	size_t n_parts;
};

struct letter_part *letter_add(struct letter *letter, const char *method, const char *url,
			       const char *content_type);
void letter_fini(struct letter *letter);

struct post_format {
	const char *name;
	const char *help;
	const char *path; /* in the URL's path: it is this format */
	bool retries_500; /* a 500 may pass; else it means that the document is bad */
	bool plain;	  /* its servers need not know gzip */
	bool newest_only; /* what came later must not be overwritten by what was before */
	bool (*takes_label)(const char *value); /* NULL: all */
	void (*write)(struct letter *letter, const json_t *document, const char *url);
	/* Is an answer that looks like this yet another one? Gives the text of a warning, or NULL. May be
	 * NULL. */
	const char *(*warning)(long status, const char *answer);
};

extern const struct post_format format_influx;
extern const struct post_format format_influx_numeric;
extern const struct post_format format_pushgateway;
extern const struct post_format format_otlp;
extern const struct post_format format_json;

const struct post_format *format_find(const char *name); /* NULL: none */
/* The format of a target: the one that was named, or the one that its URL looks like. */
const struct post_format *format_of(const struct post_target *target);
/* Makes the requests of a document; without its episodes if it would be too large, or is to be small. 0 or
 * -EINVAL. */
int format_write(struct letter *letter, const struct post_target *target, const char *document, bool small,
		 struct why *why);

#endif
