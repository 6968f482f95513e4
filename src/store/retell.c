/* SPDX-License-Identifier: MIT
 *
 * The telling: bytes to copy from the model, then a code: 0 the end; 1 a new replacement, that is bytes to
 * pass over in the model and bytes that stand instead; from 2 on an earlier replacement of this text. The
 * search looks at words and is short-sighted: it finds changed, added and missing words, which is what
 * differs between command lines. Whatever it misses costs bytes, never truth.
 */
#include "retell.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define WORDS_AHEAD 16 /* so many words, in both together, are looked over for the next one that agrees */

enum { CODE_END, CODE_NEW, CODE_FIRST };

/* Models */

void models_fini(struct models *models)
{
	for (size_t i = 0; i < MODELS_MAX; i++)
		buf_fini(&models->list[i].text);
}

void models_clear(struct models *models)
{
	models->count = 0;
}

static size_t model_at(const struct models *models, uint64_t name)
{
	size_t i = 0;
	while (i < models->count && models->list[i].name != name)
		i++;
	return i;
}

struct scan models_find(const struct models *models, const char *name, size_t name_len)
{
	size_t i = model_at(models, map_hash(name, name_len));
	if (i == models->count)
		return scan_of("", 0);
	return scan_of(models->list[i].text.data, models->list[i].text.len);
}

void models_put(struct models *models, const char *name, size_t name_len, const void *text, size_t len)
{
	uint64_t hash = map_hash(name, name_len);
	size_t i = model_at(models, hash);
	if (i == MODELS_MAX || len > MODEL_SIZE_MAX)
		return;
	if (i == models->count)
		models->count++;
	struct model *model = &models->list[i];
	model->name = hash;
	buf_clear(&model->text);
	buf_add(&model->text, text, len);
}

/* Telling */

/* Bytes that stand in place of others; where they lie in the two texts. */
struct turn {
	const char *old, *new;
	size_t old_len, new_len;
};

