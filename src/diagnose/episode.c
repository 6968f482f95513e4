/* SPDX-License-Identifier: MIT
 *
 * The rule: a group's share of the task time, as the mean of a sliding window, opens a stall at 25 % and
 * closes it under 10 %. A stall begins with the first stalled look of the window that opened it and ends with
 * its last one, so its sums are made from the window's looks as well. Opening wants the evidence of a whole
 * window (time not seen counts as clear there); closing wants half a window that was seen. Causes of one
 * group share a stall and are told apart inside it.
 */
#include "episode.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#include "stalling.h"

#define OPEN_SHARE  0.25
#define CLOSE_SHARE 0.10
#define HAIR	    1e-9 /* for sums of fractions that meet a threshold exactly */

const unsigned episode_causes[GROUP_COUNT + 1] = {
	[GROUP_FLUSH] = LOOK_CAUSES_FLUSH,     [GROUP_READ] = 1u << CAUSE_READ,
	[GROUP_MEMORY] = 1u << CAUSE_MEMORY,   [GROUP_REMOTE] = 1u << CAUSE_REMOTE_IO,
	[GROUP_BLOCKED] = 1u << CAUSE_BLOCKED, [GROUP_COUNT] = LOOK_CAUSES_STALLED,
};

/* 1 s at 10 looks a second and more, longer where looks are rare: a window of few looks flags by chance. */
static int64_t window_of(int64_t look_interval_ns)
{
	if (look_interval_ns < 200 * NS_PER_MS)
		return NS_PER_S;
	if (look_interval_ns <= 500 * NS_PER_MS)
		return 2 * NS_PER_S;
	return 3 * (look_interval_ns > NS_PER_S ? look_interval_ns : NS_PER_S);
}

void episodes_init(struct episodes *episodes, int64_t look_interval_ns)
{
	*episodes = (struct episodes){.window_ns = window_of(look_interval_ns)};
}

void episodes_copy(struct episodes *to, const struct episodes *from)
{
	*to = *from;
	to->ended = NULL;
	to->n_ended = to->cap_ended = 0;
	to->first_window = 0;
	to->cap_window = from->n_window;
	to->window = mem_alloc(from->n_window + 1, sizeof *to->window);
	if (from->n_window)
		memcpy(to->window, from->window + from->first_window, from->n_window * sizeof *to->window);
	for (int group = 0; group < GROUP_COUNT; group++) {
		if (!from->open[group])
			continue;
		to->open[group] = mem_alloc(1, sizeof *to->open[group]);
		*to->open[group] = *from->open[group];
	}
}

void episodes_fini(struct episodes *episodes)
{
	for (int group = 0; group < GROUP_COUNT; group++)
		free(episodes->open[group]);
	free(episodes->ended);
	free(episodes->window);
}

static const struct episode_look *window_at(const struct episodes *episodes, size_t i)
{
	return &episodes->window[episodes->first_window + i];
}

/* Time seen in the window, and in it the share-seconds of a group (GROUP_COUNT: of all). */
static double window_share(const struct episodes *episodes, int group, double *seen_s)
{
	double share_s = 0;

	*seen_s = 0;
	for (size_t i = 0; i < episodes->n_window; i++) {
		share_s += window_at(episodes, i)->share_s[group];
		*seen_s += window_at(episodes, i)->seconds;
	}
	return share_s;
}

static void group_open(struct episodes *episodes, enum episode_group group)
{
	struct episode *episode = mem_alloc(1, sizeof *episode);
	size_t i = 0;

	while (i < episodes->n_window &&
	       look_threads(&window_at(episodes, i)->look, episode_causes[group]) <= 0)
		i++;
	stalling_init(episode, ++episodes->count, group, window_at(episodes, i)->look.from_ns);
	for (; i < episodes->n_window; i++)
		stalling_add_look(episode, &window_at(episodes, i)->look);
	episodes->open[group] = episode;
}

static void group_close(struct episodes *episodes, int group)
{
	MEM_GROW(episodes->ended, episodes->n_ended, episodes->cap_ended);
	episodes->ended[episodes->n_ended++] = episodes->open[group];
	episodes->open[group] = NULL;
}

/* Room for one more: at the end, or by moving all to the front, which is rare since there is twice the room.
 */
static struct episode_look *window_room(struct episodes *episodes)
{
	size_t end = episodes->first_window + episodes->n_window;

