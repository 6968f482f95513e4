/* SPDX-License-Identifier: MIT
 *
 * Finds out which subcommand is meant. The first word that names none is the command to run; names of
 * subcommands that are still to come are kept for them.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "command.h"
#include "say.h"
#include "stream/session.h"

static int print_help(void)
{
	printf("Usage: buildtop [OPTIONS] [--] COMMAND [ARG...]\n"
	       "Run a build, watch it live, and tell what held it up.\n\n");
	for (size_t i = 0; command_table[i] != NULL; i++)
		printf("  %-8s %s\n", command_table[i]->name, command_table[i]->help);
	printf("\n'buildtop make -j8' is the same as 'buildtop run make -j8'; its options: 'buildtop run "
	       "--help'.\n"
	       "'buildtop NAME --help' tells of the others; all of it is in buildtop(1).\n");
	return COMMAND_FINE;
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		say("what is to be built? For instance: buildtop make -j8");
		say("see 'buildtop --help'");
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return print_help();
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		printf("%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
		return COMMAND_FINE;
	}
	const struct command *command = command_find(argv[1]);
	if (command != NULL)
		return command->main(argc - 1, argv + 1);
	return command_run.main(argc, argv);
}

int main(int argc, char **argv)
{
	session_save_inheritance();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* documents and figures have a point */
	text_init();
	log_init();
	int status = dispatch(argc, argv);
	if (fflush(stdout) != 0 && status == COMMAND_FINE && argc > 1 && command_find(argv[1]) != NULL) {
		say("standard output cannot be written");
		return COMMAND_FAILED;
	}
	return status;
}
