/* SPDX-License-Identifier: MIT
 *
 * buildtop bench: the same build several ways, several times, in an order that is shuffled in each round.
 * Each run is a `buildtop run` of its own, so it is recorded as any other; what is known is on the disk after
 * each run.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "bench/place.h"
#include "bench/plan.h"
#include "command.h"
#include "output.h"
#include "report/compare.h"
#include "say.h"
#include "sides.h"

#define VARIANTS_MAX 16
#define RUNS_MAX     1000

struct bench {
	struct bench_variant variants[VARIANTS_MAX];
	bool stopped[VARIANTS_MAX]; /* a run of it failed */
	size_t n_variants;
	unsigned runs;
	uint64_t seed;
	bool resume;
	const char *directory; /* as given */
	char *real;	       /* absolute */
	char *room;	       /* in it, for mounts */
	const char *prepare;
	char *copy;
	char **command;
	char self[PATH_MAX];
	double done_s; /* wall time of the runs so far */
	size_t n_done;
};

static void path_of(struct buf *path, const struct bench *bench, size_t variant, unsigned run,
		    const char *suffix)
{
	buf_clear(path);
	buf_add_format(path, "%s/%s/%u.%s", bench->real, bench->variants[variant].name, run, suffix);
}

/* Directories */

static int make_directory(const char *path, bool may_exist, struct why *why)
{
	if (mkdir(path, 0700) == 0 || (errno == EEXIST && may_exist))
		return 0;
	return why_set(why, -errno, "cannot make the directory %s: %s", path, strerror(errno));
}

static int make_directories(struct bench *bench, struct why *why)
{
	int error = make_directory(bench->directory, bench->resume, why);
	if (error < 0)
		return error;
	bench->real = realpath(bench->directory, NULL);
	if (bench->real == NULL)
		return why_set(why, -errno, "%s: %s", bench->directory, strerror(errno));
	struct buf path = {0};
	buf_add_format(&path, "%s/.mnt", bench->real);
	error = make_directory(path.data, true, why);
	bench->room = path.data;
	for (size_t v = 0; error == 0 && v < bench->n_variants; v++) {
		struct buf own = {0};
		buf_add_format(&own, "%s/%s", bench->real, bench->variants[v].name);
		error = make_directory(own.data, bench->resume, why);
		buf_fini(&own);
	}
	return error;
}

/* One run */

/* buildtop run -q --no-tui -o RECORDING --summary SUMMARY -l variant=NAME -w PLACE -- COMMAND */
static const char **run_words(struct bench *bench, const char *recording, const char *summary,
			      const char *label, const char *place)
{
	const char *const options[] = {bench->self, "run", "-q",  "--no-tui", "-o",  recording, "--summary",
				       summary,	    "-l",  label, "-w",	      place, "--"};
	size_t n = sizeof options / sizeof *options, words = 0;
	while (bench->command[words] != NULL)
		words++;
	const char **argv = mem_alloc(n + words + 1, sizeof *argv);
	memcpy(argv, options, sizeof options);
	memcpy(argv + n, bench->command, words * sizeof *argv);
	return argv;
}

static bool is_interrupt(int status)
{
	return status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP;
}

static int run_turn(struct bench *bench, const struct bench_turn *turn, struct why *why)
{
	const struct bench_variant *variant = &bench->variants[turn->variant];
	struct buf recording = {0}, summary = {0}, final = {0}, label = {0};
	path_of(&recording, bench, turn->variant, turn->run, "buildtop");
	path_of(&summary, bench, turn->variant, turn->run, "json.part");
	path_of(&final, bench, turn->variant, turn->run, "json");
	buf_add_format(&label, "variant=%s", variant->name);
	if (bench->resume) /* half of one, of a benchmark that was killed */
		unlink(recording.data);
	char *place = bench_place_path(variant, bench->room);
	const char **argv =
		run_words(bench, recording.data, summary.data, label.data, place != NULL ? place : ".");
	struct bench_job job = {.variant = variant,
				.room = bench->room,
				.copy = bench->copy,
				.prepare = bench->prepare,
				.argv = argv};
	int64_t begun_ns = clock_mono_ns();
	int status = bench_place_run(&job, why);
	double wall_s = (double)(clock_mono_ns() - begun_ns) / NS_PER_S;
	/* of a run that was interrupted, by us or behind us, there is no summary */
	if (status >= 0 && !is_interrupt(status) && rename(summary.data, final.data) < 0)
		status = why_set(why, -errno, "there is no %s: %s", summary.data, strerror(errno));
	if (status == 0) {
		bench->done_s += wall_s;
		bench->n_done++;
	}
	free(argv);
	free(place);
	buf_fini(&recording);
	buf_fini(&summary);
	buf_fini(&final);
	buf_fini(&label);
	return status;
}

