/* SPDX-License-Identifier: MIT
 *
 * The one table of keys. A key does one thing; what it means may depend on the page, on live or replay, and
 * on nothing else. Prompts take keys before the table does.
 */
#include "keys.h"

#include <curses.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "terminal.h"

#define CTRL(letter) ((letter)&0x1f)
#define ESCAPE	     0x1b
#define MINUTE_NS    (60 * NS_PER_S)

static void quit(struct view *view)
{
	if (view->given.replay) {
		view->leave = true;
	} else {
		view->prompt = VIEW_ASK_QUIT;
	}
}

static void help(struct view *view)
{
	view->page = view->page == VIEW_HELP ? VIEW_OVERVIEW : VIEW_HELP;
}

static void output(struct view *view)
{
	view->page = view->page == VIEW_OUTPUT ? VIEW_OVERVIEW : VIEW_OUTPUT;
	view->output_scroll = 0;
}

/* Down in the process list; in the output, down is towards the newest. */
static void scroll_by(struct view *view, long rows)
{
	size_t *at = view->page == VIEW_OUTPUT ? &view->output_scroll : &view->task_scroll;

	if (view->page == VIEW_OUTPUT)
		rows = -rows;
	if (rows < 0 && (size_t)-rows > *at)
		*at = 0;
	else
		*at += (size_t)rows; /* the panel takes back what is too much */
}

static long page_rows(const struct view *view)
{
	int rows = view->page == VIEW_OUTPUT ? view->rows - 3 : view->layout.box[LAYOUT_TASKS].h - 1;

	return rows > 1 ? rows : 1;
}

static void down(struct view *view)
{
	scroll_by(view, 1);
}

static void up(struct view *view)
{
	scroll_by(view, -1);
}

static void page_down(struct view *view)
{
	scroll_by(view, page_rows(view));
}

static void page_up(struct view *view)
{
	scroll_by(view, -page_rows(view));
}

static void first(struct view *view)
{
	scroll_by(view, -1000000);
}

static void last(struct view *view)
{
	scroll_by(view, 1000000);
}

static void sort(struct view *view)
{
	view->sort = (view->sort + 1) % TASKLIST_SORTS;
	view->task_scroll = 0;
}

static void shape(struct view *view)
{
	view->shape = (view->shape + 1) % TASKLIST_SHAPES;
	view->task_scroll = 0;
}

static void ask_filter(struct view *view)
{
	view->prompt = VIEW_ASK_FILTER;
	snprintf(view->typed, sizeof view->typed, "%s", view->filter);
}

static void escape(struct view *view)
{
	if (view->page != VIEW_OVERVIEW)
		view->page = VIEW_OVERVIEW;
	else
		view->filter[0] = '\0';
}

static void set_speed(struct view *view, int eighths)
{
	view->speed_eighths = eighths;
	if (eighths)
		view->last_speed_eighths = eighths;
	view_ask(view, CONTROL_ASK_PLAY, eighths);
}

static void pause_or_play(struct view *view)
{
	if (view->given.replay) {
		set_speed(view, view->speed_eighths ? 0 : view->last_speed_eighths);
		return;
	}
	view->paused = !view->paused;
	if (!view->paused && view->newest) {
		tick_unref(view->shown);
		view->shown = tick_ref(view->newest);
	}
}

static void step_back(struct view *view)
{
	view_ask(view, CONTROL_ASK_STEP, -1);
}

static void step_on(struct view *view)
{
	view_ask(view, CONTROL_ASK_STEP, 1);
}

static void seek(struct view *view, int64_t mono_ns)
{
	view_ask(view, CONTROL_ASK_SEEK, mono_ns);
}

static void minute_back(struct view *view)
{
	seek(view, view_position_ns(view) - MINUTE_NS);
}

static void minute_on(struct view *view)
{
	seek(view, view_position_ns(view) + MINUTE_NS);
}

static int64_t end_of_run(const struct view *view)
{
	size_t n = view->timeline->n_briefs;

	return n ? view->timeline->briefs[n - 1].mono_ns : view_position_ns(view);
}

static void run_start(struct view *view)
{
	seek(view, view->run ? view->run->start_mono_ns : 0);
}

static void run_end(struct view *view)
{
	seek(view, end_of_run(view));
}

static void slower(struct view *view)
{
	if (view->last_speed_eighths > 1)
		set_speed(view, view->last_speed_eighths / 2);
}

static void faster(struct view *view)
{
	if (view->last_speed_eighths < 64 * 8)
		set_speed(view, view->last_speed_eighths * 2);
}