	if (end < episodes->cap_window)
		return &episodes->window[end];
	if (episodes->n_window * 2 >= episodes->cap_window) {
		episodes->cap_window = episodes->n_window * 2 + 8;
		episodes->window =
			mem_resize(episodes->window, episodes->cap_window, sizeof *episodes->window);
	}
	if (episodes->first_window)
		memmove(episodes->window, episodes->window + episodes->first_window,
			episodes->n_window * sizeof *episodes->window);
	episodes->first_window = 0;
	return &episodes->window[episodes->n_window];
}

static void window_push(struct episodes *episodes, const struct look *look)
{
	struct episode_look *new;

	while (episodes->n_window &&
	       window_at(episodes, 0)->look.to_ns <= look->to_ns - episodes->window_ns) {
		episodes->first_window++;
		episodes->n_window--;
	}
	new = window_room(episodes);
	new->seconds = look_seconds(look);
	memset(new->share_s, 0, sizeof new->share_s);
	if (look_threads(look, LOOK_CAUSES_STALLED) > 0)
		for (int group = 0; group <= GROUP_COUNT; group++)
			new->share_s[group] = look_share(look, episode_causes[group]) * new->seconds;
	look_copy(&new->look, look);
	episodes->n_window++;
}

void episodes_look(struct episodes *episodes, const struct look *look)
{
	double window_s = (double)episodes->window_ns / (double)NS_PER_S;

	window_push(episodes, look);
	for (int group = 0; group < GROUP_COUNT; group++) {
		double seen_s, share_s = window_share(episodes, group, &seen_s);

		if (episodes->open[group]) {
			stalling_add_look(episodes->open[group], look);
			if (seen_s >= window_s / 2 && share_s < (CLOSE_SHARE - HAIR) * seen_s)
				group_close(episodes, group);
		} else if (share_s > 0 &&
			   share_s >= (OPEN_SHARE - HAIR) * (seen_s > window_s ? seen_s : window_s)) {
			group_open(episodes, group);
		}
	}
}

void episodes_gap(struct episodes *episodes, int64_t gap_ns)
{
	if (gap_ns < episodes->window_ns)
		return;
	for (int group = 0; group < GROUP_COUNT; group++)
		if (episodes->open[group])
			group_close(episodes, group);
	episodes->n_window = 0;
}

static void facts_push(struct episodes *episodes, const struct episode_facts *facts)
{
	if (episodes->n_facts == EPISODE_FACTS_MAX)
		memmove(episodes->facts, episodes->facts + 1, --episodes->n_facts * sizeof *facts);
	episodes->facts[episodes->n_facts++] = *facts;
}

static int by_number(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void tell_closed(struct episodes *episodes, struct tick *tick)
{
	if (!episodes->n_ended)
		return;
	tick->closed = mem_alloc(episodes->n_ended, sizeof *tick->closed);
	tick->n_closed = episodes->n_ended;
	for (size_t i = 0; i < episodes->n_ended; i++) {
		stalling_tell(episodes->ended[i], episodes->facts, episodes->n_facts, false,
			      &tick->closed[i]);
		free(episodes->ended[i]);
	}
	episodes->n_ended = 0;
	qsort(tick->closed, tick->n_closed, sizeof *tick->closed, by_number);
}

/* Of several that are open, the one that costs most now stands in the header. */
static void tell_open(struct episodes *episodes, struct tick *tick)
{
	double most = -1;

	for (int group = 0; group < GROUP_COUNT; group++) {
		double seen_s, share_s;
		struct stall stall;

		if (!episodes->open[group])
			continue;
		stalling_tell(episodes->open[group], episodes->facts, episodes->n_facts, true, &stall);
		share_s = window_share(episodes, group, &seen_s);
		if (share_s > most) {
			most = share_s;
			tick->stalled = true;
			tick->stall = stall;
		}
	}
}

void episodes_finish(struct episodes *episodes, const struct episode_facts *facts, bool last,
		     struct tick *tick)
{
	double seen_s, share_s = window_share(episodes, GROUP_COUNT, &seen_s);

	tick->share = seen_s > 0 ? share_s / seen_s : 0;
	facts_push(episodes, facts);
	for (int group = 0; last && group < GROUP_COUNT; group++)
		if (episodes->open[group])
			group_close(episodes, group);
	tell_closed(episodes, tick);
	tell_open(episodes, tick);
}
