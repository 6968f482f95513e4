/* SPDX-License-Identifier: MIT
 *
 * buildtop bench: the same build several ways, several times, in an order that is shuffled in each round.
 * Each run is a `buildtop run` of its own, so it is recorded as any other; what is known is on the disk after
 * each run. What a killed benchmark leaves is put back at the next start.
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "base/units.h"
#include "bench/place.h"
#include "bench/sysctl.h"
#include "command.h"
#include "say.h"

void bench_path(struct buf *path, const struct bench *bench, size_t variant, unsigned run, const char *suffix)
{
	buf_clear(path);
	buf_add_format(path, "%s/%s/", bench->real, bench->variants[variant].name);
	if (run == BENCH_WARMUP)
		buf_add_format(path, "warmup.%s", suffix);
	else
		buf_add_format(path, "%u.%s", run, suffix);
}

/* Directories */

static int make_directory(const char *path, bool may_exist, struct why *why)
{
	if (mkdir(path, 0700) == 0 || (errno == EEXIST && may_exist))
		return 0;
	return why_set(why, -errno, "cannot make the directory %s: %s", path, strerror(errno));
}

/* Where all goes, and that nobody else is at it: the lock is held until we end. */
static int open_directory(struct bench *bench, struct why *why)
{
	bool old = bench->resume || bench->cleanup;
	int error = old ? 0 : make_directory(bench->directory, false, why);
	if (error < 0)
		return error;
	bench->real = realpath(bench->directory, NULL);
	int fd = bench->real != NULL ? fd_open(bench->real, O_RDONLY | O_DIRECTORY, 0) : -errno;
	if (fd < 0)
		return why_set(why, fd, "%s: %s", bench->directory, strerror(-fd));
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return why_set(why, -EBUSY, "a benchmark into %s runs", bench->directory);
	return 0;
}

static char *path_in(const struct bench *bench, const char *name)
{
	struct buf path = {0};
	buf_add_format(&path, "%s/%s", bench->real, name);
	return path.data;
}

