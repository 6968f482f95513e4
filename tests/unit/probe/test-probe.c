/* SPDX-License-Identifier: MIT
 *
 * The tree on real processes of our own. Each is told apart by its pid and says on a pipe when it is where
 * the test wants it; what the kernel shows a moment later is waited for by further looks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe.h"

/* ThreadSanitizer gives every process a thread of its own: where threads are counted there is one too many.
 */
#if defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_TSAN() skip()
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKIP_UNDER_TSAN() skip()
#endif
#endif
#ifndef SKIP_UNDER_TSAN
#define SKIP_UNDER_TSAN() ((void)0)
#endif

static int told[2]; /* the pipe on which children tell a pid */

static void tell(pid_t pid)
{
	if (write(told[1], &pid, sizeof pid) != sizeof pid)
		_exit(9);
}

static pid_t heard(void)
{
	pid_t pid = 0;

	assert_int_equal(read(told[0], &pid, sizeof pid), sizeof pid);
	return pid;
}

static pid_t start(void (*act)(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	act();
	for (;;)
		pause();
}

static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static struct probe *follow(pid_t root, bool own_children, bool command_lines)
{
	struct probe_options options = {.roots = &root,
					.n_roots = root ? 1 : 0,
					.own_children = own_children,
					.workdir = "/",
					.command_lines = command_lines};
	struct run *run = run_new();
	struct probe *probe;
	struct why why;

	assert_int_equal(probe_open(&probe, &options, run, &why), 0);
	assert_non_null(run_source(run, "wchan"));
	run_free(run);
	return probe;
}

static const struct task_row *row_of(const struct sample *sample, pid_t pid)
{
	for (size_t i = 0; i < sample->n_tasks; i++)
		if (sample->tasks[i].pid == pid)
			return &sample->tasks[i];
	return NULL;
}

/* In how many different threads of the task the looks found it in that state. */
static size_t threads_in(const struct sample *sample, pid_t pid, char state)
{
	size_t count = 0;

	for (size_t i = 0; i < sample->n_look_rows; i++) {
		const struct look_row *row = &sample->look_rows[i];

		count += sample->tasks[row->task].pid == pid && sample->sites[row->site].state == state;
	}
	return count;
}

/* Ticks, each with a look before it, until the task was seen in that state; NULL after 10 s. */
static struct sample *tick_until(struct probe *probe, pid_t pid, char state)
{
	const struct timespec nap = {.tv_nsec = 2000000};

	for (int64_t end_ns = clock_mono_ns() + 10 * NS_PER_S; clock_mono_ns() < end_ns;) {
		struct sample *sample;

		probe_look(probe);
		sample = probe_tick(probe);
		if (threads_in(sample, pid, state))
			return sample;
		sample_free(sample);
		nanosleep(&nap, NULL);
	}
	return NULL;
}

static const char *hostile;

static void be_named(void)
{
	prctl(PR_SET_NAME, hostile);
	tell(getpid());
}

static void test_hostile_names(void **state)
{
	SKIP_UNDER_TSAN();
	static const char *const names[] = {") R 1 1", "ev\033[31mil", "a\nb\\c"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct probe *probe;
		struct sample *sample;
		const struct task_row *row;
		pid_t pid;

		hostile = names[i];
		pid = start(be_named);
		assert_int_equal(heard(), pid);
		probe = follow(pid, false, false);
		sample = tick_until(probe, pid, 'S');
		assert_non_null(sample);
		row = row_of(sample, pid);
		assert_string_equal(sample_string(sample, row->comm, NULL), names[i]);
		assert_int_equal(row->ppid, getpid());
		assert_int_equal(row->state, 'S');
		assert_int_equal(row->uid, geteuid());
		assert_true(row->flags & TASK_ROOT);
		assert_false(row->flags & (TASK_ENDED | TASK_ORPHAN | TASK_HIDDEN));
		assert_true(row->values[METRIC_TASK_USER_MS] < 1000);
		assert_int_equal(row->values[METRIC_TASK_THREADS], 1);
		assert_true(row->values[METRIC_TASK_RSS_BYTES] != METRIC_NA);
		sample_free(sample);
		probe_close(probe);
		reap(pid);
	}
}

static void tell_self(void)
{
	tell(getpid());
}

/* A sleeper moves nowhere: all looks are bits of one row, at one site that names its call. */
static void test_sleeper_keeps_its_site(void **state)
{
	SKIP_UNDER_TSAN();
	pid_t pid = start(tell_self);
	struct probe *probe = follow(pid, false, false);
	struct sample *sample;

	(void)state;
	heard();
	sample = tick_until(probe, pid, 'S');
	assert_non_null(sample);
	sample_free(sample);
	for (int i = 0; i < 70; i++)
		probe_look(probe);
	sample = probe_tick(probe);
	assert_int_equal(sample->n_looks, 70);
	assert_int_equal(sample->n_look_rows, 2);
	assert_true(sample->look_rows[0].mask == UINT64_MAX && sample->look_rows[0].block == 0);
	assert_true(sample->look_rows[1].mask == 0x3f && sample->look_rows[1].block == 1);
	assert_int_equal(sample->n_sites, 1);
	assert_int_equal(sample->sites[0].state, 'S');
#ifdef SYS_pause
	assert_true(sample->sites[0].syscall == SYS_pause || sample->sites[0].syscall == SITE_CALL_HIDDEN);
#endif
	assert_false(row_of(sample, pid)->flags & TASK_NEW);
	sample_free(sample);
	probe_close(probe);
	reap(pid);
}

static void spin(void)
{
	tell(getpid());
	for (volatile unsigned i = 0;; i++)
		;
}

static void test_runner(void **state)
{
	pid_t pid = start(spin);
	struct probe *probe = follow(pid, false, false);
	struct sample *sample;

	(void)state;
	heard();
	sample = tick_until(probe, pid, 'R');
	assert_non_null(sample);
	for (size_t i = 0; i < sample->n_sites; i++)
		if (sample->sites[i].state == 'R') {
			assert_int_equal(sample->sites[i].syscall, SITE_CALL_UNREAD);
			assert_int_equal(sample->sites[i].wchan, 0);
		}
	sample_free(sample);
	probe_close(probe);
	reap(pid);
}

static void nest(void)
{
	for (int i = 0; i < 3; i++) {
		if (fork())
			return;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	}
	tell(getpid());
}

/* The whole depth of a new tree is found in one look, parents before children. */
static void test_depth_in_one_look(void **state)
{
	pid_t pid = start(nest), last = heard();
	struct probe *probe = follow(pid, false, false);
	struct sample *sample;

	(void)state;
	probe_look(probe);
	sample = probe_tick(probe);
	assert_int_equal(sample->n_tasks, 4);
	assert_non_null(row_of(sample, last));
	for (size_t i = 1; i < sample->n_tasks; i++) {
		assert_int_equal(sample->tasks[i].ppid, sample->tasks[i - 1].pid);
		assert_true(sample->tasks[i].flags & TASK_NEW);
	}
	sample_free(sample);
	probe_close(probe);
	kill(last, SIGKILL);
	reap(pid);
}

static void *sleep_on(void *unused)
{
	while (!unused)
		pause();
	return NULL;
}

static void have_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, sleep_on, NULL);
	tell(getpid());
}

