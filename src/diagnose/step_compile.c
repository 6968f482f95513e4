/* SPDX-License-Identifier: MIT
 *
 * Knows the command lines of compilers, linkers and archivers: which word is the source, and which the
 * output.
 */
#include "step_read.h"

#include <string.h>

struct compile {
	struct step_word source, output;
	unsigned sources, inputs; /* inputs: that are no sources */
	bool only;		  /* compiles and does not link */
	bool more;		  /* there are words the table does not read: "@file" */
};

static bool takes_value(struct step_word word)
{
	static const char options[] =
		"-x -I -D -U -L -l -include -imacros -isystem -idirafter -iquote -iprefix -MF "
		"-MT -MQ -Xlinker -Xassembler -Xpreprocessor -T -u -z -e --param -G -target "
		"-arch -Xclang -mllvm -framework -isysroot -dumpbase -dumpdir -auxbase "
		"-dumpbase-ext -imultiarch -imultilib -B -A -auxbase-strip -R -h -wrapper -m "
		"-plugin -dynamic-linker -soname -rpath -rpath-link -main-file-name "
		"-resource-dir -fdebug-compilation-dir -internal-isystem "
		"-internal-externc-isystem -triple -target-cpu -ccbin -include-pch";

	return step_word_in(word, options);
}

static void compile_read(struct compile *compile, const struct step_words *words)
{
	static const char sources[] =
		".c .cc .cpp .cxx .c++ .C .CPP .m .mm .s .S .sx .i .ii .f .F .f90 .F90 .f95 "
		".f03 .f08 .for .d .adb .ads .cu .cp .go .vala .swift .zig .hs .ml .pas .asm "
		".h .hpp .hh .bc .ll";
	static const char only[] = "-c -S -E -M -MM -fsyntax-only -emit-obj";

	*compile = (struct compile){0};
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		compile->only |= step_word_in(word, only);
		if (step_word_is(word, "-o") && i + 1 < words->n)
			compile->output = words->words[++i];
		else if (step_word_begins(word, "-o") && word.len > 2 && word.at[2] != '-')
			compile->output = (struct step_word){word.at + 2, word.len - 2};
		else if (takes_value(word))
			i++;
		else if (step_word_in(word, "-MD -MMD") && i + 1 < words->n &&
			 step_word_ends(words->words[i + 1], ".d"))
			i++; /* cc1 has it so */
		else if (word.len && *word.at == '@')
			compile->more = true;
		else if (word.len == 0 || (*word.at == '-' && word.len > 1))
			continue;
		else if (step_name_has(word, sources)) {
			if (compile->sources++ == 0)
				compile->source = word;
		} else
			compile->inputs++;
	}
}

/* What configure, cmake and meson make to try the compiler. */
static bool is_try(const struct step_words *words, const struct compile *compile)
{
	struct step_word names[] = {step_word_base(compile->source), step_word_base(compile->output)};

	for (size_t i = 0; i < 2; i++)
		if (step_word_is(names[i], "conftest") || step_word_begins(names[i], "conftest.") ||
		    step_word_begins(names[i], "cmTC_") || step_word_begins(names[i], "CMakeCCompiler") ||
		    step_word_begins(names[i], "CMakeCXXCompiler") ||
		    step_word_begins(names[i], "sanitycheck"))
			return true;
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (memmem(word.at, word.len, "CMakeFiles/cmTC_", 16) ||
		    memmem(word.at, word.len, "CMakeScratch", 12) ||
		    memmem(word.at, word.len, "meson-private", 13))
			return true;
	}
	return false;
}

static void compile_name(const struct step_reading *reading, const struct step_words *words,
			 const struct compile *compile)
{
	struct step *step = reading->step;
	struct step_word output = step_name_path(reading, compile->output);

	if (step_word_is(output, "-"))
		output.len = 0;

	if (is_try(words, compile))
		step_name_set(step, STEP_TRY, STEP_HOLDS_ALL, step_word_of("conftest"));
	else if (compile->sources && (compile->only || compile->sources == 1 || !output.len)) {
		step_name_set(step, STEP_COMPILE, STEP_HOLDS_ALL, step_name_path(reading, compile->source));
	} else if (compile->only && output.len) /* from a pipe */
		step_name_set(step, STEP_COMPILE, STEP_HOLDS_ALL, output);
	else if (output.len)
		step_name_set(step, STEP_LINK, STEP_HOLDS_ALL, output);
	else if (!compile->only && (compile->inputs || compile->more))
		step_name_set(step, STEP_LINK, STEP_HOLDS_ALL, step_word_of("a.out"));
	else
		step_name_command(step, words->words[0]); /* asked for its version */
}

