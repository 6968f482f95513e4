/* SPDX-License-Identifier: MIT
 *
 * The document itself. Command lines may hold secrets, and this is the one format that sends them: what
 * stands behind a word like password is masked.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

#define MASK "***"

static const char *const secret_words[] = {"password", "passwd",  "token", "secret",
					   "api-key",  "api_key", "apikey"};

static const char *after_secret_word(const char *word)
{
	for (size_t i = 0; i < sizeof secret_words / sizeof *secret_words; i++) {
		const char *found = strcasestr(word, secret_words[i]);
		if (found != NULL)
			return found + strlen(secret_words[i]);
	}
	return NULL;
}

/* "user:secret" behind curl's -u. */
static bool is_login(const char *option, const char *value)
{
	return (strcmp(option, "-u") == 0 || strcmp(option, "--user") == 0) && strchr(value, ':') != NULL;
}

/* The word without its secret, or NULL: it has none. */
static json_t *mask_word(const char *before, const char *word)
{
	const char *end = before != NULL ? after_secret_word(before) : NULL;
	if (end != NULL && before[0] == '-' && strchr(end, '=') == NULL)
		return json_string(MASK);
	if (before != NULL && is_login(before, word))
		return json_string(MASK);
	end = after_secret_word(word);
	const char *equals = end != NULL ? strchr(end, '=') : NULL;
	if (equals == NULL || equals[1] == '\0')
		return NULL;
	return json_sprintf("%.*s=" MASK, (int)(equals - word), word);
}

static void mask_command(json_t *command)
{
	const char *before = NULL;
	for (size_t i = 0; i < json_array_size(command); i++) {
		const char *word = json_string_value(json_array_get(command, i));
		json_t *masked = word != NULL ? mask_word(before, word) : NULL;
		before = masked != NULL ? NULL : word;
		if (masked != NULL)
			json_array_set_new(command, i, masked);
	}
}

static void write_document(struct letter *letter, const json_t *document, const char *url)
{
	struct letter_part *part = letter_add(letter, "POST", url, "application/json");
	json_t *copy = json_deep_copy(document);
	mask_command(json_object_get(copy, "command"));
	char *text = json_dumps(copy, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	if (text != NULL)
		buf_add_format(&part->body, "%s\n", text);
	free(text);
	json_decref(copy);
}

const struct post_format format_json = {
	.name = "json",
	.help = "the summary document itself",
	.retries_500 = true,
	.plain = true,
	.write = write_document,
};
