/* SPDX-License-Identifier: MIT
 *
 * The commands of a run: how many processes of each name, and what they used.
 */
#ifndef DIAGNOSE_COMMANDS_H
#define DIAGNOSE_COMMANDS_H

#include <stdint.h>

#include "model/run.h"
#include "model/summary.h"
#include "model/tick.h"

struct commands;

struct commands *commands_new(const struct run *run);
void commands_free(struct commands *commands);
/* before_ns: end of the tick before. */
void commands_add(struct commands *commands, const struct tick *tick, int64_t before_ns);
/* Fills the commands and the count of processes. */
void commands_summary(const struct commands *commands, struct summary *summary);

#endif
