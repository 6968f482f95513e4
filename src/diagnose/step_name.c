/* SPDX-License-Identifier: MIT
 *
 * How a step's name is made of words, always within its bounds.
 */
#include "step_read.h"

#include <string.h>

/* A longer name loses its front: the end of a path tells more. */
void step_name_set(struct step *step, enum step_kind kind, enum step_hold hold, struct step_word word)
{
	size_t room = sizeof step->name - 1;

	step->kind = kind;
	step->hold = hold;
	step->name[0] = '\0';
	if (word.len > room) {
		memcpy(step->name, "...", 3);
		memcpy(step->name + 3, word.at + word.len - (room - 3), room - 3);
		step->name[room] = '\0';
	} else if (word.len) {
		memcpy(step->name, word.at, word.len);
		step->name[word.len] = '\0';
	}
}

void step_name_add(struct step *step, struct step_word word)
{
	size_t len = strlen(step->name), room = sizeof step->name - 1 - len;

	if (word.len > room)
		word.len = room;
	memcpy(step->name + len, word.at, word.len);
	step->name[len + word.len] = '\0';
}

struct step_word step_word_of(const char *text)
{
	return (struct step_word){text, strlen(text)};
}

void step_name_command(struct step *step, struct step_word program)
{
	struct step_word base = step_word_base(program);

	if (base.len > 1 && *base.at == '-') { /* a login shell */
		base.at++;
		base.len--;
	}
	step_name_set(step, STEP_COMMAND, STEP_HOLDS_NONE, base);
}

/* As seen from the build's directory, without "./" and "../". */
struct step_word step_name_path(const struct step_reading *reading, struct step_word path)
{
	size_t dir_len = reading->dir ? strlen(reading->dir) : 0;

	if (dir_len > 1 && path.len > dir_len + 1 && memcmp(path.at, reading->dir, dir_len) == 0 &&
	    path.at[dir_len] == '/') {
		path.at += dir_len + 1;
		path.len -= dir_len + 1;
	}
	while (path.len > 2 && (step_word_begins(path, "./") || step_word_begins(path, "../"))) {
		size_t n = path.at[1] == '/' ? 2 : 3;

		path.at += n;
		path.len -= n;
	}
	return path;
}

/* "hello-2.10" without what follows the name. */
struct step_word step_name_plain(struct step_word word)
{
	for (size_t i = 1; i + 1 < word.len; i++)
		if ((word.at[i] == '-' || word.at[i] == '_') && word.at[i + 1] >= '0' &&
		    word.at[i + 1] <= '9')
			return (struct step_word){word.at, i};
	return word;
}

bool step_name_has(struct step_word word, const char *suffixes)
{
	struct step_word base = step_word_base(word);
	const char *dot = base.len ? memrchr(base.at + 1, '.', base.len - 1) : NULL;

	return dot && step_word_in((struct step_word){dot, (size_t)(base.at + base.len - dot)}, suffixes);
}