static int make_directories(struct bench *bench, struct why *why)
{
	int error = make_directory(bench->room, true, why);
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

/* A compiler cache is the variant's own, since what is in it depends on the place; "empty" begins each run
 * so. */
static char *ccache_path(const struct bench *bench, const struct bench_variant *variant)
{
	struct buf path = {0};
	buf_add_format(&path, "%s/%s", bench->ccache, variant->name);
	if (variant->ccache == BENCH_CCACHE_EMPTY)
		bench_place_remove_tree(path.data);
	return path.data;
}

/* With the kernel settings of the variant, which are put back behind it. */
static int run_set(struct bench *bench, const struct bench_turn *turn, const struct bench_job *job,
		   struct why *why)
{
	struct bench_sysctl held;
	struct bench_cached cached = {0};
	struct bench_load load;
	struct why late;
	int status = bench_sysctl_set(&held, &job->variant->sysctl, why);
	if (status < 0)
		return status;
	bench_load_begin(&load);
	status = bench_place_run(job, &cached, why);
	double others_cpus = bench_load_end(&load);
	if (bench_sysctl_restore(&held, &late) < 0)
		say_line(late.text);
	if (status >= 0)
		bench_note_write(bench, turn, &load, others_cpus, &cached);
	return status;
}

static int run_turn(struct bench *bench, const struct bench_turn *turn, struct why *why)
{
	const struct bench_variant *variant = &bench->variants[turn->variant];
	struct buf recording = {0}, summary = {0}, final = {0}, label = {0};
	bench_path(&recording, bench, turn->variant, turn->run, "buildtop");
	bench_path(&summary, bench, turn->variant, turn->run, "json.part");
	bench_path(&final, bench, turn->variant, turn->run, "json");
	buf_add_format(&label, "variant=%s", variant->name);
	if (bench->resume) /* half of one, of a benchmark that was killed */
		unlink(recording.data);
	char *place = bench_place_path(variant, bench->room), *ccache = ccache_path(bench, variant);
	const char **argv =
		run_words(bench, recording.data, summary.data, label.data, place != NULL ? place : ".");
	struct bench_job job = {.variant = variant,
				.room = bench->room,
				.copy = bench->copy,
				.ccache = ccache,
				.prepare = bench->prepare,
				.argv = argv};
	int64_t begun_ns = clock_mono_ns();
	int status = run_set(bench, turn, &job, why);
	/* of a run that was interrupted, by us or behind us, there is no summary */
	if (status >= 0 && !is_interrupt(status) && rename(summary.data, final.data) < 0)
		status = why_set(why, -errno, "there is no %s: %s", summary.data, strerror(errno));
	if (status == 0) {
		bench->wall_s[turn->variant] += (double)(clock_mono_ns() - begun_ns) / NS_PER_S;
		bench->n_done[turn->variant]++;
	}
	free(argv);
	free(place);
	free(ccache);
	buf_fini(&recording);
	buf_fini(&summary);
	buf_fini(&final);
	buf_fini(&label);
	return status;
}

static bool is_done(const struct bench *bench, const struct bench_turn *turn)
{
	struct buf path = {0};
	bench_path(&path, bench, turn->variant, turn->run, "json");
	bool done = bench->resume && access(path.data, F_OK) == 0;
	buf_fini(&path);
	return done;
}

/* What the turns that are left will take: a variant's own mean, or that of all while it has none. */
static double left_seconds(const struct bench *bench, const struct bench_turn *turns, size_t n)
{
	double all_s = 0, left_s = 0;
	unsigned n_all = 0;
	for (size_t v = 0; v < bench->n_variants; v++) {
		all_s += bench->wall_s[v];
		n_all += bench->n_done[v];
	}
	for (size_t i = 0; i < n; i++) {
		size_t v = turns[i].variant;
		if (!bench->stopped[v] && !is_done(bench, &turns[i]))
			left_s += bench->n_done[v] > 0 ? bench->wall_s[v] / bench->n_done[v] : all_s / n_all;
	}
	return n_all > 0 ? left_s : 0;
}

static void say_progress(const struct bench *bench, const struct bench_turn *turns, size_t n)
{
	char rest[UNITS_SIZE];
	const char *name = bench->variants[turns->variant].name;
	double left_s = left_seconds(bench, turns, n);
	if (turns->run == BENCH_WARMUP)
		say("%s, a run to warm up, which is not counted", name);
	else if (left_s <= 0)
		say("%s, run %u of %u", name, turns->run, bench->runs);
	else
		say("%s, run %u of %u; all done in about %s", name, turns->run, bench->runs,
		    units_duration(rest, left_s));
}

/* A filled compiler cache has to be filled. */
static bool needs_warmup(const struct bench *bench, const struct bench_variant *variant)
{
	return bench->warmup || variant->ccache == BENCH_CCACHE_FILLED;
}

static struct bench_turn *plan_turns(const struct bench *bench, size_t *n)
{
	struct bench_turn *turns = mem_alloc(bench->n_variants * (bench->runs + 1), sizeof *turns);
	*n = 0;
	for (size_t v = 0; v < bench->n_variants; v++) {
		if (needs_warmup(bench, &bench->variants[v]))
			turns[(*n)++] = (struct bench_turn){v, BENCH_WARMUP};
	}
	bench_plan(turns + *n, bench->n_variants, bench->runs, bench->seed);
	*n += bench->n_variants * bench->runs;
	return turns;
}

static int run_all(struct bench *bench, struct why *why)
{
	size_t n;
	struct bench_turn *turns = plan_turns(bench, &n);
	struct why early;
	int status = 0;
	for (size_t i = 0; status >= 0 && i < n; i++) {
		size_t v = turns[i].variant;
		if (bench->stopped[v] || is_done(bench, &turns[i]))
			continue;
		say_progress(bench, &turns[i], n - i);
		status = run_turn(bench, &turns[i], why);
		if (is_interrupt(status))
			status = why_set(why, -EINTR, "interrupted; --resume goes on");
		bench->stopped[v] = status > 0;
		if (status > 0)
			say("%s: run %u ended with status %d; this variant is not run again",
			    bench->variants[v].name, turns[i].run, status);
		else
			bench_answer_put(bench, false, &early); /* too early for some is no error */
	}
	free(turns);
	return status < 0 ? status : bench_answer_put(bench, true, why);
}

/* Putting away */

static int recover_settings(struct why *why)
{
	int found = bench_sysctl_recover(why);
	if (found > 0)
		say("kernel settings that a killed benchmark left were put back");
	else if (found == -EBUSY)
		say("another benchmark runs at this moment, and with kernel settings of its own");
	return found < 0 && found != -EBUSY ? found : 0;
}

/* A build that was killed may take a moment to go, and writes meanwhile. */
static int remove_places(const struct bench *bench, struct why *why)
{
	for (size_t v = 0; v < bench->n_variants; v++) {
		int error = -EBUSY;
		for (int tries = 0; error < 0 && tries < 20; tries++) {
			error = bench_place_remove(&bench->variants[v], bench->room);
			if (error < 0)
				usleep(250000);
		}
		if (error < 0)
			return why_set(why, error, "what was built for %s cannot be removed",
				       bench->variants[v].name);
	}
	return 0;
}

/* Runs that have no summary were not finished. */
static void remove_halves(const struct bench *bench)
{
	static const char *const suffixes[] = {"buildtop", "json.part", "note", "log"};
	struct buf path = {0};
	for (size_t v = 0; v < bench->n_variants; v++) {
		for (unsigned run = 0; run <= bench->runs; run++) {
			bench_path(&path, bench, v, run, "json");
			for (size_t i = 0;
			     i < sizeof suffixes / sizeof *suffixes && access(path.data, F_OK) < 0; i++) {
				struct buf half = {0};
				bench_path(&half, bench, v, run, suffixes[i]);
				unlink(half.data);
				buf_fini(&half);
			}
		}
	}
	buf_fini(&path);
}

static int clean_up(const struct bench *bench, struct why *why)
{
	int error = remove_places(bench, why);
	struct buf path = {0};
	for (size_t v = 0; v < bench->n_variants;
	     v++) { /* what filled the caches that go now is to be done again */
		bench_path(&path, bench, v, BENCH_WARMUP, "json");
		if (bench->cleanup && bench->variants[v].ccache == BENCH_CCACHE_FILLED)
			unlink(path.data);
	}
	buf_fini(&path);
	if (bench->cleanup)
		remove_halves(bench);
	rmdir(bench->room);
	bench_place_remove_tree(bench->ccache);
	return error;
}

static int begin(struct bench *bench, int argc, char **argv, struct buf *saved, struct why *why)
{
	ssize_t len = readlink("/proc/self/exe", bench->self, sizeof bench->self - 1);
	int error = len < 0 ? why_set(why, -errno, "/proc/self/exe cannot be read") : recover_settings(why);
	char self[PATH_MAX];
	memcpy(self, bench->self, sizeof self);
	if (error == 0)
		error = open_directory(bench, why);
	if (error == 0 && (bench->resume || bench->cleanup))
		error = bench_options_load(bench, saved, why);
	memcpy(bench->self, self, sizeof self);
	if (error < 0)
		return error;
	bench->room = path_in(bench, ".mnt");
	bench->ccache = path_in(bench, ".ccache");
	if (bench->cleanup)
		return 0;
	error = make_directories(bench, why);
	if (error == 0 && !bench->resume)
		error = bench_options_save(bench, argc, argv, why);
	return error;
}

static int bench_all(struct bench *bench, struct why *why)
{
	if (bench->cleanup)
		return clean_up(bench, why);
	say("%u runs of %zu variant%s into %s, order by --seed %" PRIu64, bench->runs, bench->n_variants,
	    bench->n_variants == 1 ? "" : "s", bench->directory, bench->seed);
	int error = run_all(bench, why);
	if (error != -EINTR)
		clean_up(bench, NULL);
	return error;
}

static int bench_main(int argc, char **argv)
{
	struct bench bench = {
		.runs = 3, .directory = "buildtop-bench", .seed = (uint64_t)clock_wall_ns() % 1000000};
	struct buf saved = {0};
	struct why why;
	int status = COMMAND_FINE, error = bench_options_parse(&bench, argc, argv, &why);
	if (error == 1) {
		status = command_print_help(&command_bench);
	} else if (error < 0) {
		status = say_usage(&command_bench, "%s", why.text);
	} else {
		error = begin(&bench, argc, argv, &saved, &why);
		if (error == 0)
			error = bench_all(&bench, &why);
		if (error < 0)
			say_line(why.text);
		status = error < 0 ? COMMAND_FAILED : COMMAND_FINE;
	}
	for (size_t v = 0; v < bench.n_variants; v++) {
		if (bench.stopped[v] && status == COMMAND_FINE)
			status = COMMAND_FOUND;
	}
	bench_options_fini(&bench);
	buf_fini(&saved);
	return status;
}

const struct command command_bench = {
	.name = "bench",
	.synopsis = "[OPTIONS] -- COMMAND [ARG...]",
	.help = "Run the same build several ways, several times, and compare them",
	.options =
		"  -n, --runs N           runs of each variant (3)\n"
		"      --variant SPEC     disk (here; the default), dir:PATH, tmpfs, tmpfs:SIZE; then, "
		"behind "
		"commas,\n"
		"                         cache=cold|evict|warm, ccache=off|empty|filled, jobs=N,\n"
		"                         env=NAME=VALUE, sysctl=vm.NAME=N; NAME=SPEC names it; the first\n"
		"                         one is what the others are compared with\n"
		"      --matrix FILE      variants: every combination of its lines KEY = VALUE...\n"
		"      --warmup           a run of each variant before that is not counted\n"
		"      --copy DIR         build in a copy of DIR; otherwise in $BUILDTOP_WORKDIR, which "
		"is empty\n"
		"      --prepare COMMAND  shell command before each run, not measured\n"
		"  -o, --output DIR       recordings, summaries and results (buildtop-bench)\n"
		"      --resume           go on with the benchmark in DIR: runs that are there are not "
		"run again;\n"
		"                         needs no other option\n"
		"      --cleanup          put away what a killed benchmark in DIR left; finished runs stay\n"
		"      --seed N           order of the runs\n"
		"  -h, --help             this help\n",
	.main = bench_main,
};
