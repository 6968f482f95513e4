/* SPDX-License-Identifier: MIT
 *
 * A command line as words, of bounded number.
 */
#ifndef DIAGNOSE_STEP_WORDS_H
#define DIAGNOSE_STEP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define STEP_WORDS_MAX	256  /* of a longer line the first and the last half of so many */
#define STEP_SCRIPT_MAX 8192 /* bytes of a shell's text that are read */

struct step_word {
	const char *at; /* not terminated */
	size_t len;
};

struct step_words {
	struct step_word words[STEP_WORDS_MAX];
	size_t n;
};

void step_words_split(struct step_words *words, const char *line, size_t len);
void step_words_shift(struct step_words *words, size_t n); /* drops the first n */

/* The word behind an option, or in it behind "="; empty: none. */
struct step_word step_words_value(const struct step_words *words, const char *option);

bool step_word_is(struct step_word word, const char *text);
bool step_word_in(struct step_word word, const char *list); /* of words parted by blanks */
bool step_word_begins(struct step_word word, const char *text);
bool step_word_ends(struct step_word word, const char *text);
struct step_word step_word_base(struct step_word word); /* behind the last '/' */

/*
 * The next simple command of a shell's text: its words, unquoted, joined by NUL bytes, without assignments,
 * keywords and redirections, in out (STEP_SCRIPT_MAX bytes). Gives what is behind it; NULL: there is none.
 */
const char *step_words_command(const char *text, const char *end, char *out, size_t *len);

#endif