void step_read_compile(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct compile compile;

	(void)rule;
	compile_read(&compile, words);
	compile_name(reading, words, &compile);
}

/* cc1 and its like: one source, never a link. */
void step_read_compile_only(struct step_reading *reading, struct step_words *words,
			    const struct step_rule *rule)
{
	struct compile compile;

	(void)rule;
	compile_read(&compile, words);
	compile.only = true;
	compile_name(reading, words, &compile);
}

/* An assembler's source is mostly a compiler's scratch file, or a pipe. */
void step_read_assemble(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct compile compile;

	(void)rule;
	compile_read(&compile, words);
	compile.only = true;
	if (step_word_begins(compile.source, "/tmp/"))
		compile.sources = 0;
	compile_name(reading, words, &compile);
}

void step_read_link(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct compile compile;

	(void)rule;
	compile_read(&compile, words);
	compile.sources = 0;
	compile.only = false;
	compile_name(reading, words, &compile);
}

/* ar: "rcs libx.a …", "-rcs libx.a …"; ranlib: "libx.a". */
void step_read_archive(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	static const char archives[] = ".a .la .lib .rlib";

	(void)rule;
	for (size_t i = 1; i < words->n; i++)
		if (step_name_has(words->words[i], archives)) {
			step_name_set(reading->step, STEP_ARCHIVE, STEP_HOLDS_ALL,
				      step_name_path(reading, words->words[i]));
			return;
		}
	step_name_command(reading->step, words->words[0]);
}

void step_read_rustc(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	static const char sources[] = ".rs";
	struct step_word crate = step_words_value(words, "--crate-name"), source = {0};

	(void)rule;
	for (size_t i = 1; i < words->n && !source.len; i++)
		if (step_name_has(words->words[i], sources))
			source = words->words[i];
	if (!crate.len && source.len) {
		step_name_set(reading->step, STEP_CRATE, STEP_HOLDS_ALL, step_name_path(reading, source));
	} else if (!crate.len || step_word_is(crate, "___") || step_word_is(crate, "-")) {
		step_name_command(reading->step, words->words[0]);
	} else if (step_word_begins(crate, "build_script_")) {
		struct step_word path = source;

		path.len -= step_word_base(source).len + (path.len > step_word_base(source).len);
		path = step_name_plain(step_word_base(path));
		step_name_set(reading->step, STEP_CRATE, STEP_HOLDS_ALL, path);
		step_name_add(reading->step, step_word_of(path.len ? " build.rs" : "build.rs"));
	} else {
		step_name_set(reading->step, STEP_CRATE, STEP_HOLDS_ALL, crate);
		for (size_t i = 1; i < words->n; i++)
			if (step_word_is(words->words[i], "--test")) {
				step_name_add(reading->step, step_word_of(" (test)"));
				break;
			}
	}
}

void step_read_javac(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	static const char sources[] = ".java .kt .scala .groovy";
	struct step_word first = {0};
	unsigned n = 0;

	(void)rule;
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if ((step_name_has(word, sources) || (word.len > 1 && *word.at == '@')) && n++ == 0)
			first = word;
	}
	if (n == 0) {
		step_name_command(reading->step, words->words[0]);
		return;
	}
	step_name_set(reading->step, STEP_CLASS, STEP_HOLDS_ALL, step_name_path(reading, first));
	if (n > 1)
		step_name_add(reading->step, step_word_of(" ..."));
}

void step_read_java(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	static const char valued[] = "-cp -classpath --class-path -p --module-path --add-modules --add-opens "
				     "--add-exports --add-reads";

	(void)rule;
	for (size_t i = 1; i < words->n; i++) {
		struct step_word word = words->words[i];

		if (step_word_is(word, "-jar") && i + 1 < words->n) {
			step_name_set(reading->step, STEP_CLASS, STEP_HOLDS_REST,
				      step_word_base(words->words[i + 1]));
			return;
		}
		if (step_word_in(word, valued)) {
			i++;
		} else if (word.len && *word.at != '-' && *word.at != '@') {
			step_name_set(reading->step, STEP_CLASS, STEP_HOLDS_REST, word);
			return;
		}
	}
	step_name_command(reading->step, words->words[0]);
}

/* Go's own compile, asm and link; their names are too common to be told without the place they are in. */
void step_read_go(struct step_reading *reading, struct step_words *words, const struct step_rule *rule)
{
	struct step_word program = words->words[0], package = step_words_value(words, "-p");

	(void)rule;
	if (!memmem(program.at, program.len, "/tool/", 6))
		step_name_command(reading->step, program);
	else if (package.len)
		step_name_set(reading->step, STEP_PACKAGE, STEP_HOLDS_ALL, package);
	else
		step_read_link(reading, words, rule);
}