static void test_threads(void **state)
{
	SKIP_UNDER_TSAN();
	pid_t pid = start(have_threads);
	struct probe *probe = follow(pid, false, false);
	struct sample *sample = NULL;
	size_t asleep = 0;

	(void)state;
	heard();
	for (int i = 0; i < 1000 && asleep != 4; i++) {
		sample_free(sample);
		sample = tick_until(probe, pid, 'S');
		assert_non_null(sample);
		asleep = threads_in(sample, pid, 'S');
	}
	assert_int_equal(asleep, 4);
	assert_int_equal(row_of(sample, pid)->values[METRIC_TASK_THREADS], 4);
	sample_free(sample);
	probe_close(probe);
	reap(pid);
}

static void test_end_is_told_once(void **state)
{
	pid_t pid = start(tell_self);
	struct probe *probe = follow(pid, false, false);
	struct sample *sample;

	(void)state;
	heard();
	probe_look(probe);
	assert_int_equal(probe_roots_alive(probe), 1);
	reap(pid);
	probe_look(probe);
	assert_int_equal(probe_roots_alive(probe), 0);
	sample = probe_tick(probe);
	assert_int_equal(sample->n_tasks, 1);
	assert_true(sample->tasks[0].flags & TASK_ENDED);
	assert_true(sample->tasks[0].flags & TASK_NEW);
	assert_int_equal(sample->tasks[0].pid, pid);
	sample_free(sample);
	probe_look(probe);
	sample = probe_tick(probe);
	assert_int_equal(sample->n_tasks, 0);
	sample_free(sample);
	probe_close(probe);
}

static void leave_orphan(void)
{
	if (fork()) {
		_exit(0);
	}
	while (getppid() != getpgrp()) /* the test leads its group: wait until we were left to it */
		usleep(1000);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	tell(getpid());
}

/* A process whose parent ended before any look is found among our own children, and stays in the tree. */
static void test_orphan_comes_to_us(void **state)
{
	struct probe *probe;
	const struct task_row *row;
	struct sample *sample;
	pid_t parent, orphan;

	(void)state;
	setpgid(0, 0);
	if (getpgrp() != getpid())
		skip();
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	parent = start(leave_orphan);
	orphan = heard();
	probe = follow(0, true, false);
	probe_add_root(probe, parent);
	sample = tick_until(probe, orphan, 'S');
	assert_non_null(sample);
	row = row_of(sample, orphan);
	assert_true(row->flags & TASK_ORPHAN);
	assert_false(row->flags & TASK_ROOT);
	assert_int_equal(row->ppid, getpid());
	assert_true(sample->system[METRIC_SYSTEM_REAPED_USER_US] != METRIC_NA);
	sample_free(sample);
	probe_close(probe);
	reap(parent);
	reap(orphan);
}

