/* SPDX-License-Identifier: MIT
 *
 * A named thread that one can wait for with a limit, and leave behind. The struct must stay where it is until
 * the thread has ended, so who leaves one behind leaves its storage too.
 */
#ifndef STREAM_THREAD_H
#define STREAM_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct thread {
	pthread_t id;
	int done_fd; /* eventfd: readable once the work has returned; -1: not started */
	void (*work)(void *arg);
	void *arg;
	char name[16];
};

void thread_init(struct thread *thread);
/* 0 or -errno. */
int thread_start(struct thread *thread, const char *name, void (*work)(void *arg), void *arg);
bool thread_started(const struct thread *thread);
/* Waits at most timeout_ms (-1: for ever) for its end, and joins it; false: it still runs. True when it was
 * never started. */
bool thread_wait(struct thread *thread, int timeout_ms);
/* Gives it up: it runs on until the process ends. */
void thread_leave(struct thread *thread);

#endif
