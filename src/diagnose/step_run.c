/* SPDX-License-Identifier: MIT
 *
 * Knows the command lines of those that run others: shells, wrappers, interpreters, makes, packagings,
 * bitbake.
 */
#include "step_read.h"

#include <string.h>

static unsigned number_of(struct step_word word)
{
	unsigned value = 0;

	for (size_t i = 0; i < word.len && value < 100000; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return 0;
		value = value * 10 + (unsigned)(word.at[i] - '0');
	}
	return value;
}

/* make, ninja and the like are the frame of the steps and none themselves, but for their own time. */
void step_read_frame(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	(void)rule;
	step_name_command(reading->step, words->words[0]);
	reading->step->frame = true;
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if ((step_word_is(word, "-j") || step_word_is(word, "--jobs")) && i + 1 < words->n)
			reading->step->jobs = number_of(words->words[i + 1]);
		else if (step_word_begins(word, "-j"))
			reading->step->jobs = number_of((struct step_word){word.at + 2, word.len - 2});
		else if (step_word_begins(word, "--jobs="))
			reading->step->jobs = number_of((struct step_word){word.at + 7, word.len - 7});
	}
}

/* A package has its name from its directory; nothing on the command line tells it. */
static void name_phase(struct step_reading *reading, struct step_word phase)
{
	struct step_word package = {0};

	if (reading->dir)
		package = step_name_plain(step_word_base(step_word_of(reading->dir)));
	step_name_set(reading->step, STEP_PHASE, STEP_HOLDS_REST, package);
	if (package.len)
		step_name_add(reading->step, step_word_of(":"));
	step_name_add(reading->step, phase);
}

/* "debian/rules build", by itself or by make -f; "dh build". */
void step_read_debian(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	static const char auto_prefix[] = "dh_auto_";
	struct step_word program = step_word_base(words->words[0]);

	(void)rule;
	if (step_word_begins(program, auto_prefix)) {
		program.at += sizeof auto_prefix - 1;
		program.len -= sizeof auto_prefix - 1;
		name_phase(reading, program);
		return;
	}
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (word.len && *word.at != '-' && !step_word_ends(word, "debian/rules") &&
		    !memchr(word.at, '=', word.len)) {
			name_phase(reading, word);
			return;
		}
	}
	step_name_command(reading->step, words->words[0]);
}

void step_read_make(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	if (step_word_ends(step_words_value(words, "-f"), "debian/rules"))
		step_read_debian(reading, words, rule);
	else
		step_read_frame(reading, words, rule);
}

void step_read_configure(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	(void)rule;
	step_name_set(reading->step, STEP_PHASE, STEP_HOLDS_REST, step_name_path(reading, words->words[0]));
}

/* "cmake -S . -B build" configures; --build is a frame; "-E …" a command. */
void step_read_cmake(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	for (size_t i = 1; i < words->n; i++) {
		if (step_word_is(words->words[i], "--build") || step_word_is(words->words[i], "--install")) {
			step_read_frame(reading, words, rule);
			return;
		}
		if (step_word_is(words->words[i], "-E") || step_word_is(words->words[i], "-P")) {
			step_name_command(reading->step, words->words[0]);
			return;
		}
	}
	step_name_set(reading->step, STEP_PHASE, STEP_HOLDS_REST, step_word_of("cmake"));
}

void step_read_meson(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	if (words->n > 1 && step_word_is(words->words[1], "setup"))
		step_name_set(reading->step, STEP_PHASE, STEP_HOLDS_REST, step_word_of("meson setup"));
	else
		step_read_frame(reading, words, rule);
}

