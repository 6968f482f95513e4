/* SPDX-License-Identifier: MIT
 *
 * buildtop history: the builds seen on this machine, as a table, as documents, or summed up; and where it got
 * slower. Reads the history; only prune changes it.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "account.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "command.h"
#include "history/history.h"
#include "say.h"
#include "since.h"

#define PATIENCE_MS 5000
#define LISTED	    30
#define KEPT	    1000
#define US_PER_S    INT64_C(1000000)

enum history_view { VIEW_LIST, VIEW_JSON, VIEW_STALLS, VIEW_COMMANDS, VIEW_CHANGE };

struct request {
	struct history_filter filter;
	enum history_view view;
	long keep;
	bool limited;
};

static void print_cell(const char *text, size_t columns)
{
	char clean[256];
	text_clean_string(clean, sizeof clean, text);
	size_t used, len = text_fit(clean, columns, &used);
	printf("%.*s%*s  ", (int)len, clean, (int)(columns - used), "");
}

static bool print_build(void *self, const struct history_build *build)
{
	char when[20] = "", wall[UNITS_SIZE], stalled[UNITS_SIZE];
	time_t seconds = (time_t)(build->start_us / US_PER_S);
	struct tm local;
	(void)self;
	if (localtime_r(&seconds, &local) != NULL)
		strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
	print_cell(build->id + strlen(build->id) - 8, 8);
	print_cell(when, 16);
	print_cell(build->project, 16);
	print_cell(build->variant, 16);
	print_cell(build->outcome, 11);
	printf("%10s  %10s  %.10s\n", units_duration(wall, build->wall_s),
	       isnan(build->stalled_s) ? "-" : units_duration(stalled, build->stalled_s), build->commit);
	return true;
}

static int list_builds(struct history *history, const struct history_filter *filter, struct why *why)
{
	printf("%-8s  %-16s  %-16s  %-16s  %-11s  %10s  %10s  %s\n", "ID", "START", "PROJECT", "VARIANT",
	       "OUTCOME", "WALL", "STALLED", "COMMIT");
	return history_each(history, filter, print_build, NULL, why);
}

static bool print_document(void *self, const struct history_build *build)
{
	size_t *count = self, len = strlen(build->document);
	while (len > 0 && build->document[len - 1] == '\n')
		len--;
	printf("%s%.*s", (*count)++ > 0 ? ",\n" : "", (int)len, build->document);
	return true;
}

static int list_documents(struct history *history, const struct history_filter *filter, struct why *why)
{
	size_t count = 0;
	printf("[");
	int error = history_each(history, filter, print_document, &count, why);
	printf("]\n");
	return error;
}

static void print_sum(void *self, const struct history_sum *sum)
{
	char seconds[UNITS_SIZE];
	(void)self;
	print_cell(sum->name, 16);
	printf("%12s  %10llu  %8llu\n", units_duration(seconds, sum->seconds), (unsigned long long)sum->count,
	       (unsigned long long)sum->builds);
}

/* Where it got slower */

struct series {
	char *key; /* project, variant and machine */
	double *wall_s;
	size_t count, capacity;
	char (*ids)[UUID_SIZE];
	char **commits;
};

struct all_series {
	struct series *list;
	size_t count, capacity;
};

static struct series *find_series(struct all_series *all, const struct history_build *build)
{
	struct buf key = {0};
	buf_add_format(&key, "%s%s%s on %s", build->project, build->variant[0] != '\0' ? ", " : "",
		       build->variant, build->host);
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->list[i].key, key.data) == 0) {
			buf_fini(&key);
			return &all->list[i];
		}
	}
	MEM_GROW(all->list, all->count, all->capacity);
	all->list[all->count] = (struct series){.key = key.data};
	return &all->list[all->count++];
}

