/* SPDX-License-Identifier: MIT
 *
 * Steps in words: command lines as real builds have them, and what an engineer calls the job. Words are
 * parted by single blanks here, and "|" begins the text of a shell, which is one word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "step.h"

#define DIR "/home/u/hello-2.10"

static const struct {
	const char *line, *kind, *name;
	enum step_hold hold;
} told[] = {
	/* compilers */
	{"gcc -DHAVE_CONFIG_H -I. -Iinclude -g -O2 -MT tty.o -MD -MP -MF .deps/tty.Tpo -c -o tty.o tty.c",
	 "compile", "tty.c", STEP_HOLDS_ALL},
	{"cc -c -Wall ./src/main.c", "compile", "src/main.c", STEP_HOLDS_ALL},
	{"x86_64-linux-gnu-g++-12 -std=c++17 -o build/a.o -c ../lib/a.cpp", "compile", "lib/a.cpp",
	 STEP_HOLDS_ALL},
	{"/usr/bin/clang-16 -O2 -c -o x.o " DIR "/src/x.c", "compile", "src/x.c", STEP_HOLDS_ALL},
	{"/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -I . -imultiarch x86_64-linux-gnu -MD tty.d -MF "
	 ".deps/tty.Tpo "
	 "-D HAVE_CONFIG_H tty.c -quiet -dumpdir - -dumpbase tty.c -dumpbase-ext .c -mtune=generic -O2 -o "
	 "/tmp/ccX.s",
	 "compile", "tty.c", STEP_HOLDS_ALL},
	{"as -I . --64 -o tty.o /tmp/ccAbC1.s", "compile", "tty.o", STEP_HOLDS_ALL},
	{"as --64 -o start.o arch/start.s", "compile", "arch/start.s", STEP_HOLDS_ALL},
	{"/usr/lib/llvm-16/bin/clang -cc1 -triple x86_64-pc-linux-gnu -emit-obj -main-file-name x.c "
	 "-target-cpu x86-64 "
	 "-o x.o -x c x.c",
	 "compile", "x.c", STEP_HOLDS_ALL},
	{"gcc -O2 hello.c -o hello", "compile", "hello.c", STEP_HOLDS_ALL},
	{"gcc -E -o - -", "command", "gcc", STEP_HOLDS_NONE},
	{"gcc --version", "command", "gcc", STEP_HOLDS_NONE},
	{"gcc -dumpmachine", "command", "gcc", STEP_HOLDS_NONE},
	/* links */
	{"gcc -g -O2 -o tmux alerts.o tty.o -lutil -lm", "link", "tmux", STEP_HOLDS_ALL},
	{"/usr/lib/gcc/x86_64-linux-gnu/12/collect2 -plugin /usr/lib/liblto_plugin.so -dynamic-linker "
	 "/lib64/ld.so -o "
	 "tmux /usr/lib/crt1.o alerts.o",
	 "link", "tmux", STEP_HOLDS_ALL},
	{"/usr/bin/ld.gold -m elf_x86_64 -shared -o libx.so.1 a.o", "link", "libx.so.1", STEP_HOLDS_ALL},
	{"mold a.o", "link", "a.out", STEP_HOLDS_ALL},
	{"ar rcs lib/libz.a a.o b.o", "archive", "lib/libz.a", STEP_HOLDS_ALL},
	{"x86_64-linux-gnu-gcc-ar cr libq.a q.o", "archive", "libq.a", STEP_HOLDS_ALL},
	{"ranlib libz.a", "archive", "libz.a", STEP_HOLDS_ALL},
	/* configure scripts */
	{"/bin/sh ./configure --prefix=/usr", "phase", "configure", STEP_HOLDS_REST},
	{"gcc -o conftest -g -O2 conftest.c -lm", "try", "conftest", STEP_HOLDS_ALL},
	{"/usr/bin/cc -o CMakeFiles/cmTC_12ab.dir/CMakeCCompilerABI.c.o -c "
	 "/usr/share/cmake/CMakeCCompilerABI.c",
	 "try", "conftest", STEP_HOLDS_ALL},
	{"cmake -S . -B build", "phase", "cmake", STEP_HOLDS_REST},
	/* frames */
	{"make -j2 all", "command", "make", STEP_HOLDS_NONE},
	{"ninja -C build", "command", "ninja", STEP_HOLDS_NONE},
	{"cmake --build build -j 4", "command", "cmake", STEP_HOLDS_NONE},
	{"/usr/bin/perl /usr/bin/dpkg-buildpackage -us -uc -b", "command", "dpkg-buildpackage",
	 STEP_HOLDS_NONE},
	/* who runs another */
	{"/bin/sh -c |gcc -DX -c -o a.o `test -f 'a.c' || echo './'`a.c && mv -f a.Tpo a.Po", "compile",
	 "a.c", STEP_HOLDS_REST},
	{"/bin/bash -ec |cd sub; CC=gcc exec make all", "command", "make", STEP_HOLDS_NONE},
	{"sh -c |for f in a b; do ./tool \"$f\" >/dev/null 2>&1; done", "command", "tool", STEP_HOLDS_NONE},
	{"sh -c |for f in *.c; do gcc -c $f; done", "command", "gcc", STEP_HOLDS_NONE},
	{"sh -c |./configure && make -j4", "command", "sh", STEP_HOLDS_NONE},
	{"sh -c |cc -c a.c; cc -c b.c", "command", "sh", STEP_HOLDS_NONE},
	{"sh -c |echo hello >x", "command", "sh", STEP_HOLDS_NONE},
	{"sh -c |sed -e 's;a;b;' <in >out", "command", "sed", STEP_HOLDS_NONE},
	{"bash -o pipefail -c |if test -f y; then ld -o y y.o; fi", "link", "y", STEP_HOLDS_REST},
	{"/bin/bash ./libtool --tag=CC --mode=compile gcc -O2 -c -o x.lo src/x.c", "compile", "src/x.c",
	 STEP_HOLDS_ALL},
	{"/bin/bash ../libtool --silent --mode=link gcc -o libx.la x.lo", "link", "libx.la", STEP_HOLDS_ALL},
	{"ccache gcc -c b.c -o b.o", "compile", "b.c", STEP_HOLDS_ALL},
	{"/usr/bin/env FOO=1 nice -n 10 distcc cc -c b.c", "compile", "b.c", STEP_HOLDS_ALL},
	{"time -f %e timeout -k 5 60 cc -c b.c", "compile", "b.c", STEP_HOLDS_ALL},
	{"sudo -u nobody make", "command", "make", STEP_HOLDS_NONE},
	{"python3.11 -u tools/gen.py --out x", "command", "gen.py", STEP_HOLDS_NONE},
	{"python3 -m pytest -q", "command", "pytest", STEP_HOLDS_NONE},
	{"python3 -c import", "command", "python3", STEP_HOLDS_NONE},
	{"/usr/bin/perl -w /usr/bin/dh_strip -a", "command", "dh_strip", STEP_HOLDS_NONE},
	{"env", "command", "env", STEP_HOLDS_NONE},
	{"-bash", "command", "bash", STEP_HOLDS_NONE},
	/* packages */
	{"/usr/bin/make -f debian/rules binary", "phase", "hello:binary", STEP_HOLDS_REST},
	{"/usr/bin/perl -w /usr/bin/dh build --parallel", "phase", "hello:build", STEP_HOLDS_REST},
	{"/usr/bin/perl -w /usr/bin/dh_auto_configure", "phase", "hello:configure", STEP_HOLDS_REST},
	{"/bin/sh /usr/bin/fakeroot debian/rules clean", "phase", "hello:clean", STEP_HOLDS_REST},
	/* bitbake */
	{"/bin/sh /b/tmp/work/core2-64-poky-linux/zlib/1.3.1/temp/run.do_compile.4242", "task",
	 "zlib:do_compile", STEP_HOLDS_ALL},
	{"busybox:do_fetch busybox-1.36-r0", "task", "busybox:do_fetch", STEP_HOLDS_ALL},
	/* other languages */
	{"rustc --crate-name serde --edition=2021 /r/serde-1.0.200/src/lib.rs --crate-type lib "
	 "--emit=dep-info,link",
	 "crate", "serde", STEP_HOLDS_ALL},
	{"rustc --crate-name build_script_build /r/serde-1.0.200/build.rs", "crate", "serde build.rs",
	 STEP_HOLDS_ALL},
	{"rustc --crate-name build_script_build --edition=2021 build.rs", "crate", "build.rs",
	 STEP_HOLDS_ALL},
	{"/usr/bin/rustc --crate-name app --test src/main.rs", "crate", "app (test)", STEP_HOLDS_ALL},
	{"rustc -vV", "command", "rustc", STEP_HOLDS_NONE},
	{"rustc - --crate-name ___ --print=file-names", "command", "rustc", STEP_HOLDS_NONE},
	{"javac -d out src/A.java src/B.java", "class", "src/A.java ...", STEP_HOLDS_ALL},
	{"java -Xmx2g -cp a.jar:b.jar com.example.Main --x", "class", "com.example.Main", STEP_HOLDS_REST},
	{"java -jar /opt/tool.jar x", "class", "tool.jar", STEP_HOLDS_REST},
	{"/usr/lib/go/pkg/tool/linux_amd64/compile -o /tmp/b001/_pkg_.a -trimpath /tmp -p net/http -std",
	 "package", "net/http", STEP_HOLDS_ALL},
	{"/usr/bin/link a b", "command", "link", STEP_HOLDS_NONE},
	/* unknown */
	{"/opt/x/frobnicate --all", "command", "frobnicate", STEP_HOLDS_NONE},
};