/* A stall is gone to at its first tick in which it is seen, so that it can be told from where we are. */
static int64_t stall_mark_ns(const struct view *view, const struct stall *stall)
{
	return graph_slot_end_ns(&view->clock, graph_slot(&view->clock, stall->from_ns) + 1);
}

static void next_stall(struct view *view)
{
	for (size_t i = 0; i < view->timeline->n_stalls; i++) {
		int64_t mark_ns = stall_mark_ns(view, &view->timeline->stalls[i]);

		if (graph_slot(&view->clock, mark_ns) > view->position_slot) {
			seek(view, mark_ns);
			return;
		}
	}
	view_say(view, "no stall after this");
}

static void previous_stall(struct view *view)
{
	for (size_t i = view->timeline->n_stalls; i-- > 0;) {
		int64_t mark_ns = stall_mark_ns(view, &view->timeline->stalls[i]);

		if (graph_slot(&view->clock, mark_ns) < view->position_slot) {
			seek(view, mark_ns);
			return;
		}
	}
	view_say(view, "no stall before this");
}

static void go_to(struct view *view)
{
	view->prompt = VIEW_ASK_TIME;
	view->typed[0] = '\0';
}

static void redraw(struct view *view)
{
	(void)view;
	terminal_redraw();
}

static void interrupt(struct view *view)
{
	if (view->given.replay)
		quit(view);
	else
		view_ask(view, CONTROL_ASK_TYPE, CTRL('C'));
}

static void go_on(struct view *view)
{
	if (!view->given.replay)
		view_ask(view, CONTROL_ASK_CONTINUE, 0);
}

static void suspend(struct view *view)
{
	view->suspend = true;
}

enum when { ALWAYS, REPLAY };

static const struct key {
	int codes[4]; /* 0: none */
	enum when when;
	void (*press)(struct view *view);
	const char *key, *help;
} keys[] = {
	{{'?', 'h', KEY_F(1)}, ALWAYS, help, "?", "this help"},
	{{'q', KEY_F(10)}, ALWAYS, quit, "q", "quit: while the build runs, asks what becomes of it"},
	{{' '}, ALWAYS, pause_or_play, "Space", "hold the picture and go on; replay: pause and play"},
	{{'o'}, ALWAYS, output, "o", "the build's output"},
	{{'j', KEY_DOWN}, ALWAYS, down, "j Down", "scroll down"},
	{{'k', KEY_UP}, ALWAYS, up, "k Up", "scroll up"},
	{{KEY_NPAGE, CTRL('F')}, ALWAYS, page_down, "PgDn", "a page down"},
	{{KEY_PPAGE, CTRL('B')}, ALWAYS, page_up, "PgUp", "a page up"},
	{{KEY_HOME}, ALWAYS, first, "Home", "to the top"},
	{{KEY_END, 'G'}, ALWAYS, last, "End", "to the bottom"},
	{{'s', KEY_F(6)}, ALWAYS, sort, "s", "sort processes by wait, cpu, write, rss, pid"},
	{{'t', KEY_F(5)}, ALWAYS, shape, "t", "processes flat, as a tree, by command"},
	{{'/', KEY_F(4)}, ALWAYS, ask_filter, "/", "show only processes with this text"},
	{{ESCAPE}, ALWAYS, escape, "Esc", "back; show all processes again"},
	{{KEY_LEFT}, REPLAY, step_back, "Left", "replay: a tick back"},
	{{KEY_RIGHT}, REPLAY, step_on, "Right", "replay: a tick on"},
	{{KEY_SLEFT, '{'}, REPLAY, minute_back, "Shift-Left {", "replay: a minute back"},
	{{KEY_SRIGHT, '}'}, REPLAY, minute_on, "Shift-Right }", "replay: a minute on"},
	{{'['}, REPLAY, slower, "[", "replay: slower, to 1/8"},
	{{']'}, REPLAY, faster, "]", "replay: faster, to 64 times"},
	{{'n'}, REPLAY, next_stall, "n", "replay: to the next stall"},
	{{'N', 'p'}, REPLAY, previous_stall, "N", "replay: to the stall before"},
	{{'g'}, REPLAY, go_to, "g", "replay: to a time: 4:59, 1:02:03, or of the day 18:56:43"},
	{{'0', '('}, REPLAY, run_start, "0", "replay: to the start"},
	{{'$', ')'}, REPLAY, run_end, "$", "replay: to the end"},
	{{'c'}, ALWAYS, go_on, "c", "let a build go on that --pause-on-full holds"},
	{{CTRL('C')}, ALWAYS, interrupt, "Ctrl-C", "interrupt the build; replay: quit"},
	{{CTRL('Z')}, ALWAYS, suspend, "Ctrl-Z", "stop the build and the screen; fg goes on"},
	{{CTRL('L')}, ALWAYS, redraw, "Ctrl-L", "draw all again"},
};
#define N_KEYS (sizeof keys / sizeof *keys)

