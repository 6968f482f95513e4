/* SPDX-License-Identifier: MIT
 *
 * The commands of a run: how many processes of each name, and what they used.
 */
#ifndef DIAGNOSE_COMMANDS_H
#define DIAGNOSE_COMMANDS_H

#include <stdint.h>

#include "model/summary.h"

#include "members.h"

struct commands;

struct commands *commands_new(void);
void commands_free(struct commands *commands);
/* Counts a process that has ended. */
void commands_count(struct commands *commands, const struct member *member);
/* Fills the commands, the count of processes, and what of the summary's CPU time is no command's; those that
 * live are counted as they stand. */
void commands_summary(const struct commands *commands, const struct members *members,
		      struct summary *summary);

#endif
