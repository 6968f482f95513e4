/* SPDX-License-Identifier: MIT
 *
 * What the documents of one machine and one way of building have in common, for servers to group by: sorted,
 * bounded, and without empty values, which some servers refuse. Also the document's times. Pure.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "figures.h"

#define OWN_MAX 16 /* labels of the user's */

/* What servers or our own tags mean by these is something else. */
static bool is_taken(const char *key)
{
	static const char *const taken[] = {"host", "cause", "class", "command",  "instance", "job",
					    "le",   "mode",  "mount", "quantile", "time",     "alarm"};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		if (strcmp(key, taken[i]) == 0)
			return true;
	}
	return strncmp(key, "__", 2) == 0;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(a, b); /* the key stands first */
}

static void add_label(struct labels *labels, const char *prefix, const char *key, const char *value)
{
	if (value == NULL || value[0] == '\0' || labels->count == LABELS_MAX)
		return;
	snprintf(labels->list[labels->count].key, sizeof labels->list->key, "%s%s", prefix, key);
	labels->list[labels->count++].value = value;
}

void labels_collect(struct labels *labels, const json_t *document)
{
	json_t *own = json_object_get(document, "labels"), *value;
	static const char *const known[] = {"project", "variant", "branch"};
	const char *key;
	*labels = (struct labels){0};
	add_label(labels, "", "host", document_string(document, "host.name"));
	for (size_t i = 0; i < 3; i++)
		add_label(labels, "", known[i], json_string_value(json_object_get(own, known[i])));
	json_object_foreach(own, key, value)
	{
		bool added = strcmp(key, known[0]) == 0 || strcmp(key, known[1]) == 0 ||
			     strcmp(key, known[2]) == 0;
		if (labels->count < OWN_MAX && !added)
			add_label(labels, is_taken(key) ? "label_" : "", key, json_string_value(value));
	}
	qsort(labels->list, labels->count, sizeof *labels->list, compare_keys);
}

const char *labels_find(const struct labels *labels, const char *key)
{
	for (size_t i = 0; i < labels->count; i++) {
		if (strcmp(labels->list[i].key, key) == 0)
			return labels->list[i].value;
	}
	return NULL;
}

int64_t document_time_ns(const char *text)
{
	struct tm utc = {0};
	char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &utc);
	int64_t ns = 0, unit = 100000000;
	if (end == NULL)
		return 0;
	if (*end == '.') {
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			ns += (*end - '0') * unit;
	}
	return (int64_t)timegm(&utc) * 1000000000 + ns;
}
