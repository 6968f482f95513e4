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
#include "errors.h"
#include "marks.h"
#include "stalls.h"
#include "terminal.h"
#include "theme.h"

#define CTRL(letter)   ((letter)&0x1f)
#define ESCAPE	       0x1b
#define PASTE_PAUSE_NS (2 * NS_PER_S)
#define MINUTE_NS      (60 * NS_PER_S)

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

static void turn_to(struct view *view, enum view_page page)
{
	view->page = page;
	view->output_scroll = view->task_scroll = view->stall = 0;
}

static void output(struct view *view)
{
	turn_to(view, view->page == VIEW_OUTPUT ? VIEW_OVERVIEW : VIEW_OUTPUT);
}

static void page_1(struct view *view)
{
	turn_to(view, VIEW_OVERVIEW);
}

static void page_2(struct view *view)
{
	turn_to(view, VIEW_TASKS);
}

static void page_3(struct view *view)
{
	turn_to(view, VIEW_STALLS);
}

static void page_4(struct view *view)
{
	turn_to(view, VIEW_STORAGE);
}

static void page_5(struct view *view)
{
	turn_to(view, VIEW_MEMORY);
}

static void page_6(struct view *view)
{
	turn_to(view, VIEW_OUTPUT);
}

static void page_next(struct view *view)
{
	turn_to(view, view->page >= VIEW_PAGES - 1 ? VIEW_OVERVIEW : view->page + 1);
}

static void page_before(struct view *view)
{
	turn_to(view,
		view->page == VIEW_OVERVIEW || view->page >= VIEW_PAGES ? VIEW_PAGES - 1 : view->page - 1);
}

/* Down in a list; in the output, down is towards the newest. */
static void scroll_by(struct view *view, long rows)
{
	size_t *at = view->page == VIEW_OUTPUT	 ? &view->output_scroll
		     : view->page == VIEW_STALLS ? &view->stall
						 : &view->task_scroll;

	if (view->page == VIEW_OUTPUT) {
		rows = -rows;
		*at = view_output_back(view);
	}
	if (rows < 0 && (size_t)-rows > *at)
		*at = 0;
	else
		*at += (size_t)rows; /* the panel takes back what is too much */
}

static long page_rows(const struct view *view)
{
	int rows = view->page == VIEW_OVERVIEW ? view->layout.box[LAYOUT_TASKS].h - 1 : view->rows - 5;

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
	view->chosen = true;
	view->task_scroll = 0;
}

static void shape(struct view *view)
{
	view->shape = (view->shape + 1) % TASKLIST_SHAPES;
	view->chosen = true;
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
	else if (view->filter[0])
		view->filter[0] = '\0';
	else if (view_is_held(view))
		view_follow(view);
	view->mark_ns = 0;
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
	if (view_is_held(view))
		view_follow(view);
	else
		view_seek(view, view_end_ns(view));
}

/* By columns: what one sees is what one steps through. */
static void step(struct view *view, int columns)
{
	int64_t slots = view->clock.slots > 1 ? view->clock.slots : 1;

	if (view->given.replay)
		view_ask(view, CONTROL_ASK_STEP, columns * slots);
	else
		view_seek(view, view_position_ns(view) + columns * graph_column_ns(&view->clock));
}

static void step_back(struct view *view)
{
	step(view, -1);
}

static void step_on(struct view *view)
{
	step(view, 1);
}

static void minute_back(struct view *view)
{
	view_seek(view, view_position_ns(view) - MINUTE_NS * view->clock.slots);
}

static void minute_on(struct view *view)
{
	view_seek(view, view_position_ns(view) + MINUTE_NS * view->clock.slots);
}

static void run_start(struct view *view)
{
	view_seek(view, view->run ? view->run->start_mono_ns : 0);
}

static void run_end(struct view *view)
{
	if (view->given.replay)
		view_seek(view, view_end_ns(view));
	else
		view_follow(view);
}

static void zoom_in(struct view *view)
{
	view_zoom(view, -1);
}

