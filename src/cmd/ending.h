/* SPDX-License-Identifier: MIT
 *
 * What is printed, written and sent when a live run is over.
 */
#ifndef CMD_ENDING_H
#define CMD_ENDING_H

#include <stdbool.h>

#include "base/tape.h"
#include "model/summary.h"
#include "options.h"

/* The last lines of the build's output, on standard output. */
void ending_show_output(const struct tape *output);
/* The summary for a person on standard error; recording NULL: none. */
void ending_show_summary(const struct summary *summary, const char *recording);
/* Writes the documents asked for; what fails is said. */
void ending_write(const struct options *options, const struct summary *summary, const char *document);
/* Writes the run down in the history, with what is to be sent of it, and tells how it compares. False: it is
 * not in the history now. */
bool ending_keep(const struct options *options, const struct summary *summary, const char *document);
/* Sends the document; false: it did not reach all, which has been said. kept: it is in the history. */
bool ending_post(const struct options *options, const char *document, bool kept);
/* Ends this process by the signal, so that whoever started it sees a process that was interrupted. Returns if
 * that fails. */
void ending_die(int signal);

#endif
