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

#define OUTPUT_PER_FRAME                                                                                     \
	(256 * 1024) /* bytes; what is older is passed over, so a flood costs the screen little */

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
	timeline_fini(&view->live);
	scrollback_free(view->output);
	tasklist_fini(&view->tasks);
}

void view_take_timeline(struct view *view, struct timeline *timeline)
{
	if (!timeline)
		return;
	timeline_fini(&view->live);
	view->live = *timeline;
	*timeline = (struct timeline){0};
	timeline_free(timeline);
	find_most_cache(view);
}

bool view_take(struct view *view, struct tick *tick)
{
	bool alarm = false;

	if (!view->given.replay) {
		timeline_add(&view->live, tick);
		if (tick->page_cache_bytes != METRIC_NA && tick->page_cache_bytes > view->most_cache_bytes)
			view->most_cache_bytes = tick->page_cache_bytes;
	}
	for (size_t i = 0; i < tick->sample->n_mounts; i++)
		alarm |= tick->mounts[i].alarm_new;
	tick_unref(view->newest);
	view->newest = tick;
	view->newest_at_ns = clock_mono_ns();
	if (!view->paused || !view->shown) {
		tick_unref(view->shown);
		view->shown = tick_ref(tick);
	}
	return alarm && !view->given.replay;
}

bool view_take_output(struct view *view)
{
	char bytes[16 * 1024];
	uint64_t lost = 0, end;
	size_t len;

	if (!view->given.output)
		return false;
	end = tape_end(view->given.output);
	if (end == view->output_position)
		return false;
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
	return true;
}

static double silent_seconds(const struct view *view)
{
	int64_t interval_ns = view->run ? view->run->interval_ns : NS_PER_S;

	if (view->given.replay || view->paused || !view->newest)
		return 0;
	return (double)(clock_mono_ns() - view->newest_at_ns - interval_ns) / NS_PER_S;
}

static int count_tmpfs(const struct tick *tick)
{
	int n = 0;

	for (size_t i = 0; tick && i < tick->sample->n_mounts; i++)
		n += tick->sample->mounts[i].flags & MOUNT_TMPFS &&
		     !(tick->sample->mounts[i].flags & MOUNT_GONE);
	return n ? n : 1;
}

void view_frame(struct view *view, int rows, int columns)
{
	const struct timeline *timeline = view->timeline;
	struct layout_wish wish = {
		.rows = rows,
		.columns = columns,
		.tmpfs = count_tmpfs(view->shown),
		.output = view->output,
		.replay = view->given.replay,
	};
	int plot = columns - layout_gutter(columns);

	view->rows = rows;
	view->columns = columns;
	layout_compute(&view->layout, &wish);
	state_of(&view->state, view->shown, silent_seconds(view));

	view->clock.interval_ns = view->run && view->run->interval_ns > 0 ? view->run->interval_ns : NS_PER_S;
	view->clock.origin_ns = view->run ? view->run->start_mono_ns : 0;
	view->n_slots = plot < 0 ? 0 : plot > VIEW_COLUMNS_MAX ? VIEW_COLUMNS_MAX : (size_t)plot;
	view->position_slot = graph_slot(&view->clock, view_position_ns(view));
	view->last_slot = view->position_slot;
	if (timeline->n_briefs)
		view->last_slot = graph_slot(&view->clock, timeline->briefs[timeline->n_briefs - 1].mono_ns);
	view->first_slot = graph_window(view->position_slot, view->last_slot, view->n_slots);
	graph_columns(timeline, &view->clock, view->first_slot, view->n_slots, view->index);
	if (view->shown)
		tasklist_build(&view->tasks, view->shown, view->sort, view->shape, view->filter);
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
}
