/* SPDX-License-Identifier: MIT
 *
 * Knows how a run ended: the child's status, what all that was waited for has used, who asked for the end,
 * and what is left running; and how long to wait for those who put the run away. Main thread.
 */
#include "session_state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"

#define LEFT_BEHIND_NAMED 10
#define SCREEN_WAIT_MS	  2000
#define RECORDER_WAIT_MS  2000

static uint64_t microseconds_between(const struct timeval *from, const struct timeval *to)
{
	int64_t us = (int64_t)(to->tv_sec - from->tv_sec) * 1000000 + (to->tv_usec - from->tv_usec);

	return us > 0 ? (uint64_t)us : 0;
}

static bool still_runs(const struct session *session, const struct task_row *task)
{
	if (task->pid == session->child.pid || (task->flags & TASK_ENDED) != 0 || task->state == 'Z' ||
	    task->state == 'X')
		return false;
	return kill(task->pid, 0) == 0 || errno == EPERM; /* it may have ended since that sample */
}

/* "sccache (1234), make (77) and 3 more"; NULL: nothing. */
static char *name_left_behind(const struct session *session, const struct sample *sample)
{
	struct buf names = {0};
	size_t count = 0;

	for (size_t i = 0; i < sample->n_tasks; i++) {
		const struct task_row *task = &sample->tasks[i];
		size_t len;
		const char *comm;

		if (!still_runs(session, task))
			continue;
		if (++count > LEFT_BEHIND_NAMED)
			continue;
		comm = sample_string(sample, task->comm, &len);
		buf_add_string(&names, count > 1 ? ", " : "");
		text_clean_add(&names, comm, len);
		buf_add_format(&names, " (%d)", (int)task->pid);
	}
	if (count > LEFT_BEHIND_NAMED)
		buf_add_format(&names, " and %zu more", count - LEFT_BEHIND_NAMED);
	return names.data;
}

static void fill_how_it_died(struct session *session)
{
	const uint64_t asking = UINT64_C(1) << SIGINT | UINT64_C(1) << SIGTERM | UINT64_C(1) << SIGHUP;
	struct session_result *result = session->result;
	struct run_end *end = &result->end;
	int status = session->child.wait_status;

	end->known = true;
	end->status = result->start_status;
	if (result->start_status == 0 && WIFSIGNALED(status))
		end->signal = WTERMSIG(status);
	else if (result->start_status == 0)
		end->status = WEXITSTATUS(status);
	end->interrupted = (end->signal != 0 || end->status != 0) &&
			   (session->end_asked || (session->seen & asking) != 0);
	result->raised = end->signal != 0 && (session->seen & UINT64_C(1) << end->signal) != 0;
	result->raise_signal = result->raised ? end->signal : 0;
}

static void fill_usage(struct session *session)
{
	struct run_end *end = &session->result->end;
	struct rusage now;

	if (getrusage(RUSAGE_CHILDREN, &now) < 0)
		return;
	end->user_us = microseconds_between(&session->reaped_before.ru_utime, &now.ru_utime);
	end->system_us = microseconds_between(&session->reaped_before.ru_stime, &now.ru_stime);
	end->max_rss_bytes = (uint64_t)session->child.usage.ru_maxrss * 1024;
}

void session_fill_end(struct session *session, const struct tick *last)
{
	struct run_end *end = &session->result->end;

	end->complete = !session->stopped_early;
	end->user_us = end->system_us = end->max_rss_bytes = METRIC_NA;
	if (session_runs_command(session)) {
		fill_how_it_died(session);
		fill_usage(session);
		if (last != NULL)
			end->left_behind = name_left_behind(session, last->sample);
	} else {
		end->interrupted = session->seen != 0;
	}
}

/* The recording is what is left of the run: wait for its disk, unless whoever sits there has had enough. */
static bool wait_patiently(struct session *session, struct worker *thread)
{
	struct pollfd fds[] = {{.fd = thread->done_fd, .events = POLLIN},
			       {.fd = session->signals.fd, .events = POLLIN}};

	if (worker_wait(thread, RECORDER_WAIT_MS))
		return true;
	session_say(session, "waiting for the disk to take the recording (Ctrl-C to leave)");
	while (!worker_wait(thread, 0)) {
		struct signals_event event;

		poll(fds, 2, -1);
		while (signals_take(&session->signals, &event))
			if (event.signal == SIGINT || event.signal == SIGTERM || event.signal == SIGHUP ||
			    event.signal == SIGQUIT)
				return false;
	}
	return true;
}

bool session_join(struct session *session)
{
	bool all_ended = true;

	/* The screen first: then the terminal is whole, and there is somewhere to say things. */
	for (int expendable = 1; expendable >= 0; expendable--) {
		for (size_t i = 0; i < session->bus.n; i++) {
			struct station *station = &session->bus.stations[i];
			bool ended;

			if (station->consumer.expendable != (bool)expendable)
				continue;
			ended = expendable ? worker_wait(&station->thread, SCREEN_WAIT_MS)
					   : wait_patiently(session, &station->thread);
			if (!ended)
				worker_leave(&station->thread);
			all_ended &= ended;
		}
		session->screen_open = false;
		session_say_kept(session);
	}
	return all_ended;
}
