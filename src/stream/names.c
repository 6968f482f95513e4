/* SPDX-License-Identifier: MIT
 *
 * Knows that reading a command line may never return (the process sits in the kernel with its memory lock
 * held), and that neither the samples nor our exit may depend on it. Main thread.
 */
#include "names.h"

#define STOP_WAIT_MS 200

static void names_work(void *arg)
{
	probe_serve_names(arg);
}

static int add_thread(struct names *names)
{
	int error = thread_start(&names->threads[names->n], "names", names_work, names->probe);

	if (error == 0)
		names->n++;
	return error;
}

int names_start(struct names *names, struct probe *probe)
{
	names->probe = probe;
	for (unsigned i = 0; i < NAMES_THREADS_MAX; i++)
		thread_init(&names->threads[i]);
	return add_thread(names);
}

void names_check(struct names *names)
{
	if (names->n > 0 && names->n < NAMES_THREADS_MAX && probe_names_stuck(names->probe))
		add_thread(names);
}

bool names_stop(struct names *names)
{
	bool all_ended = true;

	if (names->n > 0)
		probe_stop_names(names->probe);
	for (unsigned i = 0; i < names->n; i++)
		if (!thread_wait(&names->threads[i], STOP_WAIT_MS)) {
			thread_leave(&names->threads[i]);
			all_ended = false;
		}
	names->n = 0;
	return all_ended;
}
