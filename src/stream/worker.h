/* SPDX-License-Identifier: MIT
 *
 * A named thread that one can wait for with a limit, and leave behind. The struct must stay where it is until
 * the thread has ended, so who leaves one behind leaves its storage too.
 */
#ifndef STREAM_WORKER_H
#define STREAM_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct worker {
	pthread_t id;
	int done_fd; /* eventfd: readable once the work has returned; -1: not started */
	void (*work)(void *arg);
	void *arg;
	char name[16];
};

void worker_init(struct worker *worker);
/* 0 or -errno. */
int worker_start(struct worker *worker, const char *name, void (*work)(void *arg), void *arg);
bool worker_started(const struct worker *worker);
/* Waits at most timeout_ms (-1: for ever) for its end, and joins it; false: it still runs. True when it was
 * never started. */
bool worker_wait(struct worker *worker, int timeout_ms);
/* Gives it up: it runs on until the process ends. */
void worker_leave(struct worker *worker);

#endif