/* What is left of a text, and of its model. */
struct rest {
	const char *at, *end;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

/* Behind the word at `at` and the one character after it. */
static const char *word_end(const struct rest *rest, const char *at)
{
	while (at < rest->end && is_letter(*at))
		at++;
	return at < rest->end ? at + 1 : at;
}

static bool word_is(const struct rest *a, const char *at_a, const struct rest *b, const char *at_b)
{
	size_t len = (size_t)(word_end(a, at_a) - at_a);
	return len > 0 && len == (size_t)(word_end(b, at_b) - at_b) && memcmp(at_a, at_b, len) == 0;
}

/* Two words that are followed by the same mark within an argument, as parts of a path are, stand for each
 * other. */
static bool words_pair(const char *end, const char *model_end)
{
	char mark = end[-1];
	return mark == model_end[-1] && mark != '\0' && mark != ' ' && !is_letter(mark);
}

/* The pair of words nearest ahead that agree; where they begin. The ends, when there is none near. */
static void words_agree(const struct rest *text, const struct rest *model, const char **at,
			const char **model_at)
{
	const char *words[WORDS_AHEAD], *model_words[WORDS_AHEAD];
	for (size_t n = 0; n < WORDS_AHEAD; n++) {
		words[n] = *at;
		model_words[n] = *model_at;
		for (size_t i = 0; i <= n; i++) {
			const char *word = words[n - i], *model_word = model_words[i];
			if (word_is(text, word, model, model_word) ||
			    (word == text->end && model_word == model->end)) {
				*at = word;
				*model_at = model_word;
				return;
			}
		}
		*at = word_end(text, *at);
		*model_at = word_end(model, *model_at);
	}
	*at = text->end;
	*model_at = model->end;
}

/* What stands in place of what, up to where both go on alike. */
static struct turn turn_find(const struct rest *text, const struct rest *model)
{
	const char *at = word_end(text, text->at), *model_at = word_end(model, model->at);
	bool pair = model_at > model->at && words_pair(at, model_at);
	if (pair) /* the mark itself stays */
		at--, model_at--;
	else
		words_agree(text, model, &at, &model_at);
	return (struct turn){model->at, text->at, (size_t)(model_at - model->at), (size_t)(at - text->at)};
}

static bool turn_is(const struct turn *a, const struct turn *b)
{
	return a->old_len == b->old_len && a->new_len == b->new_len &&
	       memcmp(a->old, b->old, a->old_len) == 0 && memcmp(a->new, b->new, a->new_len) == 0;
}

static void turn_put(struct buf *out, const struct turn *turn, struct turn *known, size_t *n_known)
{
	for (size_t i = 0; i < *n_known; i++)
		if (turn_is(turn, &known[i])) {
			put_varint(out, CODE_FIRST + i);
			return;
		}
	put_varint(out, CODE_NEW);
	put_varint(out, turn->old_len);
	put_bytes(out, turn->new, turn->new_len);
	if (*n_known < RETELL_TURNS_MAX)
		known[(*n_known)++] = *turn;
}

/* How many bytes are the same, in whole words: so what differs does not depend on the chance that two names
 * begin alike. */
static size_t same_words(const struct rest *text, const struct rest *model)
{
	size_t n = 0;
	size_t max = (size_t)(text->end - text->at), model_len = (size_t)(model->end - model->at);
	if (max > model_len)
		max = model_len;
	while (n + 64 <= max && memcmp(text->at + n, model->at + n, 64) == 0)
		n += 64;
	while (n < max && text->at[n] == model->at[n])
		n++;
	if (text->at + n == text->end)
		return n;
	while (n > 0 && is_letter(text->at[n - 1]))
		n--;
	return n;
}

void retell_put(struct buf *out, const char *text, size_t len, struct scan model)
{
	struct turn known[RETELL_TURNS_MAX];
	size_t n_known = 0;
	struct rest rest = {text, text + len};
	struct rest model_rest = {(const char *)model.at, (const char *)model.end};
	for (;;) {
		size_t same = same_words(&rest, &model_rest);
		put_varint(out, same);
		rest.at += same;
		model_rest.at += same;
		if (rest.at == rest.end)
			break;
		struct turn turn = turn_find(&rest, &model_rest);
		turn_put(out, &turn, known, &n_known);
		rest.at += turn.new_len;
		model_rest.at += turn.old_len;
	}
	put_varint(out, CODE_END);
}

/* Hearing */

struct heard {
	size_t skip, at, len; /* bytes of the model passed over; the bytes instead, in the text */
};

static void scan_spoil(struct scan *scan)
{
	scan->bad = true;
	scan->at = scan->end;
}

static void add_from_itself(struct buf *text, size_t at, size_t len)
{
	char *to = buf_reserve(text, len);
	memcpy(to, text->data + at, len);
	text->len += len;
}

void retell_get(struct scan *scan, struct scan model, struct buf *text, size_t max)
{
	struct heard known[RETELL_TURNS_MAX];
	size_t n_known = 0;
	buf_clear(text);
	while (!scan->bad) {
		size_t same = get_bounded(scan, scan_left(&model));
		uint64_t code = get_bounded(scan, CODE_FIRST + n_known - 1);
		struct heard turn = {.at = text->len + same};
		if (scan->bad || turn.at > max)
			break;
		buf_add(text, get_raw(&model, same), same);
		if (code == CODE_END)
			return;
		if (code == CODE_NEW) {
			turn.skip = get_bounded(scan, scan_left(&model));
			const uint8_t *bytes = get_bytes(scan, max - text->len, &turn.len);
			if (scan->bad)
				break;
			buf_add(text, bytes, turn.len);
			if (n_known < RETELL_TURNS_MAX)
				known[n_known++] = turn;
		} else {
			turn = known[code - CODE_FIRST];
			if (turn.skip > scan_left(&model) || turn.len > max - text->len)
				break;
			add_from_itself(text, turn.at, turn.len);
		}
		model.at += turn.skip;
	}
	scan_spoil(scan);
}
