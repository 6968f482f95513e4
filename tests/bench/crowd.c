/* SPDX-License-Identifier: MIT
 *
 * Processes to be looked at, in two kinds: a crowd that sleeps, and a tree that looks like a build at work.
 *
 *   crowd idle N     N processes that only sleep
 *   crowd build N    a tree of N processes: two that compile (start a child that computes for a tenth of a
 * second, again and again) and sleepers in threes under a parent each
 *
 * Ends with the process that started it, and all of its own with it; knows nothing of who looks.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t start(void)
{
	pid_t pid = fork();
	if (pid < 0) {
		perror("crowd: fork");
		exit(1);
	}
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void compute(double seconds)
{
	clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	while (clock() < until)
		;
}

static void compile_for_ever(void)
{
	for (;;) {
		pid_t pid = start();
		if (pid == 0) {
			prctl(PR_SET_NAME, "cc1");
			compute(0.1);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void start_idle(int count)
{
	while (count-- > 0) {
		if (start() == 0)
			sleep_for_ever();
	}
}

/* This process is one of the count; the two that compile have a child each. */
static void start_build(int count)
{
	for (int i = 0; i < 2; i++) {
		if (start() == 0)
			compile_for_ever();
	}
	for (count -= 5; count > 0; count -= 4) {
		if (start() == 0) {
			start_idle(count < 4 ? count - 1 : 3);
			sleep_for_ever();
		}
	}
}

/* Told to end, takes the whole crowd with it and buries it: init is slow to do so with thousands. */
static void end_crowd(int signal_number)
{
	signal(signal_number, SIG_IGN);
	kill(0, signal_number);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;
	if (count < 1 || (strcmp(argv[1], "idle") != 0 && strcmp(argv[1], "build") != 0)) {
		fputs("usage: crowd idle|build N\n", stderr);
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (strcmp(argv[1], "idle") == 0) {
		setpgid(0, 0);
		start_idle(count);
		signal(SIGTERM, end_crowd);
	} else {
		start_build(count);
	}
	sleep_for_ever();
}