static bool is_done(const struct bench *bench, const struct bench_turn *turn)
{
	struct buf path = {0};
	path_of(&path, bench, turn->variant, turn->run, "json");
	bool done = bench->resume && access(path.data, F_OK) == 0;
	buf_fini(&path);
	return done;
}

static void say_progress(const struct bench *bench, const struct bench_turn *turn, size_t left)
{
	char rest[UNITS_SIZE];
	const char *name = bench->variants[turn->variant].name;
	if (bench->n_done == 0)
		say("%s, run %u of %u", name, turn->run, bench->runs);
	else
		say("%s, run %u of %u; all done in about %s", name, turn->run, bench->runs,
		    units_duration(rest, bench->done_s / (double)bench->n_done * (double)left));
}

/* The answer */

/* A pattern names a variant's summaries, and the file system may have it as it likes. */
static int add_variant(struct compare *compare, const struct bench *bench, size_t variant, struct why *why)
{
	struct buf path = {0};
	int error = 0;
	compare_add_side(compare, bench->variants[variant].name);
	for (unsigned run = 1; error == 0 && run <= bench->runs; run++) {
		path_of(&path, bench, variant, run, "json");
		if (access(path.data, F_OK) == 0)
			error = sides_add_run(compare, path.data, why);
	}
	buf_fini(&path);
	return error;
}

static int put_results(const struct bench *bench, bool print, struct why *why)
{
	static const char *const names[] = {"results.txt", "results.md", "results.json"};
	struct compare *compare = compare_new();
	struct buf path = {0}, out = {0};
	int error = 0;
	for (size_t v = 0; error == 0 && v < bench->n_variants; v++)
		error = add_variant(compare, bench, v, why);
	if (error == 0)
		error = compare_check(compare, why);
	for (size_t f = 0; error == 0 && compare_formats[f].name != NULL; f++) {
		buf_clear(&path);
		buf_clear(&out);
		buf_add_format(&path, "%s/%s", bench->real, names[f]);
		compare_formats[f].add(&out, compare);
		if (out.len == 0)
			continue; /* one variant: nothing to compare */
		error = output_put(path.data, out.data, out.len, why);
		if (print && f == 0 && error == 0)
			error = output_put("-", out.data, out.len, why);
	}
	compare_free(compare);
	buf_fini(&path);
	buf_fini(&out);
	return error;
}

static int run_all(struct bench *bench, struct why *why)
{
	size_t n = bench->n_variants * bench->runs;
	struct bench_turn *turns = mem_alloc(n, sizeof *turns);
	struct why early;
	int status = 0;
	bench_plan(turns, bench->n_variants, bench->runs, bench->seed);
	for (size_t i = 0; status >= 0 && i < n; i++) {
		const char *name = bench->variants[turns[i].variant].name;
		if (bench->stopped[turns[i].variant] || is_done(bench, &turns[i]))
			continue;
		say_progress(bench, &turns[i], n - i);
		status = run_turn(bench, &turns[i], why);
		if (is_interrupt(status))
			status = why_set(why, -EINTR, "interrupted; --resume goes on");
		if (status <= 0)
			put_results(bench, false, &early); /* too early for some is no error */
		else
			say("%s: run %u ended with status %d; this variant is not run again", name,
			    turns[i].run, status);
		bench->stopped[turns[i].variant] = status > 0;
	}
	free(turns);
	return status < 0 ? status : put_results(bench, true, why);
}

/* Arguments */

static int add_variant_spec(struct bench *bench, const char *spec, struct why *why)
{
	if (bench->n_variants == VARIANTS_MAX)
		return why_set(why, -E2BIG, "at most %d variants", VARIANTS_MAX);
	struct bench_variant *variant = &bench->variants[bench->n_variants];
	int error = bench_variant_parse(variant, spec, why);
	for (size_t v = 0; error == 0 && v < bench->n_variants; v++) {
		if (strcmp(bench->variants[v].name, variant->name) == 0)
			error = why_set(why, -EEXIST, "two variants are called %s", variant->name);
	}
	bench->n_variants++;
	return error;
}

