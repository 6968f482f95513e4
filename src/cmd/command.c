/* SPDX-License-Identifier: MIT
 *
 * The list of subcommands, the only one.
 */
#include "command.h"

#include <stdio.h>
#include <string.h>

const struct command *const command_table[] = {
	&command_run,	  &command_watch, &command_replay, &command_report, &command_compare, &command_bench,
	&command_history, &command_post,  &command_import, &command_doctor, &command_list,    NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; command_table[i] != NULL; i++) {
		if (strcmp(command_table[i]->name, name) == 0)
			return command_table[i];
	}
	return NULL;
}

int command_print_help(const struct command *command)
{
	printf("Usage: buildtop %s %s\n%s.\n", command->name, command->synopsis, command->help);
	if (command->options != NULL)
		printf("\n%s", command->options);
	return COMMAND_FINE;
}
