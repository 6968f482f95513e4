/* SPDX-License-Identifier: MIT
 *
 * All that makes a place is done in the child, in front of the exec; what goes wrong there comes back as a
 * sentence through a pipe that the exec closes. Called before any thread is made.
 */
#include "bench/place.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"

/* In the child: says why through the pipe, and ends. */
static void give_up(int pipe_fd, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
static void give_up(int pipe_fd, const char *format, ...)
{
	char text[sizeof((struct why *)0)->text];
	va_list list;
	va_start(list, format);
	int len = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (len > 0)
		fd_write_all(pipe_fd, text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
	_exit(125);
}

static int wait_for(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_tool(const char *const argv[])
{
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[0], (char *const *)argv); /* it changes none of them */
		_exit(127);
	}
	return pid < 0 ? -errno : wait_for(pid);
}

int bench_place_remove_tree(const char *path)
{
	int status = run_tool((const char *const[]){"rm", "-rf", "--", path, NULL});
	return status <= 0 ? status : -EBUSY;
}

static void write_proc(int pipe_fd, const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		give_up(pipe_fd, "a user namespace could not be set up (%s: %s)", path, strerror(errno));
	close(fd);
}

/* A mount namespace of our own; without the right to one, a user namespace around it in which we stay who we
 * are. */
static void enter_namespace(int pipe_fd)
{
	char map[64];
	uid_t uid = geteuid();
	gid_t gid = getegid();
	if (unshare(CLONE_NEWNS) < 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			give_up(pipe_fd, "a tmpfs can only be mounted by root or in a user namespace: %s",
				strerror(errno));
		write_proc(pipe_fd, "/proc/self/setgroups", "deny");
		snprintf(map, sizeof map, "%u %u 1", (unsigned)uid, (unsigned)uid);
		write_proc(pipe_fd, "/proc/self/uid_map", map);
		snprintf(map, sizeof map, "%u %u 1", (unsigned)gid, (unsigned)gid);
		write_proc(pipe_fd, "/proc/self/gid_map", map);
	}
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		give_up(pipe_fd, "mounts could not be made private: %s", strerror(errno));
}

static void mount_tmpfs(const struct bench_job *job, int pipe_fd)
{
	char options[64] = "mode=0700";
	enter_namespace(pipe_fd);
	if (job->variant->size_bytes > 0)
		snprintf(options, sizeof options, "mode=0700,size=%llu",
			 (unsigned long long)job->variant->size_bytes);
	if (mount("tmpfs", job->room, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
		give_up(pipe_fd, "no tmpfs could be mounted on %s: %s", job->room, strerror(errno));
}

static void fill_place(const struct bench_job *job, const char *place, int pipe_fd)
{
	if (mkdir(place, 0700) < 0)
		give_up(pipe_fd, "cannot make %s: %s", place, strerror(errno));
	if (setenv("BUILDTOP_WORKDIR", place, 1) < 0)
		give_up(pipe_fd, "no memory");
	if (job->copy != NULL) {
		struct buf from = {0};
		buf_add_format(&from, "%s/.", job->copy);
		if (run_tool((const char *const[]){"cp", "-a", "--", from.data, place, NULL}) != 0)
			give_up(pipe_fd, "%s could not be copied to %s", job->copy, place);
		buf_fini(&from);
		if (chdir(place) < 0)
			give_up(pipe_fd, "cannot go to %s: %s", place, strerror(errno));
	}
	if (job->prepare != NULL && run_tool((const char *const[]){"/bin/sh", "-c", job->prepare, NULL}) != 0)
		give_up(pipe_fd, "what prepares a run failed: %s", job->prepare);
}

static void set_variable(const char *name, const char *value, int pipe_fd)
{
	if (setenv(name, value, 1) < 0)
		give_up(pipe_fd, "no memory");
}

/* The compiler's names lead to ccache: its directory of links stands first in PATH. */
static void put_ccache_first(int pipe_fd)
{
	static const char *const links[] = {"/usr/lib/ccache", "/usr/lib64/ccache", "/usr/libexec/ccache/bin",
					    "/usr/local/libexec/ccache"};
	const char *path = getenv("PATH");
	struct buf longer = {0};
	size_t i = 0;
	while (i < sizeof links / sizeof *links && access(links[i], X_OK) < 0)
		i++;
	if (i == sizeof links / sizeof *links)
		give_up(pipe_fd, "ccache is not there (no %s)", links[0]);
	buf_add_format(&longer, "%s:%s", links[i], path != NULL ? path : "/usr/bin:/bin");
	set_variable("PATH", longer.data, pipe_fd);
	buf_fini(&longer);
}

static void set_environment(const struct bench_job *job, int pipe_fd)
{
	const struct bench_variant *variant = job->variant;
	char jobs[16], flags[24];
	if (variant->ccache == BENCH_CCACHE_OFF) {
		set_variable("CCACHE_DISABLE", "1", pipe_fd);
	} else if (variant->ccache != BENCH_CCACHE_ANY) {
		unsetenv("CCACHE_DISABLE");
		set_variable("CCACHE_DIR", job->ccache, pipe_fd);
		put_ccache_first(pipe_fd);
	}
	if (variant->jobs > 0) {
		snprintf(jobs, sizeof jobs, "%u", variant->jobs);
		snprintf(flags, sizeof flags, "-j%u", variant->jobs);
		set_variable("BUILDTOP_JOBS", jobs, pipe_fd);
		set_variable("MAKEFLAGS", flags, pipe_fd);
		set_variable("CMAKE_BUILD_PARALLEL_LEVEL", jobs, pipe_fd);
		set_variable("CARGO_BUILD_JOBS", jobs, pipe_fd);
	}
	for (size_t i = 0; i < variant->env.n; i++) {
		char *name = mem_dup(variant->env.words[i]), *value = strchr(name, '=');
		*value++ = '\0';
		set_variable(name, value, pipe_fd);
		free(name);
	}
}

static void be_the_job(const struct bench_job *job, const char *place, struct bench_cached *cached,
		       int pipe_fd) __attribute__((noreturn));
static void be_the_job(const struct bench_job *job, const char *place, struct bench_cached *cached,
		       int pipe_fd)
{
	const char *trees[] = {place, job->copy != NULL ? job->copy : ".",
			       job->variant->ccache >= BENCH_CCACHE_EMPTY ? job->ccache : NULL, NULL};
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	set_environment(job, pipe_fd);
	if (job->variant->kind == BENCH_TMPFS)
		mount_tmpfs(job, pipe_fd);
	fill_place(job, place, pipe_fd);
	bench_cache_prepare(job->variant->cache, trees, cached);
	execv(job->argv[0], (char *const *)job->argv);
	give_up(pipe_fd, "%s cannot be run: %s", job->argv[0], strerror(errno));
}

/* What the child had to say, if anything. */
static void read_reason(int fd, struct buf *reason)
{
	ssize_t got;
	while ((got = read(fd, buf_reserve(reason, 512), 512)) != 0) {
		if (got < 0 && errno != EINTR)
			break;
		reason->len += got > 0 ? (size_t)got : 0;
	}
	if (reason->data != NULL)
		reason->data[reason->len] = '\0';
}

static volatile sig_atomic_t child_pid;

/* SIGTERM and SIGHUP are the job's: it ends, and what was made for it is put away as ever. */
static void pass_on(int signal_number)
{
	(void)signal_number;
	if (child_pid > 0)
		kill((pid_t)child_pid, SIGTERM);
}

static int run_child(const struct bench_job *job, const char *place, struct bench_cached *cached,
		     struct why *why)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return why_set(why, -errno, "no pipe: %s", strerror(errno));
	pid_t pid = fork();
	if (pid == 0)
		be_the_job(job, place, cached, ends[1]);
	int error = pid < 0 ? -errno : 0;
	struct buf reason = {0};
	child_pid = pid;
	close(ends[1]);
	if (pid > 0)
		read_reason(ends[0], &reason);
	close(ends[0]);
	int status = pid > 0 ? wait_for(pid) : why_set(why, error, "cannot fork: %s", strerror(-error));
	child_pid = 0;
	if (reason.len > 0)
		status = why_set(why, -ECANCELED, "%s", reason.data);
	buf_fini(&reason);
	return status;
}

/* What the child finds out comes back through memory that both have. */
static int run_shared(const struct bench_job *job, const char *place, struct bench_cached *cached,
		      struct why *why)
{
	struct bench_cached *shared =
		mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return why_set(why, -errno, "no memory: %s", strerror(errno));
	int status = run_child(job, place, shared, why);
	*cached = *shared;
	munmap(shared, sizeof *shared);
	return status;
}

char *bench_place_path(const struct bench_variant *variant, const char *room)
{
	struct buf place = {0};
	char *real = variant->kind == BENCH_DIRECTORY ? realpath(variant->path, NULL) : NULL;
	if (variant->kind == BENCH_DIRECTORY && real == NULL)
		return NULL;
	buf_add_format(&place, "%s/%s", real != NULL ? real : room, BENCH_PLACE_NAME);
	free(real);
	return place.data;
}

int bench_place_remove(const struct bench_variant *variant, const char *room)
{
	char *place = variant->kind == BENCH_DIRECTORY ? bench_place_path(variant, room) : NULL;
	int error = place != NULL ? bench_place_remove_tree(place) : 0; /* a tmpfs goes by itself */
	free(place);
	return error;
}

int bench_place_run(const struct bench_job *job, struct bench_cached *cached, struct why *why)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	void (*before[4])(int);
	char *place = bench_place_path(job->variant, job->room);
	if (place == NULL)
		return why_set(why, -errno, "%s: %s", job->variant->path, strerror(errno));
	bench_place_remove(job->variant, job->room); /* of a benchmark that was killed */
	for (size_t i = 0; i < 4; i++)
		before[i] = signal(signals[i], i < 2 ? SIG_IGN : pass_on);
	int status = run_shared(job, place, cached, why);
	bench_place_remove(job->variant, job->room);
	for (size_t i = 0; i < 4; i++)
		signal(signals[i], before[i]);
	free(place);
	return status;
}
