/* SPDX-License-Identifier: MIT
 *
 * What a target is made of, as options, configuration and spool have it: one table for all. The name of a
 * target is its URL without user, password and the values of those parts of the query that are secrets, and
 * is all of it that is ever shown or kept.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/units.h"
#include "format.h"
#include "post/post.h"

#define MASK "***"

static const struct setting {
	const char *name;
	size_t offset;
	bool is_flag;
} settings[] = {
	{"format", offsetof(struct post_target, format), false},
	{"token-file", offsetof(struct post_target, token_file), false},
	{"auth", offsetof(struct post_target, auth), false},
	{"netrc", offsetof(struct post_target, netrc), false},
	{"cacert", offsetof(struct post_target, cacert), false},
	{"cert", offsetof(struct post_target, cert), false},
	{"key", offsetof(struct post_target, key), false},
	{"timeout", offsetof(struct post_target, timeout), false},
	{"gzip", offsetof(struct post_target, gzip), false},
	{"insecure", offsetof(struct post_target, insecure), true},
	{"insecure-permissions", offsetof(struct post_target, insecure_permissions), true},
	{"allow-http-auth", offsetof(struct post_target, allow_http_auth), true},
};
#define SETTINGS (sizeof settings / sizeof *settings)

static char **setting_place(struct post_target *target, const struct setting *setting)
{
	return (char **)((char *)target + setting->offset);
}

static bool is_secret(const char *key, size_t len)
{
	static const char *const secret[] = {"p",   "u",      "password", "token",  "access_token",
					     "key", "secret", "api_key",  "apikey", "auth"};
	for (size_t i = 0; i < sizeof secret / sizeof *secret; i++) {
		if (strlen(secret[i]) == len && strncasecmp(key, secret[i], len) == 0)
			return true;
	}
	return false;
}

/* "db=builds&p=geheim" as "db=builds&p=***". */
static void add_query(struct buf *out, const char *query)
{
	for (const char *separator = "?"; *query != '\0'; separator = "&") {
		size_t len = strcspn(query, "&"), key = strcspn(query, "=&");
		buf_add_string(out, separator);
		if (key < len && is_secret(query, key))
			buf_add_format(out, "%.*s=" MASK, (int)key, query);
		else
			buf_add(out, query, len);
		query += len + (query[len] == '&');
	}
}

static char *make_name(const char *url)
{
	struct buf out = {0};
	const char *host = strstr(url, "://");
	host = host != NULL ? host + 3 : url;
	const char *end = host + strcspn(host, "/?#"), *at = memrchr(host, '@', (size_t)(end - host));
	const char *query = end + strcspn(end, "?#");
	buf_add(&out, url, (size_t)(host - url));
	host = at != NULL ? at + 1 : host;
	buf_add(&out, host, (size_t)(query - host));
	if (*query == '?')
		add_query(&out, query + 1);
	return out.data != NULL ? out.data : mem_dup("");
}

void post_target_init(struct post_target *target, const char *url)
{
	*target = (struct post_target){.url = mem_dup(url), .name = make_name(url)};
}

static void wipe(char *secret)
{
	if (secret != NULL)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void post_target_fini(struct post_target *target)
{
	for (size_t i = 0; i < SETTINGS; i++)
		free(*setting_place(target, &settings[i]));
	wipe(target->url);
	wipe(target->token);
	free(target->name);
	*target = (struct post_target){0};
}

static bool is_good(const char *key, const char *value)
{
	double number;
	if (strcmp(key, "format") == 0)
		return format_find(value) != NULL;
	if (strcmp(key, "auth") == 0)
		return strcmp(value, "bearer") == 0 || strcmp(value, "token") == 0 ||
		       strcmp(value, "basic") == 0 ||
		       (strncmp(value, "header:", 7) == 0 && value[7] != '\0' &&
			strspn(value + 7,
			       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
				strlen(value + 7));
	if (strcmp(key, "timeout") == 0)
		return units_parse_number(value, &number) && number >= 0.1 && number <= 15;
	if (strcmp(key, "gzip") == 0)
		return strcmp(value, "yes") == 0 || strcmp(value, "no") == 0;
	return strchr(value, '\n') == NULL;
}

int post_target_set(struct post_target *target, const char *key, const char *value, struct why *why)
{
	static const struct {
		const char *key, *values;
	} rules[] = {
		{"format", "influx, influx-numeric, pushgateway, otlp or json"},
		{"auth", "bearer, token, basic or header:NAME"},
		{"timeout", "0.1 to 15 seconds"},
		{"gzip", "yes or no"},
	};
	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].name, key) != 0)
			continue;
		char **place = setting_place(target, &settings[i]);
		const char *text = settings[i].is_flag ? "yes" : value != NULL ? value : "";
		for (size_t k = 0; k < sizeof rules / sizeof *rules && !is_good(key, text); k++) {
			if (strcmp(rules[k].key, key) == 0)
				return why_set(why, -EINVAL, "--post-%s takes %s, not '%.100s'", key,
					       rules[k].values, text);
		}
		if (!is_good(key, text))
			return why_set(why, -EINVAL, "--post-%s: a line break is in its value", key);
		free(*place);
		*place = mem_dup(text);
		return 0;
	}
	return why_set(why, -EINVAL, "there is no option --post-%.60s", key);
}

void post_target_settings(const struct post_target *target, struct buf *out)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *value = *setting_place((struct post_target *)(uintptr_t)target, &settings[i]);
		if (value != NULL)
			buf_add_format(out, "%s=%s\n", settings[i].name, value);
	}
}

int post_target_read_settings(struct post_target *target, const char *text, struct why *why)
{
	int error = 0;
	while (error == 0 && *text != '\0') {
		size_t len = strcspn(text, "\n"), key = strcspn(text, "=\n");
		char *name = mem_dup_n(text, key),
		     *value = mem_dup_n(text + key + (key < len), len - key - (key < len));
		error = post_target_set(target, name, value, why);
		free(name);
		free(value);
		text += len + (text[len] == '\n');
	}
	return error;
}

int post_check_label(const struct post_target *target, const char *key, const char *value, struct why *why)
{
	const struct post_format *format = format_of(target);
	if (format == NULL || format->takes_label == NULL || format->takes_label(value))
		return 0;
	return why_set(
		why, -EINVAL,
		"--label %s: a server of the format %s cannot be told a backslash at the end, or before a "
		"comma, an equals sign, a space or another backslash",
		key, format->name);
}
