/* SPDX-License-Identifier: MIT
 *
 * buildtop import: what another tool has kept of a build becomes a recording, for replay, report and compare.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "model/tick.h"
#include "say.h"
#include "store/buildstats.h"
#include "store/recorder.h"

/* A recording holds samples, so the ticks are bare ones. */
static void record_all(struct buildstats *stats, struct recorder *recorder)
{
	struct consumer consumer = recorder_consumer(recorder);
	struct sample *sample = sample_new();
	consumer.begin(consumer.self, buildstats_run(stats));
	while (buildstats_next(stats, sample) > 0) {
		struct tick *tick = tick_new(sample);
		consumer.tick(consumer.self, tick, 0);
		tick_unref(tick);
		sample = sample_new();
	}
	sample_free(sample);
	consumer.end(consumer.self, buildstats_end(stats));
}

static void say_count(const struct buildstats *stats, const char *path)
{
	struct buildstats_count count = buildstats_count(stats);
	char unfinished[64] = "", failed[64] = "";
	if (count.unfinished > 0)
		snprintf(unfinished, sizeof unfinished, ", %zu of them unfinished", count.unfinished);
	if (count.failed > 0)
		snprintf(failed, sizeof failed, ", %zu failed", count.failed);
	say("%s: %zu tasks%s%s", path, count.tasks, unfinished, failed);
}

static int import_buildstats(const char *directory, const char *path, unsigned cpus, struct why *why)
{
	struct buildstats *stats;
	struct recorder *recorder;
	int error = buildstats_open(&stats, directory, cpus, why);
	if (error < 0)
		return error;
	struct recorder_options options = {.path = path, .command_lines = true};
	error = recorder_open(&recorder, &options, why);
	if (error == 0) {
		record_all(stats, recorder);
		if (recorder_lost(recorder, NULL) > 0)
			error = why_set(why, -EIO, "%s could not be written in full", path);
		recorder_close(recorder);
	}
	if (error == 0)
		say_count(stats, path);
	buildstats_close(stats);
	return error;
}

static int import_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"record", required_argument, NULL, 'o'},
		{"cpus", required_argument, NULL, 'c'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *path = NULL;
	unsigned long cpus = 0;
	int code;
	char *rest;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
		switch (code) {
		case 'o':
			path = optarg;
			break;
		case 'c':
			cpus = strtoul(optarg, &rest, 10);
			if (*rest != '\0' || cpus < 1 || cpus > 4096)
				return say_usage(&command_import, "--cpus takes a number from 1 to 4096");
			break;
		case 'h':
			return command_print_help(&command_import);
		default:
			return say_usage(&command_import, "import: %s is no option, or its value is missing",
					 argv[optind - 1]);
		}
	}
	if (argc - optind != 2 || strcmp(argv[optind], "buildstats") != 0)
		return say_usage(&command_import, "import takes 'buildstats' and the directory of one build");
	if (path == NULL)
		return say_usage(&command_import, "import needs -o FILE: where the recording goes");
	struct why why;
	if (import_buildstats(argv[optind + 1], path, (unsigned)cpus, &why) == 0)
		return COMMAND_FINE;
	say_line(why.text);
	return COMMAND_FAILED;
}

const struct command command_import = {
	.name = "import",
	.synopsis = "[OPTIONS] buildstats DIR -o FILE",
	.help = "Make a recording of a Yocto build's buildstats directory",
	.options = "  -o, --record FILE   the recording; it must not exist yet ('-': standard output)\n"
		   "      --cpus N        CPUs of the machine it was built on; otherwise worked out\n"
		   "  -h, --help          this help\n",
	.main = import_main,
};
