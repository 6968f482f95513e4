/* SPDX-License-Identifier: MIT
 *
 * A storm of short processes, and the truth about it: COUNT children, PARALLEL at a time, each computing for
 * 1 to 20 ms and naming itself a, b or c; then the names, counts and sums of their rusage, one a line on
 * standard output. With
 * --refuse COMMAND it runs that where perf_event_open is forbidden, as in many containers.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAMES = 3 };

struct child {
	pid_t pid;
	int name;
};

static const char *const names[NAMES] = {"storm-a", "storm-b", "storm-c"};

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double cpu_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void compute(int name, double until_s)
{
	size_t bytes = (size_t)1 << (16 + 2 * name); /* what ending costs differs */
	char *memory = malloc(bytes);

	if (memory)
		memset(memory, 1, bytes);
	while (cpu_now() < until_s)
		;
	free(memory);
}

static pid_t start(int i)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_NAME, names[i % NAMES]);
		compute(i % NAMES, 0.001 + 0.001 * (i * 7 % 20));
		_exit(0);
	}
	return pid;
}

static int refuse(char **command)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 77;
	execvp(command[0], command);
	return 127;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "--refuse") == 0)
		return refuse(argv + 2);

	int count = argc > 1 ? atoi(argv[1]) : 5000, parallel = argc > 2 ? atoi(argv[2]) : 2;
	struct child *alive = calloc((size_t)(parallel < 1 ? parallel = 1 : parallel), sizeof *alive);
	double sums[NAMES] = {0};
	int ended[NAMES] = {0}, started = 0, running = 0;

	while (alive && (started < count || running > 0)) {
		struct rusage usage;
		pid_t pid;

		for (int i = 0; i < parallel && started < count; i++)
			if (alive[i].pid == 0) {
				alive[i] = (struct child){start(started), started % NAMES};
				started++;
				running++;
			}
		pid = wait4(-1, NULL, 0, &usage);
		if (pid < 0 && errno != EINTR)
			return 1;
		for (int i = 0; pid > 0 && i < parallel; i++)
			if (alive[i].pid == pid) {
				sums[alive[i].name] += seconds(usage.ru_utime) + seconds(usage.ru_stime);
				ended[alive[i].name]++;
				alive[i].pid = 0;
				running--;
			}
	}
	for (int i = 0; i < NAMES; i++)
		printf("%s %d %.6f\n", names[i], ended[i], sums[i]);
	free(alive);
	fflush(stdout);
	_exit(0); /* a sanitizer's search for leaks would be one more process */
}
