/* SPDX-License-Identifier: MIT
 *
 * Knows how a recording is played: a position, a speed, and the moment at which the next tick is due. The
 * screen runs in a thread of its own and steers; here is its feeder. Ticks are due at the pace of the
 * recording, but a silence is shortened. When several are due at once only the last is shown. Between two of
 * them the rest of the recording is thought over, in slices, and the screen is given the timeline as far as
 * it is known; of a file that grows, so that never ends. Main thread.
 */
#include "replay_state.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "inherit.h"
#include "signals.h"
#include "worker.h"

#define SILENCE_MAX_NS	 (5 * NS_PER_S)
#define REAL_TIME	 8 /* speeds are in eighths */
#define SPEED_MAX	 (64 * REAL_TIME)
#define INBOX_CAPACITY	 64
#define SCREEN_WAIT_MS	 2000
#define SCREEN_LEAVES_NS NS_PER_S
#define FIRST_NS	 (1 * NS_PER_MS)   /* before the first tick is shown */
#define THINK_NS	 (10 * NS_PER_MS)  /* a key waits no longer than that */
#define TIMELINE_NS	 (200 * NS_PER_MS) /* it is handed over at most so often */
#define FOLLOW_NS	 (200 * NS_PER_MS) /* a file that grows is looked at so often */

struct player {
	struct replay *replay;
	struct consumer *screen;
	struct control *control;
	struct inbox *inbox;
	struct worker thread;
	struct signals signals;
	size_t position;
	int64_t speed;	/* eighths; 0: paused */
	int64_t due_ns; /* when the tick behind the position is due */
	int64_t suspend_by_ns;
	bool over;

	bool thinking;	  /* there is more to think over */
	bool following;	  /* the file may still grow */
	bool given;	  /* the screen has the timeline as it is */
	int64_t given_ns; /* since then */
	int64_t look_ns;  /* when to look at the file again */
};

static void screen_work(void *arg)
{
	struct player *player = arg;

	player->screen->serve(player->screen->self, player->inbox);
}

static size_t last_tick(const struct player *player)
{
	return replay_count(player->replay) - 1;
}

static bool at_end(const struct player *player)
{
	return player->position >= last_tick(player);
}

/* From the tick at this position to the next one, as time passes here. */
static int64_t pause_ns(const struct player *player, size_t position)
{
	const struct brief *briefs = replay_timeline(player->replay)->briefs;
	int64_t ns = briefs[position + 1].mono_ns - briefs[position].mono_ns;

	if (ns > SILENCE_MAX_NS)
		ns = SILENCE_MAX_NS;
	return ns > 0 ? ns * REAL_TIME / player->speed : 0;
}

static void tell_speed(struct player *player)
{
	control_tell(player->control, CONTROL_TELL_POSITION, player->speed);
}

static void stop_at_end(struct player *player)
{
	if (player->speed == 0 || !at_end(player) || player->thinking || player->following)
		return;
	player->speed = 0;
	tell_speed(player);
}

/* The next tick is due as long after now as it came after this one. */
static void plan_next(struct player *player)
{
	stop_at_end(player);
	if (player->speed > 0 && !at_end(player))
		player->due_ns = clock_mono_ns() + pause_ns(player, player->position);
}

/* Shows the tick of this index. */
static void show(struct player *player, size_t position)
{
	struct replay *replay = player->replay;
	struct tick *tick = NULL;

	if (position < replay->next || replay->diagnose == NULL || position > replay->next + 100)
		if (replay_seek(replay, position) < 0)
			return;
	while (replay->next <= position) {
		tick_unref(tick);
		tick = replay_next(replay);
		if (tick == NULL)
			return; /* the file has shrunk: the screen keeps what it has */
	}
	if (tick != NULL)
		inbox_put(player->inbox, tick);
	tick_unref(tick);
	player->position = position;
}

/* Moves on to the last of the ticks that are due by now. */
static void play(struct player *player)
{
	int64_t now_ns = clock_mono_ns(), due_ns = player->due_ns;
	size_t position = player->position;

	while (position < last_tick(player) && due_ns <= now_ns)
		if (++position < last_tick(player))
			due_ns += pause_ns(player, position);
	show(player, position);
	/* Where this takes longer than the pace allows, the pace gives way. */
	now_ns = clock_mono_ns();
	player->due_ns = due_ns > now_ns ? due_ns : now_ns;
	stop_at_end(player);
}

