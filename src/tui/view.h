/* SPDX-License-Identifier: MIT
 *
 * What the screen shows: the tick, the run so far, and what the person at the keys has chosen. Panels read
 * it, keys change it. The screen's thread only.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "graph.h"
#include "layout.h"
#include "model/run.h"
#include "model/timeline.h"
#include "scrollback.h"
#include "state.h"
#include "tasklist.h"
#include "tui/tui.h"

#define VIEW_COLUMNS_MAX 1000

enum view_page { VIEW_OVERVIEW, VIEW_OUTPUT, VIEW_HELP };
enum view_prompt { VIEW_NO_PROMPT, VIEW_ASK_FILTER, VIEW_ASK_TIME, VIEW_ASK_QUIT };

struct view {
	struct tui_options given;
	const struct run *run; /* NULL before begin() */
	struct timeline live;  /* grows, or is handed over as it grows, when none was given */
	const struct timeline *timeline;
	struct tick *newest;	   /* NULL: none yet */
	struct tick *shown;	   /* newest, unless the view is paused */
	int64_t newest_at_ns;	   /* when it came, by our clock */
	uint64_t most_cache_bytes; /* of the run: the scale stays */
	struct scrollback *output;
	uint64_t output_position;
	struct tasklist tasks;
	struct state state;

	/* Chosen: */
	enum view_page page;
	enum tasklist_sort sort;
	enum tasklist_shape shape;
	char filter[64];
	bool paused;	   /* live: the picture; the run goes on */
	int speed_eighths; /* replay; 0: paused */
	int last_speed_eighths;
	size_t task_scroll, output_scroll;
	enum view_prompt prompt;
	char typed[64];
	char message[256];
	bool leave;   /* the screen closes */
	bool suspend; /* Ctrl-Z */

	/* Of the frame: */
	int rows, columns;
	struct layout layout;
	struct graph_clock clock;
	int64_t first_slot, position_slot, last_slot;
	size_t n_slots;
	long index[VIEW_COLUMNS_MAX];
	double low[VIEW_COLUMNS_MAX], high[VIEW_COLUMNS_MAX]; /* for one plot at a time */
};

void view_init(struct view *view, const struct tui_options *options);
void view_fini(struct view *view);
/* Takes the reference. True: a tmpfs alarm was raised that wants telling. */
bool view_take(struct view *view, struct tick *tick);
/* Replay: the run as far as it is known now; takes it. NULL is fine. */
void view_take_timeline(struct view *view, struct timeline *timeline);
/* Takes what the build printed; true: there was something. */
bool view_take_output(struct view *view);
/* All that panels share, for a screen of this size. */
void view_frame(struct view *view, int rows, int columns);

void view_ask(struct view *view, enum control_ask ask, int64_t arg);
double view_elapsed_s(const struct view *view, int64_t mono_ns);
int64_t view_position_ns(const struct view *view);
void view_say(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
