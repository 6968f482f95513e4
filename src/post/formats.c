/* SPDX-License-Identifier: MIT
 *
 * The list of formats, the only one, and what they share: the document is parsed here, and cut down when it
 * would be too large for a server: of all that is in it, only the episodes can be many.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format.h"

#define PART_BYTES_MAX (1024 * 1024)

static const struct post_format *const formats[] = {
	&format_influx, &format_influx_numeric, &format_pushgateway, &format_otlp, &format_json,
};
#define FORMATS (sizeof formats / sizeof *formats)

const struct post_format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	}
	return NULL;
}

/* Does the URL's path hold it, whole words only? */
static bool path_has(const char *url, const char *part)
{
	const char *path = strstr(url, "://");
	path = path != NULL ? strchr(path + 3, '/') : NULL;
	size_t length = path != NULL ? strcspn(path, "?#") : 0, len = strlen(part);
	for (size_t i = 0; i + len <= length; i++) {
		if (strncmp(path + i, part, len) == 0 &&
		    (i + len == length || part[len - 1] == '/' || path[i + len] == '/'))
			return true;
	}
	return false;
}

const struct post_format *format_of(const struct post_target *target)
{
	if (target->format != NULL)
		return format_find(target->format);
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i]->path != NULL && path_has(target->url, formats[i]->path))
			return formats[i];
	}
	return path_has(target->url, "/api/v2/write") ? &format_influx : &format_json;
}

struct letter_part *letter_add(struct letter *letter, const char *method, const char *url,
			       const char *content_type)
{
	struct letter_part *part = &letter->parts[letter->n_parts++];
	*part = (struct letter_part){.method = method, .content_type = content_type};
	buf_add_string(&part->url, url);
	return part;
}

void letter_fini(struct letter *letter)
{
	for (size_t i = 0; i < letter->n_parts; i++) {
		buf_fini(&letter->parts[i].url);
		buf_fini(&letter->parts[i].body);
	}
	letter->n_parts = 0;
}

static bool is_large(const struct letter *letter)
{
	for (size_t i = 0; i < letter->n_parts; i++) {
		if (letter->parts[i].body.len > PART_BYTES_MAX)
			return true;
	}
	return false;
}

static void drop_episodes(json_t *document)
{
	json_t *stalls = json_object_get(document, "stalls");
	json_t *episodes = json_object_get(stalls, "episodes");
	json_int_t dropped = json_integer_value(json_object_get(stalls, "episodes_dropped"));
	if (episodes == NULL)
		return;
	json_object_set_new(stalls, "episodes_dropped",
			    json_integer(dropped + (json_int_t)json_array_size(episodes)));
	json_array_clear(episodes);
}

int format_write(struct letter *letter, const struct post_target *target, const char *text, bool small,
		 struct why *why)
{
	const struct post_format *format = format_of(target);
	json_t *document = json_loads(text, 0, NULL);
	const char *id = json_string_value(json_object_get(document, "id"));
	*letter = (struct letter){0};
	if (format == NULL || id == NULL) {
		json_decref(document);
		return why_set(why, -EINVAL, "this is no summary of a build");
	}
	snprintf(letter->id, sizeof letter->id, "%s", id);
	if (small)
		drop_episodes(document);
	format->write(letter, document, target->url);
	if (!small && is_large(letter)) {
		letter_fini(letter);
		drop_episodes(document);
		format->write(letter, document, target->url);
	}
	json_decref(document);
	return 0;
}