static void do_vfork(void)
{
	pid_t child = vfork();

	if (child == 0) {
		tell(getpid());
		for (;;)
			pause();
	}
}

/* The parent of a vfork waits in state D; the child is found all the same. */
static void test_vfork(void **state)
{
	SKIP_UNDER_TSAN();
	pid_t pid = start(do_vfork), child = heard();
	struct probe *probe = follow(pid, false, false);
	struct sample *sample = tick_until(probe, child, 'S');

	(void)state;
	assert_non_null(sample);
	assert_int_equal(row_of(sample, child)->ppid, pid);
	assert_int_equal(threads_in(sample, pid, 'D'), 1);
	sample_free(sample);
	probe_close(probe);
	kill(child, SIGKILL);
	reap(pid);
}

static void run_sleep(void)
{
	execlp("sleep", "sleep", "1000", (char *)NULL);
	_exit(127);
}

static void *serve(void *probe)
{
	probe_serve_names(probe);
	return NULL;
}

/* After exec the words are asked for anew, and reach the samples. */
static void test_command_line(void **state)
{
	pid_t pid = start(run_sleep);
	struct probe *probe = follow(pid, false, true);
	int64_t end_ns = clock_mono_ns() + 10 * NS_PER_S;
	bool known = false;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, serve, probe), 0);
	while (!known && clock_mono_ns() < end_ns) {
		struct sample *sample;
		const char *words;
		size_t len;

		probe_look(probe);
		usleep(2000);
		sample = probe_tick(probe);
		assert_false(probe_names_stuck(probe));
		words = sample_string(sample, row_of(sample, pid)->cmdline, &len);
		known = len == 10 && !memcmp(words, "sleep\0001000", 10);
		sample_free(sample);
	}
	assert_true(known);
	probe_stop_names(probe);
	assert_int_equal(pthread_join(thread, NULL), 0);
	probe_close(probe);
	reap(pid);
}

static void test_machine(void **state)
{
	struct probe *probe = follow(0, false, false);
	struct sample *sample = probe_tick(probe);

	(void)state;
	assert_int_equal(sample->number, 0);
	assert_true(sample->flags & SAMPLE_FIRST);
	assert_true(sample->mono_ns % NS_PER_US == 0);
	if (access("/proc/meminfo", R_OK) == 0)
		assert_true(sample->system[METRIC_SYSTEM_MEM_TOTAL_BYTES] >
			    sample->system[METRIC_SYSTEM_MEM_FREE_BYTES]);
	assert_int_equal(sample->system[METRIC_SYSTEM_CPUS_ONLINE], sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(sample->system[METRIC_SYSTEM_REAPED_USER_US] == METRIC_NA); /* nothing is ours here */
	sample_free(sample);
	sample = probe_tick(probe);
	assert_int_equal(sample->number, 1);
	assert_int_equal(sample->flags, 0);
	sample_free(sample);
	probe_close(probe);
}

/* What the build would inherit, and the numbers below 64, are the same with a probe as without. */
static void test_descriptors(void **state)
{
	enum { MOST = 1024 };
	bool before[MOST];
	struct probe *probe;
	pid_t pid = start(tell_self);

	(void)state;
	heard();
	for (int fd = 0; fd < MOST; fd++)
		before[fd] = fcntl(fd, F_GETFD) >= 0;
	probe = follow(pid, true, true);
	probe_look(probe);
	sample_free(probe_tick(probe));
	for (int fd = 0; fd < MOST; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || before[fd])
			continue;
		assert_true(fd >= 64);
		assert_true(flags & FD_CLOEXEC);
	}
	probe_close(probe);
	for (int fd = 0; fd < MOST; fd++)
		assert_int_equal(fcntl(fd, F_GETFD) >= 0, before[fd]);
	reap(pid);
}

static void end_at_once(void)
{
	_exit(0);
}

/* Ended before any look: nothing was seen, nothing is told. A zombie is seen as one. */
static void test_quick_ends(void **state)
{
	struct probe *probe;
	struct sample *sample;
	siginfo_t info;
	pid_t pid = start(end_at_once);

	(void)state;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	probe = follow(pid, false, false);
	probe_look(probe);
	assert_int_equal(probe_roots_alive(probe), 0);
	sample = probe_tick(probe);
	assert_int_equal(row_of(sample, pid)->state, 'Z');
	sample_free(sample);
	probe_close(probe);
	reap(pid);
	probe = follow(pid, false, false);
	probe_look(probe);
	assert_int_equal(probe_roots_alive(probe), 0);
	sample = probe_tick(probe);
	assert_int_equal(sample->n_tasks, 0);
	sample_free(sample);
	probe_close(probe);
}

static int open_pipe(void **state)
{
	(void)state;
	return pipe(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_sleeper_keeps_its_site),
		cmocka_unit_test(test_runner),
		cmocka_unit_test(test_depth_in_one_look),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_end_is_told_once),
		cmocka_unit_test(test_orphan_comes_to_us),
		cmocka_unit_test(test_vfork),
		cmocka_unit_test(test_command_line),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_quick_ends),
	};

	return cmocka_run_group_tests(tests, open_pipe, NULL);
}