static bool gather(void *self, const struct history_build *build)
{
	struct series *series = find_series(self, build);
	if (series->count == series->capacity) {
		series->capacity = series->capacity * 2 + 16;
		series->wall_s = mem_resize(series->wall_s, series->capacity, sizeof *series->wall_s);
		series->ids = mem_resize(series->ids, series->capacity, sizeof *series->ids);
		series->commits = mem_resize(series->commits, series->capacity, sizeof *series->commits);
	}
	series->wall_s[series->count] = build->wall_s;
	memcpy(series->ids[series->count], build->id, UUID_SIZE);
	series->commits[series->count++] = mem_dup(build->commit);
	return true;
}

/* True: there is one. */
static bool print_change(const struct series *series)
{
	double before, after;
	char name[200];
	size_t at = history_change_point(series->wall_s, series->count, &before, &after);
	text_clean_string(name, sizeof name, series->key);
	if (at == series->count) {
		printf("%s: no build after which it got slower (%zu builds)\n", name, series->count);
		return false;
	}
	printf("%s: %.1f %% slower since build %s", name, (after / before - 1) * 100,
	       series->ids[at] + UUID_SIZE - 1 - 8);
	if (series->commits[at][0] != '\0')
		printf(", commit %.12s", series->commits[at]);
	printf(" (median %.1f s before, %.1f s after)\n", before, after);
	return true;
}

static int show_changes(struct history *history, const struct history_filter *filter, struct why *why)
{
	struct history_filter successes = *filter;
	struct all_series all = {0};
	int found = 0;
	successes.outcome = "success";
	successes.oldest_first = true;
	int error = history_each(history, &successes, gather, &all, why);
	for (size_t i = 0; i < all.count; i++) {
		struct series *series = &all.list[i];
		found |= print_change(series);
		for (size_t k = 0; k < series->count; k++)
			free(series->commits[k]);
		free(series->commits);
		free(series->ids);
		free(series->wall_s);
		free(series->key);
	}
	free(all.list);
	return error < 0 ? error : found;
}

static int show(struct history *history, const struct request *request, struct why *why)
{
	switch (request->view) {
	case VIEW_JSON:
		return list_documents(history, &request->filter, why);
	case VIEW_STALLS:
		printf("%-16s  %12s  %10s  %8s\n", "CAUSE", "STALLED", "STALLS", "BUILDS");
		return history_stalls(history, &request->filter, print_sum, NULL, why);
	case VIEW_COMMANDS:
		printf("%-16s  %12s  %10s  %8s\n", "COMMAND", "CPU", "RUNS", "BUILDS");
		return history_commands(history, &request->filter, print_sum, NULL, why);
	case VIEW_CHANGE:
		return show_changes(history, &request->filter, why);
	case VIEW_LIST:
		break;
	}
	return list_builds(history, &request->filter, why);
}

static bool parse_count(const char *text, long *count)
{
	char *end;
	*count = strtol(text, &end, 10);
	return end != text && *end == '\0' && *count >= 0;
}

/* The id of the build that a word means: @N by way of its recording. */
static int resolve_id(const char *word, char id[UUID_SIZE], struct why *why)
{
	struct account account;
	if (history_is_id(word)) {
		snprintf(id, UUID_SIZE, "%s", word);
		return 0;
	}
	int error = account_open(&account, word, why);
	if (error < 0)
		return error;
	snprintf(id, UUID_SIZE, "%s", replay_run(account.replay)->id);
	account_close(&account);
	return 0;
}

static int run_request(struct request *request, char **words)
{
	struct history *history;
	struct why why;
	char id[UUID_SIZE];
	int found = 0, error = history_open(&history, PATIENCE_MS, &why);
	if (error < 0) {
		say_line(why.text);
		return COMMAND_FAILED;
	}
	if (words[0] == NULL)
		error = found = show(history, request, &why);
	for (; *words != NULL && error >= 0; words++) {
		error = resolve_id(*words, id, &why);
		request->filter.id = id;
		if (error >= 0)
			error = found = show(history, request, &why);
	}
	history_close(history);
	if (error < 0)
		say_line(why.text);
	return error < 0 ? COMMAND_FAILED : found > 0 ? COMMAND_FOUND : COMMAND_FINE;
}

