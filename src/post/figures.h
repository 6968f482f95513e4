/* SPDX-License-Identifier: MIT
 *
 * The figures of a summary document, as metrics: one list for all formats, so that a server's names do not
 * depend on how it was told.
 */
#ifndef POST_FIGURES_H
#define POST_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

enum figure_unit { FIGURE_SECONDS, FIGURE_BYTES, FIGURE_COUNT, FIGURE_STATE };

struct figure_kind {
	const char *group;     /* "" or "stall": buildtop_build, buildtop_build_stall */
	const char *name;      /* "wall_seconds" */
	const char *tag;       /* "cause"; NULL: one figure a build */
	const char *list;      /* where the figures with tags are; NULL: tag_value is the tag's */
	const char *tag_value; /* the key of the tag's value in an element; NULL: the element's own key */
	const char *path;      /* of the value, in the document or in the element; "": the element */
	enum figure_unit unit;
	const char *help;
};

struct figure {
	const struct figure_kind *kind;
	const char *tag_value; /* borrowed from the document; NULL: no tag */
	bool is_integer;
	int64_t integer;
	double real; /* finite, also of an integer */
};

struct figures {
	struct figure *list; /* those of one element stand together */
	size_t count, capacity;
};

extern const struct figure_kind figure_kinds[];
extern const size_t figure_n_kinds;

/* Only what is known: no figure is made up for what is null. */
void figures_collect(struct figures *figures, const json_t *document);
void figures_fini(struct figures *figures);
/* The digits: a point as decimal sign, "1.0" for a whole number that is not an integer. */
#define FIGURE_TEXT_SIZE 40
char *figure_text(char out[FIGURE_TEXT_SIZE], const struct figure *figure);

/* Where a dotted path leads; NULL: nowhere. */
const json_t *document_at(const json_t *document, const char *path);
const char *document_string(const json_t *document, const char *path); /* never NULL */
/* RFC 3339 in UTC; nanoseconds since 1970, or 0. */
int64_t document_time_ns(const char *text);

#define LABELS_MAX 20
struct labels {
	struct {
		char key[80];
		const char *value; /* borrowed; not empty */
	} list[LABELS_MAX];	   /* by key */
	size_t count;
};

/* host, project, variant, branch and the user's own, at most 16 of them. A name that means something else to
 * a server gets "label_" in front. */
void labels_collect(struct labels *labels, const json_t *document);
const char *labels_find(const struct labels *labels, const char *key); /* NULL: none */

#endif
