/* SPDX-License-Identifier: MIT
 *
 * Puts a live run together: which consumers there are is decided here, from the options and from the terminal
 * we have, and nowhere else. A screen or a place on the shelf that cannot be had is said and done without:
 * the build runs in any case. What was asked for by name and cannot be had ends it before it begins. Main
 * thread.
 */
#include "live.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "account.h"
#include "alert/alert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "ending.h"
#include "model/alert.h"
#include "output.h"
#include "say.h"
#include "store/recorder.h"
#include "store/shelf.h"
#include "stream/session.h"
#include "tui/tui.h"

#define OUTPUT_BYTES	  (4 * 1024 * 1024) /* of the build's output, kept for the screen */
#define LOOK_INTERVAL_NS  (100 * NS_PER_MS)
#define STATUS_NOT_POSTED 75

struct live {
	const struct live_options *options;
	struct run *run;
	char *path; /* of the recording; NULL: none */
	struct recorder *recorder;
	struct control *control; /* NULL: no screen, nor output */
	struct tape *output;
	struct tui *tui;
	struct tally *tally;
	struct alert *alert;
	struct post_live *post;
	struct consumer consumers[5];
	size_t n_consumers;
};

int live_check(const struct options *options, struct why *why)
{
	int error = 0;
	if (options->summary != NULL)
		error = output_check(options->summary, why);
	if (error == 0 && options->summary_text != NULL)
		error = output_check(options->summary_text, why);
	if (error == 0 && options->record != NULL && strcmp(options->record, "-") == 0 &&
	    isatty(STDOUT_FILENO))
		error = why_set(why, -EINVAL,
				"--record -: standard output is a terminal, and a recording is not text");
	return error;
}

/* BUILDTOP_LOOK_HZ: looks a second, 1 to 100. What is no such number is as if it were not there. */
static int64_t look_interval(bool *fixed)
{
	const char *hz = getenv("BUILDTOP_LOOK_HZ");
	long looks = hz != NULL ? strtol(hz, NULL, 10) : 0;

	*fixed = looks >= 1 && looks <= 100;
	return *fixed ? NS_PER_S / looks : LOOK_INTERVAL_NS;
}

static void complete_run(struct live *live)
{
	struct run *run = live->run;
	const struct options *options = live->options->options;
	run->start_wall_ns = clock_wall_ns();
	run->interval_ns = options->interval_ns;
	run->look_interval_ns = look_interval(&run->looks_fixed);
	if (run->look_interval_ns > options->interval_ns)
		run->look_interval_ns = options->interval_ns;
	if (run->id[0] == '\0')
		uuid7(run->id, run->start_wall_ns);
	if (run->tool_version == NULL)
		run->tool_version = mem_dup(PACKAGE_VERSION);
	if (options->workdir != NULL)
		run->workdir = mem_dup(options->workdir);
	else if (run->workdir == NULL)
		run->workdir = getcwd(NULL, 0);
	const char *slash = run->workdir != NULL ? strrchr(run->workdir, '/') : NULL;
	if (slash != NULL && slash[1] != '\0')
		run_add_label(run, "project", slash + 1);
	alert_fill_run(run, options->alerts, options->n_alerts);
	for (size_t i = 0; i < options->n_labels; i++)
		run_add_label(run, options->labels[i].key, options->labels[i].value);
}

