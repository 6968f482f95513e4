/* SPDX-License-Identifier: MIT
 *
 * Knows that reading a command line may never return (the process sits in the kernel with its memory lock
 * held), and that neither the samples nor our exit may depend on it. Main thread.
 */
#include "namers.h"

#define STOP_WAIT_MS 200

static void names_work(void *arg)
{
	probe_serve_names(arg);
}

static int add_thread(struct namers *namers)
{
	int error = worker_start(&namers->threads[namers->n], "names", names_work, namers->probe);

	if (error == 0)
		namers->n++;
	return error;
}

int namers_start(struct namers *namers, struct probe *probe)
{
	namers->probe = probe;
	for (unsigned i = 0; i < NAMERS_MAX; i++)
		worker_init(&namers->threads[i]);
	return add_thread(namers);
}

void namers_check(struct namers *namers)
{
	if (namers->n > 0 && namers->n < NAMERS_MAX && probe_names_stuck(namers->probe))
		add_thread(namers);
}

bool namers_stop(struct namers *namers)
{
	bool all_ended = true;

	if (namers->n > 0)
		probe_stop_names(namers->probe);
	for (unsigned i = 0; i < namers->n; i++)
		if (!worker_wait(&namers->threads[i], STOP_WAIT_MS)) {
			worker_leave(&namers->threads[i]);
			all_ended = false;
		}
	namers->n = 0;
	return all_ended;
}
