/* SPDX-License-Identifier: MIT
 *
 * buildtop post: sends what waits, or the summaries that are named, again; the id and the times in them let
 * the server tell a repetition. What is named and not in the history does not wait there either.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "command.h"
#include "config.h"
#include "history/history.h"
#include "options_post.h"
#include "post/post.h"
#include "say.h"
#include "since.h"

#define POST_REJECTED 4 /* the server does not want the document, now or later */
#define PATIENCE_MS   5000

struct job {
	struct options_post post;
	bool status, test, dry_run, retry_rejected, delete_group;
	const char *target, *project, *variant, *host;
	const char *since; /* all builds since then; NULL: those named */
};

enum {
	POST_STATUS = 256,
	POST_TEST,
	POST_DRY_RUN,
	POST_RETRY,
	POST_DELETE,
	POST_TARGET,
	POST_PROJECT,
	POST_VARIANT,
	POST_HOST,
	POST_SINCE,
	POST_PENDING,
	POST_ANY
};

static const struct option post_options[] = {
	OPTIONS_POST_LONG(POST_ANY),
	{"pending", no_argument, NULL, POST_PENDING},
	{"status", no_argument, NULL, POST_STATUS},
	{"test", no_argument, NULL, POST_TEST},
	{"dry-run", no_argument, NULL, POST_DRY_RUN},
	{"retry-rejected", no_argument, NULL, POST_RETRY},
	{"delete-group", no_argument, NULL, POST_DELETE},
	{"target", required_argument, NULL, POST_TARGET},
	{"project", required_argument, NULL, POST_PROJECT},
	{"variant", required_argument, NULL, POST_VARIANT},
	{"host", required_argument, NULL, POST_HOST},
	{"since", required_argument, NULL, POST_SINCE},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static void say_waiting_lines(void)
{
	char line[LOG_LINE_SIZE];
	while (log_take(line))
		say_line(line);
}

static int tally_status(const struct post_tally *tally)
{
	if (tally->rejected > 0)
		return POST_REJECTED;
	return tally->kept > 0 ? COMMAND_FOUND : COMMAND_FINE;
}

/* The document of an id or a recording. */
static int read_document(struct history *history, const char *name, struct buf *out, struct why *why)
{
	struct account account;
	struct summary summary;
	if (history_is_id(name) && history_document(history, name, out, why) == 0)
		return 0;
	int error = account_open(&account, name, why);
	if (error < 0)
		return error;
	error = account_summary(&account, &summary, why);
	if (error == 0) {
		char *text = summary_json(&summary);
		buf_add_string(out, text);
		free(text);
		summary_fini(&summary);
	}
	account_close(&account);
	return error;
}

static int preview(const struct job *job, const char *document)
{
	struct buf text = {0};
	struct why why;
	int error = 0;
	for (size_t i = 0; i < job->post.n && error == 0; i++)
		error = post_preview(&text, &job->post.targets[i], document, &why);
	if (text.len > 0)
		fwrite(text.data, 1, text.len, stdout);
	buf_fini(&text);
	if (error < 0)
		say_line(why.text);
	return error < 0 ? COMMAND_FAILED : COMMAND_FINE;
}

static int post_one(struct history *history, const char *name, const struct job *job)
{
	struct buf document = {0};
	struct post_tally tally;
	struct why why;
	int status = COMMAND_FAILED;
	if (read_document(history, name, &document, &why) < 0) {
		say_line(why.text);
	} else if (job->dry_run) {
		status = preview(job, document.data);
	} else {
		post_deliver(NULL, document.data, job->post.targets, job->post.n, &tally);
		say_waiting_lines();
		status = tally_status(&tally);
	}
	buf_fini(&document);
	return status;
}

static int post_words(struct history *history, char **words, const struct job *job)
{
	int worst = COMMAND_FINE;
	for (; *words != NULL; words++) {
		int status = post_one(history, *words, job);
		worst = status > worst ? status : worst;
	}
	return worst;
}

struct ids {
	char (*list)[UUID_SIZE];
	size_t count, capacity;
};

static bool take_id(void *self, const struct history_build *build)
{
	struct ids *ids = self;
	MEM_GROW(ids->list, ids->count, ids->capacity);
	memcpy(ids->list[ids->count++], build->id, UUID_SIZE);
	return true;
}

/* All of the history since a moment, the oldest first, so that the newest is the last to arrive. */
static int post_since(struct history *history, const struct job *job)
{
	struct history_filter filter = {
		.project = job->project, .variant = job->variant, .host = job->host, .oldest_first = true};
	struct ids ids = {0};
	struct why why;
	int worst = COMMAND_FINE;
	if (!since_parse(job->since, &filter.since_us))
		return say_usage(&command_post, "--since takes a date (2026-11-30), 7d or 12h, not '%s'",
				 job->since);
	if (history_each(history, &filter, take_id, &ids, &why) < 0) {
		say_line(why.text);
		worst = COMMAND_FAILED;
	}
	for (size_t i = 0; i < ids.count; i++) {
		int status = post_one(history, ids.list[i], job);
		worst = status > worst ? status : worst;
	}
	free(ids.list);
	return worst;
}

static bool print_parcel(void *self, const struct history_parcel *parcel)
{
	char target[300], error[300] = "not tried yet";
	(void)self;
	text_clean_string(target, sizeof target, parcel->target);
	if (parcel->last_error != NULL)
		text_clean_string(error, sizeof error, parcel->last_error);
	printf("%.8s  %-9s  tries %u  %s: %s\n", parcel->id + strlen(parcel->id) - 8,
	       parcel->rejected ? "rejected" : "waits", parcel->attempts, target, error);
	return true;
}

static bool preview_parcel(void *self, const struct history_parcel *parcel)
{
	printf("%s would go to %s\n", parcel->id, parcel->target);
	(void)self;
	return true;
}

static int post_waiting(struct history *history, struct job *job)
{
	struct post_tally tally = {0};
	struct why why;
	int error;
	if (job->status || job->dry_run) {
		error = history_parcels(history, job->status ? print_parcel : preview_parcel, NULL, &why);
	} else {
		error = post_pending(history, job->post.targets, job->post.n, job->post.token, job->target,
				     job->retry_rejected, &tally, &why);
		say_waiting_lines();
		if (tally.sent > 0)
			say("%u sent", tally.sent);
	}
	if (error < 0)
		say_line(why.text);
	return error < 0 ? COMMAND_FAILED : tally_status(&tally);
}

/* A test, or a group to be removed, at each target. */
static int ask_targets(const struct job *job)
{
	int status = COMMAND_FINE;
	for (size_t i = 0; i < job->post.n; i++) {
		const struct post_target *target = &job->post.targets[i];
		struct why why;
		int error = job->test
				    ? post_test(target, &why)
				    : post_delete_group(target, job->project, job->variant, job->host, &why);
		if (error < 0)
			say_line(why.text);
		else if (job->test)
			say("%s took the point buildtop_test; some servers say so of a point they drop",
			    target->name);
		else
			say("%s: the group is gone", target->name);
		status = error < 0 ? COMMAND_FAILED : status;
	}
	return status;
}

static int run_job(struct job *job, char **words)
{
	struct history *history = NULL;
	struct why why;
	if (options_post_check(&job->post, NULL, 0, &why) < 0)
		return say_usage(&command_post, "%s", why.text);
	bool names_builds = words[0] != NULL || job->since != NULL;
	if ((job->test || job->delete_group || names_builds) && job->post.n == 0)
		return say_usage(&command_post,
				 "no server is named: neither --post URL nor in the configuration");
	if (job->test || job->delete_group)
		return ask_targets(job);
	if (history_open(&history, PATIENCE_MS, &why) < 0 && words[0] == NULL) {
		say_line(why.text);
		return COMMAND_FAILED;
	}
	if (history == NULL)
		say_line(why.text);
	int status;
	if (job->since != NULL)
		status = history != NULL ? post_since(history, job) : COMMAND_FAILED;
	else
		status = words[0] != NULL ? post_words(history, words, job) : post_waiting(history, job);
	history_close(history);
	return status;
}

static int take_config(void *self, const char *key, const char *value, struct why *why)
{
	struct job *job = self;
	if (strcmp(key, "label") == 0 || strcmp(key, "no-history") == 0)
		return 0;
	return options_post_take(&job->post, key, value, why);
}

static void take_option(struct job *job, int code)
{
	const struct {
		int code;
		bool *flag;
		const char **word;
	} places[] = {
		{POST_STATUS, &job->status, NULL},	 {POST_TEST, &job->test, NULL},
		{POST_DRY_RUN, &job->dry_run, NULL},	 {POST_RETRY, &job->retry_rejected, NULL},
		{POST_DELETE, &job->delete_group, NULL}, {POST_TARGET, NULL, &job->target},
		{POST_PROJECT, NULL, &job->project},	 {POST_VARIANT, NULL, &job->variant},
		{POST_HOST, NULL, &job->host},		 {POST_SINCE, NULL, &job->since},
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (places[i].code == code && places[i].flag != NULL)
			*places[i].flag = true;
		else if (places[i].code == code)
			*places[i].word = optarg;
	}
}

/* 0, or -errno; *help: it was asked for. */
static int parse(struct job *job, int argc, char **argv, bool *help, struct why *why)
{
	int code, index = 0, error = options_post_begin(&job->post, take_config, job, why);
	opterr = 0;
	optind = 0;
	while (error == 0 && (code = getopt_long(argc, argv, ":h", post_options, &index)) != -1) {
		if (code == POST_ANY)
			error = options_post_take(&job->post, post_options[index].name, optarg, why);
		else if (code == '?' || code == ':')
			error = why_set(why, -EINVAL, "post: %s is no option, or its value is missing",
					argv[optind - 1]);
		else if (code == 'h')
			*help = true;
		else
			take_option(job, code);
	}
	return error;
}

static int post_main(int argc, char **argv)
{
	struct job job = {0};
	struct why why;
	bool help = false;
	int status;
	if (parse(&job, argc, argv, &help, &why) < 0)
		status = say_usage(&command_post, "%s", why.text);
	else if (help)
		status = command_print_help(&command_post);
	else
		status = run_job(&job, argv + optind);
	options_post_fini(&job.post);
	return status;
}

const struct command command_post = {
	.name = "post",
	.synopsis = "[OPTIONS] [FILE|@N|ID...]",
	.help = "Send the summaries that wait, or those named, to results servers",
	.options = "      --pending            send all that waits (without a name: the default)\n"
		   "      --target NAME        only to this one, as --status calls it\n"
		   "      --retry-rejected     what a server has refused as well\n"
		   "      --since DATE|Nd|Nh   all builds of the history since then, again\n"
		   "      --status             what waits, and why\n"
		   "      --dry-run            print what would be sent\n"
		   "      --test               send one point that means nothing\n"
		   "      --delete-group       take a Pushgateway's group away: --project, --variant, "
		   "--host\n" OPTIONS_POST_HELP "  -h, --help               this help\n",
	.main = post_main,
};
