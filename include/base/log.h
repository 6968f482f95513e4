/* SPDX-License-Identifier: MIT
 *
 * What buildtop itself has to say while a build runs ("recording: no space left…"). Any thread says; nothing is
 * printed here: the main thread takes the lines and shows them on the screen or on stderr. Saying never waits and
 * never writes to a file; when 64 lines are waiting, further ones are counted and lost.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

#define LOG_LINE_SIZE 512

void log_init(void);
void log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One waiting line (without a newline); false: none. Main thread only. */
bool log_take(char out[LOG_LINE_SIZE]);
/* Readable while lines wait; for poll(). */
int log_fd(void);

#endif