/* Is there to be a screen? One that was asked for and cannot be had is said. */
static bool wants_screen(const struct options *options)
{
	if (options->screen == OPTIONS_SCREEN_NONE)
		return false;
	bool forced = options->screen == OPTIONS_SCREEN_FORCED;
	if (!forced && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return false;
	struct why why;
	if (tui_check(&why) >= 0)
		return true;
	say("no screen: %s", why.text);
	return false;
}

static void add_consumer(struct live *live, struct consumer consumer)
{
	live->consumers[live->n_consumers++] = consumer;
}

/* 0, or -errno when a recording asked for by name cannot be had. */
static int open_recorder(struct live *live, struct why *why)
{
	const struct options *options = live->options->options;
	if (options->no_record)
		return 0;
	bool by_name = options->record != NULL;
	live->path = by_name ? mem_dup(options->record) : shelf_new_path(live->run, why);
	struct recorder_options recording = {
		.path = live->path, .command_lines = !options->no_command, .output = live->output};
	int error = live->path != NULL ? recorder_open(&live->recorder, &recording, why) : -ENOENT;
	if (error >= 0) {
		add_consumer(live, recorder_consumer(live->recorder));
		return 0;
	}
	free(live->path);
	live->path = NULL;
	live->recorder = NULL;
	if (by_name)
		return error;
	say("recording nothing: %s", why->text);
	return 0;
}

static void open_screen(struct live *live)
{
	struct tui_options options = {
		.control = live->control, .output = live->output, .recording = live->path};
	struct why why;
	if (tui_open(&live->tui, &options, &why) >= 0) {
		add_consumer(live, tui_consumer(live->tui));
		return;
	}
	say("no screen: %s", why.text);
	live->tui = NULL;
	control_free(live->control);
	live->control = NULL;
}

/* Before all else that opens something: its helper is to hold nothing of ours. */
static int open_alert(struct live *live, struct why *why)
{
	struct alert_options options = {.command = live->options->options->on_alert,
					.quiet = live->control != NULL};
	return alert_open(&live->alert, &options, why);
}

static int open_all(struct live *live, struct why *why)
{
	complete_run(live);
	if (wants_screen(live->options->options)) {
		live->control = control_new();
		live->output = tape_new(OUTPUT_BYTES);
	}
	int error = open_alert(live, why);
	if (error == 0)
		error = open_recorder(live, why);
	if (error < 0)
		return error;
	if (live->control != NULL)
		open_screen(live);
	live->tally = tally_new(live->run);
	add_consumer(live, account_tally_consumer(live->tally));
	add_consumer(live, alert_consumer(live->alert, live->control == NULL));
	const struct options_post *post = &live->options->options->post;
	if (post->n > 0 && (post->live_s > 0 || post->alerts)) {
		live->post = post_live_new(post->targets, post->n, post->live_s, post->alerts);
		if (live->post != NULL)
			add_consumer(live, post_live_consumer(live->post));
	}
	return 0;
}

/* A path that can be told to a person, and sent again from. */
static const char *kept_path(const struct live *live)
{
	return live->recorder != NULL && strcmp(live->path, "-") != 0 ? live->path : NULL;
}

static void say_waiting_lines(void)
{
	char line[LOG_LINE_SIZE];
	while (log_take(line))
		say_line(line);
}

static void forget_command(struct run *run)
{
	for (size_t i = 0; run->command != NULL && run->command[i] != NULL; i++)
		free(run->command[i]);
	free(run->command);
	run->command = NULL;
}

/* Prints, writes and sends; false: it should have been sent and was not. */
static bool finish(struct live *live, const struct session_result *result)
{
	const struct options *options = live->options->options;
	signal(SIGXFSZ, SIG_IGN); /* nor does a recording that grew beyond the limit of a file end us */
	signal(SIGPIPE, SIG_IGN); /* whoever reads us may have gone; the build's status still counts */
	if (live->tui != NULL && !result->output_copied)
		ending_show_output(live->output);
	alert_finish(live->alert);
	say_waiting_lines();
	if (options->no_command)
		forget_command(live->run);
	struct summary summary;
	tally_summary(live->tally, &result->end, &summary);
	if (live->recorder != NULL)
		summary.samples_unrecorded = recorder_lost(live->recorder, NULL);
	if (!options->quiet)
		ending_show_summary(&summary, kept_path(live));
	char *document = summary_json(&summary);
	bool kept = ending_keep(options, &summary, document);
	ending_write(options, &summary, document);
	bool posted = ending_post(options, document, kept);
	free(document);
	summary_fini(&summary);
	return posted;
}

static int exit_status(const struct live *live, const struct run_end *end)
{
	if (live->run->mode != RUN_COMMAND)
		return COMMAND_FINE;
	if (!end->known)
		return live->options->failure;
	return end->signal != 0 ? 128 + end->signal : end->status;
}

/* The run never began: nothing is left of it. */
static int give_up(struct live *live, const struct session_result *result, const struct why *why)
{
	struct stat status;
	say_waiting_lines();
	say_line(why->text);
	if (kept_path(live) != NULL && lstat(live->path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(live->path);
	return result->start_status != 0 ? result->start_status : live->options->failure;
}

static void close_screen(struct live *live)
{
	if (live->tui != NULL)
		tui_close(live->tui);
}

static void close_all(struct live *live)
{
	if (live->recorder != NULL)
		recorder_close(live->recorder);
	if (live->alert != NULL)
		alert_close(live->alert);
	post_live_free(live->post);
	if (live->tally != NULL)
		tally_free(live->tally);
	if (live->control != NULL)
		control_free(live->control);
	if (live->output != NULL)
		tape_free(live->output);
	free(live->path);
}

static int run_session(struct live *live, struct session_result *result, struct why *why)
{
	struct session_options session = {
		.run = live->run,
		.pids = live->options->pids,
		.n_pids = live->options->n_pids,
		.seek = live->options->seek,
		.helper = alert_helper(live->alert),
		.pause_share = live->options->options->pause_share,
		.consumers = live->consumers,
		.n_consumers = live->n_consumers,
		.control = live->control,
		.output = live->control != NULL ? live->output : NULL,
		.pty_size = live->tui != NULL ? tui_pty_size(live->tui) : 0,
		.say = say_line,
	};
	return session_run(&session, result, why);
}

int live_run(const struct live_options *options)
{
	struct live live = {.options = options, .run = options->run};
	struct session_result result = {0};
	struct why why;
	if (open_all(&live, &why) < 0) {
		say_line(why.text);
		close_all(&live);
		return options->failure;
	}
	int error = run_session(&live, &result, &why);
	if (!result.abandoned)
		close_screen(&live);
	int status;
	if (error < 0) {
		status = give_up(&live, &result, &why);
	} else {
		status = exit_status(&live, &result.end);
		bool posted = finish(&live, &result);
		if (!posted && options->options->post.required && status == 0)
			status = STATUS_NOT_POSTED;
		if (live.recorder != NULL && options->options->record == NULL)
			shelf_prune();
	}
	if (result.abandoned) {
		fflush(stdout);
		_exit(status);
	}
	close_all(&live);
	run_end_fini(&result.end);
	if (error >= 0 && result.raised)
		ending_die(result.raise_signal);
	return status;
}
