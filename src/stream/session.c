/* SPDX-License-Identifier: MIT
 *
 * Knows the order in which a run is set up and put away. The child is forked first, while there is one thread
 * and nothing of ours to inherit, and waits; it is let go when the base line has been taken. Invariant:
 * whatever was opened is closed in reverse, except what a thread that hangs still uses. Main thread.
 */
#include "session_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "inherit.h"
#include "vcs.h"

#define START_WAIT_MS 200 /* the screen waits so long to see whether the command can be run at all */
#define DRAIN_MS      200

static int check_options(const struct session_options *options, struct why *why)
{
	const struct run *run = options->run;

	if (run->interval_ns < NS_PER_S / 10 || run->interval_ns > 60 * NS_PER_S)
		return why_set(why, -EINVAL, "the interval must be between 0.1 and 60 seconds");
	if (run->mode == RUN_COMMAND && options->n_pids == 0 && (!run->command || !run->command[0]))
		return why_set(why, -EINVAL, "no command to run");
	return 0;
}

static int start_child(struct session *session)
{
	const struct session_options *options = session->options;
	int error = 0;

	if (options->n_pids > 0 || session->run->mode != RUN_COMMAND)
		return 0;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (options->control != NULL)
		error = pty_open(&session->pty, options->output, options->pty_size, session->why);
	if (error == 0)
		error = child_fork(&session->child, session->run->command, session->pty.slave_fd,
				   session->why);
	return error;
}

static int open_probe(struct session *session)
{
	bool running = session_runs_command(session);
	struct probe_options options = {
		.roots = running ? &session->child.pid : session->options->pids,
		.n_roots = running ? 1 : session->options->n_pids,
		.own_children = running,
		.helper = session->options->helper,
		.workdir = session->run->workdir,
		.command_lines = true,
	};

	return probe_open(&session->probe, &options, session->run, session->why);
}

/* What is known of the run before the probe; what the caller has set stays. */
static void fill_run(struct run *run)
{
	char *here;

	if (run->workdir == NULL && (here = getcwd(NULL, 0)) != NULL)
		run->workdir = here;
	if (run->tool_version == NULL)
		run->tool_version = mem_dup(PACKAGE_VERSION);
	if (run->vcs_commit == NULL && run->workdir != NULL)
		run->vcs_commit = vcs_commit(run->workdir);
	if (run->id[0] == '\0')
		uuid7(run->id, clock_wall_ns());
}

static int open_guard(struct session *session)
{
	bool running = session_runs_command(session);
	struct guard_options options = {
		.share = session->options->pause_share,
		.child = running ? session->child.pid : 0,
		.roots = session->options->pids,
		.n_roots = session->options->n_pids,
		.helper = session->options->helper,
	};

	return options.share > 0 ? guard_open(&session->guard, &options, session->why) : 0;
}

/* The caller's consumers, and our own. */
static int open_bus(struct session *session)
{
	size_t n = session->options->n_consumers;
	struct consumer *consumers = mem_alloc(n + 2, sizeof *consumers);
	int error;

	if (n > 0)
		memcpy(consumers, session->options->consumers, n * sizeof *consumers);
	if (session->guard != NULL)
		consumers[n++] = guard_consumer(session->guard);
	consumers[n++] = finder_consumer(session->finder);
	error = bus_init(&session->bus, consumers, n);
	free(consumers);
	return error;
}

/* The clock starts here. */
static int begin(struct session *session)
{
	int error = open_guard(session);

	if (error < 0)
		return error;
	session->finder = finder_new(session->run);
	if (session->options->seek != NULL)
		session->seeker = seeker_new(session->options->seek);
	error = open_bus(session);
	if (error < 0)
		return why_set(session->why, error, "cannot make a queue of ticks: %s", strerror(-error));
	session->run->start_wall_ns = clock_wall_ns();
	session->run->start_mono_ns = clock_mono_ns();
	bus_begin(&session->bus, session->run);
	if (session->seeker != NULL)
		error = seeker_start(session->seeker);
	if (error == 0)
		error = sampler_open(&session->sampler, session->probe, session->run, &session->bus,
				     session->guard, session->finder, session->seeker);
	if (error == 0)
		error = sampler_start(session->sampler);
	if (error < 0)
		return why_set(session->why, error, "cannot start sampling: %s", strerror(-error));
	if (namers_start(&session->namers, session->probe) < 0)
		log_say("command lines are not read: no thread to be had");
	return 0;
}

