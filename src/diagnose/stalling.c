/* SPDX-License-Identifier: MIT
 *
 * What is added up while a stall is open. Looks give who waited, where and for how long; the counters of each
 * interval, in proportion to the part of it that the stall covers, give what was written and by whom:
 * estimates, and called so. The kernel does not say whose dirty pages are in the way.
 */
#include "stalling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/metric.h"

#define OTHERS_SOME 0.25

void stalling_init(struct episode *episode, uint32_t number, enum episode_group group, int64_t from_ns)
{
	*episode = (struct episode){.group = group, .facts_ns = from_ns};
	episode->stall = (struct stall){.number = number,
					.from_ns = from_ns,
					.to_ns = from_ns,
					.dirty_start_bytes = METRIC_NA,
					.dirty_peak_bytes = METRIC_NA,
					.writeback_peak_bytes = METRIC_NA,
					.threshold_bytes = METRIC_NA,
					.background_bytes = METRIC_NA,
					.flushed_bytes = METRIC_NA,
					.tree_written_bytes = METRIC_NA};
}

/* The entry of that name; NULL: new, and the table is full. */
static struct stall_who *who_find(struct stall_who *who, size_t *n, const char comm[16])
{
	for (size_t i = 0; i < *n; i++)
		if (memcmp(who[i].comm, comm, sizeof who[i].comm) == 0)
			return &who[i];
	if (*n == EPISODE_WHO_MAX)
		return NULL;
	who[*n] = (struct stall_who){0};
	memcpy(who[*n].comm, comm, sizeof who[*n].comm);
	return &who[(*n)++];
}

static void site_add(struct episode *episode, const char wchan[48], double task_s)
{
	size_t i = 0;

	if (!wchan[0] || strcmp(wchan, "0") == 0)
		return;
	while (i < episode->n_sites && strcmp(episode->sites[i].wchan, wchan) != 0)
		i++;
	if (i == EPISODE_SITES_MAX)
		return;
	if (i == episode->n_sites) {
		episode->n_sites++;
		memcpy(episode->sites[i].wchan, wchan, sizeof episode->sites[i].wchan);
	}
	episode->sites[i].task_s += task_s;
}

static void who_add(struct episode *episode, const struct look *look, double seconds)
{
	for (size_t i = 0; i < look->n_who; i++) {
		const struct look_who *who = &look->who[i];
		double task_s = who->threads * seconds;
		struct stall_who *victim;

		if (!(episode_causes[episode->group] & 1u << who->cause))
			continue;
		episode->stall.evidence |= who->evidence;
		site_add(episode, who->wchan, task_s);
		victim = who->comm[0] ? who_find(episode->victims, &episode->n_victims, who->comm) : NULL;
		if (victim)
			victim->task_s += task_s;
	}
}

void stalling_add_look(struct episode *episode, const struct look *look)
{
	unsigned causes = episode_causes[episode->group];
	double threads = look_threads(look, causes), seconds = look_seconds(look);
	struct stall *stall = &episode->stall;

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		episode->tail_s[cause] += (double)look->threads[cause] * seconds;
	if (threads <= 0)
		return;
	for (int cause = 0; cause < CAUSE_COUNT; cause++) {
		stall->cause_s[cause] += episode->tail_s[cause];
		episode->tail_s[cause] = 0;
	}
	stall->to_ns = look->to_ns;
	stall->task_s += threads * seconds;
	stall->share_s += look_share(look, causes) * seconds;
	stall->some_s += seconds;
	stall->full_s += look_progress(look, causes) ? 0 : seconds;
	if (episode->group == GROUP_FLUSH)
		stall->explicit_s += (double)look->on_request * seconds;
	if (ceil(threads) > stall->blocked_peak)
		stall->blocked_peak = (uint32_t)ceil(threads);
	who_add(episode, look, seconds);
}

static void peak(uint64_t *peak_bytes, uint64_t bytes)
{
	if (bytes != METRIC_NA && (*peak_bytes == METRIC_NA || bytes > *peak_bytes))
		*peak_bytes = bytes;
}

static void levels_add(struct stall *stall, const struct episode_facts *facts)
{
	if (stall->dirty_start_bytes == METRIC_NA)
		stall->dirty_start_bytes = facts->dirty_before_bytes != METRIC_NA ? facts->dirty_before_bytes
										  : facts->dirty_bytes;
	peak(&stall->dirty_peak_bytes, facts->dirty_bytes);
	peak(&stall->writeback_peak_bytes, facts->writeback_bytes);
	if (facts->threshold_bytes != METRIC_NA)
		stall->threshold_bytes = facts->threshold_bytes;
	if (facts->background_bytes != METRIC_NA)
		stall->background_bytes = facts->background_bytes;
}

static void place_add(struct episode *episode, const struct episode_facts *facts)
{
	const struct episode_place *place =
		episode->group == GROUP_FLUSH && facts->written.device ? &facts->written : &facts->build;

	if (episode->group == GROUP_MEMORY || !place->filesystem[0] ||
	    (place == &facts->build && episode->written_known))
		return;
	episode->written_known = place == &facts->written;
	episode->stall.device = place->device;
	episode->stall.elsewhere = place->device != facts->build.device;
	memcpy(episode->stall.device_name, place->device_name, sizeof place->device_name);
	memcpy(episode->stall.filesystem, place->filesystem, sizeof place->filesystem);
}

