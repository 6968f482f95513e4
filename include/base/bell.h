/* SPDX-License-Identifier: MIT
 *
 * A bell: a descriptor that is readable from being rung until it is hushed, to wake a poll(). Ringing never
 * waits. The listener's order, so that nothing is slept through: find the queue empty, hush, look at the
 * queue once more.
 */
#ifndef BASE_BELL_H
#define BASE_BELL_H

int bell_open(void);	  /* the descriptor, or -errno; close() it */
void bell_ring(int bell); /* any thread */
void bell_hush(int bell);

#endif
