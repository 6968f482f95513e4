/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C while something is sent: ends the sending and nothing else.
 */
#ifndef POST_INTERRUPT_H
#define POST_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct interrupt {
	sigset_t before;
	int fd; /* readable: told to stop; -1: none to be had, then there is only the budget */
};

void interrupt_begin(struct interrupt *interrupt);
void interrupt_end(struct interrupt *interrupt);
/* Waits; false: told to stop. */
bool interrupt_rest(int fd, long ms);

#endif
