/* SPDX-License-Identifier: MIT
 *
 * What the screen shows: the tick, the run so far, and what the person at the keys has chosen. Panels read
 * it, keys change it. The screen's thread only.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "columns.h"
#include "graph.h"
#include "recent.h"
#include "layout.h"
#include "model/run.h"
#include "model/timeline.h"
#include "scrollback.h"
#include "since.h"
#include "state.h"
#include "tasklist.h"
#include "tui/tui.h"

#define VIEW_COLUMNS_MAX 1000

/* In the order of the digits and of Tab; the help is beside it. */
enum view_page { VIEW_OVERVIEW, VIEW_TASKS, VIEW_STALLS, VIEW_STORAGE, VIEW_MEMORY, VIEW_OUTPUT, VIEW_HELP };
#define VIEW_PAGES VIEW_HELP
enum view_prompt { VIEW_NO_PROMPT, VIEW_ASK_FILTER, VIEW_ASK_TIME, VIEW_ASK_QUIT, VIEW_TYPING };

struct view {
	struct tui_options given;
	const struct run *run; /* NULL before begin() */
	struct timeline live;  /* grows, or is handed over as it grows, when none was given */
	const struct timeline *timeline;
	struct tick *newest;  /* NULL: none yet */
	struct tick *shown;   /* the newest, or that of the cursor; NULL: none, or it is not kept any more */
	struct recent recent; /* live */
	struct since since;
	int64_t newest_at_ns;	   /* when it came, by our clock */
	uint64_t most_cache_bytes; /* of the run: the scale stays */
	struct scrollback *output;
	uint64_t output_position;
	struct tasklist tasks;
	struct state state;

	/* Chosen: */
	enum view_page page, page_before; /* before: of typing */
	enum tasklist_sort sort;
	enum tasklist_shape shape;
	char filter[64];
	int64_t cursor_ns; /* live: the moment shown, while the run goes on; 0: the newest */
	int zoom;	   /* steps out from one interval a column */
	int64_t mark_ns;   /* 0: none */
	int speed_eighths; /* replay; 0: paused */
	int last_speed_eighths;
	size_t task_scroll, output_scroll;
	size_t stall; /* chosen one, counted from the newest that has begun */
	enum view_prompt prompt;
	char typed[64];
	char message[256];
	int64_t message_until_ns; /* 0: until a key is pressed */
	int64_t pasting_until_ns; /* what comes until then was pasted, not typed */
	unsigned notices;	  /* ways to tell of an alert, NOTICE_… */
	unsigned notices_kept;	  /* those of the settings, which the environment does not change */
	bool chosen;		  /* something that is kept for the next time */
	bool leave;		  /* the screen closes */
	bool suspend;		  /* Ctrl-Z */

	/* Of the frame: */
	bool asks; /* the build seems to wait for an answer */
	int rows, columns;
	struct layout layout;
	struct graph_clock clock;
	int64_t first_slot, position_slot, last_slot;
	size_t n_slots;
	struct columns slots;				      /* of the window */
	struct columns whole;				      /* of the run */
	double low[VIEW_COLUMNS_MAX], high[VIEW_COLUMNS_MAX]; /* for one plot at a time */
};

void view_init(struct view *view, const struct tui_options *options);
void view_fini(struct view *view);
/* Takes the reference. */
void view_take(struct view *view, struct tick *tick);
/* Replay: the run as far as it is known now; takes it. NULL is fine. */
void view_take_timeline(struct view *view, struct timeline *timeline);
/* Takes what the build printed; true: there was something. */
bool view_take_output(struct view *view);
/* Lines of the output behind the place shown: scrolled to, or of the moment shown. */
size_t view_output_back(const struct view *view);
/* A line of ours came: it is shown for a while. */
void view_hear(struct view *view, const char *line);
/* All that panels share, for a screen of this size. */
void view_frame(struct view *view, int rows, int columns);

void view_ask(struct view *view, enum control_ask ask, int64_t arg);
/* Goes to a moment: replay asks for it, live puts the cursor there; the end of the run takes the cursor away.
 */
void view_seek(struct view *view, int64_t mono_ns);
void view_follow(struct view *view); /* live: no cursor */
bool view_is_held(const struct view *view);
int64_t view_end_ns(const struct view *view); /* of what is known of the run */
void view_zoom(struct view *view, int by);
/* The brief of the moment shown; NULL: none yet. */
const struct brief *view_brief(const struct view *view);
/* The stall that was open at the moment shown; NULL: none. */
const struct stall *view_stall(const struct view *view);
double view_elapsed_s(const struct view *view, int64_t mono_ns);
int64_t view_position_ns(const struct view *view);
void view_say(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
