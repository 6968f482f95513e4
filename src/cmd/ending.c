/* SPDX-License-Identifier: MIT
 *
 * The end of a live run. The build's status is known by now and nothing here changes it: what fails is said
 * and passed over. Main thread, after the others are gone.
 */
#include "ending.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "history/history.h"
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

static void write_text(const char *path, const char *text, size_t len)
{
	struct why why;
	if (path != NULL && output_put(path, text, len, &why) < 0)
		say_line(why.text);
}

static void write_textfile(const char *directory, const char *document)
{
	struct buf path = {0}, text = {0};
	buf_add_format(&path, "%s/buildtop.prom", directory);
	if (post_prometheus(&text, document, NULL) == 0)
		write_text(path.data, text.data, text.len);
	buf_fini(&path);
	buf_fini(&text);
}

void ending_write(const struct options *options, const struct summary *summary, const char *document)
{
	write_text(options->summary, document, strlen(document));
	if (options->summary_text != NULL) {
		struct buf text = {0};
		report_format_find("text")->summary(&text, summary);
		write_text(options->summary_text, text.data, text.len);
		buf_fini(&text);
	}
	if (options->post.textfile != NULL)
		write_textfile(options->post.textfile, document);
}

static void say_standing(const struct history_standing *standing)
{
	static const char *const words[] = {[HISTORY_SLOWER] = "slower", [HISTORY_FASTER] = "faster"};
	struct buf line = {0};
	buf_add_format(&line, "  %-10s ", "history");
	if (standing->verdict == HISTORY_USUAL)
		buf_add_string(&line, "within the usual spread");
	else
		buf_add_format(&line, "%.1f %% %s than the median of the last 10",
			       fabs(standing->change) * 100, words[standing->verdict]);
	buf_add_format(&line, " (%u runs, spread %.0f %%)\n", standing->runs, standing->spread * 100);
	fd_write_all(STDERR_FILENO, line.data, line.len);
	buf_fini(&line);
}

bool ending_keep(const struct options *options, const struct summary *summary, const char *document)
{
	const struct options_post *post = &options->post;
	struct history_target *targets = mem_alloc(post->n + 1, sizeof *targets);
	struct buf *settings = mem_alloc(post->n + 1, sizeof *settings);
	struct history_standing standing;
	struct why why;
	if (options->no_history) {
		free(targets);
		free(settings);
		return false;
	}
	for (size_t i = 0; i < post->n; i++) {
		post_target_settings(&post->targets[i], &settings[i]);
		targets[i] =
			(struct history_target){.name = post->targets[i].name,
						.settings = settings[i].data != NULL ? settings[i].data : ""};
	}
	int kept = history_record(document, summary->run->id, targets, post->n, &standing, &why);
	if (kept > 0)
		say("history: %s; this run waits and is taken in later", why.text);
	else if (kept < 0 && (kept != -ETIMEDOUT || !options->quiet)) /* late is not lost */
		say("history: %s", why.text);
	else if (standing.verdict != HISTORY_FEW && !options->quiet)
		say_standing(&standing);
	for (size_t i = 0; i < post->n; i++)
		buf_fini(&settings[i]);
	free(settings);
	free(targets);
	return kept == 0;
}

static void say_waiting_lines(void)
{
	char line[LOG_LINE_SIZE];
	while (log_take(line))
		say_line(line);
}

bool ending_post(const struct options *options, const char *document, bool kept)
{
	const struct options_post *post = &options->post;
	struct history *history = NULL;
	struct post_tally tally;
	if (post->n == 0)
		return true;
	if (kept && history_open(&history, 500, NULL) == 0)
		history_hurry(history);
	unsigned missed = post_deliver(history, document, post->targets, post->n, &tally);
	history_close(history);
	say_waiting_lines();
	return missed == 0;
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
