/* SPDX-License-Identifier: MIT
 *
 * Reads the options of run and watch and refuses what is wrong, with one sentence that says how it should be:
 * before a build of hours is started. Touches nothing but the working directory's name. Parsing ends at the
 * first word that is no option, so that the build's own options are left alone.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "model/alert.h"

#define LABEL_KEY_MAX	64
#define LABEL_VALUE_MAX 256
#define PAUSE_PERCENT	98

enum option_code {
	OPTION_NO_RECORD = 256,
	OPTION_TUI,
	OPTION_NO_TUI,
	OPTION_SUMMARY,
	OPTION_SUMMARY_TEXT,
	OPTION_NO_COMMAND,
	OPTION_ALERT,
	OPTION_ON_ALERT,
	OPTION_PAUSE_ON_FULL,
	OPTION_POST, /* all of options_post.c */
	OPTION_NO_HISTORY,
	OPTION_MATCH,
	OPTION_CGROUP,
};

static const struct option long_options[] = {
	{"record", required_argument, NULL, 'o'},
	{"no-record", no_argument, NULL, OPTION_NO_RECORD},
	{"interval", required_argument, NULL, 'i'},
	{"tui", no_argument, NULL, OPTION_TUI},
	{"no-tui", no_argument, NULL, OPTION_NO_TUI},
	{"summary", required_argument, NULL, OPTION_SUMMARY},
	{"summary-text", required_argument, NULL, OPTION_SUMMARY_TEXT},
	{"quiet", no_argument, NULL, 'q'},
	{"label", required_argument, NULL, 'l'},
	{"workdir", required_argument, NULL, 'w'},
	{"no-command", no_argument, NULL, OPTION_NO_COMMAND},
	{"no-history", no_argument, NULL, OPTION_NO_HISTORY},
	OPTIONS_POST_LONG(OPTION_POST),
	{"help", no_argument, NULL, 'h'},
	{"alert", required_argument, NULL, OPTION_ALERT},
	{"on-alert", required_argument, NULL, OPTION_ON_ALERT},
	{"pause-on-full", optional_argument, NULL, OPTION_PAUSE_ON_FULL},
	{"match", required_argument, NULL, OPTION_MATCH},
	{"cgroup", required_argument, NULL, OPTION_CGROUP},
	{NULL, 0, NULL, 0},
};

static int set_interval(struct options *options, const char *text, struct why *why)
{
	double seconds;
	if (!units_parse_number(text, &seconds) || seconds < 0.1 || seconds > 60)
		return why_set(why, -EINVAL, "--interval takes 0.1 to 60 seconds, not '%s'", text);
	options->interval_ns = (int64_t)(seconds * NS_PER_S);
	return 0;
}

static bool key_is_valid(const char *key, size_t len)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	return len > 0 && len <= LABEL_KEY_MAX && strspn(key, first) >= len &&
	       !(key[0] >= '0' && key[0] <= '9');
}

static int add_label(struct options *options, const char *text, struct why *why)
{
	const char *equals = strchr(text, '=');
	if (equals == NULL)
		return why_set(why, -EINVAL, "--label takes KEY=VALUE, not '%s'", text);
	size_t len = (size_t)(equals - text);
	if (!key_is_valid(text, len))
		return why_set(why, -EINVAL,
			       "--label: a key is at most %d letters, digits and '_' and does not begin with "
			       "a digit; "
			       "'%.*s' is none",
			       LABEL_KEY_MAX, (int)(len < 100 ? len : 100), text);
	if (mbstowcs(NULL, equals + 1, 0) == (size_t)-1 && text_is_utf8())
		return why_set(why, -EINVAL, "--label %.*s: the value is not valid UTF-8", (int)len, text);
	if (strlen(equals + 1) > LABEL_VALUE_MAX)
		return why_set(why, -EINVAL, "--label %.*s: the value is longer than %d bytes", (int)len,
			       text, LABEL_VALUE_MAX);
	options->labels = mem_resize(options->labels, options->n_labels + 1, sizeof *options->labels);
	options->labels[options->n_labels++] =
		(struct run_label){.key = mem_dup_n(text, len), .value = mem_dup(equals + 1)};
	return 0;
}