static int prune(long keep)
{
	struct history *history;
	struct why why;
	long gone = history_open(&history, PATIENCE_MS, &why);
	if (gone == 0) {
		gone = history_prune(history, keep, &why);
		history_close(history);
	}
	if (gone < 0)
		say_line(why.text);
	else
		printf("%ld builds removed\n", gone);
	return gone < 0 ? COMMAND_FAILED : COMMAND_FINE;
}

static const struct option history_options[] = {
	{"project", required_argument, NULL, 'p'}, {"variant", required_argument, NULL, 'v'},
	{"host", required_argument, NULL, 'H'},	   {"since", required_argument, NULL, 's'},
	{"number", required_argument, NULL, 'n'},  {"keep", required_argument, NULL, 'k'},
	{"json", no_argument, NULL, 'j'},	   {"stalls", no_argument, NULL, 'S'},
	{"commands", no_argument, NULL, 'C'},	   {"change-point", no_argument, NULL, 'c'},
	{"help", no_argument, NULL, 'h'},	   {NULL, 0, NULL, 0},
};

/* 0, or the status of a refusal. */
static int take_option(struct request *request, int code)
{
	switch (code) {
	case 'p':
		request->filter.project = optarg;
		return 0;
	case 'v':
		request->filter.variant = optarg;
		return 0;
	case 'H':
		request->filter.host = optarg;
		return 0;
	case 's':
		if (since_parse(optarg, &request->filter.since_us))
			return 0;
		return say_usage(&command_history, "--since takes a date (2026-11-30), 7d or 12h, not '%s'",
				 optarg);
	case 'n':
		request->limited = true;
		if (parse_count(optarg, &request->filter.limit))
			return 0;
		return say_usage(&command_history, "--number takes a number, not '%s'", optarg);
	case 'k':
		if (parse_count(optarg, &request->keep))
			return 0;
		return say_usage(&command_history, "--keep takes a number, not '%s'", optarg);
	case 'j':
		request->view = VIEW_JSON;
		return 0;
	case 'S':
		request->view = VIEW_STALLS;
		return 0;
	case 'C':
		request->view = VIEW_COMMANDS;
		return 0;
	default:
		request->view = VIEW_CHANGE;
		return 0;
	}
}

static int history_main(int argc, char **argv)
{
	struct request request = {.keep = KEPT};
	int code, status;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":n:h", history_options, NULL)) != -1) {
		if (code == 'h')
			return command_print_help(&command_history);
		if (code == '?' || code == ':')
			return say_usage(&command_history,
					 "history: %s is no option, or its value is missing",
					 argv[optind - 1]);
		status = take_option(&request, code);
		if (status != 0)
			return status;
	}
	if (argv[optind] != NULL && strcmp(argv[optind], "prune") == 0)
		return prune(request.keep);
	if (!request.limited && request.view == VIEW_LIST)
		request.filter.limit = LISTED;
	return run_request(&request, argv + optind);
}

const struct command command_history = {
	.name = "history",
	.synopsis = "[OPTIONS] [ID|@N...] | prune [--keep N]",
	.help = "The builds seen on this machine, and where they got slower",
	.options = "      --project NAME, --variant NAME, --host NAME\n"
		   "                          only these\n"
		   "      --since DATE|Nd|Nh  only builds since then\n"
		   "  -n, --number N          the newest N (30; 0: all)\n"
		   "      --stalls            time lost, by cause\n"
		   "      --commands          CPU time, by command\n"
		   "      --change-point      the first build after which it got slower; status 1 if there "
		   "is one\n"
		   "      --json              the summary documents, as an array\n"
		   "      prune --keep N      remove all but the newest N (1000)\n"
		   "  -h, --help              this help\n",
	.main = history_main,
};
