/* SPDX-License-Identifier: MIT
 *
 * buildtop report: recordings as text or for programs, one after the other into one output.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "account.h"
#include "command.h"
#include "output.h"
#include "report/report.h"
#include "say.h"

/* What a format that wants each tick writes into. The first error stays; what follows it is dropped. */
struct sink {
	const struct report_format *format;
	const struct run *run;
	struct output *output;
	void *state; /* the format's own */
	struct buf buf;
	int error;
	struct why why;
};

static void sink_flush(struct sink *sink)
{
	if (sink->error == 0 && sink->buf.len > 0)
		sink->error = output_write(sink->output, sink->buf.data, sink->buf.len, &sink->why);
	buf_clear(&sink->buf);
}

static void sink_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct sink *sink = self;
	(void)dropped;
	if (sink->error == 0 && sink->format->tick != NULL)
		sink->format->tick(&sink->buf, sink->run, tick, sink->state);
	sink_flush(sink);
}

static int write_ticks(struct account *account, struct sink *sink, struct why *why)
{
	if (sink->format->begin != NULL)
		sink->state = sink->format->begin(&sink->buf, sink->run);
	struct consumer consumer = {.name = "report", .self = sink, .tick = sink_tick};
	int error = replay_feed(account->replay, &consumer, 1, why);
	if (sink->format->end != NULL)
		sink->format->end(&sink->buf, sink->run, replay_end(account->replay), sink->state);
	return error < 0 ? error : 0;
}

static int write_summary(struct account *account, struct sink *sink, struct why *why)
{
	struct summary summary;
	int error = account_summary(account, &summary, why);
	if (error < 0)
		return error;
	sink->format->summary(&sink->buf, &summary);
	summary_fini(&summary);
	return 0;
}

static int report_one(const char *name, const struct report_format *format, struct output *output,
		      struct why *why)
{
	struct account account;
	int error = account_open(&account, name, why);
	if (error < 0)
		return error;
	struct sink sink = {.format = format, .run = replay_run(account.replay), .output = output};
	error = format->summary != NULL ? write_summary(&account, &sink, why)
					: write_ticks(&account, &sink, why);
	sink_flush(&sink);
	if (error == 0 && sink.error < 0)
		error = why_set(why, sink.error, "%s", sink.why.text);
	buf_fini(&sink.buf);
	account_close(&account);
	return error;
}

static int report_all(char **names, const struct report_format *format, const char *path)
{
	struct output output;
	struct why why;
	int error = output_open(&output, path, &why);
	for (size_t i = 0; error == 0 && names[i] != NULL; i++) {
		if (i > 0 && format->summary != NULL)
			error = output_write(&output, "\n", 1, &why);
		if (error == 0)
			error = report_one(names[i], format, &output, &why);
	}
	if (error == 0) {
		error = output_close(&output, &why);
	} else {
		output_discard(&output);
	}
	if (error < 0)
		say_line(why.text);
	return error < 0 ? COMMAND_FAILED : COMMAND_FINE;
}

/* The format that was asked for; NULL: said what is wrong. */
static const struct report_format *format_choose(const char *name, const char *rows)
{
	const struct report_format *format = report_format_find(name);
	if (format == NULL)
		say_usage(&command_report, "there is no format '%s'; 'buildtop list formats' tells them",
			  name);
	if (format == NULL || rows == NULL)
		return format;
	if (format->rows == NULL) {
		say_usage(&command_report, "--rows is for --format csv, not for %s", name);
		return NULL;
	}
	format = report_rows_find(rows);
	if (format == NULL)
		say_usage(&command_report, "--rows takes ticks, tasks, stalls or mounts, not '%s'", rows);
	return format;
}

static int report_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"format", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'O'},
		{"rows", required_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *name = "text", *path = "-", *rows = NULL;
	int code;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":f:O:h", long_options, NULL)) != -1) {
		switch (code) {
		case 'f':
			name = optarg;
			break;
		case 'O':
			path = optarg;
			break;
		case 'r':
			rows = optarg;
			break;
		case 'h':
			return command_print_help(&command_report);
		default:
			return say_usage(&command_report, "report: %s is no option, or its value is missing",
					 argv[optind - 1]);
		}
	}
	const struct report_format *format = format_choose(name, rows);
	if (format == NULL)
		return COMMAND_USAGE;
	if (argv[optind] == NULL)
		return say_usage(&command_report,
				 "report needs a recording: a file, or @1 for the newest one");
	if (format->single && argv[optind + 1] != NULL)
		return say_usage(&command_report, "%s takes one recording: its document holds one run", name);
	return report_all(argv + optind, format, path);
}

const struct command command_report = {
	.name = "report",
	.synopsis = "[OPTIONS] FILE|@N...",
	.help = "Report on recordings: for a person, or for programs",
	.options = "  -f, --format NAME   text (the default), markdown, html, json, csv, ndjson, trace,\n"
		   "                      openmetrics, bmf or github\n"
		   "      --rows TABLE    of csv: ticks (the default), tasks, stalls or mounts\n"
		   "  -O, --output FILE   write to FILE ('-': standard output)\n"
		   "  -h, --help          this help\n",
	.main = report_main,
};
