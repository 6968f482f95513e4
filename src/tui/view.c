/* SPDX-License-Identifier: MIT
 *
 * Keeps the shown tick, the timeline and the choices together; prepares a frame. Draws nothing.
 */
#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "mounts.h"

#define OUTPUT_PER_FRAME                                                                                     \
	(256 * 1024) /* bytes; what is older is passed over, so a flood costs the screen little */

/* Intervals in a column, by steps of zooming out; the whole run at the end. */
static const int64_t zooms[] = {1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600};
#define ZOOMS ((int)(sizeof zooms / sizeof *zooms))

static void find_most_cache(struct view *view)
{
	for (size_t i = 0; i < view->timeline->n_briefs; i++) {
		uint64_t bytes = view->timeline->briefs[i].page_cache_bytes;

		if (bytes != METRIC_NA && bytes > view->most_cache_bytes)
			view->most_cache_bytes = bytes;
	}
}

void view_init(struct view *view, const struct tui_options *options)
{
	*view = (struct view){.given = *options, .speed_eighths = 8, .last_speed_eighths = 8};
	view->timeline = options->timeline ? options->timeline : &view->live;
	find_most_cache(view);
	if (options->output)
		view->output = scrollback_new();
	if (options->note)
		view_say(view, "%s", options->note);
}

void view_fini(struct view *view)
{
	tick_unref(view->newest);
	tick_unref(view->shown);
	recent_fini(&view->recent);
	since_fini(&view->since);
	columns_fini(&view->slots);
	columns_fini(&view->whole);
	timeline_fini(&view->live);
	scrollback_free(view->output);
	tasklist_fini(&view->tasks);
}

void view_take_timeline(struct view *view, struct timeline *timeline)
{
	if (!timeline)
		return;
	columns_fini(&view->slots); /* what they merged is told anew */
	columns_fini(&view->whole);
	timeline_fini(&view->live);
	view->live = *timeline;
	*timeline = (struct timeline){0};
	timeline_free(timeline);
	find_most_cache(view);
}

static void show(struct view *view, struct tick *tick)
{
	tick_ref(tick);
	tick_unref(view->shown);
	view->shown = tick;
}

void view_take(struct view *view, struct tick *tick)
{
	if (!view->given.replay) {
		timeline_add(&view->live, tick);
		recent_add(&view->recent, tick);
		if (tick->page_cache_bytes != METRIC_NA && tick->page_cache_bytes > view->most_cache_bytes)
			view->most_cache_bytes = tick->page_cache_bytes;
	}
	since_note(&view->since, tick);
	tick_unref(view->newest);
	view->newest = tick;
	view->newest_at_ns = clock_mono_ns();
	if (!view->cursor_ns)
		show(view, tick);
}

bool view_is_held(const struct view *view)
{
	return view->cursor_ns != 0;
}

int64_t view_end_ns(const struct view *view)
{
	size_t n = view->timeline->n_briefs;

	return n ? view->timeline->briefs[n - 1].mono_ns : view_position_ns(view);
}

void view_follow(struct view *view)
{
	view->cursor_ns = 0;
	if (view->newest)
		show(view, view->newest);
}

void view_seek(struct view *view, int64_t mono_ns)
{
	struct tick *tick;

	if (view->given.replay) {
		view_ask(view, CONTROL_ASK_SEEK, mono_ns);
		return;
	}
	if (view->timeline->n_briefs == 0)
		return;
	if (mono_ns > view_end_ns(view))
		mono_ns = view_end_ns(view);
	if (mono_ns < view->timeline->briefs[0].mono_ns)
		mono_ns = view->timeline->briefs[0].mono_ns;
	view->cursor_ns = mono_ns;
	tick = recent_at(&view->recent, mono_ns);
	if (tick) {
		show(view, tick);
		view->cursor_ns = tick->sample->mono_ns;
	} else {
		tick_unref(view->shown);
		view->shown = NULL;
	}
}

void view_zoom(struct view *view, int by)
{
	int zoom = view->zoom + by;

	if (zoom < 0 || zoom >= ZOOMS)
		return;
	/* Not further than to the whole run. */
	if (by > 0 && view->last_slot < (int64_t)view->n_slots) {
		view_say(view, "all of the run is in sight");
		return;
	}
	view->zoom = zoom;
}

bool view_take_output(struct view *view)
{
	char bytes[16 * 1024];
	uint64_t lost = 0, end, total;
	size_t len;

	if (!view->given.output)
		return false;
	end = tape_end(view->given.output);
	if (end == view->output_position)
		return false;
	total = scrollback_total(view->output);
	scrollback_set_time(view->output, clock_mono_ns());
	if (end - view->output_position > OUTPUT_PER_FRAME) {
		lost = end - view->output_position - OUTPUT_PER_FRAME;
		view->output_position += lost;
	}
	while (view->output_position < end && (len = tape_read(view->given.output, &view->output_position,
							       bytes, sizeof bytes, &lost)) > 0) {
		if (lost)
			scrollback_lost(view->output, lost);
		lost = 0;
		scrollback_add(view->output, bytes, len);
	}
	if (view->output_scroll) /* what is being read stays where it is */
		view->output_scroll += (size_t)(scrollback_total(view->output) - total);
	return true;
}

