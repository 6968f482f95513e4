/* SPDX-License-Identifier: MIT
 *
 * buildtop [run]: runs a command and watches it.
 */
#include <string.h>

#include "base/mem.h"
#include "command.h"
#include "live.h"
#include "options.h"
#include "say.h"

#define STATUS_NOT_STARTED 125

static char **copy_words(char **words)
{
	size_t count = 0;
	while (words[count] != NULL)
		count++;
	char **copy = mem_alloc(count + 1, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = mem_dup(words[i]);
	return copy;
}

/* A subcommand behind options is more likely a slip than a program of that name. */
static int refuse_name(const char *name)
{
	say("put the options behind the subcommand: buildtop %s [OPTIONS]; a program called %s is run by: "
	    "buildtop -- %s",
	    name, name, name);
	return COMMAND_USAGE;
}

static int run_words(const struct options *options)
{
	struct why why;
	if (live_check(options, &why) < 0) {
		say_line(why.text);
		return STATUS_NOT_STARTED;
	}
	struct run *run = run_new();
	run->mode = RUN_COMMAND;
	run->command = copy_words(options->words);
	struct live_options live = {.options = options, .run = run, .failure = STATUS_NOT_STARTED};
	int status = live_run(&live);
	run_free(run);
	return status;
}

static int run_main(int argc, char **argv)
{
	struct options options;
	struct why why;
	bool by_name = strcmp(argv[0], command_run.name) == 0;
	if (options_parse(&options, argc, argv, &why) < 0)
		return say_usage(&command_run, "%s", why.text);
	int status;
	const char *name = options.words[0];
	if (options.help)
		status = command_print_help(&command_run);
	else if (options.match != NULL || options.cgroup != NULL)
		status = say_usage(&command_run, "--match and --cgroup are of watch");
	else if (name == NULL)
		status = say_usage(&command_run, "the command to run is missing");
	else if (!by_name && !options.separated && command_find(name) != NULL)
		status = refuse_name(name);
	else
		status = run_words(&options);
	options_fini(&options);
	return status;
}

const struct command command_run = {
	.name = "run",
	.synopsis = "[OPTIONS] [--] COMMAND [ARG...]",
	.help = "Run a command and watch it: screen, recording, summary",
	.options = OPTIONS_HELP,
	.main = run_main,
};
