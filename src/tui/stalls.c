/* SPDX-License-Identifier: MIT
 *
 * What began after the moment shown is not told, and what went on then ends there: replay shows what was
 * known.
 */
#include "stalls.h"

size_t stalls_begun(const struct view *view)
{
	int64_t now_ns = view_position_ns(view);
	size_t n = view->timeline->n_stalls;

	while (n > 0 && view->timeline->stalls[n - 1].from_ns > now_ns)
		n--;
	return n;
}

static void as_then(const struct view *view, struct stall *stall)
{
	int64_t now_ns = view_position_ns(view);

	if (view->shown && view->shown->stalled && view->shown->stall.number == stall->number) {
		*stall = view->shown->stall;
	} else if (stall->to_ns > now_ns) {
		stall->to_ns = now_ns;
		stall->open = true;
	}
}

bool stalls_get(const struct view *view, size_t back, struct stall *stall)
{
	size_t n = stalls_begun(view);

	if (back >= n)
		return false;
	*stall = view->timeline->stalls[n - 1 - back];
	as_then(view, stall);
	return true;
}

double stalls_seconds(const struct view *view)
{
	int64_t now_ns = view_position_ns(view), sum_ns = 0;

	for (size_t i = stalls_begun(view); i-- > 0;) {
		const struct stall *stall = &view->timeline->stalls[i];
		int64_t to_ns = stall->to_ns < now_ns ? stall->to_ns : now_ns;

		sum_ns += to_ns > stall->from_ns ? to_ns - stall->from_ns : 0;
	}
	return (double)sum_ns / 1e9;
}

const struct stall *stalls_chosen(const struct view *view)
{
	size_t n = stalls_begun(view);

	return view->stall < n ? &view->timeline->stalls[n - 1 - view->stall] : NULL;
}

const char *stalls_advice(const struct stall *stall)
{
	switch (stall->cause) {
	case CAUSE_DIRTY_THROTTLE:
		return "The disk takes less than the build writes. Build on a faster disk or in a tmpfs, "
		       "write less "
		       "(split debug info, fewer jobs), or raise vm.dirty_bytes if the bursts are short.";
	case CAUSE_FLUSH_WAIT:
		return stall->explicit_s > stall->task_s / 2
			       ? "The build asks for it by fsync(): eatmydata or the tool's own option to "
				 "skip it "
				 "helps where the result can be made again."
			       : "Pages, the journal or the device are being flushed: a faster disk helps, "
				 "or a lower "
				 "vm.dirty_background_bytes so that writing begins earlier.";
	case CAUSE_READ:
		return "Sources or tools are read from a cold cache: more memory for the page cache, a "
		       "faster disk, or "
		       "reading them ahead helps.";
	case CAUSE_MEMORY:
		return "Memory is short: fewer jobs at once, a smaller tmpfs, or more memory helps.";
	case CAUSE_REMOTE_IO:
		return "A network or FUSE file system is waited for: a local copy helps.";
	default:
		return "";
	}
}
