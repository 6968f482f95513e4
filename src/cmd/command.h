/* SPDX-License-Identifier: MIT
 *
 * A subcommand: its name, its help, and the function that is its life. Each is at the bottom of its own file
 * and is listed once, in command.c.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>

/* Exit status of all subcommands but run, which gives the build's own. */
enum command_status {
	COMMAND_FINE = 0,
	COMMAND_FOUND = 1, /* what was asked for, or something is kept for later */
	COMMAND_USAGE = 2,
	COMMAND_FAILED = 3,
};

struct command {
	const char *name;
	const char *synopsis;		    /* behind the name */
	const char *help;		    /* one line */
	const char *options;		    /* lines for its --help; NULL: none */
	int (*main)(int argc, char **argv); /* argv[0] is the name; gives the exit status */
};

extern const struct command command_run;
extern const struct command command_watch;
extern const struct command command_replay;
extern const struct command command_report;
extern const struct command command_compare;
extern const struct command command_bench;
extern const struct command command_import;
extern const struct command command_post;
extern const struct command command_doctor;
extern const struct command command_list;
extern const struct command command_history;

extern const struct command *const command_table[]; /* ends with NULL */

const struct command *command_find(const char *name); /* NULL: none */
/* Prints its help on standard output; gives COMMAND_FINE. */
int command_print_help(const struct command *command);

#endif
