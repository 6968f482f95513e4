/* SPDX-License-Identifier: MIT
 *
 * Prometheus' Pushgateway: a group for each project, variant and machine, replaced as a whole, so that a
 * cause which no longer occurs is gone. A value with a slash in it cannot stand in a path, however it is
 * escaped, and has to be in base64; the same goes for an empty one.
 */
#include "pushgateway.h"

#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "format.h"
#include "prom.h"

#define GROUP_PATH "/metrics/job/"

static void add_base64(struct buf *out, const char *value)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t len = strlen(value);
	if (len == 0)
		buf_add_byte(out, '=');
	for (size_t i = 0; i < len; i += 3) {
		unsigned long word = (unsigned long)(unsigned char)value[i] << 16;
		word |= i + 1 < len ? (unsigned long)(unsigned char)value[i + 1] << 8 : 0;
		word |= i + 2 < len ? (unsigned long)(unsigned char)value[i + 2] : 0;
		for (size_t k = 0; k < 4 && i + k <= len; k++)
			buf_add_byte(out, (unsigned char)digits[word >> (18 - 6 * k) & 63]);
	}
}

static void add_escaped(struct buf *out, const char *value)
{
	for (; *value != '\0'; value++) {
		unsigned char byte = (unsigned char)*value;
		if ((byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z') ||
		    (byte != '\0' && strchr("-_~", byte) != NULL))
			buf_add_byte(out, byte);
		else
			buf_add_format(out, "%%%02X", byte);
	}
}

static void add_label(struct buf *url, const char *key, const char *value)
{
	/* dots alone would be taken for a way up */
	if (value[0] == '\0' || strchr(value, '/') != NULL || strspn(value, ".") == strlen(value)) {
		buf_add_format(url, "/%s@base64/", key);
		add_base64(url, value);
	} else {
		buf_add_format(url, "/%s/", key);
		add_escaped(url, value);
	}
}

static const char *value_or_empty(const char *value)
{
	return value != NULL ? value : "";
}

void pushgateway_group(struct buf *url, const char *base, const char *project, const char *variant,
		       const char *host)
{
	buf_add_string(url, base);
	if (strstr(base, GROUP_PATH) != NULL)
		return;
	while (url->len > 0 && url->data[url->len - 1] == '/')
		url->data[--url->len] = '\0';
	buf_add_string(url, GROUP_PATH "buildtop");
	add_label(url, "project", value_or_empty(project));
	add_label(url, "variant", value_or_empty(variant));
	add_label(url, "instance", value_or_empty(host));
}

static void write_group(struct letter *letter, const json_t *document, const char *url)
{
	static const char *const in_path[] = {"project", "variant", NULL}, *const nothing[] = {NULL};
	struct letter_part *part = letter_add(letter, "PUT", "", "text/plain; version=0.0.4; charset=utf-8");
	struct labels labels;
	labels_collect(&labels, document);
	pushgateway_group(&part->url, url, labels_find(&labels, "project"), labels_find(&labels, "variant"),
			  labels_find(&labels, "host"));
	prom_write(&part->body, document, strstr(url, GROUP_PATH) != NULL ? nothing : in_path);
}

const struct post_format format_pushgateway = {
	.name = "pushgateway",
	.help = "Prometheus' Pushgateway, a group for each project, variant and machine",
	.path = GROUP_PATH,
	.retries_500 = true,
	.newest_only = true,
	.write = write_group,
};