static void zoom_out(struct view *view)
{
	view_zoom(view, 1);
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

/* A stall is gone to at the first tick in which it is seen, so that it can be told from where we are. */
static int64_t stall_mark_ns(const struct view *view, const struct stall *stall)
{
	const struct timeline *timeline = view->timeline;
	struct graph_clock clock = view->clock;
	int64_t mark_ns;
	size_t i;

	clock.slots = 1;
	mark_ns = graph_slot_end_ns(&clock, graph_slot(&clock, stall->from_ns) + 1);
	if (timeline->n_briefs == 0)
		return mark_ns;
	for (i = timeline_at(timeline, mark_ns); i < timeline->n_briefs; i++)
		if (timeline->briefs[i].cause < CAUSE_COUNT && timeline->briefs[i].mono_ns > stall->from_ns)
			break;
	if (i == timeline->n_briefs || timeline->briefs[i].mono_ns > stall->to_ns ||
	    timeline->briefs[i].mono_ns < mark_ns)
		return mark_ns;
	return timeline->briefs[i].mono_ns;
}

static int64_t position_tick(const struct view *view, int64_t mono_ns)
{
	struct graph_clock clock = view->clock;

	clock.slots = 1;
	return graph_slot(&clock, mono_ns);
}

static void next_stall(struct view *view)
{
	for (size_t i = 0; i < view->timeline->n_stalls; i++) {
		int64_t mark_ns = stall_mark_ns(view, &view->timeline->stalls[i]);

		if (position_tick(view, mark_ns) > position_tick(view, view_position_ns(view))) {
			view_seek(view, mark_ns);
			return;
		}
	}
	view_say(view, "no stall after this");
}

static void previous_stall(struct view *view)
{
	for (size_t i = view->timeline->n_stalls; i-- > 0;) {
		int64_t mark_ns = stall_mark_ns(view, &view->timeline->stalls[i]);

		if (position_tick(view, mark_ns) < position_tick(view, view_position_ns(view))) {
			view_seek(view, mark_ns);
			return;
		}
	}
	view_say(view, "no stall before this");
}

static void worst_stall(struct view *view)
{
	const struct stall *worst = NULL;

	for (size_t i = 0; i < view->timeline->n_stalls; i++)
		if (!worst || stall_seconds(&view->timeline->stalls[i]) > stall_seconds(worst))
			worst = &view->timeline->stalls[i];
	if (worst)
		view_seek(view, stall_mark_ns(view, worst));
	else
		view_say(view, "no stall in this run%s", view->given.replay ? "" : " so far");
}

static void dirty_peak(struct view *view)
{
	const struct brief *most = NULL;

	for (size_t i = 0; i < view->timeline->n_briefs; i++) {
		const struct brief *brief = &view->timeline->briefs[i];

		if (brief->dirty_bytes != METRIC_NA && (!most || brief->dirty_bytes > most->dirty_bytes))
			most = brief;
	}
	if (most)
		view_seek(view, most->mono_ns);
}

static void choose(struct view *view)
{
	const struct stall *stall;

	if (view->page == VIEW_OUTPUT && view->output) {
		view_seek(view, scrollback_time(view->output, view->output_scroll));
		return;
	}
	if (view->page != VIEW_STALLS) {
		turn_to(view, VIEW_STALLS);
		return;
	}
	stall = stalls_chosen(view);
	if (stall)
		view_seek(view, stall_mark_ns(view, stall));
}

static void type(struct view *view)
{
	if (!view->output) {
		view_say(view, "the build has no terminal of ours to type into");
		return;
	}
	view->page_before = view->page;
	turn_to(view, VIEW_OUTPUT);
	view->prompt = VIEW_TYPING;
}

static void next_theme(struct view *view)
{
	theme_next();
	view->chosen = true;
	view_say(view, "theme: %s", theme_name());
}

static void seek_error(struct view *view, bool older)
{
	size_t at = view_output_back(view), count;

	if (!view->output) {
		view_say(view, "there is no output here to look for errors in");
		return;
	}
	if (view->page != VIEW_OUTPUT) {
		turn_to(view, VIEW_OUTPUT);
		at = view_output_back(view);
	} else if (older && view->output_scroll) {
		at++;
	}
	count = scrollback_count(view->output);
	for (; at < count && (older || at > 0); at = older ? at + 1 : at - 1) {
		size_t line = older ? at : at - 1;

		if (errors_kind(scrollback_line(view->output, line)) == ERRORS_ERROR) {
			view->output_scroll = line;
			return;
		}
	}
	view_say(view, older ? "no error in the output before this" : "no error in the output after this");
}

static void older_error(struct view *view)
{
	seek_error(view, true);
}

static void newer_error(struct view *view)
{
	seek_error(view, false);
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

static const struct key {
	int codes[4]; /* 0: none */
	enum { ALWAYS, REPLAY } when;
	void (*press)(struct view *view);
	const char *key, *help;
} keys[] = {
	{{'?', 'h', KEY_F(1)}, ALWAYS, help, "?", "this help"},
	{{'q', KEY_F(10)}, ALWAYS, quit, "q", "quit: while the build runs, asks what becomes of it"},
	{{'1'}, ALWAYS, page_1, "1", "overview"},
	{{'2'}, ALWAYS, page_2, "2", "processes"},
	{{'3'}, ALWAYS, page_3, "3", "stalls: who waited, who wrote, what helps"},
	{{'4'}, ALWAYS, page_4, "4", "storage: every tmpfs, file systems, disks"},
	{{'5'}, ALWAYS, page_5, "5", "memory: page cache, dirty pages, pressure"},
	{{'6'}, ALWAYS, page_6, "6", "the build's output"},
	{{'\t'}, ALWAYS, page_next, "Tab", "the next of these"},
	{{KEY_BTAB}, ALWAYS, page_before, "Shift-Tab", "the one before"},
	{{'o'}, ALWAYS, output, "o", "the build's output, and back"},
	{{' '}, ALWAYS, pause_or_play, "Space", "hold this moment, and go on; replay: pause and play"},
	{{KEY_LEFT}, ALWAYS, step_back, "Left", "the moment before"},
	{{KEY_RIGHT}, ALWAYS, step_on, "Right", "the moment after"},
	{{KEY_SLEFT, '{'}, ALWAYS, minute_back, "Shift-Left {", "a minute back"},
	{{KEY_SRIGHT, '}'}, ALWAYS, minute_on, "Shift-Right }", "a minute on"},
	{{'n'}, ALWAYS, next_stall, "n", "to the next stall"},
	{{'N', 'p'}, ALWAYS, previous_stall, "N", "to the stall before"},
	{{'w'}, ALWAYS, worst_stall, "w", "to the longest stall"},
	{{'d'}, ALWAYS, dirty_peak, "d", "to the peak of dirty pages"},
	{{'g'}, ALWAYS, go_to, "g", "to a time: 4:59, 1:02:03, or of the day 18:56:43"},
	{{'^', '('}, ALWAYS, run_start, "^", "to the start of the run"},
	{{'$', ')'}, ALWAYS, run_end, "$", "to its end, or to now"},
	{{'+', '='}, ALWAYS, zoom_in, "+", "zoom in: a column stands for less time"},
	{{'-'}, ALWAYS, zoom_out, "-", "zoom out, to the whole run"},
	{{'m'}, ALWAYS, marks_press, "m", "a mark: from it to the cursor, in numbers"},
	{{'['}, REPLAY, slower, "[", "replay: slower, to 1/8"},
	{{']'}, REPLAY, faster, "]", "replay: faster, to 64 times"},
	{{'j', KEY_DOWN}, ALWAYS, down, "j Down", "down"},
	{{'k', KEY_UP}, ALWAYS, up, "k Up", "up"},
	{{KEY_NPAGE, CTRL('F')}, ALWAYS, page_down, "PgDn", "a page down"},
	{{KEY_PPAGE, CTRL('B')}, ALWAYS, page_up, "PgUp", "a page up"},
	{{KEY_HOME}, ALWAYS, first, "Home", "to the top"},
	{{KEY_END, 'G'}, ALWAYS, last, "End", "to the bottom"},
	{{'\r', '\n', KEY_ENTER},
	 ALWAYS,
	 choose,
	 "Enter",
	 "the stalls; there, or in the output: to that moment"},
	{{'s', KEY_F(6)}, ALWAYS, sort, "s", "sort processes by wait, cpu, age, write, rss, pid"},
	{{'t', KEY_F(5)}, ALWAYS, shape, "t", "processes flat, as a tree, by command"},
	{{'/', KEY_F(4), KEY_F(3)}, ALWAYS, ask_filter, "/", "show only processes with this text"},
	{{'e'}, ALWAYS, older_error, "e", "to the last error in the output, and to the one before"},
	{{'E'}, ALWAYS, newer_error, "E", "to the error after"},
	{{'i'}, ALWAYS, type, "i", "type into the build (a password), until Ctrl-]"},
	{{'T'}, ALWAYS, next_theme, "T", "the next theme"},
	{{ESCAPE}, ALWAYS, escape, "Esc", "back; show all processes again; back to now"},
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
		if (keys_parse_time(view->run, view_end_ns(view), view->typed, &mono_ns))
			view_seek(view, mono_ns);
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

/* What the keys of a terminal send, for those that ncurses put together. */
static void type_key(struct view *view, int key)
{
	static const struct {
		int key;
		const char *bytes;
	} sequences[] = {
		{KEY_UP, "\033[A"},	 {KEY_DOWN, "\033[B"},	 {KEY_RIGHT, "\033[C"},
		{KEY_LEFT, "\033[D"},	 {KEY_HOME, "\033[H"},	 {KEY_END, "\033[F"},
		{KEY_DC, "\033[3~"},	 {KEY_PPAGE, "\033[5~"}, {KEY_NPAGE, "\033[6~"},
		{KEY_BACKSPACE, "\177"}, {KEY_ENTER, "\r"},	 {KEY_BTAB, "\033[Z"},
	};

	if (key >= 0 && key < 0x100)
		view_ask(view, CONTROL_ASK_TYPE, key);
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		for (const char *byte = sequences[i].key == key ? sequences[i].bytes : ""; *byte; byte++)
			view_ask(view, CONTROL_ASK_TYPE, (unsigned char)*byte);
}

static bool is_text_prompt(enum view_prompt prompt)
{
	return prompt == VIEW_ASK_FILTER || prompt == VIEW_ASK_TIME;
}

/* What is pasted is text: it types where text is asked for, and is no command anywhere. */
static bool take_paste(struct view *view, int key)
{
	int64_t now_ns = clock_mono_ns();

	if (key == TERMINAL_PASTE_BEGIN || (key != TERMINAL_PASTE_END && now_ns < view->pasting_until_ns))
		view->pasting_until_ns = now_ns + PASTE_PAUSE_NS; /* should its end get lost */
	else if (key == TERMINAL_PASTE_END)
		view->pasting_until_ns = 0;
	else
		return false;
	if (key == TERMINAL_PASTE_BEGIN || key == TERMINAL_PASTE_END)
		return true;
	if (view->prompt == VIEW_TYPING)
		type_key(view, key);
	else if (is_text_prompt(view->prompt) && key >= ' ' && key < 0x100 && key != 0x7f)
		edit(view, key);
	else if (!is_text_prompt(view->prompt))
		view_say(view, "pasted text does nothing here");
	return true;
}

static void press_table(struct view *view, int key)
{
	for (size_t i = 0; i < N_KEYS; i++)
		for (size_t c = 0; c < 4 && keys[i].codes[c]; c++)
			if (keys[i].codes[c] == key && (keys[i].when == ALWAYS || view->given.replay)) {
				keys[i].press(view);
				return;
			}
}

void keys_press(struct view *view, int key)
{
	if (key == KEY_RESIZE || take_paste(view, key)) /* a resize is no key, though ncurses says so */
		return;
	view->message[0] = '\0';
	if (key == CTRL('Z')) {
		suspend(view);
	} else if (view->prompt == VIEW_TYPING) {
		if (key != CTRL(']')) {
			type_key(view, key);
			return;
		}
		view->prompt = VIEW_NO_PROMPT;
		turn_to(view, view->page_before);
	} else if (view->prompt == VIEW_ASK_QUIT && key != CTRL('C')) {
		answer_quit(view, key);
	} else if (is_text_prompt(view->prompt)) {
		edit(view, key);
	} else {
		press_table(view, key);
	}
}
