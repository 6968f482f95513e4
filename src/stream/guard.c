/* SPDX-License-Identifier: MIT
 *
 * Knows when to stop the build and when to let it go on. Near the limit it is a brake first: writers that
 * would fill the rest before they could be stopped are stopped early, and go on at once when there turns out
 * to be room; how much they still wrote is the margin from then on. Only what is truly at the limit stays
 * stopped. A thread of its own, above all others where that is allowed; the sampler goes on telling
 * meanwhile.
 */
#include "guard.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "hold.h"
#include "rooms.h"

#define SETTLE_NS    (3 * NS_PER_MS) /* a write that the signal found under way goes on to its end */
#define SETTLE_TRIES 50
#define HELD_LOOK_NS (20 * NS_PER_MS)
#define TOLD_NS	     (100 * NS_PER_MS) /* shorter is braking, and not told */

struct guard {
	struct hold hold;
	struct rooms rooms;
	int wake_fd;
	atomic_bool asked;	  /* to let it go on */
	_Atomic int64_t since_ns; /* held; 0: it is not */
	_Atomic int64_t held_ns;  /* before that */
};

int guard_open(struct guard **out, const struct guard_options *options, struct why *why)
{
	struct guard *guard;
	int fd;

	if (!hold_possible())
		return why_set(
			why, -ENOTSUP,
			"--pause-on-full needs a kernel with /proc/PID/task/TID/children (PROC_CHILDREN)");
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	fd = fd < 0 ? -errno : fd_raise(fd);
	if (fd < 0)
		return why_set(why, fd, "--pause-on-full: %s", strerror(-fd));
	guard = mem_alloc(1, sizeof *guard);
	guard->wake_fd = fd;
	guard->hold.roots = options->child ? NULL : options->roots;
	guard->hold.n_roots = options->child ? 0 : options->n_roots;
	guard->hold.helper = options->helper;
	guard->rooms.share = options->share;
	guard->rooms.inside = options->child ? options->child : options->roots[0];
	*out = guard;
	return 0;
}

void guard_close(struct guard *guard)
{
	if (!guard)
		return;
	rooms_fini(&guard->rooms);
	hold_fini(&guard->hold);
	close(guard->wake_fd);
	free(guard);
}

void guard_continue(struct guard *guard)
{
	if (!guard)
		return;
	atomic_store(&guard->asked, true);
	eventfd_write(guard->wake_fd, 1);
}

void guard_mark(const struct guard *guard, struct sample *sample)
{
	int64_t since_ns, held_ns;

	if (!guard)
		return;
	since_ns = atomic_load(&guard->since_ns);
	held_ns = since_ns ? clock_mono_ns() - since_ns : 0;
	if (held_ns >= TOLD_NS)
		sample->flags |= SAMPLE_HELD;
	held_ns += atomic_load(&guard->held_ns);
	sample->system[METRIC_SYSTEM_HELD_US] = held_ns > 0 ? (uint64_t)(held_ns / NS_PER_US) : 0;
}

static void be_quick(void)
{
	const struct sched_param first = {.sched_priority = 1};

	prctl(PR_SET_TIMERSLACK, 1000ul);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) < 0)
		setpriority(PRIO_PROCESS, 0, -10); /* of this thread; needs a right we may not have */
}

/* Ticks say what is mounted; an inbox that ended ends the guard. */
static void wait_until(struct guard *guard, struct inbox *inbox, int64_t due_ns)
{
	struct pollfd fds[] = {{.fd = inbox_fd(inbox), .events = POLLIN},
			       {.fd = guard->wake_fd, .events = POLLIN}};
	int64_t wait_ns = due_ns - clock_mono_ns();
	struct timespec timeout = {.tv_nsec = wait_ns > 0 ? wait_ns : 0};
	struct tick *tick;
	eventfd_t count;

	if (ppoll(fds, 2, &timeout, NULL) <= 0)
		return;
	while ((tick = inbox_take(inbox, NULL)) != NULL) {
		rooms_update(&guard->rooms, tick);
		tick_unref(tick);
	}
	eventfd_read(guard->wake_fd, &count);
}

static void let_go(struct guard *guard)
{
	int64_t since_ns = atomic_load(&guard->since_ns);

	hold_release(&guard->hold);
	if (since_ns)
		atomic_fetch_add(&guard->held_ns, clock_mono_ns() - since_ns);
	atomic_store(&guard->since_ns, 0);
}

static uint64_t all_used(const struct rooms *rooms)
{
	uint64_t used = 0;

	for (size_t i = 0; i < rooms->n_rooms; i++)
		used += rooms->rooms[i].used;
	return used;
}

/* Stops all, waits until nothing is written any more, and learns how much still was. */
static void stop(struct guard *guard)
{
	struct rooms *rooms = &guard->rooms;
	const struct timespec settle = {.tv_nsec = SETTLE_NS};
	uint64_t before = all_used(rooms), used = before, last = 0;

	atomic_store(&guard->since_ns, clock_mono_ns());
	hold_stop(&guard->hold);
	for (int i = 0; i < SETTLE_TRIES && (used != last || i < 2); i++) {
		last = used;
		nanosleep(&settle, NULL);
		hold_stop(&guard->hold);
		rooms_look(rooms, clock_mono_ns(), true);
		used = all_used(rooms);
	}
	if (used > before && used - before > rooms->overshoot)
		rooms->overshoot = used - before;
	for (size_t i = 0; i < rooms->n_rooms; i++)
		rooms->rooms[i].rate = 0;
}

static int64_t look_free(struct guard *guard)
{
	int64_t due_ns = rooms_look(&guard->rooms, clock_mono_ns(), false);

	atomic_store(&guard->asked, false);
	if (!rooms_tight(&guard->rooms))
		return due_ns;
	stop(guard);
	return clock_mono_ns();
}

static int64_t look_held(struct guard *guard)
{
	bool by_hand = atomic_exchange(&guard->asked, false) || hold_is_broken(&guard->hold);

	rooms_look(&guard->rooms, clock_mono_ns(), true);
	if (by_hand)
		rooms_disarm(&guard->rooms);
	if (by_hand || rooms_have_room(&guard->rooms)) {
		let_go(guard);
		return clock_mono_ns();
	}
	hold_stop(&guard->hold);
	return clock_mono_ns() + HELD_LOOK_NS;
}

static void guard_serve(void *self, struct inbox *inbox)
{
	struct guard *guard = self;
	int64_t due_ns = 0;

	be_quick();
	while (!inbox_ended(inbox)) {
		wait_until(guard, inbox, due_ns);
		due_ns = atomic_load(&guard->since_ns) ? look_held(guard) : look_free(guard);
	}
	if (atomic_load(&guard->since_ns))
		let_go(guard); /* what the build left behind is not to stay stopped */
}

struct consumer guard_consumer(struct guard *guard)
{
	return (struct consumer){.name = "guard", .self = guard, .serve = guard_serve};
}