static void move_to(struct player *player, size_t position)
{
	show(player, position);
	plan_next(player);
}

static void set_speed(struct player *player, int64_t speed)
{
	player->speed = speed < 0 ? 0 : speed > SPEED_MAX ? SPEED_MAX : speed;
	if (player->speed > 0 && at_end(player) && !player->thinking && !player->following)
		player->speed = 0;
	tell_speed(player);
	plan_next(player);
}

/* Thinking on */

static void give_timeline(struct player *player)
{
	control_give_timeline(player->control, timeline_clone(replay_timeline(player->replay)));
	player->given = true;
	player->given_ns = clock_mono_ns();
}

/* At the end of what there was, and playing: what is new is shown, the newest of it at once when one follows.
 */
static void go_on(struct player *player)
{
	if (player->speed == 0)
		return;
	if (player->following)
		move_to(player, last_tick(player));
	else
		plan_next(player);
}

static void think_on(struct player *player)
{
	size_t before = replay_count(player->replay);
	bool was_at_end = at_end(player);
	int got = replay_think(player->replay, THINK_NS, NULL);

	player->thinking = got > 0;
	player->look_ns = clock_mono_ns() + FOLLOW_NS;
	if (replay_count(player->replay) > before) {
		player->given = false;
		if (was_at_end)
			go_on(player);
	}
	if (got < 0 || (got == 0 && replay_end(player->replay)->complete))
		player->following = false;
	if (!player->given && (!player->thinking || clock_mono_ns() - player->given_ns >= TIMELINE_NS))
		give_timeline(player);
	stop_at_end(player);
}

static void step(struct player *player, int64_t ticks)
{
	int64_t position = (int64_t)player->position, last;

	while (player->thinking && ticks > (int64_t)last_tick(player) - position)
		think_on(player);
	last = (int64_t)last_tick(player);
	if (ticks > last - position)
		position = last;
	else if (ticks < -position)
		position = 0;
	else
		position += ticks;
	move_to(player, (size_t)position);
}

/* To the tick at this time of the recording, which may not have been thought over yet. */
static void seek(struct player *player, int64_t mono_ns)
{
	const struct timeline *timeline = replay_timeline(player->replay);

	while (player->thinking && timeline->briefs[timeline->n_briefs - 1].mono_ns < mono_ns)
		think_on(player);
	move_to(player, timeline_at(timeline, mono_ns));
}

static void suspend(struct player *player, bool whole_group)
{
	player->suspend_by_ns = 0;
	signals_stop_ourselves(whole_group);
	control_tell(player->control, CONTROL_TELL_RETURN, 0);
	plan_next(player);
}

static void take_asks(struct player *player)
{
	enum control_ask ask;
	int64_t arg;

	while (control_asked(player->control, &ask, &arg)) {
		if (ask == CONTROL_ASK_PLAY)
			set_speed(player, arg);
		else if (ask == CONTROL_ASK_STEP)
			step(player, arg);
		else if (ask == CONTROL_ASK_SEEK)
			seek(player, arg);
		else if (ask == CONTROL_ASK_SUSPEND)
			suspend(player, player->suspend_by_ns == 0);
		else if (ask == CONTROL_ASK_CLOSE)
			player->over = true;
	}
}

static void take_signals(struct player *player)
{
	struct signals_event event;

	while (signals_take(&player->signals, &event)) {
		switch (event.signal) {
		case SIGINT:
		case SIGTERM:
		case SIGHUP:
		case SIGQUIT:
			player->over = true;
			break;
		case SIGWINCH:
			control_tell(player->control, CONTROL_TELL_RESIZE, 0);
			break;
		case SIGCONT:
			control_tell(player->control, CONTROL_TELL_RETURN, 0);
			break;
		case SIGTSTP:
			control_tell(player->control, CONTROL_TELL_LEAVE, 0);
			player->suspend_by_ns = clock_mono_ns() + SCREEN_LEAVES_NS;
			break;
		default:
			break;
		}
	}
}

