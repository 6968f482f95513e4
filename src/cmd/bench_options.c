/* SPDX-License-Identifier: MIT
 *
 * The words of a benchmark: from the command line, and from the file in which they are kept with its results.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "bench.h"
#include "output.h"

#define WORDS_FILE "bench.words" /* the directory, the seed, and the words, each with a NUL behind it */
#define WORDS_MAX  ((size_t)1 << 20)

static int add_spec(void *self, const char *spec, struct why *why)
{
	struct bench *bench = self;
	if (bench->n_variants == BENCH_VARIANTS_MAX)
		return why_set(why, -E2BIG, "at most %d variants", BENCH_VARIANTS_MAX);
	struct bench_variant *variant = &bench->variants[bench->n_variants];
	int error = bench_variant_parse(variant, spec, why);
	for (size_t v = 0; error == 0 && v < bench->n_variants; v++) {
		if (strcmp(bench->variants[v].name, variant->name) == 0)
			error = why_set(why, -EEXIST, "two variants are called %s", variant->name);
	}
	bench->n_variants++;
	return error;
}

static int add_matrix(struct bench *bench, const char *path, struct why *why)
{
	struct buf text = {0};
	int error = fd_read_file(path, &text, WORDS_MAX);
	if (error < 0)
		error = why_set(why, error, "--matrix %s: %s", path, strerror(-error));
	else
		error = bench_matrix_read(text.data != NULL ? text.data : "", add_spec, bench, why);
	buf_fini(&text);
	return error;
}

static int set_copy(struct bench *bench, const char *path, struct why *why)
{
	free(bench->copy);
	bench->copy = realpath(path, NULL);
	return bench->copy != NULL ? 0 : why_set(why, -errno, "--copy %s: %s", path, strerror(errno));
}

static bool parse_count(const char *text, uint64_t most, uint64_t *count)
{
	char *rest;
	errno = 0;
	*count = strtoull(text, &rest, 0);
	return errno == 0 && *rest == '\0' && rest != text && *text != '-' && *count <= most;
}

static int set_runs(struct bench *bench, const char *text, struct why *why)
{
	uint64_t count;
	if (!parse_count(text, BENCH_RUNS_MAX, &count) || count == 0)
		return why_set(why, -EINVAL, "-n takes a number from 1 to %d", BENCH_RUNS_MAX);
	bench->runs = (unsigned)count;
	bench->runs_given = true;
	return 0;
}

static int set_seed(struct bench *bench, const char *text, struct why *why)
{
	bench->seed_given = true;
	return parse_count(text, UINT64_MAX, &bench->seed)
		       ? 0
		       : why_set(why, -EINVAL, "--seed takes a number, not '%s'", text);
}

enum {
	OPTION_VARIANT = 256,
	OPTION_MATRIX,
	OPTION_PREPARE,
	OPTION_COPY,
	OPTION_SEED,
	OPTION_WARMUP,
	OPTION_RESUME,
	OPTION_CLEANUP
};

static const struct option long_options[] = {
	{"runs", required_argument, NULL, 'n'},
	{"output", required_argument, NULL, 'o'},
	{"variant", required_argument, NULL, OPTION_VARIANT},
	{"matrix", required_argument, NULL, OPTION_MATRIX},
	{"prepare", required_argument, NULL, OPTION_PREPARE},
	{"copy", required_argument, NULL, OPTION_COPY},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"warmup", no_argument, NULL, OPTION_WARMUP},
	{"resume", no_argument, NULL, OPTION_RESUME},
	{"cleanup", no_argument, NULL, OPTION_CLEANUP},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int take_option(struct bench *bench, int code, char **argv, struct why *why)
{
	switch (code) {
	case 'n':
		return set_runs(bench, optarg, why);
	case 'o':
		bench->directory = optarg;
		return 0;
	case OPTION_VARIANT:
		return add_spec(bench, optarg, why);
	case OPTION_MATRIX:
		return add_matrix(bench, optarg, why);
	case OPTION_PREPARE:
		bench->prepare = optarg;
		return 0;
	case OPTION_COPY:
		return set_copy(bench, optarg, why);
	case OPTION_SEED:
		return set_seed(bench, optarg, why);
	case OPTION_WARMUP:
		bench->warmup = true;
		return 0;
	case OPTION_RESUME:
		bench->resume = true;
		return 0;
	case OPTION_CLEANUP:
		bench->cleanup = true;
		return 0;
	default:
		return why_set(why, -EINVAL, "bench: %s is no option, or its value is missing",
			       argv[optind - 1]);
	}
}