/* Lets the child go, and waits a moment for exec: -errno when it cannot be run. */
static int let_go(struct session *session)
{
	struct pollfd started = {.fd = session->child.status_fd, .events = POLLIN};

	if (!session_runs_command(session))
		return 0;
	getrusage(RUSAGE_CHILDREN, &session->reaped_before);
	child_let_go(&session->child);
	poll(&started, 1, START_WAIT_MS);
	session_check_start(session);
	return session->start_error;
}

static void note_end(struct session *session)
{
	struct run_end *end = &session->result->end;

	end->mono_ns = clock_mono_ns();
	end->wall_ns = clock_wall_ns();
}

/* Every consumer gets its end(), whatever went wrong; then all is put away, but for what a thread that hangs
 * still uses. */
static void finish(struct session *session)
{
	bool sampler_ended = true, namers_ended, seeker_ended, joined;

	note_end(session);
	if (pty_is_open(&session->pty))
		pty_drain(&session->pty, DRAIN_MS);
	if (session->sampler != NULL)
		sampler_ended = sampler_stop(session->sampler);
	if (session_runs_command(session))
		child_reap(&session->child);
	session_fill_end(session, session->sampler && sampler_ended ? sampler_last(session->sampler) : NULL);
	namers_ended = namers_stop(&session->namers);
	seeker_ended = seeker_stop(session->seeker);
	bus_close(&session->bus, &session->result->end);
	if (session->options->control != NULL)
		control_tell(session->options->control, CONTROL_TELL_END, 0);
	joined = session_join(session);
	session->result->abandoned = !joined;
	session_take_lines(session);
	session->threads_left = !sampler_ended || !namers_ended || !seeker_ended || !joined;
	if (sampler_ended)
		sampler_close(session->sampler);
	if (sampler_ended && joined) {
		bus_fini(&session->bus);
		guard_close(session->guard);
		finder_free(session->finder);
	}
	if (sampler_ended && seeker_ended)
		seeker_free(session->seeker);
	if (sampler_ended && namers_ended)
		probe_close(session->probe);
}

static int run_session(struct session *session)
{
	int error = begin(session);

	if (error == 0)
		error = let_go(session);
	if (error == 0) {
		bus_start(&session->bus);
		session->screen_open = session->options->control != NULL;
		session->namers_due_ns = clock_mono_ns() + NS_PER_S;
		session_loop(session);
		error = session->start_error;
	} else if (session->result->start_status == 0) {
		session->result->start_status = 125;
	}
	child_close(&session->child);
	finish(session);
	return error;
}

int session_run(const struct session_options *options, struct session_result *result, struct why *why)
{
	/* On the heap, since a thread that is left behind goes on using it. */
	struct session *session = mem_alloc(1, sizeof *session);
	int error = check_options(options, why);

	*result = (struct session_result){0};
	session->options = options;
	session->result = result;
	session->run = options->run;
	session->why = why;
	session->signals.fd = -1;
	session->child = (struct child){.pid = -1, .go_fd = -1, .status_fd = -1};
	session->pty = (struct pty){.master_fd = -1, .slave_fd = -1, .copy_fd = -1, .real_fd = -1};
	inherit_save();
	if (error == 0) {
		fill_run(session->run);
		error = signals_open(&session->signals);
		if (error < 0)
			why_set(why, error, "cannot take signals: %s", strerror(-error));
	}
	if (error == 0)
		error = start_child(session);
	if (error == 0)
		error = open_probe(session);
	if (error == 0)
		error = run_session(session);
	if (error < 0 && result->start_status == 0)
		result->start_status = 125;
	child_close(&session->child);
	pty_close(&session->pty);
	signals_close(&session->signals);
	if (!session->threads_left)
		free(session);
	return error;
}
