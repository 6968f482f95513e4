/* SPDX-License-Identifier: MIT
 *
 * The table of what command lines mean to an engineer. A line is a name of a program and how its arguments
 * are read; a new tool is a new line. Programs that only run another (shells, env, ccache, sudo) take the
 * step of that one. What is not in the table is a step of its own, by its name. Pure, and bounded: lines are
 * foreign, they may be megabytes, and no text at all.
 */
#include "step_read.h"

#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES 65536
#define DEPTH_MAX      6 /* of programs that run programs; each shell takes STEP_SCRIPT_MAX of stack */

static const struct step_rule rules[] = {
	{"gcc", .read = step_read_compile, .cross = true},
	{"g++", .read = step_read_compile, .cross = true},
	{"cc", .read = step_read_compile, .cross = true},
	{"c++", .read = step_read_compile, .cross = true},
	{"c89", .read = step_read_compile},
	{"c99", .read = step_read_compile},
	{"clang", .read = step_read_compile, .cross = true},
	{"clang++", .read = step_read_compile, .cross = true},
	{"tcc", .read = step_read_compile},
	{"icx", .read = step_read_compile},
	{"icpx", .read = step_read_compile},
	{"nvcc", .read = step_read_compile},
	{"gfortran", .read = step_read_compile, .cross = true},
	{"gnatgcc", .read = step_read_compile},
	{"gdc", .read = step_read_compile, .cross = true},
	{"ldc2", .read = step_read_compile},
	{"ghc", .read = step_read_compile},
	{"cc1", .read = step_read_compile_only},
	{"cc1plus", .read = step_read_compile_only},
	{"cc1obj", .read = step_read_compile_only},
	{"f951", .read = step_read_compile_only},
	{"gnat1", .read = step_read_compile_only},
	{"d21", .read = step_read_compile_only},
	{"cpp", .read = step_read_compile_only, .cross = true},
	{"as", .read = step_read_assemble, .cross = true},
	{"nasm", .read = step_read_assemble},
	{"yasm", .read = step_read_assemble},
	{"collect2", .read = step_read_link},
	{"ld", .read = step_read_link, .cross = true},
	{"ld.bfd", .read = step_read_link, .cross = true},
	{"ld.gold", .read = step_read_link, .cross = true},
	{"gold", .read = step_read_link},
	{"ld.lld", .read = step_read_link},
	{"lld", .read = step_read_link},
	{"mold", .read = step_read_link},
	{"ld.mold", .read = step_read_link},
	{"ar", .read = step_read_archive, .cross = true},
	{"gcc-ar", .read = step_read_archive, .cross = true},
	{"llvm-ar", .read = step_read_archive},
	{"ranlib", .read = step_read_archive, .cross = true},
	{"gcc-ranlib", .read = step_read_archive, .cross = true},
	{"rustc", .read = step_read_rustc},
	{"clippy-driver", .read = step_read_rustc},
	{"rustdoc", .read = step_read_rustc},
	{"javac", .read = step_read_javac},
	{"kotlinc", .read = step_read_javac},
	{"scalac", .read = step_read_javac},
	{"java", .read = step_read_java},
	{"compile", .read = step_read_go},
	{"asm", .read = step_read_go},
	{"link", .read = step_read_go},
	{"make", .read = step_read_make},
	{"gmake", .read = step_read_make},
	{"remake", .read = step_read_make},
	{"ninja", .read = step_read_frame},
	{"samu", .read = step_read_frame},
	{"cargo", .read = step_read_frame},
	{"go", .read = step_read_frame},
	{"bazel", .read = step_read_frame},
	{"dpkg-buildpackage", .read = step_read_frame},
	{"meson", .read = step_read_meson},
	{"cmake", .read = step_read_cmake},
	{"configure", .read = step_read_configure},
	{"config.status", .read = step_read_configure},
	{"rules", .read = step_read_debian},
	{"dh", .read = step_read_debian},
	{"dh_auto_configure", .read = step_read_debian},
	{"dh_auto_build", .read = step_read_debian},
	{"dh_auto_test", .read = step_read_debian},
	{"dh_auto_install", .read = step_read_debian},
	{"dh_auto_clean", .read = step_read_debian},
	{"sh", .read = step_read_shell},
	{"bash", .read = step_read_shell},
	{"dash", .read = step_read_shell},
	{"ash", .read = step_read_shell},
	{"ksh", .read = step_read_shell},
	{"zsh", .read = step_read_shell},
	{"busybox", .read = step_read_wrapper},
	{"python", .read = step_read_interpreter, .valued = "WXQ"},
	{"python2", .read = step_read_interpreter, .valued = "WXQ"},
	{"python3", .read = step_read_interpreter, .valued = "WXQ"},
	{"pypy3", .read = step_read_interpreter, .valued = "WXQ"},
	{"perl", .read = step_read_interpreter, .valued = "IMm"},
	{"ruby", .read = step_read_interpreter, .valued = "Ir"},
	{"node", .read = step_read_interpreter, .valued = "r"},
	{"php", .read = step_read_interpreter, .valued = "d"},
	{"tclsh", .read = step_read_interpreter},
	{"env", .read = step_read_wrapper, .valued = "uCS"},
	{"nice", .read = step_read_wrapper, .valued = "n"},
	{"ionice", .read = step_read_wrapper, .valued = "cnp"},
	{"chrt", .read = step_read_wrapper, .skip = 1},
	{"taskset", .read = step_read_wrapper, .skip = 1},
	{"time", .read = step_read_wrapper, .valued = "fo"},
	{"timeout", .read = step_read_wrapper, .valued = "ks", .skip = 1},
	{"nohup", .read = step_read_wrapper},
	{"setsid", .read = step_read_wrapper},
	{"stdbuf", .read = step_read_wrapper, .valued = "ioe"},
	{"sudo", .read = step_read_wrapper, .valued = "ugCDhpRrTtU"},
	{"doas", .read = step_read_wrapper, .valued = "Cu"},
	{"chroot", .read = step_read_wrapper, .skip = 1},
	{"unshare", .read = step_read_wrapper, .valued = "SGRw"},
	{"flock", .read = step_read_wrapper, .valued = "wE", .skip = 1},
	{"fakeroot", .read = step_read_wrapper, .valued = "lsibf"},
	{"fakeroot-sysv", .read = step_read_wrapper, .valued = "lsibf"},
	{"fakeroot-tcp", .read = step_read_wrapper, .valued = "lsibf"},
	{"eatmydata", .read = step_read_wrapper},
	{"ccache", .read = step_read_wrapper},
	{"sccache", .read = step_read_wrapper},
	{"distcc", .read = step_read_wrapper},
	{"icecc", .read = step_read_wrapper},
	{"libtool", .read = step_read_wrapper},
	{"libtool-ltmain", .read = step_read_wrapper},
	{"ltmain.sh", .read = step_read_wrapper},
	{"depcomp", .read = step_read_wrapper},
	{"strace", .read = step_read_wrapper, .valued = "eopsuEaPSXbI"},
	{"valgrind", .read = step_read_wrapper},
	{"wine", .read = step_read_wrapper},
};

