/* SPDX-License-Identifier: MIT
 *
 * buildtop watch: looks at processes that already run, and at all that descends from them, until they have
 * ended.
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

static int watch_pids(const struct options *options, const pid_t *pids, size_t count)
{
	struct why why;
	if (live_check(options, &why) < 0) {
		say_line(why.text);
		return COMMAND_FAILED;
	}
	struct run *run = run_new();
	run->mode = RUN_WATCH;
	run->workdir = options->workdir == NULL ? pid_directory(pids[0]) : NULL;
	struct live_options live = {
		.options = options, .run = run, .pids = pids, .n_pids = count, .failure = COMMAND_FAILED};
	int status = live_run(&live);
	run_free(run);
	return status;
}

static int watch_words(int argc, const struct options *options)
{
	if (options->words[0] == NULL)
		return say_usage(&command_watch,
				 "watching the whole machine is not there yet; name a process");
	pid_t *pids = mem_alloc((size_t)argc, sizeof *pids);
	size_t count;
	int status = read_pids(options->words, pids, &count);
	if (status == 0)
		status = watch_pids(options, pids, count);
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
	.synopsis = "[OPTIONS] PID...",
	.help = "Watch processes that already run, and all they start",
	.options = OPTIONS_HELP,
	.main = watch_main,
};
