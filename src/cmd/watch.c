/* SPDX-License-Identifier: MIT
 *
 * buildtop watch: looks at what already runs, and at all that descends from it, until it has ended: processes
 * by number, by command line, by control group, or the whole machine.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <limits.h>

#include "base/mem.h"
#include "command.h"
#include "live.h"
#include "options.h"
#include "say.h"

/* The number in a word; 0: not one. */
static pid_t word_pid(const char *word)
{
	char *end;
	errno = 0;
	long pid = strtol(word, &end, 10);
	bool digits = word[0] >= '0' && word[0] <= '9' && *end == '\0';
	return digits && errno == 0 && pid > 0 && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* 0, or the status of a refusal, which has been said. */
static int read_pids(char **words, pid_t *pids, size_t *count)
{
	for (*count = 0; words[*count] != NULL; (*count)++) {
		pid_t pid = word_pid(words[*count]);
		if (pid == 0)
			return say_usage(&command_watch, "watch takes process numbers, not '%s'",
					 words[*count]);
		if (kill(pid, 0) < 0 && errno == ESRCH) {
			say("there is no process %d", (int)pid);
			return COMMAND_FAILED;
		}
		pids[*count] = pid;
	}
	return 0;
}

/* Where the watched work is done, unless told. */
static char *pid_directory(pid_t pid)
{
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
	ssize_t len = readlink(link, path, sizeof path);
	return len > 0 && (size_t)len < sizeof path ? mem_dup_n(path, (size_t)len) : NULL;
}

/* With seek: there are no pids. */
static int watch_pids(const struct options *options, const pid_t *pids, size_t count,
		      const struct session_seek *seek)
{
	struct why why;
	if (live_check(options, &why) < 0) {
		say_line(why.text);
		return COMMAND_FAILED;
	}
	struct run *run = run_new();
	run->mode = count > 0 || options->match != NULL || options->cgroup != NULL ? RUN_WATCH : RUN_MACHINE;
	run->workdir = options->workdir == NULL && count > 0 ? pid_directory(pids[0]) : NULL;
	struct live_options live = {.options = options,
				    .run = run,
				    .pids = pids,
				    .n_pids = count,
				    .seek = seek,
				    .failure = COMMAND_FAILED};
	int status = live_run(&live);
	run_free(run);
	return status;
}

static int check_seek(const struct options *options)
{
	if (options->words[0] != NULL && (options->match != NULL || options->cgroup != NULL))
		return say_usage(&command_watch,
				 "watch takes process numbers, --match or --cgroup, one of them");
	if (options->match != NULL && options->cgroup != NULL)
		return say_usage(&command_watch, "--match and --cgroup cannot be had together");
	if (options->words[0] == NULL && options->pause_share > 0)
		return say_usage(&command_watch,
				 "--pause-on-full needs to know what to stop; name the processes");
	return 0;
}

static int check_group(const char *group)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/cgroup.procs", group);
	if (access(path, R_OK) == 0)
		return 0;
	say("--cgroup %s: this is no directory of a control group that can be read (%s)", group,
	    strerror(errno));
	return COMMAND_FAILED;
}

/* By --match, by --cgroup, or all there is. */
static int watch_sought(const struct options *options)
{
	/* To the end of the program: a seeker that hangs on a process is left behind with them. */
	static struct session_seek seek;
	static regex_t match;
	char text[200];
	int status = options->cgroup != NULL ? check_group(options->cgroup) : 0;

	seek.cgroup = options->cgroup;
	if (options->match != NULL) {
		int error = regcomp(&match, options->match, REG_EXTENDED | REG_NOSUB);
		if (error != 0) {
			regerror(error, &match, text, sizeof text);
			return say_usage(&command_watch, "--match '%s': %s", options->match, text);
		}
		seek.match = &match;
	}
	return status == 0 ? watch_pids(options, NULL, 0, &seek) : status;
}

static int watch_words(int argc, const struct options *options)
{
	int wrong = check_seek(options);
	if (wrong != 0)
		return wrong;
	if (options->words[0] == NULL)
		return watch_sought(options);
	pid_t *pids = mem_alloc((size_t)argc, sizeof *pids);
	size_t count;
	int status = read_pids(options->words, pids, &count);
	if (status == 0)
		status = watch_pids(options, pids, count, NULL);
	free(pids);
	return status;
}

static int watch_main(int argc, char **argv)
{
	struct options options;
	struct why why;
	if (options_parse(&options, argc, argv, &why) < 0)
		return say_usage(&command_watch, "%s", why.text);
	int status = options.help ? command_print_help(&command_watch) : watch_words(argc, &options);
	options_fini(&options);
	return status;
}

const struct command command_watch = {
	.name = "watch",
	.synopsis = "[OPTIONS] [PID...]",
	.help = "Watch what already runs: processes and all they start, --match REGEX (by command line), "
		"--cgroup DIR, or the whole machine",
	.options = OPTIONS_HELP,
	.main = watch_main,
};
