/* SPDX-License-Identifier: MIT
 *
 * buildtop doctor: what can be seen on this machine, what not, why, and the command that changes it. Changes
 * nothing, but that the directory for recordings is there afterwards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/text.h"
#include "command.h"
#include "model/run.h"
#include "post/post.h"
#include "probe/probe.h"
#include "say.h"
#include "store/shelf.h"
#include "tui/tui.h"

static void print_line(const char *name, const char *text)
{
	char clean_name[64], clean_text[600];
	printf("  %-18s %s\n", text_clean_string(clean_name, sizeof clean_name, name),
	       text_clean_string(clean_text, sizeof clean_text, text));
}

static void print_sources(const struct run *run)
{
	printf("What can be seen\n");
	for (size_t i = 0; i < run->n_sources; i++) {
		print_line(run->sources[i].name, run->sources[i].status);
		if (run->sources[i].remedy != NULL)
			print_line("", run->sources[i].remedy);
	}
}

static void print_setting(const char *name, const char *path)
{
	struct buf value = {0};
	if (fd_read_file(path, &value, 64) < 0)
		buf_add_string(&value, "not there");
	while (value.len > 0 && value.data[value.len - 1] == '\n')
		value.data[--value.len] = '\0';
	print_line(name, value.data != NULL ? value.data : "");
	buf_fini(&value);
}

static void print_places(struct run *run)
{
	struct why why;
	printf("\nTerminal, recordings, settings\n");
	print_line("terminal", tui_check(&why) >= 0 ? "yes" : why.text);
	print_line("locale", text_is_utf8() ? "UTF-8" : "not UTF-8: the screen is drawn in ASCII");
	char *path = shelf_new_path(run, &why);
	char *slash = path != NULL ? strrchr(path, '/') : NULL;
	if (slash != NULL)
		*slash = '\0';
	print_line("recordings in", path != NULL ? path : why.text);
	free(path);
	print_setting("perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
	print_setting("ptrace_scope", "/proc/sys/kernel/yama/ptrace_scope");
}

static void print_libraries(void)
{
	printf("\nbuildtop %s, built with\n", PACKAGE_VERSION);
	print_line("libraries", BUILT_WITH);
	print_line("posting",
		   post_library() != NULL ? post_library() : "built without libcurl (--without-curl)");
}

static int doctor_main(int argc, char **argv)
{
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return command_print_help(&command_doctor);
	if (argc > 1)
		return say_usage(&command_doctor, "doctor takes no arguments, but got %s", argv[1]);
	struct run *run = run_new();
	char *workdir = getcwd(NULL, 0);
	run->workdir = workdir;
	probe_examine(run, workdir);
	print_sources(run);
	print_places(run);
	print_libraries();
	run_free(run);
	return COMMAND_FINE;
}

const struct command command_doctor = {
	.name = "doctor",
	.synopsis = "",
	.help = "Tell what can be seen on this machine, what not, why, and how to change that",
	.main = doctor_main,
};