int bench_options_parse(struct bench *bench, int argc, char **argv, struct why *why)
{
	int code, error = 0;
	opterr = 0;
	optind = 0;
	while (error == 0 && (code = getopt_long(argc, argv, "+:n:o:h", long_options, NULL)) != -1) {
		if (code == 'h')
			return 1;
		error = take_option(bench, code, argv, why);
	}
	bench->command = argv + optind;
	if (error == 0 && bench->command[0] == NULL && !bench->resume && !bench->cleanup)
		error = why_set(why, -EINVAL, "bench needs -- and the command that builds");
	if (error == 0 && bench->n_variants == 0 && bench->command[0] != NULL)
		error = add_spec(bench, "disk", why);
	return error;
}

void bench_options_fini(struct bench *bench)
{
	for (size_t v = 0; v < bench->n_variants; v++)
		bench_variant_fini(&bench->variants[v]);
	free(bench->real);
	free(bench->room);
	free(bench->ccache);
	free(bench->copy);
}

/* Kept words */

int bench_options_save(const struct bench *bench, int argc, char **argv, struct why *why)
{
	struct buf path = {0}, words = {0};
	char *here = getcwd(NULL, 0);
	if (here == NULL)
		return why_set(why, -errno, "the current directory is not known: %s", strerror(errno));
	buf_add(&words, here, strlen(here) + 1);
	buf_add_format(&words, "%" PRIu64, bench->seed);
	buf_add_byte(&words, '\0');
	for (int i = 0; i < argc; i++)
		buf_add(&words, argv[i], strlen(argv[i]) + 1);
	buf_add_format(&path, "%s/" WORDS_FILE, bench->real);
	int error = output_put(path.data, words.data, words.len, why);
	free(here);
	buf_fini(&path);
	buf_fini(&words);
	return error;
}

/* Of what a killed benchmark kept, only the order counts when all else is said anew. */
static int take_words(struct bench *bench, struct buf *saved, char **argv, struct why *why)
{
	struct bench again = {.runs = 3, .directory = "buildtop-bench"};
	char *end = saved->data + saved->len, *at = saved->data + strlen(saved->data) + 1;
	uint64_t seed;
	int argc = 0;
	if (at >= end || !parse_count(at, UINT64_MAX, &seed))
		return why_set(why, -EINVAL, "%s/" WORDS_FILE " is damaged", bench->real);
	if (!bench->seed_given)
		bench->seed = seed;
	if (bench->command[0] != NULL)
		return 0;
	if (chdir(saved->data) < 0)
		return why_set(why, -errno, "cannot go to %s, where the benchmark was begun: %s", saved->data,
			       strerror(errno));
	for (at += strlen(at) + 1; at < end; at += strlen(at) + 1)
		argv[argc++] = at;
	int error = bench_options_parse(&again, argc, argv, why);
	if (error != 0 || again.command[0] == NULL) {
		bench_options_fini(&again);
		return error < 0 ? error : why_set(why, -EINVAL, "%s/" WORDS_FILE " is damaged", bench->real);
	}
	again.seed = bench->seed;
	if (bench->runs_given) /* more of them, or fewer */
		again.runs = bench->runs;
	again.resume = bench->resume;
	again.cleanup = bench->cleanup;
	again.directory = bench->directory;
	again.real = bench->real;
	bench->real = NULL;
	bench_options_fini(bench);
	*bench = again;
	return 0;
}

int bench_options_load(struct bench *bench, struct buf *saved, struct why *why)
{
	struct buf path = {0};
	buf_add_format(&path, "%s/" WORDS_FILE, bench->real);
	int error = fd_read_file(path.data, saved, WORDS_MAX);
	buf_fini(&path);
	if (error < 0 || saved->len == 0)
		return bench->command[0] != NULL
			       ? 0
			       : why_set(why, -ENOENT, "there is no benchmark in %s", bench->real);
	buf_add_byte(saved, '\0');
	saved->len--;
	size_t n = 1;
	for (size_t i = 0; i < saved->len; i++)
		n += saved->data[i] == '\0';
	/* the words of the command are used as long as the buffer: the list of them stands behind it */
	size_t list = (saved->len + 1 + sizeof(char *)) / sizeof(char *) * sizeof(char *);
	buf_reserve(saved, list - saved->len + (n + 1) * sizeof(char *));
	char **argv = (char **)(void *)(saved->data + list);
	memset(argv, 0, (n + 1) * sizeof *argv);
	return take_words(bench, saved, argv, why);
}
