/* SPDX-License-Identifier: MIT
 *
 * A rule for each piece of advice. What one could save is the wall time that its kind of waiting held up, by
 * its share of the task time, and of flushing never more than the bound has. Under 2 % of the wall time
 * nothing is said (5 % of reading and memory, where no bound helps), since nobody would see the difference.
 */
#include "diagnose/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"

#define TOLD_PART  0.02
#define READ_PART  0.05
#define SMALL_PART 10 /* a limit under one part in so many of memory is small */
#define DIRTY_PART 4  /* so much of memory may well be dirty */
#define NAME_SIZE  64
#define PLACE_SIZE 128

struct giving {
	const struct summary *summary;
	double bound_s; /* of flushing */
	struct advice *given;
	size_t n;
};

static bool is_flush(const struct stall *stall)
{
	return stall->cause < CAUSE_COUNT && cause_table[stall->cause].stall == CAUSE_STALL_FLUSH;
}

/* Room for a piece of advice that is worth it; NULL: it is not. */
static char *give(struct giving *giving, enum advice_kind kind, double most_s, double part)
{
	struct advice *advice = &giving->given[giving->n];

	if (!(most_s >= part * giving->summary->wall_s) || most_s < 0.1)
		return NULL;
	*advice = (struct advice){.kind = kind, .most_s = most_s};
	giving->n++;
	return advice->text;
}

/* Of stalls with most of some figure, the one; NULL: none has any. */
static const struct stall *worst(const struct summary *summary, double (*figure)(const struct stall *))
{
	const struct stall *most = NULL;

	for (size_t i = 0; i < summary->n_stalls; i++)
		if (figure(&summary->stalls[i]) > (most ? figure(most) : 0))
			most = &summary->stalls[i];
	return most;
}

static double sum(const struct summary *summary, double (*figure)(const struct stall *))
{
	double all = 0;

	for (size_t i = 0; i < summary->n_stalls; i++)
		all += figure(&summary->stalls[i]);
	return all;
}

static double implicit_of(const struct stall *stall)
{
	return is_flush(stall) ? stall->cause_s[CAUSE_FLUSH_WAIT] - stall->explicit_s : 0;
}

static double explicit_of(const struct stall *stall)
{
	return stall->explicit_s;
}

static double elsewhere_of(const struct stall *stall)
{
	return is_flush(stall) && stall->elsewhere ? stall->share_s : 0;
}

static double outside_of(const struct stall *stall)
{
	return stall_from_outside(stall) ? stall->share_s : 0;
}

static double throttled_of(const struct stall *stall)
{
	return is_flush(stall) && !stall_from_outside(stall) ? stall->cause_s[CAUSE_DIRTY_THROTTLE] : 0;
}

/* " on ext4 (sdb1)", or nothing. */
static const char *place(char out[PLACE_SIZE], const struct stall *stall)
{
	char filesystem[NAME_SIZE], device[NAME_SIZE];

	out[0] = '\0';
	if (stall && stall->filesystem[0])
		snprintf(out, PLACE_SIZE, " on %s (%s)",
			 text_clean_string(filesystem, sizeof filesystem, stall->filesystem),
			 text_clean_string(device, sizeof device, stall->device_name));
	return out;
}

static void unlink_rule(struct giving *giving)
{
	const struct summary *summary = giving->summary;
	double most_s = fmin(summary->cost_unlink_s, giving->bound_s);
	char *text = give(giving, ADVICE_UNLINK, most_s, TOLD_PART), where[PLACE_SIZE], time[UNITS_SIZE];

	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s went into waits in unlink%s, mostly for temporary files: TMPDIR in a tmpfs, or "
			 "the "
			 "compiler's -pipe, avoids them",
			 units_duration(time, most_s), place(where, worst(summary, implicit_of)));
}

static void fsync_rule(struct giving *giving)
{
	const struct summary *summary = giving->summary;
	double most_s = fmin(summary->cost_asked_s, giving->bound_s);
	const struct stall *stall = worst(summary, explicit_of);
	char *text = give(giving, ADVICE_FSYNC, most_s, TOLD_PART), time[UNITS_SIZE], name[NAME_SIZE] = "it";

	if (text && stall && stall->n_victims)
		text_clean_string(name, sizeof name, stall->victims[0].comm);
	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s went into fsync and its like, which %s asked for: where a crash may cost the "
			 "result, do "
			 "without (eatmydata, or a switch of the tool)",
			 units_duration(time, most_s), name);
}

