/* SPDX-License-Identifier: MIT
 *
 * What we were given by whoever started us, kept so that the build gets it unchanged.
 */
#ifndef STREAM_INHERIT_H
#define STREAM_INHERIT_H

#include <stdbool.h>

/* Notes the signal mask, dispositions and limits. The first call counts. */
void inherit_save(void);
/* Puts them in force again; in a child, before exec. Async-signal-safe. */
void inherit_restore(void);
/* Was the signal ignored when we started (nohup, a shell's background job)? Then it stays so. */
bool inherit_ignored(int signal);

#endif
