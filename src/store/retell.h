/* SPDX-License-Identifier: MIT
 *
 * Command lines told as changes to another one. A build starts the same compiler again and again with another
 * file name in half a dozen places: a text is told as what stays of its model and what stands in place of
 * what, and the same replacement a second time costs a byte. The model of a command line is the one that was
 * told last, in the same frame, of a task of the same name; writer and reader remember the same ones.
 */
#ifndef STORE_RETELL_H
#define STORE_RETELL_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "varint.h"

#define MODELS_MAX	 256   /* names of which a text is remembered in a frame, those that come first */
#define MODEL_SIZE_MAX	 65536 /* longer texts are no models */
#define RETELL_TURNS_MAX 64    /* replacements of a text that can be referred to */

struct model {
	uint64_t name; /* hash of the task's name */
	struct buf text;
};

struct models {
	struct model list[MODELS_MAX];
	size_t count;
};

void models_fini(struct models *models);
void models_clear(struct models *models); /* a frame begins */
/* The text told last for this name; an empty one when there is none. */
struct scan models_find(const struct models *models, const char *name, size_t name_len);
void models_put(struct models *models, const char *name, size_t name_len, const void *text, size_t len);

void retell_put(struct buf *out, const char *text, size_t len, struct scan model);
/* Replaces the content of text; at most max bytes. What does not hold together marks the scan bad. */
void retell_get(struct scan *scan, struct scan model, struct buf *text, size_t max);

#endif
