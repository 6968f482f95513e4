/* SPDX-License-Identifier: MIT
 *
 * The end of a live run. The build's status is known by now and nothing here changes it: what fails is said
 * and passed over. Main thread, after the others are gone.
 */
#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/text.h"
#include "output.h"
#include "report/report.h"
#include "say.h"
#include "tail.h"

#define LINES_FOR_SUMMARY 12

void ending_show_output(const struct tape *output)
{
	struct winsize size = {0};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0)
		size.ws_row = 24;
	size_t lines = size.ws_row > LINES_FOR_SUMMARY + 5 ? size.ws_row - LINES_FOR_SUMMARY : 5;
	struct buf tail = {0};
	tail_take(&tail, output, lines);
	if (tail.len > 0)
		fd_write_all(STDOUT_FILENO, tail.data, tail.len);
	buf_fini(&tail);
}

void ending_show_summary(const struct summary *summary, const char *recording)
{
	struct buf text = {0};
	report_short(&text, summary);
	if (recording != NULL) {
		buf_add_format(&text, "  %-10s ", "recording");
		text_clean_add(&text, recording, strlen(recording));
		buf_add_byte(&text, '\n');
	}
	fd_write_all(STDERR_FILENO, text.data, text.len);
	buf_fini(&text);
}

static void write_text(const char *path, const struct buf *text)
{
	struct why why;
	if (output_put(path, text->data, text->len, &why) < 0)
		say_line(why.text);
}

void ending_write(const struct options *options, const struct summary *summary)
{
	const struct {
		const char *path;
		const char *format;
	} documents[] = {{options->summary, "json"}, {options->summary_text, "text"}};
	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		if (documents[i].path == NULL)
			continue;
		struct buf text = {0};
		report_format_find(documents[i].format)->summary(&text, summary);
		write_text(documents[i].path, &text);
		buf_fini(&text);
	}
}

bool ending_post(const struct options *options, const struct summary *summary, const char *recording)
{
	struct why why;
	if (options->post.insecure)
		say("--post-insecure: the certificate of the results server is not checked");
	if (post_send(&options->post, summary, &why) == 0)
		return true;
	if (recording != NULL)
		say("%s; the recording is kept, send it with: buildtop post %s --post URL", why.text,
		    recording);
	else
		say_line(why.text);
	return false;
}

void ending_die(int signal_number)
{
	struct rlimit no_core = {0};
	sigset_t set;
	setrlimit(RLIMIT_CORE, &no_core); /* the build may have left one; ours tells nothing */
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