/* As the kernel gives it. */
static size_t line_of(char *out, const char *text)
{
	size_t len = strlen(text);
	char *bar;

	memcpy(out, text, len + 1);
	bar = strstr(out, " |");
	for (size_t i = 0; i < len && (!bar || out + i <= bar); i++)
		if (out[i] == ' ')
			out[i] = '\0';
	if (bar) {
		memmove(bar + 1, bar + 2, len - (size_t)(bar + 1 - out));
		len--;
	}
	return len + 1;
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		char line[1024];
		struct step step;

		step_of(&step, "comm", line, line_of(line, told[i].line), DIR);
		if (strcmp(step.name, told[i].name) != 0 ||
		    strcmp(step_kinds[step.kind], told[i].kind) != 0 || step.hold != told[i].hold)
			fail_msg("%s: %s %s (holds %d), not %s %s (%d)", told[i].line, step_kinds[step.kind],
				 step.name, (int)step.hold, told[i].kind, told[i].name, (int)told[i].hold);
	}
}

static unsigned jobs_of(const char *text)
{
	char line[256];
	struct step step;

	step_of(&step, "make", line, line_of(line, text), NULL);
	return step.jobs;
}

static void test_jobs(void **state)
{
	(void)state;
	assert_int_equal(jobs_of("make -j8"), 8);
	assert_int_equal(jobs_of("make -j 12 all"), 12);
	assert_int_equal(jobs_of("gmake --jobs=3"), 3);
	assert_int_equal(jobs_of("make -j"), 0);
	assert_int_equal(jobs_of("make --jobserver-auth=3,4"), 0);
	assert_int_equal(jobs_of("sh -c |cd x && make -j4"), 4);
	assert_int_equal(jobs_of("ninja -j99999999999999999999"), 999999);
}

