/* SPDX-License-Identifier: MIT
 *
 * The options of run and watch: what is right is taken, what is wrong is refused with a sentence that names
 * it, and the build's own words are left alone.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../src/cmd/options.h"
#include "base/clock.h"

static struct options options;
static struct why why;

#define PARSE(...) parse((const char *[]){"run", __VA_ARGS__, NULL})

static int parse(const char **argv)
{
	int argc = 0;
	while (argv[argc] != NULL)
		argc++;
	options_fini(&options); /* of the parse before */
	why.text[0] = '\0';
	return options_parse(&options, argc, (char **)argv, &why);
}

static int forget(void **state)
{
	(void)state;
	options_fini(&options);
	return 0;
}

static void options_end_at_the_command(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-q", "make", "-i", "x", "--summary"), 0);
	assert_true(options.quiet);
	assert_string_equal(options.words[0], "make");
	assert_string_equal(options.words[1], "-i");
	assert_false(options.separated);
	assert_null(options.summary);
	assert_int_equal(PARSE("--", "-q"), 0);
	assert_true(options.separated);
	assert_string_equal(options.words[0], "-q");
	assert_false(options.quiet);
}

static void interval_has_limits(void **state)
{
	(void)state;
	assert_int_equal(PARSE("make"), 0);
	assert_int_equal(options.interval_ns, NS_PER_S);
	assert_int_equal(PARSE("-i", "0.1", "make"), 0);
	assert_int_equal(options.interval_ns, NS_PER_S / 10);
	assert_int_equal(PARSE("--interval=60", "make"), 0);
	const char *const wrong[] = {"0.09", "61", "abc", "", "-1", "1,5", "nan", "1s"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(PARSE("-i", wrong[i], "make") < 0);
		assert_non_null(strstr(why.text, "0.1 to 60 seconds"));
	}
}

static void labels_are_checked(void **state)
{
	(void)state;
	char longer[300] = "a=";
	memset(longer + 2, 'x', 256);
	assert_int_equal(PARSE("-l", "variant=gcc=12", "-l", "_x9=", "-l", longer, "make"), 0);
	assert_int_equal(options.n_labels, 3);
	assert_string_equal(options.labels[0].key, "variant");
	assert_string_equal(options.labels[0].value, "gcc=12");
	assert_string_equal(options.labels[1].value, "");
	strcat(longer, "x");
	const char *const wrong[] = {"novalue", "=x", "9a=x", "a-b=x", "\xc3\xa4=x", longer};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(PARSE("-l", wrong[i], "make") < 0);
		assert_non_null(strstr(why.text, "--label"));
	}
}

static void workdir_must_be_there(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-w", "/usr/../", "make"), 0);
	assert_string_equal(options.workdir, "/");
	assert_true(PARSE("-w", "/nosuch", "make") < 0);
	assert_non_null(strstr(why.text, "/nosuch"));
	assert_true(PARSE("-w", "/dev/null", "make") < 0);
}

static void wrong_words_are_named(void **state)
{
	(void)state;
	assert_true(PARSE("--nosuch", "make") < 0);
	assert_non_null(strstr(why.text, "--nosuch"));
	assert_true(PARSE("-qZ", "make") < 0);
	assert_non_null(strstr(why.text, "-Z"));
	assert_true(PARSE("--summary") < 0);
	assert_non_null(strstr(why.text, "--summary"));
	assert_true(PARSE("-o") < 0);
	assert_non_null(strstr(why.text, "-o"));
	assert_true(PARSE("--quiet=yes", "make") < 0);
	assert_non_null(strstr(why.text, "takes no value"));
}

static void the_guard(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--alert", "tmpfs>=80%", "--alert=stall>3s", "--on-alert", "x y", "make"), 0);
	assert_int_equal(options.n_alerts, 2);
	assert_string_equal(options.alerts[1], "stall>3s");
	assert_string_equal(options.on_alert, "x y");
	assert_true(options.pause_share <= 0);
	options_fini(&options);
	assert_int_equal(PARSE("--pause-on-full", "make"), 0);
	assert_true(options.pause_share > 0.979 && options.pause_share < 0.981);
	assert_string_equal(options.words[0], "make");
	assert_int_equal(PARSE("--pause-on-full=50%", "make"), 0);
	assert_true(options.pause_share > 0.499 && options.pause_share < 0.501);
	assert_true(PARSE("--pause-on-full=0", "make") < 0);
	assert_true(PARSE("--alert", "none of it", "make") < 0);
	assert_non_null(strstr(why.text, "none of it"));
}

static void what_is_watched_can_be_looked_for(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--match", "cc1|ld"), 0);
	assert_string_equal(options.match, "cc1|ld");
	assert_int_equal(PARSE("--cgroup", "/sys/fs/cgroup/x"), 0);
	assert_string_equal(options.cgroup, "/sys/fs/cgroup/x");
}