bool keys_help(size_t index, const char **key, const char **text)
{
	if (index >= N_KEYS)
		return false;
	*key = keys[index].key;
	*text = keys[index].help;
	return true;
}

const struct tui_key_info *tui_keys(void)
{
	static struct tui_key_info table[N_KEYS + 1];

	for (size_t i = 0; i < N_KEYS; i++)
		table[i] = (struct tui_key_info){keys[i].key, keys[i].help};
	return table;
}

bool keys_parse_time(const struct run *run, int64_t end_mono_ns, const char *text, int64_t *mono_ns)
{
	int64_t ns, day_ns;
	time_t start = (time_t)(run->start_wall_ns / NS_PER_S);
	struct tm midnight;

	if (!units_parse_duration(text, &ns))
		return false;
	*mono_ns = run->start_mono_ns + ns;
	if (*mono_ns <= end_mono_ns || !strchr(text, ':') || strchr(text, ':') == strrchr(text, ':'))
		return true;
	/* Too long for an elapsed time: a time of day, of the first day on which the run went on then. */
	localtime_r(&start, &midnight);
	day_ns = ((int64_t)midnight.tm_hour * 3600 + midnight.tm_min * 60 + midnight.tm_sec) * NS_PER_S;
	ns -= day_ns;
	if (ns < 0)
		ns += 24 * 3600 * NS_PER_S;
	*mono_ns = run->start_mono_ns + ns;
	return true;
}

static void answer_quit(struct view *view, int key)
{
	if (key == 'w' || key == 'W') {
		view->leave = true; /* asked for when the terminal is whole again */
	} else if (key == 's' || key == 'S') {
		view_ask(view, CONTROL_ASK_STOP, 0);
		view_say(view, "stopping the build; q s again: kill it");
	} else if (key != ESCAPE && key != 'q' && key != 'n') {
		return;
	}
	view->prompt = VIEW_NO_PROMPT;
}

static void accept(struct view *view)
{
	int64_t mono_ns;

	if (view->prompt == VIEW_ASK_FILTER) {
		memcpy(view->filter, view->typed, sizeof view->filter);
	} else if (view->run && *view->typed) {
		if (keys_parse_time(view->run, end_of_run(view), view->typed, &mono_ns))
			seek(view, mono_ns);
		else
			view_say(view, "not a time: write 4:59, 1:02:03 or 18:56:43");
	}
	view->prompt = VIEW_NO_PROMPT;
}

static void edit(struct view *view, int key)
{
	size_t len = strlen(view->typed);

	if (key == '\n' || key == '\r' || key == KEY_ENTER) {
		accept(view);
	} else if (key == ESCAPE || key == CTRL('C')) {
		if (view->prompt == VIEW_ASK_FILTER)
			view->filter[0] = '\0';
		view->prompt = VIEW_NO_PROMPT;
	} else if (key == KEY_BACKSPACE || key == 0x7f || key == '\b') {
		while (len > 0 && ((unsigned char)view->typed[--len] & 0xc0) == 0x80) {
		}
		view->typed[len] = '\0';
	} else if (key == CTRL('U')) {
		view->typed[0] = '\0';
	} else if (key >= ' ' && key < 0x100 && len + 1 < sizeof view->typed) {
		view->typed[len] = (char)key;
		view->typed[len + 1] = '\0';
	}
	if (view->prompt == VIEW_ASK_FILTER) /* what is typed shows at once */
		memcpy(view->filter, view->typed, sizeof view->filter);
}

void keys_press(struct view *view, int key)
{
	view->message[0] = '\0';
	if (view->prompt == VIEW_ASK_QUIT && key != CTRL('C') && key != CTRL('Z')) {
		answer_quit(view, key);
		return;
	}
	if (view->prompt != VIEW_NO_PROMPT && view->prompt != VIEW_ASK_QUIT && key != CTRL('Z')) {
		edit(view, key);
		return;
	}
	for (size_t i = 0; i < N_KEYS; i++)
		for (size_t c = 0; c < 4 && keys[i].codes[c]; c++)
			if (keys[i].codes[c] == key && (keys[i].when == ALWAYS || view->given.replay)) {
				keys[i].press(view);
				return;
			}
}
