/* SPDX-License-Identifier: MIT
 *
 * Runs that could not be written to the history: a document each in pending/, and beside it what is to be
 * sent.
 */
#ifndef HISTORY_PENDING_H
#define HISTORY_PENDING_H

#include "history/history.h"

int pending_put(const char *document, const char *id, const struct history_target *targets, size_t n_targets,
		struct why *why);
/* Adds them all to the history, and what was added is removed; what cannot be is left for the next time. */
void pending_take_in(struct history *history);

#endif
