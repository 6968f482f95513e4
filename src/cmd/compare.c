/* SPDX-License-Identifier: MIT
 *
 * buildtop compare: runs against others. An argument is a run, or a set of them: a directory, or a pattern in
 * quotes.
 */
#include <getopt.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "command.h"
#include "output.h"
#include "report/compare.h"
#include "say.h"
#include "sides.h"

struct wanted {
	const struct compare_format *format;
	const char *path;
	double fail_over; /* a part; below 0: not asked */
};

static int compare_all(char **names, const struct wanted *wanted)
{
	struct compare *compare = compare_new();
	struct buf out = {0};
	struct why why;
	int error = 0, status = COMMAND_FAILED;
	for (size_t i = 0; error == 0 && names[i] != NULL; i++)
		error = sides_add_argument(compare, names[i], wanted->format->pictures, &why);
	if (error == 0)
		error = compare_check(compare, &why);
	if (error == 0) {
		wanted->format->add(&out, compare);
		error = output_put(wanted->path, out.data, out.len, &why);
		status = COMMAND_FINE;
		if (wanted->fail_over >= 0 && compare_slower(compare, wanted->fail_over))
			status = COMMAND_FOUND;
	}
	if (error < 0)
		say_line(why.text);
	buf_fini(&out);
	compare_free(compare);
	return error < 0 ? COMMAND_FAILED : status;
}

static const struct compare_format *format_find(const char *name)
{
	const struct compare_format *format = compare_formats;
	while (format->name != NULL && strcmp(format->name, name) != 0)
		format++;
	return format->name != NULL ? format : NULL;
}

static int compare_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"format", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'O'},
		{"fail-over", required_argument, NULL, 'x'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct wanted wanted = {.format = compare_formats, .path = "-", .fail_over = -1};
	int code;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":f:O:h", long_options, NULL)) != -1) {
		switch (code) {
		case 'f':
			wanted.format = format_find(optarg);
			if (wanted.format == NULL)
				return say_usage(
					&command_compare,
					"compare has no format '%s', but text, markdown, json and html",
					optarg);
			break;
		case 'O':
			wanted.path = optarg;
			break;
		case 'x':
			if (!units_parse_number(optarg, &wanted.fail_over) || wanted.fail_over < 0)
				return say_usage(&command_compare, "--fail-over takes a percentage, not '%s'",
						 optarg);
			wanted.fail_over /= 100;
			break;
		case 'h':
			return command_print_help(&command_compare);
		default:
			return say_usage(&command_compare,
					 "compare: %s is no option, or its value is missing",
					 argv[optind - 1]);
		}
	}
	if (argc - optind < 2)
		return say_usage(&command_compare, "compare takes a base and what is compared with it");
	return compare_all(argv + optind, &wanted);
}

const struct command command_compare = {
	.name = "compare",
	.synopsis = "[OPTIONS] BASE NEW...",
	.help = "Compare runs: recordings, summaries, @N, or sets of them (a directory, a pattern in quotes)",
	.options = "  -f, --format NAME        text (the default), markdown, json or html\n"
		   "  -O, --output FILE        write to FILE ('-': standard output)\n"
		   "      --fail-over PERCENT  status 1 if one is slower than the base by more than that\n"
		   "  -h, --help               this help\n",
	.main = compare_main,
};
