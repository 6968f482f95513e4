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
void ending_write(const struct options *options, const struct summary *summary);
/* Sends the summary; false: it was not sent, which has been said. recording as above. */
bool ending_post(const struct options *options, const struct summary *summary, const char *recording);
/* Ends this process by the signal, so that whoever started it sees a process that was interrupted. Returns if
 * that fails. */
void ending_die(int signal);

#endif
