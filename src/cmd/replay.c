/* SPDX-License-Identifier: MIT
 *
 * buildtop replay: a recording in the screen it was recorded from. Where there is no terminal to show one,
 * the report as text.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "account.h"
#include "base/clock.h"
#include "base/fd.h"
#include "command.h"
#include "report/report.h"
#include "say.h"
#include "tui/tui.h"

#define FIRST_LOOK_NS (5 * NS_PER_MS) /* a short recording is thought over before it is shown */

static int show_screen(struct account *account, bool follow, struct why *why)
{
	int error = replay_think(account->replay, FIRST_LOOK_NS, why);
	if (error < 0)
		return error;
	bool whole = error == 0;
	struct control *control = control_new();
	struct tui_options options = {
		.control = control,
		.recording = account->path,
		.note = whole && !follow ? replay_damage(account->replay) : NULL,
		.replay = true,
	};
	struct tui *tui = NULL;
	error = tui_open(&tui, &options, why);
	if (error >= 0) {
		struct consumer screen = tui_consumer(tui);
		error = replay_show(account->replay, follow, &screen, control, why);
		tui_close(tui);
	}
	control_free(control);
	return error;
}

static int show_text(struct account *account, struct why *why)
{
	struct summary summary;
	int error = account_summary(account, &summary, why);
	if (error < 0)
		return error;
	struct buf page = {0};
	report_format_find("text")->summary(&page, &summary);
	error = fd_write_all(STDOUT_FILENO, page.data, page.len);
	if (error < 0)
		why_set(why, error, "standard output cannot be written");
	buf_fini(&page);
	summary_fini(&summary);
	return error;
}

static int replay_one(const char *name, bool follow, struct why *why)
{
	struct why no_screen;
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	bool screen = terminal && tui_check(&no_screen) >= 0;
	if (terminal && !screen)
		say("no screen: %s", no_screen.text);
	struct account account;
	int error = account_open(&account, name, why);
	if (error < 0)
		return error;
	error = screen ? show_screen(&account, follow, why) : show_text(&account, why);
	account_close(&account);
	return error;
}

static int replay_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"follow", no_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	bool follow = false;
	int code;
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, "fh", long_options, NULL)) != -1) {
		if (code == 'h')
			return command_print_help(&command_replay);
		if (code == 'f') {
			follow = true;
			continue;
		}
		return say_usage(&command_replay, "replay has no option %s", argv[optind - 1]);
	}
	if (argc - optind != 1)
		return say_usage(&command_replay,
				 "replay takes one recording: a file, or @1 for the newest one");
	struct why why;
	if (replay_one(argv[optind], follow, &why) >= 0)
		return COMMAND_FINE;
	say_line(why.text);
	return COMMAND_FAILED;
}

const struct command command_replay = {
	.name = "replay",
	.synopsis = "[OPTIONS] FILE|@N",
	.help = "Show a recording in the screen; without a terminal, a report",
	.options = "  -f, --follow        begin at the end, and go on while the file grows\n"
		   "  -h, --help          this help\n",
	.main = replay_main,
};
