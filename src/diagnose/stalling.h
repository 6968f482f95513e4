/* SPDX-License-Identifier: MIT
 *
 * One stall in the making: the sums, and the names behind them.
 */
#ifndef DIAGNOSE_STALLING_H
#define DIAGNOSE_STALLING_H

#include "episode.h"

#define EPISODE_SITES_MAX 8

struct episode_site {
	char wchan[48];
	double task_s;
};

struct episode {
	struct stall stall;
	enum episode_group group;
	double tail_s[CAUSE_COUNT]; /* of looks since the last stalled one: part of it only if another one
				       follows */
	struct stall_who victims[EPISODE_WHO_MAX];
	size_t n_victims;
	struct stall_who writers[EPISODE_WHO_MAX];
	size_t n_writers;
	struct episode_site sites[EPISODE_SITES_MAX];
	size_t n_sites;
	int64_t facts_ns; /* facts are counted up to here */
	double flushed_bytes, tree_written_bytes;
	bool flushed_known, tree_written_known;
	bool written_known;			  /* its place is where those who waited wrote to */
	double dirtied_bytes, tree_dirtied_bytes; /* in intervals in which both are known */
	double level_bytes, backlog_bytes;	  /* integrals over time, likewise */
};

extern const unsigned episode_causes[GROUP_COUNT + 1]; /* of each group, and of all together */

void stalling_init(struct episode *episode, uint32_t number, enum episode_group group, int64_t from_ns);
void stalling_add_look(struct episode *episode, const struct look *look);
/* Counts the facts of the time it lasted that are not counted yet, and gives the stall as it is now. */
void stalling_tell(struct episode *episode, const struct episode_facts *facts, size_t n_facts, bool open,
		   struct stall *stall);

#endif