static int set_workdir(struct options *options, const char *path, struct why *why)
{
	struct stat status;
	if (stat(path, &status) < 0)
		return why_set(why, -errno, "--workdir %s: %s", path, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return why_set(why, -ENOTDIR, "--workdir %s: this is not a directory", path);
	free(options->workdir);
	options->workdir = realpath(path, NULL);
	return options->workdir != NULL ? 0 : why_set(why, -errno, "--workdir %s: %s", path, strerror(errno));
}

static int add_alert(struct options *options, const char *text, struct why *why)
{
	struct alert_spec spec;
	int error = alert_spec_parse(&spec, text, why);
	if (error < 0)
		return error;
	alert_spec_fini(&spec);
	options->alerts = mem_resize(options->alerts, options->n_alerts + 1, sizeof *options->alerts);
	options->alerts[options->n_alerts++] = text;
	return 0;
}

/* "98%", "98" or nothing. */
static int set_pause(struct options *options, const char *text, struct why *why)
{
	size_t len = text != NULL ? strlen(text) : 0;
	char *number = text != NULL ? mem_dup_n(text, len - (len > 0 && text[len - 1] == '%')) : NULL;
	double percent = PAUSE_PERCENT;
	bool good =
		number == NULL || (units_parse_number(number, &percent) && percent >= 1 && percent <= 99.9);
	free(number);
	options->pause_share = percent / 100;
	return good ? 0 : why_set(why, -EINVAL, "--pause-on-full takes 1%% to 99.9%%, not '%s'", text);
}

static int take_guard_option(struct options *options, int code, struct why *why)
{
	switch (code) {
	case OPTION_ALERT:
		return add_alert(options, optarg, why);
	case OPTION_PAUSE_ON_FULL:
		return set_pause(options, optarg, why);
	default:
		options->on_alert = optarg;
		return 0;
	}
}

/* The word that getopt_long stumbled over. */
static int refuse_word(int code, char **argv, struct why *why)
{
	char letter[3] = {'-', (char)optopt, '\0'};
	const char *word = argv[optind - 1];
	bool is_long = strncmp(word, "--", 2) == 0;
	if (code == ':')
		return why_set(why, -EINVAL, "%s needs a value behind it", is_long ? word : letter);
	if (is_long && optopt != 0)
		return why_set(why, -EINVAL, "%s: this option takes no value", word);
	return why_set(why, -EINVAL, "there is no option %s", is_long ? word : letter);
}

static int take_option(struct options *options, int code, struct why *why)
{
	switch (code) {
	case 'o':
		options->record = optarg;
		return 0;
	case 'i':
		return set_interval(options, optarg, why);
	case 'q':
		options->quiet = true;
		return 0;
	case 'l':
		return add_label(options, optarg, why);
	case 'w':
		return set_workdir(options, optarg, why);
	case 'h':
		options->help = true;
		return 0;
	case OPTION_NO_RECORD:
		options->no_record = true;
		return 0;
	case OPTION_TUI:
		options->screen = OPTIONS_SCREEN_FORCED;
		return 0;
	case OPTION_NO_TUI:
		options->screen = OPTIONS_SCREEN_NONE;
		return 0;
	case OPTION_SUMMARY:
		options->summary = optarg;
		return 0;
	case OPTION_SUMMARY_TEXT:
		options->summary_text = optarg;
		return 0;
	case OPTION_MATCH:
		options->match = optarg;
		return 0;
	case OPTION_CGROUP:
		options->cgroup = optarg;
		return 0;
	case OPTION_NO_COMMAND:
		options->no_command = true;
		return 0;
	case OPTION_ALERT:
	case OPTION_ON_ALERT:
	case OPTION_PAUSE_ON_FULL:
		return take_guard_option(options, code, why);
	default:
		options->no_history = true;
		return 0;
	}
}

/* A line of the configuration: what holds for every build, and nothing that changes one. */
static int take_config(void *self, const char *key, const char *value, struct why *why)
{
	struct options *options = self;
	if (strcmp(key, "label") == 0)
		return add_label(options, value, why);
	if (strcmp(key, "no-history") == 0) {
		options->no_history = true;
		return 0;
	}
	return options_post_take(&options->post, key, value, why);
}

static bool is_stdout(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

/* What single options cannot know of each other. */
static int check_together(struct options *options, struct why *why)
{
	if (options->record != NULL && options->no_record)
		return why_set(why, -EINVAL, "--record and --no-record contradict each other");
	if (is_stdout(options->record) + is_stdout(options->summary) + is_stdout(options->summary_text) > 1)
		return why_set(
			why, -EINVAL,
			"only one of --record, --summary and --summary-text can be '-', standard output");
	return options_post_check(&options->post, options->labels, options->n_labels, why);
}

int options_parse(struct options *options, int argc, char **argv, struct why *why)
{
	*options = (struct options){.interval_ns = NS_PER_S};
	opterr = 0;
	optind = 0; /* starts getopt anew */
	int error = options_post_begin(&options->post, take_config, options, why), code, index = 0;
	while (error == 0 && (code = getopt_long(argc, argv, "+:o:i:ql:w:h", long_options, &index)) != -1) {
		if (code == '?' || code == ':')
			error = refuse_word(code, argv, why);
		else if (code == OPTION_POST)
			error = options_post_take(&options->post, long_options[index].name, optarg, why);
		else
			error = take_option(options, code, why);
	}
	options->words = argv + optind;
	options->separated = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
	if (error == 0 && !options->help)
		error = check_together(options, why);
	if (error < 0)
		options_fini(options);
	return error;
}

void options_fini(struct options *options)
{
	for (size_t i = 0; i < options->n_labels; i++) {
		free(options->labels[i].key);
		free(options->labels[i].value);
	}
	free(options->labels);
	free(options->workdir);
	free(options->alerts);
	options->alerts = NULL;
	options->n_alerts = 0;
	options_post_fini(&options->post);
	options->labels = NULL;
	options->n_labels = 0;
	options->workdir = NULL;
}