/* "x86_64-linux-gnu-g++-12" is g++, "python3.11" python3, "clang-16" clang. */
static const struct step_rule *rule_of(struct step_word name)
{
	struct step_word plain = name, tool;
	const char *dash;
	size_t len = plain.len;

	if (len > 4 && strncasecmp(plain.at + len - 4, ".exe", 4) == 0)
		plain.len = len -= 4;
	while (len > 1 &&
	       ((plain.at[len - 1] >= '0' && plain.at[len - 1] <= '9') || plain.at[len - 1] == '.'))
		len--;
	tool = plain;
	if (len < plain.len && (plain.at[len - 1] == '-' || step_word_begins(plain, "python3.")))
		tool.len = plain.at[len - 1] == '-' ? len - 1 : strlen("python3");
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (step_word_is(plain, rules[i].name) || step_word_is(tool, rules[i].name))
			return &rules[i];
	dash = tool.len ? memrchr(tool.at, '-', tool.len) : NULL;
	if (!dash)
		return NULL;
	tool.len -= (size_t)(dash + 1 - tool.at);
	tool.at = dash + 1;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].cross && step_word_is(tool, rules[i].name))
			return &rules[i];
	return NULL;
}

void step_read_words(struct step_reading *reading, struct step_words *words)
{
	const struct step_rule *rule;
	struct step_word name;

	if (words->n == 0 || words->words[0].len == 0)
		return;
	name = step_word_base(words->words[0]);
	if (name.len > 1 && *name.at == '-') {
		name.at++;
		name.len--;
	}
	if (step_read_bitbake(reading, words->words[0]))
		return;
	rule = reading->depth < DEPTH_MAX ? rule_of(name) : NULL;
	if (!rule) {
		step_name_command(reading->step, words->words[0]);
		return;
	}
	reading->depth++;
	rule->read(reading, words, rule);
	reading->depth--;
}

/* A worker of bitbake calls itself "recipe:task" while it runs a task that is no script. */
static bool read_worker(struct step *step, const char *comm, const char *line, size_t len)
{
	const char *colon = strchr(comm, ':');

	if (!colon || colon == comm || !memmem(line, len, "bitbake", 7) || strncmp(colon, "://", 3) == 0)
		return false;
	step_name_set(step, STEP_TASK, STEP_HOLDS_ALL, (struct step_word){comm, (size_t)(colon + 1 - comm)});
	if (strncmp(colon + 1, "do_", 3) != 0)
		step_name_add(step, step_word_of("do_"));
	step_name_add(step, step_word_of(colon + 1));
	return true;
}

void step_of(struct step *step, const char *comm, const char *line, size_t len, const char *dir)
{
	struct step_reading reading = {.step = step, .dir = dir};
	struct step_words words;

	*step = (struct step){0};
	if (len > LINE_MAX_BYTES)
		len = LINE_MAX_BYTES;
	while (len > 0 && line[len - 1] == '\0')
		len--;
	if (len > 0 && read_worker(step, comm, line, len))
		return;
	step_words_split(&words, line, len);
	if (words.n > 0 && memmem(words.words[0].at, words.words[0].len, ":do_", 4)) { /* of buildstats */
		step_name_set(step, STEP_TASK, STEP_HOLDS_ALL, words.words[0]);
		return;
	}
	step_read_words(&reading, &words);
	if (step->kind == STEP_NONE && *comm)
		step_name_set(step, STEP_COMMAND, STEP_HOLDS_NONE, step_word_of(comm));
}
