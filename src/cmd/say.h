/* SPDX-License-Identifier: MIT
 *
 * What buildtop says to its user: one clean line a call on standard error, behind its name.
 */
#ifndef CMD_SAY_H
#define CMD_SAY_H

#include "command.h"

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_line(const char *line);
/* Says what is wrong with the words given and where help is; gives COMMAND_USAGE. */
int say_usage(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
