/* SPDX-License-Identifier: MIT
 *
 * What following a build costs: a tree of processes of our own, some idle, some busy, some short-lived,
 * followed at ten looks and one tick a second. Prints CPU milliseconds a second of looks and ticks apart.
 *
 *   bench-probe [SECONDS [IDLE [BUSY [FORKS_PER_S]]]]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe.h"

static void nap_until(int64_t mono_ns)
{
	const struct timespec at = {.tv_sec = mono_ns / NS_PER_S, .tv_nsec = mono_ns % NS_PER_S};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void fork_storm(int forks_per_s)
{
	for (int64_t next_ns = clock_mono_ns();;) {
		pid_t pid = fork();

		if (pid == 0) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
		next_ns += NS_PER_S / forks_per_s;
		nap_until(next_ns);
	}
}

/* The root of the tree and all below it; ends with us. */
static pid_t start_tree(int idle, int busy, int forks_per_s)
{
	pid_t root = fork();

	if (root)
		return root;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 1; i < idle + busy; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (i < busy)
			for (volatile unsigned long spin = 0;; spin++)
				;
		for (;;)
			pause();
	}
	if (forks_per_s)
		fork_storm(forks_per_s);
	for (;;)
		pause();
}

static int number(int argc, char **argv, int at, int otherwise)
{
	return argc > at ? atoi(argv[at]) : otherwise;
}

int main(int argc, char **argv)
{
	enum { LOOKS = 10 };
	int seconds = number(argc, argv, 1, 20);
	pid_t root =
		start_tree(number(argc, argv, 2, 38), number(argc, argv, 3, 2), number(argc, argv, 4, 5));
	struct probe_options options = {.roots = &root, .n_roots = 1, .workdir = "/"};
	struct run *run = run_new();
	int64_t sightings_ns = 0, ticks_ns = 0, begin_ns;
	size_t tasks = 0, rows = 0, ended = 0;
	struct probe *probe;
	struct why why;

	if (probe_open(&probe, &options, run, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	probe_look(probe);
	sample_free(probe_tick(probe));
	begin_ns = clock_mono_ns();
	for (int i = 1; i <= seconds * LOOKS; i++) {
		int64_t cpu_ns;

		nap_until(begin_ns + i * (NS_PER_S / LOOKS));
		cpu_ns = clock_thread_cpu_ns();
		probe_look(probe);
		sightings_ns += clock_thread_cpu_ns() - cpu_ns;
		if (i % LOOKS == 0) {
			struct sample *sample;

			cpu_ns = clock_thread_cpu_ns();
			sample = probe_tick(probe);
			ticks_ns += clock_thread_cpu_ns() - cpu_ns;
			tasks += sample->n_tasks;
			rows += sample->n_look_rows;
			for (size_t j = 0; j < sample->n_tasks; j++)
				ended += (sample->tasks[j].flags & TASK_ENDED) != 0;
			sample_free(sample);
		}
	}
	printf("%.1f tasks (%.1f ended), %.1f look rows a tick; looks %.3f ms/s, ticks %.3f ms/s\n",
	       (double)tasks / seconds, (double)ended / seconds, (double)rows / seconds,
	       (double)sightings_ns / 1e6 / seconds, (double)ticks_ns / 1e6 / seconds);
	probe_close(probe);
	run_free(run);
	kill(root, SIGKILL);
	return 0;
}