/* Counters that bear the looks out. */
static unsigned evidence_of(enum episode_group group, const struct episode_facts *facts)
{
	bool io = facts->psi_io >= 0.1, memory = facts->psi_memory >= 0.1;

	switch (group) {
	case GROUP_FLUSH:
		return (facts->writeback_bytes != METRIC_NA && facts->writeback_bytes > 0 ? STALL_BY_VMSTAT
											  : 0u) |
		       (io ? STALL_BY_PSI : 0u) | (facts->exact ? STALL_EXACT : 0u);
	case GROUP_READ:
		return io ? STALL_BY_PSI : 0u;
	case GROUP_MEMORY:
		return memory ? STALL_BY_PSI : 0u;
	default:
		return 0;
	}
}

static void origin_add(struct episode *episode, const struct episode_facts *facts, double part)
{
	double seconds = (double)(facts->to_ns - facts->from_ns) / (double)NS_PER_S * part;

	if (facts->dirtied_bytes != METRIC_NA && facts->tree_written_bytes != METRIC_NA) {
		episode->dirtied_bytes += (double)facts->dirtied_bytes * part;
		episode->tree_dirtied_bytes += (double)facts->tree_written_bytes * part;
	}
	if (facts->backlog_bytes != METRIC_NA && facts->dirty_bytes != METRIC_NA &&
	    facts->writeback_bytes != METRIC_NA) {
		episode->level_bytes += (double)(facts->dirty_bytes + facts->writeback_bytes) * seconds;
		episode->backlog_bytes += (double)facts->backlog_bytes * seconds;
	}
}

/*
 * Whose dirty pages are in the way the kernel does not say. What the build wrote and its disk has not written
 * yet is at most its part of them. That alone is no proof, since a journal makes the disk write more than was
 * written to it: others must make a good part of what becomes dirty too. Where the build's disk is not known,
 * that part stands in.
 */
static double outside_of(const struct episode *episode)
{
	double others;

	if (episode->group != GROUP_FLUSH || episode->dirtied_bytes <= 0)
		return NAN;
	others = fmax(0, 1 - episode->tree_dirtied_bytes / episode->dirtied_bytes);
	if (others < OTHERS_SOME || episode->level_bytes <= 0)
		return others;
	return fmax(0, 1 - episode->backlog_bytes / episode->level_bytes);
}

static void facts_add(struct episode *episode, const struct episode_facts *facts)
{
	int64_t from = facts->from_ns > episode->facts_ns ? facts->from_ns : episode->facts_ns;
	int64_t to = facts->to_ns < episode->stall.to_ns ? facts->to_ns : episode->stall.to_ns;
	double part;

	if (to <= from)
		return;
	part = (double)(to - from) / (double)(facts->to_ns - facts->from_ns);
	episode->facts_ns = to;
	origin_add(episode, facts, part);
	levels_add(&episode->stall, facts);
	place_add(episode, facts);
	episode->stall.evidence |= evidence_of(episode->group, facts);
	if (facts->flushed_bytes != METRIC_NA) {
		episode->flushed_known = true;
		episode->flushed_bytes += (double)facts->flushed_bytes * part;
	}
	if (facts->tree_written_bytes != METRIC_NA) {
		episode->tree_written_known = true;
		episode->tree_written_bytes += (double)facts->tree_written_bytes * part;
	}
	for (size_t i = 0; i < facts->n_writers; i++) {
		struct stall_who *writer =
			who_find(episode->writers, &episode->n_writers, facts->writers[i].comm);

		if (writer)
			writer->bytes += (uint64_t)((double)facts->writers[i].bytes * part);
	}
}

/* Most first; names break ties, so that the order is the same whenever it is made. */
static int by_weight(const void *a, const void *b)
{
	const struct stall_who *x = a, *y = b;

	if (x->task_s != y->task_s)
		return x->task_s < y->task_s ? 1 : -1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return memcmp(x->comm, y->comm, sizeof x->comm);
}

static size_t who_top(const struct stall_who *all, size_t n, struct stall_who top[STALL_WHO_MAX])
{
	struct stall_who sorted[EPISODE_WHO_MAX];
	size_t kept = n < STALL_WHO_MAX ? n : STALL_WHO_MAX;

	memcpy(sorted, all, n * sizeof *all);
	qsort(sorted, n, sizeof *sorted, by_weight);
	memcpy(top, sorted, kept * sizeof *top);
	return kept;
}

static enum cause main_cause(const struct episode *episode)
{
	enum cause main = CAUSE_NONE;

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (episode_causes[episode->group] & 1u << cause &&
		    (main == CAUSE_NONE || episode->stall.cause_s[cause] > episode->stall.cause_s[main]))
			main = (enum cause)cause;
	return main;
}

void stalling_tell(struct episode *episode, const struct episode_facts *facts, size_t n_facts, bool open,
		   struct stall *stall)
{
	double most = 0;

	for (size_t i = 0; i < n_facts; i++)
		facts_add(episode, &facts[i]);
	*stall = episode->stall;
	stall->open = open;
	stall->cause = main_cause(episode);
	stall->outside = outside_of(episode);
	stall->n_victims = who_top(episode->victims, episode->n_victims, stall->victims);
	stall->n_writers = who_top(episode->writers, episode->n_writers, stall->writers);
	if (episode->flushed_known)
		stall->flushed_bytes = (uint64_t)episode->flushed_bytes;
	if (episode->tree_written_known)
		stall->tree_written_bytes = (uint64_t)episode->tree_written_bytes;
	for (size_t i = 0; i < episode->n_sites; i++)
		if (episode->sites[i].task_s > most) {
			most = episode->sites[i].task_s;
			memcpy(stall->wchan, episode->sites[i].wchan, sizeof stall->wchan);
		}
}
