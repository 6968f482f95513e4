/* SPDX-License-Identifier: MIT
 *
 * The options that run and watch share.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "command.h"
#include "model/run.h"
#include "options_post.h"

enum options_screen { OPTIONS_SCREEN_AUTO, OPTIONS_SCREEN_FORCED, OPTIONS_SCREEN_NONE };

struct options {
	const char *record; /* NULL: a place on the shelf */
	bool no_record;
	int64_t interval_ns;
	enum options_screen screen;
	const char *summary; /* NULL: not wanted */
	const char *summary_text;
	bool quiet;
	bool no_command;
	char *workdir; /* absolute, owned; NULL: not given */
	struct run_label *labels;
	size_t n_labels;
	const char **alerts; /* all good; the array is owned */
	size_t n_alerts;
	const char *on_alert; /* NULL: none */
	double pause_share;   /* 0: never */
	bool no_history;
	const char *match;  /* of watch; NULL: not given */
	const char *cgroup; /* of watch; NULL: not given */
	struct options_post post;
	bool help;
	char **words;	/* behind the options; NULL-terminated */
	bool separated; /* by "--" */
};

/* 0, or -errno with why: the caller says it as wrong usage. Borrows from argv. */
int options_parse(struct options *options, int argc, char **argv, struct why *why);
void options_fini(struct options *options);

#define OPTIONS_HELP                                                                                         \
	"  -o, --record FILE        record to FILE ('-': standard output); otherwise the recording is "      \
	"kept\n"                                                                                             \
	"                           in $XDG_STATE_HOME/buildtop/, the newest 50, at most 1 GiB\n"            \
	"      --no-record          record nothing\n"                                                        \
	"  -i, --interval SECONDS   time between ticks, 0.1 to 60 (1)\n"                                     \
	"      --tui, --no-tui      force or forbid the screen; otherwise it comes if standard input and\n"  \
	"                           output are terminals that can show one\n"                                \
	"      --summary FILE       write the summary as JSON at the end ('-': standard output)\n"           \
	"      --summary-text FILE  write it as text\n"                                                      \
	"  -q, --quiet              no summary on standard error at the end\n"                               \
	"  -l, --label KEY=VALUE    a label for the summary: project, variant, branch or your own\n"         \
	"  -w, --workdir DIR        the directory the build writes to (the current one)\n"                   \
	"      --no-command         keep command lines out of the recording and the summary\n"               \
	"      --alert SPEC         tell when tmpfs[:PATH]>=90% (or >=6G, <60s to full), inodes>=95%,\n"     \
	"                           memory<2G, disk:PATH<5G, stall>30s, dirty>=80%; none: never\n"           \
	"                           (tmpfs>=90% and tmpfs<60s)\n"                                            \
	"      --on-alert COMMAND   run COMMAND by sh -c for each alert, BUILDTOP_ALERT and the like in\n"   \
	"                           its environment\n"                                                       \
	"      --pause-on-full[=98%] stop the build before a tmpfs is so full, until there is room\n"        \
	"      --match REGEX        watch: the processes whose command line matches, new ones too\n"         \
	"      --cgroup DIR         watch: the processes of a control group and those below it\n"            \
	"      --no-history         leave this run out of the history\n" OPTIONS_POST_HELP                   \
	"  -h, --help               this help\n"

#endif
