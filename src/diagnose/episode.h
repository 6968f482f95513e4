/* SPDX-License-Identifier: MIT
 *
 * Stalls: opened and closed by the share of task time lost, look by look; and what is told of each.
 */
#ifndef DIAGNOSE_EPISODE_H
#define DIAGNOSE_EPISODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/run.h"
#include "model/tick.h"

#include "look.h"

/* One rule, held against five groups of causes separately. */
enum episode_group { GROUP_FLUSH, GROUP_READ, GROUP_MEMORY, GROUP_REMOTE, GROUP_BLOCKED, GROUP_COUNT };

#define EPISODE_WHO_MAX	  24
#define EPISODE_FACTS_MAX 12

/* device 0: in memory, or not known. */
struct episode_place {
	uint64_t device;
	char device_name[32];
	char filesystem[24];
};

/* What an interval's counters say about a stall in it. Values are METRIC_NA where unknown. */
struct episode_facts {
	int64_t from_ns, to_ns;
	uint64_t dirty_before_bytes, dirty_bytes, writeback_bytes, threshold_bytes, background_bytes;
	uint64_t flushed_bytes, tree_written_bytes;
	uint64_t dirtied_bytes; /* by the whole machine */
	uint64_t backlog_bytes; /* of what the build wrote, what its disk can not have written yet */
	double psi_io, psi_memory;
	bool exact; /* the kernel told its pauses */
	struct stall_who writers[STALL_WHO_MAX];
	size_t n_writers;
	struct episode_place build; /* of the build's directory */
	struct episode_place
		written; /* of what those who waited for flushing wrote to; device 0: not known */
};

struct episode;

/* A look of the window, with what is asked of it again and again. */
struct episode_look {
	double seconds;
	double share_s[GROUP_COUNT + 1]; /* of each group, and of all together */
	struct look look;
};

struct episodes {
	int64_t window_ns;
	uint32_t count;		     /* stalls so far */
	struct episode_look *window; /* the looks of the last window, oldest first, from first_window on */
	size_t first_window, n_window, cap_window;
	struct episode *open[GROUP_COUNT];
	int64_t ended_ns[GROUP_COUNT]; /* of the group's last stall: the next begins after it */
	struct episode **ended;	       /* closed in this step */
	size_t n_ended, cap_ended;
	struct episode_facts facts[EPISODE_FACTS_MAX]; /* of the newest intervals, oldest first */
	size_t n_facts;
};

void episodes_init(struct episodes *episodes, int64_t look_interval_ns);
void episodes_copy(struct episodes *to,
		   const struct episodes *from); /* to is fresh storage; between steps only */
void episodes_fini(struct episodes *episodes);

void episodes_look(struct episodes *episodes, const struct look *look);
/* Nothing was seen for so long: what was open ended when it was last seen, when this is more than a window.
 */
void episodes_gap(struct episodes *episodes, int64_t gap_ns);
/* Ends the step: the facts of its interval, then the stalls of the tick. last: the run is over, nothing stays
 * open. */
void episodes_finish(struct episodes *episodes, const struct episode_facts *facts, bool last,
		     struct tick *tick);

#endif