size_t view_output_back(const struct view *view)
{
	size_t low = 0, high;

	if (view->output_scroll || !view->output || !view_is_held(view))
		return view->output_scroll;
	/* The newest line that was there at the moment shown. */
	high = scrollback_count(view->output);
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (scrollback_time(view->output, middle) > view_position_ns(view))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double silent_seconds(const struct view *view)
{
	int64_t interval_ns = view->run ? view->run->interval_ns : NS_PER_S;

	if (view->given.replay || view_is_held(view) || !view->newest)
		return 0;
	return (double)(clock_mono_ns() - view->newest_at_ns - interval_ns) / NS_PER_S;
}

static int count_tmpfs(const struct tick *tick)
{
	size_t order[MOUNTS_SHOWN_MAX];
	size_t n = tick ? mounts_order(tick, order, false) : 0;

	return n ? (int)n : 1;
}

/* A line without an end that looks like a question, and nothing after it. */
static bool build_asks(const struct view *view)
{
	const char *line;
	size_t len;

	if (!view->output || clock_mono_ns() - scrollback_time(view->output, 0) < NS_PER_S)
		return false;
	line = scrollback_line(view->output, 0);
	len = strlen(line);
	while (len > 0 && line[len - 1] == ' ')
		len--;
	return len > 0 && strchr(":?]>", line[len - 1]);
}

static void frame_columns(struct view *view)
{
	const struct timeline *timeline = view->timeline;
	int plot = view->columns - layout_gutter(view->columns);
	struct graph_clock *clock = &view->clock;
	bool follow = !view->given.replay && !view_is_held(view);

	clock->interval_ns = view->run && view->run->interval_ns > 0 ? view->run->interval_ns : NS_PER_S;
	clock->origin_ns = view->run ? view->run->start_mono_ns : 0;
	clock->slots = zooms[view->zoom];
	view->n_slots = plot < 0 ? 0 : plot > VIEW_COLUMNS_MAX ? VIEW_COLUMNS_MAX : (size_t)plot;
	view->position_slot = graph_slot(clock, view_position_ns(view));
	view->last_slot = graph_slot(clock, timeline->n_briefs ? view_end_ns(view) : view_position_ns(view));
	if (view->last_slot < view->position_slot)
		view->last_slot = view->position_slot;
	view->first_slot =
		graph_window(view->first_slot, view->position_slot, view->last_slot, view->n_slots, follow);
	columns_update(&view->slots, timeline, clock, view->first_slot, view->n_slots);
}

void view_frame(struct view *view, int rows, int columns)
{
	struct layout_wish wish = {
		.rows = rows,
		.columns = columns,
		.tmpfs = count_tmpfs(view->shown),
		.output = view->output,
		.replay = view->given.replay,
	};

	view->rows = rows;
	view->columns = columns;
	layout_compute(&view->layout, &wish);
	if (view->shown)
		state_of(&view->state, view->shown, silent_seconds(view));
	else
		state_of_brief(&view->state, view_brief(view), view_stall(view), view_position_ns(view));
	frame_columns(view);
	view->asks = build_asks(view);
	if (view->shown)
		tasklist_build(&view->tasks, view->shown, view->sort, view->shape, view->filter,
			       view->run ? view->run->ticks_per_s : 0);
	if (view->message_until_ns && clock_mono_ns() > view->message_until_ns)
		view->message[0] = '\0', view->message_until_ns = 0;
}

const struct brief *view_brief(const struct view *view)
{
	if (view->timeline->n_briefs == 0)
		return NULL;
	return &view->timeline->briefs[timeline_at(view->timeline, view_position_ns(view))];
}

const struct stall *view_stall(const struct view *view)
{
	int64_t now_ns = view_position_ns(view);

	if (view->shown)
		return view->shown->stalled ? &view->shown->stall : NULL;
	for (size_t i = view->timeline->n_stalls; i-- > 0;) {
		const struct stall *stall = &view->timeline->stalls[i];

		if (stall->from_ns <= now_ns)
			return stall->to_ns >= now_ns ? stall : NULL;
	}
	return NULL;
}

void view_ask(struct view *view, enum control_ask ask, int64_t arg)
{
	if (view->given.control)
		control_ask(view->given.control, ask, arg);
}

double view_elapsed_s(const struct view *view, int64_t mono_ns)
{
	double seconds = view->run ? (double)(mono_ns - view->run->start_mono_ns) / NS_PER_S : 0;

	return seconds > 0 ? seconds : 0;
}

int64_t view_position_ns(const struct view *view)
{
	if (view->cursor_ns)
		return view->cursor_ns;
	if (view->shown)
		return view->shown->sample->mono_ns;
	return view->run ? view->run->start_mono_ns : 0;
}

void view_say(struct view *view, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(view->message, sizeof view->message, format, arguments);
	va_end(arguments);
	view->message_until_ns = 0;
}

#define HEARD_NS (20 * NS_PER_S)

void view_hear(struct view *view, const char *line)
{
	view_say(view, "%s", line);
	/* How to make room is of use as long as the build is held: until it goes on, or a key is pressed. */
	view->message_until_ns = strstr(line, "the build is held") ? 0 : clock_mono_ns() + HEARD_NS;
}
