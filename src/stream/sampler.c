/* SPDX-License-Identifier: MIT
 *
 * Knows the loop of the sampling thread: probe, diagnose, bus. Between start and stop it writes to no file,
 * takes no lock and waits for nothing but its timer and the word to stop. Times are those of the samples
 * themselves; lateness is only marked.
 */
#include "sampler.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "diagnose/diagnose.h"
#include "pace.h"
#include "schedule.h"

/* A last sample takes milliseconds; longer, and something it reads never answers. */
#define STOP_WAIT_MS 5000

struct sampler {
	struct probe *probe;
	struct bus *bus;
	const struct guard *guard;
	struct finder *finder;
	struct seeker *seeker;
	struct diagnose *diagnose;
	struct schedule schedule;
	struct pace pace;
	struct tick *last;
	struct worker thread;
	int timer_fd;
	int stop_fd;
	int over_fd;
	bool over_told;
};

static int open_event(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? -errno : fd_raise(fd);
}

static int open_timer(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	return fd < 0 ? -errno : fd_raise(fd);
}

static void publish(struct sampler *sampler, struct sample *sample)
{
	tick_unref(sampler->last);
	sampler->last = diagnose_step(sampler->diagnose, sample);
	bus_put(sampler->bus, sampler->last);
}

static void take_tick(struct sampler *sampler, uint32_t flags)
{
	struct sample *sample = probe_tick(sampler->probe);

	sample->flags |= flags;
	guard_mark(sampler->guard, sample);
	finder_mark(sampler->finder, sample);
	schedule_ticked(&sampler->schedule, sample);
	publish(sampler, sample);
	if (!sampler->over_told && !seeker_expects(sampler->seeker) &&
	    probe_roots_alive(sampler->probe) == 0) {
		sampler->over_told = true;
		eventfd_write(sampler->over_fd, 1);
	}
}

/* Sleeps until due_ns; false: we are told to stop. */
static bool sleep_until(struct sampler *sampler, int64_t due_ns)
{
	struct itimerspec due = {.it_value = {.tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S}};
	struct pollfd fds[] = {{.fd = sampler->timer_fd, .events = POLLIN},
			       {.fd = sampler->stop_fd, .events = POLLIN}};

	timerfd_settime(sampler->timer_fd, TFD_TIMER_ABSTIME, &due, NULL);
	while (poll(fds, 2, -1) < 0)
		;
	return (fds[1].revents & POLLIN) == 0;
}

/* Of struct sched_attr, which not every C library has, the first version. */
struct slice {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* A short slice is a short wait for a CPU, from Linux 6.12 on, and asks for no right; older kernels pay it no
 * heed. */
static void wait_less(void)
{
	struct slice slice;

	if (syscall(SYS_sched_getattr, 0, &slice, sizeof slice, 0) != 0 || slice.policy != SCHED_OTHER)
		return;
	slice.runtime_ns = 100 * NS_PER_US;
	syscall(SYS_sched_setattr, 0, &slice, 0);
}

static void prefer_ourselves(void)
{
	wait_less();

	errno = 0;
	int nice = getpriority(PRIO_PROCESS, 0);

	if (nice != -1 || errno == 0)
		setpriority(PRIO_PROCESS, 0,
			    nice - 5); /* the calling thread; needs a right we may not have */
}

/* One look; the time it took, and what it found, set the time to the next. */
static void take_look(struct sampler *sampler)
{
	int64_t began_ns = clock_thread_cpu_ns();
	size_t blocked;

	seeker_feed(sampler->seeker, sampler->probe);
	blocked = probe_look(sampler->probe);

	schedule_pace(&sampler->schedule, pace_looked(&sampler->pace, clock_mono_ns(),
						      clock_thread_cpu_ns() - began_ns, blocked));
}

static void sampler_work(void *arg)
{
	struct sampler *sampler = arg;

	prefer_ourselves();
	while (sleep_until(sampler, schedule_next(&sampler->schedule))) {
		take_look(sampler);
		int64_t now_ns = clock_mono_ns();
		if (now_ns >= sampler->schedule.tick_due_ns)
			take_tick(sampler, 0);
		else
			schedule_looked(&sampler->schedule, now_ns);
	}
	probe_look(sampler->probe);
	take_tick(sampler, SAMPLE_LAST);
}

int sampler_open(struct sampler **out, struct probe *probe, const struct run *run, struct bus *bus,
		 const struct guard *guard, struct finder *finder, struct seeker *seeker)
{
	struct sampler *sampler = mem_alloc(1, sizeof *sampler);
	struct sample *base;

	sampler->probe = probe;
	sampler->bus = bus;
	sampler->guard = guard;
	sampler->finder = finder;
	sampler->seeker = seeker;
	worker_init(&sampler->thread);
	sampler->timer_fd = open_timer();
	sampler->stop_fd = open_event();
	sampler->over_fd = open_event();
	if (sampler->timer_fd < 0 || sampler->stop_fd < 0 || sampler->over_fd < 0) {
		sampler_close(sampler);
		return -EMFILE;
	}
	sampler->diagnose = diagnose_new(run);
	seeker_feed(seeker, probe);
	base = probe_tick(probe);
	guard_mark(guard, base);
	schedule_init(&sampler->schedule, base->mono_ns, run->interval_ns, run->look_interval_ns);
	pace_init(&sampler->pace, run->look_interval_ns, run->looks_fixed);
	publish(sampler, base);
	*out = sampler;
	return 0;
}

int sampler_start(struct sampler *sampler)
{
	return worker_start(&sampler->thread, "sampler", sampler_work, sampler);
}

int sampler_over_fd(const struct sampler *sampler)
{
	return sampler->over_fd;
}

bool sampler_stop(struct sampler *sampler)
{
	eventfd_write(sampler->stop_fd, 1);
	if (worker_wait(&sampler->thread, STOP_WAIT_MS))
		return true;
	worker_leave(&sampler->thread);
	return false;
}

const struct tick *sampler_last(const struct sampler *sampler)
{
	return sampler->last;
}

void sampler_close(struct sampler *sampler)
{
	if (sampler == NULL)
		return;
	close(sampler->timer_fd);
	close(sampler->stop_fd);
	close(sampler->over_fd);
	diagnose_free(sampler->diagnose);
	tick_unref(sampler->last);
	free(sampler);
}
