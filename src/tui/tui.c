/* SPDX-License-Identifier: MIT
 *
 * The screen as a consumer: waits for ticks, keys and what it is told, on its own thread, and draws. Ticks
 * are taken as they come and the newest is drawn, at most ten times a second and only when the terminal takes
 * it: frames are dropped, never queued.
 */
#include "tui/tui.h"

#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "keys.h"
#include "notice.h"
#include "screen.h"
#include "settings.h"
#include "terminal.h"
#include "warn.h"

#define FRAME_NS	  (100 * NS_PER_MS)
#define IDLE_MS		  1000 /* a silent sampler is noticed */
#define OUTPUT_MS	  200  /* the output is looked at so often while it is shown */
#define OUTPUT_ROWS_TAKEN 3    /* header, title, footer */

struct tui {
	struct tui_options options;
	struct terminal *terminal;
	const struct run *run;
	struct view view;
	bool away;  /* Ctrl-Z: the terminal is the shell's */
	bool dirty; /* something changed since the last frame */
	int64_t drawn_ns;
};

int tui_check(struct why *why)
{
	return terminal_check(why);
}

int tui_open(struct tui **out, const struct tui_options *options, struct why *why)
{
	struct tui *tui = mem_alloc(1, sizeof *tui);
	int error = terminal_open(&tui->terminal, why);

	if (error < 0) {
		free(tui);
		return error;
	}
	tui->options = *options;
	*out = tui;
	return 0;
}

void tui_close(struct tui *tui)
{
	if (!tui)
		return;
	terminal_close(tui->terminal);
	free(tui);
}

uint32_t tui_pty_size(const struct tui *tui)
{
	int rows, columns;

	terminal_size(tui->terminal, &rows, &columns);
	rows = rows > OUTPUT_ROWS_TAKEN ? rows - OUTPUT_ROWS_TAKEN : 1;
	return (uint32_t)rows << 16 | (uint32_t)columns;
}

static void begin(void *self, const struct run *run)
{
	struct tui *tui = self;

	tui->run = run;
}

static void suspend(struct tui *tui)
{
	terminal_leave(tui->terminal);
	tui->away = true;
	view_ask(&tui->view, CONTROL_ASK_SUSPEND, 0);
}

static void hear_line(struct tui *tui)
{
	char *line = control_told_line(tui->options.control);

	if (line)
		view_hear(&tui->view, line);
	free(line);
}

/* True: the screen ends. */
static bool hear(struct tui *tui)
{
	enum control_tell tell;
	int64_t argument;

	while (control_told(tui->options.control, &tell, &argument)) {
		tui->dirty = true;
		switch (tell) {
		case CONTROL_TELL_RESIZE:
			terminal_resized(tui->terminal);
			if (!tui->options.replay)
				view_ask(&tui->view, CONTROL_ASK_PTY_SIZE, tui_pty_size(tui));
			break;
		case CONTROL_TELL_LEAVE:
			suspend(tui);
			break;
		case CONTROL_TELL_RETURN:
			tui->away = false;
			terminal_enter(tui->terminal, NULL);
			break;
		case CONTROL_TELL_END:
			return true;
		case CONTROL_TELL_LINE:
			hear_line(tui);
			break;
		case CONTROL_TELL_POSITION:
			tui->view.speed_eighths = (int)argument;
			break;
		case CONTROL_TELL_TIMELINE:
			view_take_timeline(&tui->view, control_take_timeline(tui->options.control));
			break;
		case CONTROL_TELL_NONE:
			break;
		}
	}
	return false;
}

/* Of a replay nobody has to be called. */
static void tell_alert(struct tui *tui, const struct tick *tick)
{
	const struct tick_alert *alert = warn_raised(tick);
	char text[128];

	if (!alert || tui->away || tui->options.replay)
		return;
	warn_text(text, sizeof text, tick, alert);
	notice_give(tui->terminal, tui->view.notices, text);
}

static void take(struct tui *tui, struct inbox *inbox)
{
	struct tick *tick;

	while ((tick = inbox_take(inbox, NULL))) {
		tell_alert(tui, tick);
		view_take(&tui->view, tick);
		tui->dirty = true;
	}
}

static void press(struct tui *tui)
{
	int key;

	while (!tui->view.leave && !tui->view.suspend && (key = terminal_key(tui->terminal)) >= 0) {
		keys_press(&tui->view, key);
		tui->dirty = true;
	}
	if (tui->view.suspend) {
		tui->view.suspend = false;
		suspend(tui);
	}
}

/* Draws when there is cause to; returns how long poll() may sleep. */
static int draw(struct tui *tui)
{
	int64_t now_ns = clock_mono_ns();
	bool output_shown = tui->view.page == VIEW_OUTPUT || tui->view.layout.box[LAYOUT_OUTPUT].h > 0;
	int rows, columns;

	if (tui->away)
		return IDLE_MS;
	if (now_ns - tui->drawn_ns >= IDLE_MS * NS_PER_MS)
		tui->dirty = true;
	if (!tui->dirty && output_shown && view_take_output(&tui->view))
		tui->dirty = true;
	if (!tui->dirty)
		return output_shown ? OUTPUT_MS : IDLE_MS;
	if (now_ns - tui->drawn_ns < FRAME_NS)
		return (int)((FRAME_NS - (now_ns - tui->drawn_ns)) / NS_PER_MS) + 1;
	if (!terminal_writable(tui->terminal))
		return OUTPUT_MS;
	view_take_output(&tui->view);
	terminal_size(tui->terminal, &rows, &columns);
	screen_draw(&tui->view, rows, columns);
	tui->drawn_ns = now_ns;
	tui->dirty = false;
	return output_shown ? OUTPUT_MS : IDLE_MS;
}

static void watch(struct tui *tui, struct inbox *inbox)
{
	struct pollfd fds[] = {
		{.fd = inbox_fd(inbox), .events = POLLIN},
		{.fd = control_told_fd(tui->options.control), .events = POLLIN},
		{.fd = terminal_fd(tui->terminal), .events = POLLIN},
	};

	while (!inbox_ended(inbox)) {
		fds[2].events = tui->away ? 0 : POLLIN; /* the shell's keys are not ours */
		fds[2].revents = 0;
		if (poll(fds, sizeof fds / sizeof *fds, draw(tui)) > 0 &&
		    terminal_gone(tui->terminal, fds[2].revents)) {
			tui->view.leave = true;
			break;
		}
		if (hear(tui))
			return;
		if (!tui->away)
			press(tui);
		if (tui->view.leave)
			break;
		take(tui, inbox);
	}
}

static void serve(void *self, struct inbox *inbox)
{
	struct tui *tui = self;
	struct why why;

	view_init(&tui->view, &tui->options);
	tui->view.run = tui->run;
	settings_load(&tui->view);
	tui->dirty = true;
	if (terminal_enter(tui->terminal, &why) == 0)
		watch(tui, inbox);
	else
		tui->view.leave = true; /* the run goes on without a screen */
	terminal_leave(tui->terminal);
	if (tui->view.leave)
		view_ask(&tui->view, CONTROL_ASK_CLOSE, 0);
	settings_save(&tui->view);
	view_fini(&tui->view);
}

struct consumer tui_consumer(struct tui *tui)
{
	return (struct consumer){
		.name = "screen", .self = tui, .begin = begin, .serve = serve, .expendable = true};
}