static bool is_due(const struct player *player)
{
	return player->speed > 0 && !at_end(player);
}

static int timeout_ms(const struct player *player)
{
	int64_t due_ns = INT64_MAX, left_ns;

	if (player->thinking)
		return 0;
	if (is_due(player))
		due_ns = player->due_ns;
	if (player->following && player->look_ns < due_ns)
		due_ns = player->look_ns;
	if (player->suspend_by_ns != 0 && player->suspend_by_ns < due_ns)
		due_ns = player->suspend_by_ns;
	if (due_ns == INT64_MAX)
		return -1;
	left_ns = due_ns - clock_mono_ns();
	return left_ns > 0 ? (int)((left_ns + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

static void run_player(struct player *player)
{
	while (!player->over) {
		struct pollfd fds[] = {{.fd = player->signals.fd, .events = POLLIN},
				       {.fd = control_asked_fd(player->control), .events = POLLIN},
				       {.fd = player->thread.done_fd, .events = POLLIN}};

		poll(fds, 3, timeout_ms(player));
		if (fds[0].revents != 0)
			take_signals(player);
		take_asks(player);
		if (fds[2].revents != 0)
			player->over = true;
		if (player->suspend_by_ns != 0 && clock_mono_ns() >= player->suspend_by_ns)
			suspend(player, false);
		if (!player->over && is_due(player) && clock_mono_ns() >= player->due_ns)
			play(player);
		if (!player->over &&
		    (player->thinking || (player->following && clock_mono_ns() >= player->look_ns)))
			think_on(player);
	}
}

/* Something to begin with: the first tick, or when one follows all there is. */
static int begin(struct player *player, struct why *why)
{
	int64_t at_most_ns = player->following ? INT64_MAX : FIRST_NS;
	int got = replay_think(player->replay, at_most_ns, why);

	while (got == 0 && player->following && replay_count(player->replay) == 0 && !player->over) {
		struct pollfd told = {.fd = player->signals.fd, .events = POLLIN};

		poll(&told, 1, FOLLOW_NS / NS_PER_MS);
		take_signals(player);
		got = replay_think(player->replay, at_most_ns, why);
	}
	if (got >= 0 && replay_count(player->replay) == 0)
		return why_set(why, -ENODATA, "there is not one sample in the recording");
	player->thinking = got > 0;
	player->following &= !replay_end(player->replay)->complete;
	return got < 0 ? got : 0;
}

int replay_show(struct replay *replay, bool follow, struct consumer *screen, struct control *control,
		struct why *why)
{
	/* Static, since a screen whose terminal is dead may be left behind with it. */
	static struct player player;
	int error;

	player = (struct player){.replay = replay,
				 .screen = screen,
				 .control = control,
				 .speed = REAL_TIME,
				 .following = follow};
	worker_init(&player.thread);
	inherit_save();
	error = signals_open(&player.signals);
	if (error < 0)
		return why_set(why, error, "cannot take signals: %s", strerror(-error));
	error = begin(&player, why);
	if (error < 0) {
		signals_close(&player.signals);
		return error;
	}
	player.inbox = inbox_new(INBOX_CAPACITY);
	if (screen->begin != NULL)
		screen->begin(screen->self, replay_run(replay));
	error = player.inbox == NULL ? -EMFILE
				     : worker_start(&player.thread, screen->name, screen_work, &player);
	if (error == 0) {
		give_timeline(&player);
		move_to(&player, player.following ? last_tick(&player) : 0);
		run_player(&player);
		inbox_close(player.inbox);
		control_tell(control, CONTROL_TELL_END, 0);
		if (!worker_wait(&player.thread, SCREEN_WAIT_MS))
			return why_set(why, -EIO, "the screen hangs on a terminal that does not answer");
	} else {
		why_set(why, error, "cannot start the screen: %s", strerror(-error));
	}
	if (screen->end != NULL)
		screen->end(screen->self, replay_end(replay));
	inbox_free(player.inbox);
	signals_close(&player.signals);
	return error;
}
