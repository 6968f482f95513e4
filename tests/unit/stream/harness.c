/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "fake_probe.h"

static struct facts *facts;
static struct trial *running;
static struct control *screen_control;
static struct tape *screen_output;
static pthread_t serving;

static void say(const char *line)
{
	size_t len = strlen(facts->said);

	snprintf(facts->said + len, sizeof facts->said - len, "%s\n", line);
}

static void note_begin(void *self, const struct run *run)
{
	(void)self;
	facts->began = run->id[0] != '\0' && run->start_mono_ns > 0 && run->tool_version != NULL;
}

static void note_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	uint32_t flags = tick->sample->flags;
	unsigned names = atomic_load(&fake_probe.names_alive);

	(void)self;
	(void)dropped;
	facts->ticks++;
	facts->firsts += (flags & SAMPLE_FIRST) != 0;
	facts->gaps += (flags & SAMPLE_GAP) != 0;
	facts->lates += (flags & SAMPLE_LATE) != 0;
	facts->lasts += (flags & SAMPLE_LAST) != 0;
	facts->missed += tick->sample->missed;
	if (names > facts->names_most)
		facts->names_most = names;
}

static void note_end(void *self, const struct run_end *end)
{
	(void)self;
	(void)end;
	facts->ended = true;
	facts->ended_before_last = facts->lasts == 0;
}

static void serve_quietly(void *self, struct inbox *inbox)
{
	struct pollfd ready = {.fd = inbox_fd(inbox), .events = POLLIN};
	sigset_t mask;

	(void)self;
	serving = pthread_self();
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	facts->serve_signals_blocked =
		sigismember(&mask, SIGINT) && sigismember(&mask, SIGWINCH) && !sigismember(&mask, SIGSEGV);
	while (!inbox_ended(inbox)) {
		poll(&ready, 1, -1);
		tick_unref(inbox_take(inbox, NULL));
	}
}

static void end_serving(void *self, const struct run_end *end)
{
	(void)self;
	(void)end;
	facts->serve_ended_on_thread = pthread_equal(serving, pthread_self());
}

static void serve_screen(void *self, struct inbox *inbox)
{
	(void)self;
	running->screen(screen_control, inbox, screen_output);
}

static void keep_tape(void)
{
	uint64_t position = 0, lost = 0;

	if (screen_output == NULL)
		return;
	facts->tape_len = tape_read(screen_output, &position, facts->tape, sizeof facts->tape - 1, &lost);
	position = tape_end(screen_output) - 15;
	tape_read(screen_output, &position, facts->tape_end, 15, &lost);
}