static void elsewhere_rule(struct giving *giving)
{
	const struct summary *summary = giving->summary;
	double most_s = fmin(sum(summary, elsewhere_of), giving->bound_s);
	char *text = give(giving, ADVICE_ELSEWHERE, most_s, TOLD_PART), where[PLACE_SIZE], time[UNITS_SIZE];

	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s of the stalls were%s, where the build's directory is not: is TMPDIR there, or a "
			 "cache?",
			 units_duration(time, most_s), place(where, worst(summary, elsewhere_of)));
}

static void neighbour_rule(struct giving *giving)
{
	const struct summary *summary = giving->summary;
	double most_s = fmin(sum(summary, outside_of), giving->bound_s);
	char *text = give(giving, ADVICE_NEIGHBOUR, most_s, TOLD_PART), time[UNITS_SIZE];

	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s came from what others on this machine wrote: the limit of dirty pages is one "
			 "for all",
			 units_duration(time, most_s));
}

/* Raising the limit helps only when memory holds what is written meanwhile, and does nothing for fsync. */
static void thresholds_rule(struct giving *giving)
{
	const struct summary *summary = giving->summary;
	const struct stall *stall = worst(summary, throttled_of);
	uint64_t memory = summary->run->memory_total_bytes;
	double throttled_s = sum(summary, throttled_of), all_s = summary->time_s[CAUSE_DIRTY_THROTTLE];
	double cost_s = all_s > 0 ? summary->cost_s[CAUSE_DIRTY_THROTTLE] * fmin(1, throttled_s / all_s) : 0;
	char *text, time[UNITS_SIZE], limit[UNITS_SIZE], size[UNITS_SIZE];

	if (!stall || memory == 0 || stall->threshold_bytes == METRIC_NA ||
	    stall->threshold_bytes >= memory / SMALL_PART || stall->tree_written_bytes == METRIC_NA ||
	    stall->tree_written_bytes >= memory / DIRTY_PART)
		return;
	text = give(giving, ADVICE_THRESHOLDS, fmin(cost_s, giving->bound_s), TOLD_PART);
	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s of dirty throttling at a limit of %s, which is little for %s of memory: raise "
			 "vm.dirty_bytes or "
			 "vm.dirty_ratio",
			 units_duration(time, fmin(cost_s, giving->bound_s)),
			 units_bytes(limit, stall->threshold_bytes), units_bytes(size, memory));
}

static void cache_rule(struct giving *giving)
{
	double most_s = giving->summary->cost_s[CAUSE_READ];
	char *text = give(giving, ADVICE_CACHE, most_s, READ_PART), time[UNITS_SIZE];

	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s went into reading from disks what was not in memory yet: the same build right "
			 "after this "
			 "one has it in the cache",
			 units_duration(time, most_s));
}

static void memory_rule(struct giving *giving)
{
	double most_s = giving->summary->cost_s[CAUSE_MEMORY];
	char *text = give(giving, ADVICE_MEMORY, most_s, READ_PART), time[UNITS_SIZE];

	if (text)
		snprintf(text, sizeof giving->given->text,
			 "%s went into reclaim, swap and reading again what memory could not hold: fewer "
			 "jobs at once, "
			 "or a higher limit",
			 units_duration(time, most_s));
}

static int most_worth_first(const void *a, const void *b)
{
	const struct advice *x = a, *y = b;

	if (x->most_s != y->most_s)
		return x->most_s < y->most_s ? 1 : -1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

size_t advice_give(const struct summary *summary, struct advice given[ADVICE_COUNT])
{
	static void (*const rules[ADVICE_COUNT])(struct giving *) = {
		unlink_rule,	 fsync_rule, elsewhere_rule, neighbour_rule,
		thresholds_rule, cache_rule, memory_rule,
	};
	struct giving giving = {.summary = summary, .given = given};

	giving.bound_s = isfinite(summary->bound_min_s) ? summary->wall_s - summary->bound_min_s : 0;
	for (size_t i = 0; i < ADVICE_COUNT; i++)
		rules[i](&giving);
	qsort(given, giving.n, sizeof *given, most_worth_first);
	return giving.n;
}