static void servers_have_options_of_their_own(void **state)
{
	(void)state;
	if (post_library() == NULL)
		skip();
	assert_int_equal(
		PARSE("--post", "http://a/", "--post-format", "influx", "--post", "http://b/", "make"), 0);
	assert_int_equal(options.post.n, 2);
	assert_string_equal(options.post.targets[0].format, "influx");
	assert_null(options.post.targets[1].format);
	options_fini(&options);
	assert_int_equal(PARSE("--post", "http://a/", "--post", "http://a/", "--post-gzip", "no", "make"), 0);
	assert_int_equal(options.post.n, 1);
	options_fini(&options);
	assert_int_equal(PARSE("--post", "http://a/", "--no-post", "make"), 0);
	assert_int_equal(options.post.n, 0);
	options_fini(&options);
	assert_true(PARSE("--post-format", "influx", "make") < 0);
	assert_non_null(strstr(why.text, "behind a --post URL"));
	assert_true(PARSE("--post", "http://h/", "--post-format", "nosuch", "make") < 0);
	assert_non_null(strstr(why.text, "influx"));
	assert_true(PARSE("--post", "http://h/", "--post-live", "5", "make") < 0);
	assert_true(PARSE("-l", "x=a\\", "--post", "http://h/write", "make") < 0);
	assert_non_null(strstr(why.text, "--label x"));
	assert_int_equal(PARSE("-l", "x=a\\", "--post", "http://h/", "make"), 0);
}

static void what_is_configured_counts(void **state)
{
	(void)state;
	char place[] = "/tmp/buildtop-config.XXXXXX", path[100], command[100];
	if (post_library() == NULL)
		skip();
	assert_non_null(mkdtemp(place));
	setenv("XDG_CONFIG_HOME", place, 1);
	snprintf(path, sizeof path, "%s/buildtop", place);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/buildtop/config", place);
	FILE *file = fopen(path, "w");
	fputs("# ours\n\nlabel variant=v\n post = http://u:p@127.0.0.1/write?db=x \npost-timeout 3\n", file);
	fclose(file);
	chmod(path, 0600);
	setenv("BUILDTOP_POST", "http://b/ http://c/", 1);
	setenv("BUILDTOP_POST_TOKEN", "geheim", 1);
	const char *token = getenv("BUILDTOP_POST_TOKEN");
	assert_true(PARSE("--post", "http://d.example/", "make") < 0); /* a token in the clear */
	setenv("BUILDTOP_POST", "https://b/ https://c/", 1);
	setenv("BUILDTOP_POST_TOKEN", "geheim", 1);
	token = getenv("BUILDTOP_POST_TOKEN");
	assert_int_equal(PARSE("-l", "variant=w", "make"), 0);
	assert_int_equal(options.post.n, 3);
	assert_string_equal(options.post.targets[0].name, "http://127.0.0.1/write?db=x");
	assert_string_equal(options.post.targets[0].timeout, "3");
	assert_string_equal(options.post.targets[2].token, "geheim");
	assert_string_equal(options.labels[0].value, "v");
	assert_null(getenv("BUILDTOP_POST_TOKEN"));
	assert_string_equal(token, "");
	options_fini(&options);
	unsetenv("BUILDTOP_POST");
	file = fopen(path, "a");
	fputs("interval 3\n", file);
	fclose(file);
	assert_true(PARSE("make") < 0);
	assert_non_null(strstr(why.text, "config:6: 'interval'"));
	setenv("XDG_CONFIG_HOME", "/nosuch", 1);
	snprintf(command, sizeof command, "rm -rf %s", place);
	assert_int_equal(system(command), 0);
}

static void contradictions_are_told(void **state)
{
	(void)state;
	assert_true(PARSE("-o", "f", "--no-record", "make") < 0);
	assert_true(PARSE("-o", "-", "--summary", "-", "make") < 0);
	assert_true(PARSE("--post-required", "make") < 0);
}

int main(void)
{
	setenv("XDG_CONFIG_HOME", "/nosuch", 1);
	unsetenv("BUILDTOP_POST");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(options_end_at_the_command, forget),
		cmocka_unit_test_teardown(interval_has_limits, forget),
		cmocka_unit_test_teardown(labels_are_checked, forget),
		cmocka_unit_test_teardown(workdir_must_be_there, forget),
		cmocka_unit_test_teardown(wrong_words_are_named, forget),
		cmocka_unit_test_teardown(the_guard, forget),
		cmocka_unit_test_teardown(what_is_watched_can_be_looked_for, forget),
		cmocka_unit_test_teardown(servers_have_options_of_their_own, forget),
		cmocka_unit_test_teardown(what_is_configured_counts, forget),
		cmocka_unit_test_teardown(contradictions_are_told, forget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
