/* SPDX-License-Identifier: MIT
 *
 * Knows what this kernel and this user's rights let us read of a process, by trying it on a child that
 * sleeps. The child tells nobody of its end (no SIGCHLD), so that a session that waits for its children never
 * meets it. Before any thread.
 */
#include "sources.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "parse.h"

#define TEXT_MAX 65536

static int read_path(const char *path, struct buf *text)
{
	int error;

	buf_clear(text);
	error = fd_read_file(path, text, TEXT_MAX);
	buf_add(text, "", 0);
	return error;
}

static int read_of(pid_t pid, const char *name, struct buf *text)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return read_path(path, text);
}

static const char *text_of(const struct buf *text)
{
	return text->data ? text->data : "";
}

/* With no exit signal: fork() less the notice of death. */
static pid_t start_sleeper(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

	if (pid)
		return pid;
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
}

/* Waits, for a tenth of a second at most, until it sleeps. */
static void await_sleep(pid_t pid, struct buf *text)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	struct parse_stat stat;

	for (int i = 0; i < 100; i++) {
		if (read_of(pid, "stat", text) == 0 && parse_stat(text_of(text), text->len, &stat) &&
		    stat.state == 'S')
			return;
		nanosleep(&nap, NULL);
	}
}

static void try_wchan(struct run *run, pid_t pid, struct buf *text)
{
	int error = read_of(pid, "wchan", text);

	if (error < 0)
		run_set_source(run, "wchan", "no: this kernel has no /proc/PID/wchan (CONFIG_KALLSYMS)",
			       NULL);
	else if (!text->len || !strncmp(text_of(text), "0", 1))
		run_set_source(
			run, "wchan",
			"no: this kernel does not tell wait channels (x86 before 5.16, or no kallsyms)",
			NULL);
	else
		run_set_source(run, "wchan", "yes", NULL);
}

static void try_syscall(struct run *run, pid_t pid, struct buf *text)
{
	int error = read_of(pid, "syscall", text);
	char status[160];

	if (!error && text->len) {
		run_set_source(run, "syscall", "yes", NULL);
	} else if (error == -ENOENT) {
		run_set_source(run, "syscall", "no: this kernel has no /proc/PID/syscall", NULL);
	} else {
		bool yama = read_path("/proc/sys/kernel/yama/ptrace_scope", text) == 0 && text->len;

		snprintf(status, sizeof status, "no: may not be read (%s%.1s)",
			 yama ? "kernel.yama.ptrace_scope is " : strerror(-error), yama ? text_of(text) : "");
		run_set_source(run, "syscall", status, yama ? "sysctl kernel.yama.ptrace_scope=1" : NULL);
	}
}

static void try_children(struct run *run, pid_t pid, struct buf *text)
{
	const char *at;
	int32_t child;

	if (read_path("/proc/thread-self/children", text) == 0)
		for (at = text_of(text); parse_next_pid(&at, &child);)
			if (child == pid) {
				run_set_source(run, "children", "yes", NULL);
				return;
			}
	run_set_source(run, "children",
		       "partly: this kernel does not list children (CONFIG_PROC_CHILDREN): all processes are "
		       "read at "
		       "each tick, short ones are missed",
		       NULL);
}

static void try_simple(struct run *run, pid_t pid, const char *name, const char *no, struct buf *text)
{
	int error = read_of(pid, name, text);
	char status[200];

	snprintf(status, sizeof status, "no: %s", error == -ENOENT || !error ? no : strerror(-error));
	run_set_source(run, name, !error && text->len ? "yes" : status, NULL);
}

static void try_times(struct run *run, pid_t pid, struct buf *text)
{
	struct parse_schedstat times;

	if (read_of(pid, "schedstat", text) == 0 && parse_schedstat(text_of(text), &times) && times.run_ns)
		run_set_source(run, "schedstat", "yes", NULL);
	else
		run_set_source(
			run, "schedstat",
			"no: this kernel does not count run queue time (CONFIG_SCHED_INFO); looks cost more",
			NULL);
}

/* Process 1 is another's, unless we are root; where /proc hides others it is not there, or nothing in it
 * opens. */
static void try_others(struct run *run, struct buf *text)
{
	int error = read_path("/proc/1/stat", text);

	if (error)
		run_set_source(run, "other_users", "no: processes of other users are hidden (hidepid)",
			       "mount -o remount,hidepid=0 /proc");
	else
		run_set_source(run, "other_users", "yes", NULL);
}

void sources_of_child(struct run *run)
{
	struct buf text = {0};
	pid_t pid = start_sleeper();

	if (pid < 0) {
		run_set_source(run, "wchan", "partly: could not be tried (no process could be started)",
			       NULL);
		return;
	}
	await_sleep(pid, &text);
	if (read_of(pid, "stat", &text) == 0 && text.len)
		run_set_source(run, "processes", "yes", NULL);
	else
		run_set_source(run, "processes", "no: there is no /proc/PID/stat",
			       "mount -t proc proc /proc");
	try_wchan(run, pid, &text);
	try_syscall(run, pid, &text);
	try_children(run, pid, &text);
	try_times(run, pid, &text);
	try_simple(run, pid, "io", "this kernel does not count I/O of tasks (CONFIG_TASK_IO_ACCOUNTING)",
		   &text);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	try_others(run, &text);
	buf_fini(&text);
}
