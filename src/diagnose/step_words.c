/* SPDX-License-Identifier: MIT
 *
 * Knows how words stand in a command line and in a shell's text, and nothing of what they mean. All of it is
 * foreign and may be anything; nothing is read behind its end, and the work is bounded by its length.
 */
#include "step_words.h"

#include <string.h>

void step_words_split(struct step_words *words, const char *line, size_t len)
{
	const char *end = line + len;
	size_t total = 0, half = STEP_WORDS_MAX / 2;

	words->n = 0;
	for (const char *at = line; at < end; total++) {
		const char *nul = memchr(at, '\0', (size_t)(end - at));
		struct step_word word = {at, (size_t)((nul ? nul : end) - at)};

		if (words->n == STEP_WORDS_MAX) { /* the middle goes */
			memmove(&words->words[half], &words->words[half + 1],
				(half - 1) * sizeof *words->words);
			words->n--;
		}
		words->words[words->n++] = word;
		at += word.len + 1;
	}
}

void step_words_shift(struct step_words *words, size_t n)
{
	n = n < words->n ? n : words->n;
	memmove(words->words, words->words + n, (words->n - n) * sizeof *words->words);
	words->n -= n;
}

bool step_word_is(struct step_word word, const char *text)
{
	return word.len == strlen(text) && memcmp(word.at, text, word.len) == 0;
}

bool step_word_begins(struct step_word word, const char *text)
{
	size_t len = strlen(text);

	return word.len >= len && memcmp(word.at, text, len) == 0;
}

bool step_word_ends(struct step_word word, const char *text)
{
	size_t len = strlen(text);

	return word.len >= len && memcmp(word.at + word.len - len, text, len) == 0;
}

bool step_word_in(struct step_word word, const char *list)
{
	for (size_t len; *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		if (len == word.len && memcmp(list, word.at, len) == 0)
			return true;
	}
	return false;
}

struct step_word step_word_base(struct step_word word)
{
	const char *slash = word.len ? memrchr(word.at, '/', word.len) : NULL;

	if (slash && slash + 1 < word.at + word.len)
		return (struct step_word){slash + 1, (size_t)(word.at + word.len - slash - 1)};
	return word;
}

struct step_word step_words_value(const struct step_words *words, const char *option)
{
	size_t len = strlen(option);

	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (step_word_is(word, option) && i + 1 < words->n)
			return words->words[i + 1];
		if (step_word_begins(word, option) && word.len > len && word.at[len] == '=')
			return (struct step_word){word.at + len + 1, word.len - len - 1};
	}
	return (struct step_word){0};
}

static bool is_assignment(struct step_word word)
{
	for (size_t i = 0; i < word.len; i++) {
		char c = word.at[i];

		if (c == '=')
			return i > 0;
		if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      (i > 0 && c >= '0' && c <= '9')))
			return false;
	}
	return false;
}

/* Takes what may stand before a command off the words. What is done by the shell itself is none. */
static size_t without_front(char *out, size_t len)
{
	static const char before[] = "if then else elif do while until ! { time exec command builtin";
	static const char own[] =
		"for case esac fi done cd test [ [[ echo : true false set export trap exit "
		"return umask shift printf read wait eval . unset local source ulimit break "
		"select } pwd kill continue let pushd popd";
	size_t at = 0;

	while (at < len) {
		struct step_word word = {out + at, strnlen(out + at, len - at)};

		if (step_word_in(word, own))
			return 0;
		if (!is_assignment(word) && !step_word_in(word, before))
			break;
		at += word.len + 1;
	}
	if (at >= len)
		return 0;
	memmove(out, out + at, len - at);
	return len - at;
}

/* Behind "$(…)" or "`…`", which may hold anything. */
static const char *behind_nested(const char *at, const char *end)
{
	unsigned depth = 0;

	if (*at == '`') {
		const char *close = memchr(at + 1, '`', (size_t)(end - at - 1));
		return close ? close + 1 : end;
	}
	for (at++; at < end; at++) {
		depth += *at == '(';
		if (*at == ')' && --depth == 0)
			return at + 1;
	}
	return end;
}

/* The words of one command into out, as they stand there. */
struct writer {
	char *out;
	size_t len, word; /* where the word began */
	bool in_word;
	bool skip; /* the next word is a redirection's */
};

static void put(struct writer *writer, char c)
{
	if (!writer->in_word) {
		writer->in_word = true;
		writer->word = writer->len;
	}
	if (c != '\0' && writer->len < STEP_SCRIPT_MAX - 1)
		writer->out[writer->len++] = c;
}

static void finish(struct writer *writer)
{
	if (!writer->in_word)
		return;
	writer->in_word = false;
	if (writer->skip)
		writer->len = writer->word;
	else if (writer->len < STEP_SCRIPT_MAX)
		writer->out[writer->len++] = '\0';
	writer->skip = false;
}

static const char *quoted(struct writer *writer, const char *at, const char *end)
{
	char quote = *at++;

	put(writer, '\0'); /* an empty one is a word too */
	for (; at < end && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && at + 1 < end)
			at++;
		put(writer, *at);
	}
	return at < end ? at + 1 : end;
}

/* "2>&1": the digit is part of it, and so is the word behind. */
static const char *redirected(struct writer *writer, const char *at, const char *end)
{
	if (writer->in_word && writer->len == writer->word + 1 && writer->out[writer->word] >= '0' &&
	    writer->out[writer->word] <= '9') {
		writer->len = writer->word;
		writer->in_word = false;
	}
	finish(writer);
	writer->skip = true;
	while (at < end && strchr("<>&|", *at) && *at != '\0')
		at++;
	return at;
}

const char *step_words_command(const char *text, const char *end, char *out, size_t *len)
{
	struct writer writer = {.out = out};

	if (end - text > STEP_SCRIPT_MAX)
		end = text + STEP_SCRIPT_MAX;
	while (text < end) {
		char c = *text;

		if (c == '\\' && text + 1 < end) {
			if (text[1] != '\n')
				put(&writer, text[1]);
			text += 2;
		} else if (c == '\'' || c == '"') {
			text = quoted(&writer, text, end);
		} else if (c == '`' || (c == '$' && text + 1 < end && text[1] == '(')) {
			if (c == '$') /* automake's `test -f x || echo dir/`x gives nothing or a directory */
				put(&writer, '$');
			text = behind_nested(text, end);
		} else if (c == '<' || c == '>') {
			text = redirected(&writer, text, end);
		} else if (c == ' ' || c == '\t') {
			finish(&writer);
			text++;
		} else if (c == '\0' || strchr(";&|\n()", c)) {
			text++;
			finish(&writer);
			writer.skip = false;
			writer.len = without_front(out, writer.len);
			if (writer.len)
				break;
		} else {
			put(&writer, c);
			text++;
		}
	}
	if (text >= end && (writer.in_word || writer.len)) {
		finish(&writer);
		writer.len = without_front(out, writer.len);
	}
	*len = writer.len;
	return writer.len ? text : NULL;
}