/* ".../work/ARCH/RECIPE/VERSION/temp/run.do_compile.1234" */
bool step_read_bitbake(struct step_reading *reading, struct step_word script)
{
	struct step_word base = step_word_base(script), recipe = {0};
	const char *dot;
	unsigned above = 0;

	if (!step_word_begins(base, "run.do_"))
		return false;
	dot = memchr(base.at + 4, '.', base.len - 4);
	base = (struct step_word){base.at + 4, dot ? (size_t)(dot - base.at - 4) : base.len - 4};
	for (const char *at = base.at - 4, *end = at; at > script.at; at--)
		if (at[-1] == '/') {
			if (above == 3)
				recipe = (struct step_word){at, (size_t)(end - at)};
			end = at - 1;
			above++;
		}
	step_name_set(reading->step, STEP_TASK, STEP_HOLDS_ALL, recipe);
	if (recipe.len)
		step_name_add(reading->step, step_word_of(":"));
	step_name_add(reading->step, base);
	return true;
}

/* The text of "sh -c": the command in it that says most. One with several jobs is a frame. */
static void read_script(struct step_reading *reading, struct step_word text)
{
	const char *at = text.at, *end = text.at + text.len;
	struct step best = {0}, *step = reading->step;
	unsigned jobs = 0, several = 0;

	for (unsigned n = 0; at && at < end && n < 64; n++) {
		char out[STEP_SCRIPT_MAX];
		struct step_words words;
		size_t len;

		at = step_words_command(at, end, out, &len);
		if (!at)
			break;
		step_words_split(&words, out, len);
		*step = (struct step){0};
		step_read_words(reading, &words);
		jobs = step->jobs > jobs ? step->jobs : jobs;
		several += step->frame || step->hold != STEP_HOLDS_NONE;
		if (step->kind != STEP_NONE && !strchr(step->name, '$') &&
		    (best.kind == STEP_NONE || step->hold > best.hold))
			best = *step;
	}
	*step = several > 1 ? (struct step){.frame = true} : best;
	step->jobs = jobs;
	if (step->hold == STEP_HOLDS_ALL) /* a job below tells by itself */
		step->hold = STEP_HOLDS_REST;
}

void step_read_shell(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct step_word shell = words->words[0];
	bool text = false;
	size_t i = 1;

	(void)rule;
	for (; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (word.len < 2 || (*word.at != '-' && *word.at != '+'))
			break;
		text |= *word.at == '-' && word.at[1] != '-' && memchr(word.at, 'c', word.len);
		if (word.at[word.len - 1] == 'o' && word.at[1] != '-') /* "-o pipefail" */
			i++;
	}
	if (i < words->n && text) {
		read_script(reading, words->words[i]);
	} else if (i < words->n && !step_read_bitbake(reading, words->words[i])) {
		step_words_shift(words, i);
		step_read_words(reading, words);
	}
	if (reading->step->kind == STEP_NONE)
		step_name_command(reading->step, shell);
}

/* env, nice, ccache, libtool: words of their own, then the command. A name alone is itself. */
void step_read_wrapper(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct step_word program = words->words[0];
	unsigned skip = rule->skip;
	size_t i = 1;

	for (; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (step_word_is(word, "--")) {
			i++;
			break;
		}
		if (word.len > 1 && *word.at == '-') {
			if (word.len == 2 && rule->valued && strchr(rule->valued, word.at[1]))
				i++;
		} else if (!memchr(word.at, '=', word.len) && skip-- == 0) {
			break;
		}
	}
	if (i >= words->n) {
		step_name_command(reading->step, program);
		return;
	}
	step_words_shift(words, i);
	step_read_words(reading, words);
}

/* python3 x.py, perl -w x.pl, node x.js; "-m module"; "-c" and "-e" text is none of ours. */
void step_read_interpreter(struct step_reading *reading, struct step_words *words,
			   const struct step_rule *rule)
{
	struct step_word program = words->words[0];

	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (word.len > 1 && *word.at == '-') {
			char letter = word.at[1];

			if (step_word_is(word, "-m") && i + 1 < words->n) {
				step_name_set(reading->step, STEP_COMMAND, STEP_HOLDS_NONE,
					      words->words[i + 1]);
				return;
			}
			if (letter == 'c' || letter == 'e' || letter == 'E')
				break;
			if (word.len == 2 && rule->valued && strchr(rule->valued, letter))
				i++;
			continue;
		}
		step_words_shift(words, i);
		step_read_words(reading, words);
		return;
	}
	step_name_command(reading->step, program);
}
