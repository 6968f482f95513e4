/* SPDX-License-Identifier: MIT
 *
 * What the readers of command lines share: the names they give, and the line of the table that brought them.
 * A reader gets the words from the program's name on and fills the step; without one the step stays
 * STEP_NONE.
 */
#ifndef DIAGNOSE_STEP_READ_H
#define DIAGNOSE_STEP_READ_H

#include <stdbool.h>

#include "step.h"
#include "step_words.h"

struct step_reading {
	struct step *step;
	const char *dir;
	unsigned depth; /* of programs that run programs */
};

struct step_rule;
typedef void step_read(struct step_reading *reading, struct step_words *words, const struct step_rule *rule);

struct step_rule {
	const char *name;
	step_read *read;
	const char *valued; /* wrappers: letters of options whose value is the next word */
	unsigned skip;	    /* wrappers: words of theirs that are no options */
	bool cross;	    /* may stand behind "x86_64-linux-gnu-" */
};

void step_read_words(struct step_reading *reading, struct step_words *words);

/* The last bytes of a longer name. */
void step_name_set(struct step *step, enum step_kind kind, enum step_hold hold, struct step_word word);
void step_name_add(struct step *step, struct step_word word);
void step_name_command(struct step *step, struct step_word program);
/* As seen from the build's directory, without "./" and "../". */
struct step_word step_name_path(const struct step_reading *reading, struct step_word path);
/* "hello-2.10" without what follows the name. */
struct step_word step_name_plain(struct step_word word);
/* suffixes: parted by blanks, each with its dot. */
bool step_name_has(struct step_word word, const char *suffixes);
struct step_word step_word_of(const char *text);

/* step_compile.c */
step_read step_read_compile;
step_read step_read_compile_only;
step_read step_read_assemble;
step_read step_read_link;
step_read step_read_archive;
step_read step_read_rustc;
step_read step_read_javac;
step_read step_read_java;
step_read step_read_go;

/* step_run.c */
step_read step_read_shell;
step_read step_read_wrapper;
step_read step_read_interpreter;
step_read step_read_make;
step_read step_read_frame;
step_read step_read_debian;
step_read step_read_configure;
step_read step_read_cmake;
step_read step_read_meson;
bool step_read_bitbake(struct step_reading *reading, struct step_word script);

#endif