static int set_copy(struct bench *bench, const char *path, struct why *why)
{
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

enum { OPTION_VARIANT = 256, OPTION_PREPARE, OPTION_COPY, OPTION_SEED, OPTION_RESUME };

/* 0, 1 for help, or -errno with why. */
static int parse(struct bench *bench, int argc, char **argv, struct why *why)
{
	static const struct option long_options[] = {
		{"runs", required_argument, NULL, 'n'},
		{"output", required_argument, NULL, 'o'},
		{"variant", required_argument, NULL, OPTION_VARIANT},
		{"prepare", required_argument, NULL, OPTION_PREPARE},
		{"copy", required_argument, NULL, OPTION_COPY},
		{"seed", required_argument, NULL, OPTION_SEED},
		{"resume", no_argument, NULL, OPTION_RESUME},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int code, error = 0;
	uint64_t count;
	opterr = 0;
	optind = 0;
	while (error == 0 && (code = getopt_long(argc, argv, "+:n:o:h", long_options, NULL)) != -1) {
		switch (code) {
		case 'n':
			if (!parse_count(optarg, RUNS_MAX, &count) || count == 0)
				error = why_set(why, -EINVAL, "-n takes a number from 1 to %d", RUNS_MAX);
			else
				bench->runs = (unsigned)count;
			break;
		case 'o':
			bench->directory = optarg;
			break;
		case OPTION_VARIANT:
			error = add_variant_spec(bench, optarg, why);
			break;
		case OPTION_PREPARE:
			bench->prepare = optarg;
			break;
		case OPTION_COPY:
			error = set_copy(bench, optarg, why);
			break;
		case OPTION_SEED:
			if (!parse_count(optarg, UINT64_MAX, &bench->seed))
				error = why_set(why, -EINVAL, "--seed takes a number, not '%s'", optarg);
			break;
		case OPTION_RESUME:
			bench->resume = true;
			break;
		case 'h':
			return 1;
		default:
			error = why_set(why, -EINVAL, "bench: %s is no option, or its value is missing",
					argv[optind - 1]);
		}
	}
	bench->command = argv + optind;
	if (error == 0 && bench->command[0] == NULL)
		error = why_set(why, -EINVAL, "bench needs -- and the command that builds");
	if (error == 0 && bench->n_variants == 0)
		error = add_variant_spec(bench, "disk", why);
	return error;
}

static int bench_main(int argc, char **argv)
{
	struct bench bench = {
		.runs = 3, .directory = "buildtop-bench", .seed = (uint64_t)clock_wall_ns() % 1000000};
	struct why why;
	int status = COMMAND_FINE, error = parse(&bench, argc, argv, &why);
	if (error == 1) {
		status = command_print_help(&command_bench);
	} else if (error < 0) {
		status = say_usage(&command_bench, "%s", why.text);
	} else {
		ssize_t len = readlink("/proc/self/exe", bench.self, sizeof bench.self - 1);
		error = len < 0 ? why_set(&why, -errno, "/proc/self/exe cannot be read") : 0;
		if (error == 0)
			error = make_directories(&bench, &why);
		if (error == 0) {
			say("%u runs of %zu variant%s into %s, order by --seed %" PRIu64, bench.runs,
			    bench.n_variants, bench.n_variants == 1 ? "" : "s", bench.directory, bench.seed);
			error = run_all(&bench, &why);
		}
		if (error < 0)
			say_line(why.text);
		status = error < 0 ? COMMAND_FAILED : COMMAND_FINE;
	}
	for (size_t v = 0; v < bench.n_variants; v++) {
		if (bench.stopped[v] && status == COMMAND_FINE)
			status = COMMAND_FOUND;
		bench_variant_fini(&bench.variants[v]);
	}
	free(bench.real);
	free(bench.room);
	free(bench.copy);
	return status;
}

const struct command command_bench = {
	.name = "bench",
	.synopsis = "[OPTIONS] -- COMMAND [ARG...]",
	.help = "Run the same build several ways, several times, and compare them",
	.options = "  -n, --runs N           runs of each variant (3)\n"
		   "      --variant SPEC     disk (here; the default), dir:PATH, tmpfs, tmpfs:SIZE; "
		   "NAME=SPEC names it;\n"
		   "                         the first one is what the others are compared with\n"
		   "      --copy DIR         build in a copy of DIR; otherwise in $BUILDTOP_WORKDIR, which "
		   "is empty\n"
		   "      --prepare COMMAND  shell command before each run, not measured\n"
		   "  -o, --output DIR       recordings, summaries and results (buildtop-bench)\n"
		   "      --resume           go on with the benchmark in DIR: runs that are there are not "
		   "run again\n"
		   "      --seed N           order of the runs\n"
		   "  -h, --help             this help\n",
	.main = bench_main,
};