static void run_trial(struct trial *trial)
{
	struct consumer consumers[] = {
		{.name = "noter", .begin = note_begin, .tick = note_tick, .end = note_end},
		{.name = "server", .serve = serve_quietly, .end = end_serving},
		{.name = "screen", .serve = serve_screen, .expendable = true},
	};
	struct session_options options = {.consumers = consumers, .n_consumers = 2, .say = say};
	static const pid_t watched = 1;

	/* Whoever runs the tests in the background may have them ignored, and that would be inherited. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	session_save_inheritance();
	log_init();
	options.run = run_new();
	options.run->command = (char **)trial->argv;
	options.run->mode = trial->argv != NULL ? RUN_COMMAND : RUN_WATCH;
	options.run->interval_ns = (trial->interval_ms > 0 ? trial->interval_ms : 1000) * NS_PER_MS;
	options.run->look_interval_ns = 100 * NS_PER_MS;
	if (trial->argv == NULL) {
		options.pids = &watched;
		options.n_pids = 1;
	}
	if (trial->screen != NULL) {
		screen_control = control_new();
		screen_output = tape_new(1 << 16);
		options.control = screen_control;
		options.output = screen_output;
		options.pty_size = 17u << 16 | 63;
		options.n_consumers = 3;
	}
	facts->error = session_run(&options, &facts->result, &facts->why);
	if (facts->result.end.left_behind != NULL)
		snprintf(facts->left_behind, sizeof facts->left_behind, "%s", facts->result.end.left_behind);
	keep_tape();
}

/* The part of a shell with job control: its job is in a group of its own, in the foreground, and can be
 * stopped. */
static void be_a_shell(void)
{
	pid_t job = fork();
	int status;

	if (job == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		return;
	}
	facts->job = job;
	while (waitpid(job, &status, WUNTRACED) == job) {
		if (!WIFSTOPPED(status))
			_exit(WEXITSTATUS(status));
		facts->stops++;
	}
	_exit(125);
}

static void take_place(struct trial *trial, const int in[2], const int out[2], int slave)
{
	if (trial->terminal) {
		setsid();
		ioctl(slave, TIOCSCTTY, 0);
	} else {
		setpgid(0, 0); /* our parent is in another group of the same session, so we can be stopped */
	}
	dup2(trial->terminal ? slave : in[0], 0);
	dup2(trial->terminal ? slave : out[1], 1);
	dup2(trial->terminal ? slave : out[1], 2);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	if (trial->terminal)
		be_a_shell();
	if (trial->prepare != NULL)
		trial->prepare();
	if (trial->direct) {
		execvp(trial->argv[0], (char **)trial->argv);
		_exit(127);
	}
	run_trial(trial);
	_exit(0);
}

static int open_terminal(int *slave)
{
	struct winsize size = {.ws_row = 30, .ws_col = 90};
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	*slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(*slave >= 0);
	ioctl(master, TIOCSWINSZ, &size);
	return master;
}

void trial_start(struct trial *trial)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, slave = -1;

	facts = mmap(NULL, sizeof *facts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(facts != MAP_FAILED);
	trial->facts = facts;
	running = trial;
	if (trial->terminal) {
		trial->in_fd = trial->out_fd = open_terminal(&slave);
	} else {
		assert_int_equal(pipe2(in, O_CLOEXEC), 0);
		assert_int_equal(pipe2(out, O_CLOEXEC), 0);
		trial->in_fd = in[1];
		trial->out_fd = out[0];
	}
	trial->pid = fork();
	assert_true(trial->pid >= 0);
	if (trial->pid == 0)
		take_place(trial, in, out, slave);
	if (!trial->terminal) {
		close(in[0]);
		close(out[1]);
	} else {
		close(slave);
	}
}

void trial_close_stdin(struct trial *trial)
{
	if (trial->in_fd >= 0 && !trial->terminal)
		close(trial->in_fd);
	trial->in_fd = -1;
}

/* Bytes read; 0: none yet; -1: the end. */
static int read_some(struct trial *trial, int timeout_ms)
{
	struct pollfd ready = {.fd = trial->out_fd, .events = POLLIN};
	ssize_t n;

	if (poll(&ready, 1, timeout_ms) <= 0)
		return 0;
	n = read(trial->out_fd, trial->out + trial->out_len, sizeof trial->out - 1 - trial->out_len);
	if (n > 0)
		trial->out_len += (size_t)n;
	return n > 0 ? (int)n : -1;
}

void trial_wait_for(struct trial *trial, const char *marker)
{
	int64_t until_ns = clock_mono_ns() + 20 * NS_PER_S;

	while (memmem(trial->out, trial->out_len, marker, strlen(marker)) == NULL)
		if (read_some(trial, 100) < 0 || clock_mono_ns() > until_ns)
			fail_msg("no \"%s\" in: %.*s", marker, (int)trial->out_len, trial->out);
}

/* What is left behind may hold the pipe, so the end of the process is the end. */
int trial_finish(struct trial *trial)
{
	int64_t until_ns = clock_mono_ns() + 20 * NS_PER_S;
	int status;

	trial_close_stdin(trial);
	while (waitpid(trial->pid, &status, WNOHANG) == 0) {
		if (read_some(trial, 10) < 0)
			usleep(1000);
		if (clock_mono_ns() > until_ns) {
			kill(trial->pid, SIGKILL);
			fail_msg("the session does not end: %.*s", (int)trial->out_len, trial->out);
		}
	}
	while (read_some(trial, 0) > 0)
		;
	close(trial->out_fd);
	return status;
}

void trial_free(struct trial *trial)
{
	munmap(trial->facts, sizeof *trial->facts);
}

int trial_run(struct trial *trial)
{
	int status;

	trial_start(trial);
	trial_close_stdin(trial);
	status = trial_finish(trial);
	if (trial->direct)
		return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
	assert_true(WIFEXITED(status));
	if (trial->facts->error < 0)
		return trial->facts->result.start_status;
	return trial->facts->result.end.signal != 0 ? -trial->facts->result.end.signal
						    : trial->facts->result.end.status;
}

char trial_state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return '-';
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(file);
	return state;
}