static void test_no_line(void **state)
{
	struct step step;

	(void)state;
	step_of(&step, "kworker", "", 0, NULL);
	assert_string_equal(step.name, "kworker");
	step_of(&step, "zlib:unpack", "bitbake-worker\0x", 16, NULL);
	assert_string_equal(step.name, "zlib:do_unpack");
	assert_int_equal(step.kind, STEP_TASK);
}

/* Megabytes of it, no text, quotes that never end, shells in shells. */
static void test_hostile(void **state)
{
	size_t len = 4 << 20;
	char *line = malloc(len);
	struct step step;

	(void)state;
	memset(line, 'x', len);
	memcpy(line, "gcc\0-c\0", 7);
	step_of(&step, "gcc", line, len, NULL);
	assert_int_equal(step.kind, STEP_COMMAND);
	for (size_t i = 0; i < len; i++)
		line[i] = (char)(i % 2 ? 0xff : 0);
	step_of(&step, "\033[31m", line, len, NULL);
	memcpy(line, "sh\0-c\0", 6);
	memset(line + 6, '`', len - 6);
	step_of(&step, "sh", line, len, NULL);
	memset(line + 6, '\'', len - 7);
	step_of(&step, "sh", line, len, NULL);
	for (size_t i = 0; i + 3 <= len; i += 3)
		memcpy(line + i, "sh", 3);
	step_of(&step, "sh", line, len, NULL);
	assert_string_equal(step.name, "sh");
	for (size_t i = 0; i < 2000; i++)
		memcpy(line + i * 4, "a.o", 4);
	memcpy(line, "gcc", 4);
	memcpy(line + 7992, "-o\0", 3);
	memcpy(line + 7995, "prog", 5);
	step_of(&step, "gcc", line, 8000, NULL);
	assert_string_equal(step.name, "prog");
	free(line);
}

static void test_long_name(void **state)
{
	char line[600];
	struct step step;

	(void)state;
	memcpy(line, "gcc\0-c\0", 7);
	memset(line + 7, 'd', 500);
	memcpy(line + 507, "/x.c", 5);
	step_of(&step, "gcc", line, 512, NULL);
	assert_int_equal(strlen(step.name), STEP_NAME_SIZE - 1);
	assert_memory_equal(step.name, "...ddd", 6);
	assert_string_equal(step.name + STEP_NAME_SIZE - 1 - 4, "/x.c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	  cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_no_line),	  cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_long_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
