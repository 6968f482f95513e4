/* SPDX-License-Identifier: MIT
 *
 * What could have been gained without flushing lies between `full`, when nothing of the build could run, and
 * the smallest of `some`, the wall time that computing alone does not explain, and what the critical path has
 * of it. The class that held the build up most is named when it did for at least 5 % of the wall time; the
 * bound is told from 2 % on.
 */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

#define VERDICT_PART 0.05
#define BOUND_PART   0.02
#define UNKNOWN_PART 0.10
#define UNSEEN_PART  0.9 /* nothing can be said of what it waited for */
#define IDLE_CPUS    0.5

struct gain {
	double least_s, most_s; /* of wall time, had nothing waited on flushing */
};

static struct gain gain_of(const struct tally_times *times, const struct summary *summary)
{
	double cpu_s = summary->user_s + summary->system_s;
	double least = fmin(times->full_s, summary->wall_s), most = fmin(times->some_s, summary->wall_s);

	if (summary->run->cpus > 0)
		most = fmin(most, summary->wall_s - cpu_s / summary->run->cpus);
	if (isfinite(times->path_s))
		most = fmin(most, times->path_s);
	return (struct gain){least, fmax(most, least)};
}

static double flush_held(const struct tally_times *times)
{
	return times->held_s[CAUSE_DIRTY_THROTTLE] + times->held_s[CAUSE_FLUSH_WAIT];
}

static double held(const struct tally_times *times, enum cause cause)
{
	return cause_table[cause].stall == CAUSE_STALL_FLUSH ? flush_held(times) : times->held_s[cause];
}

/* The two ways of flushing compete with the others together, and then with each other. */
static enum cause verdict_cause(const struct tally_times *times, double wall_s)
{
	enum cause most = CAUSE_CPU;
	double most_s = VERDICT_PART * wall_s;

	for (int c = 0; c < CAUSE_COUNT; c++) {
		enum cause cause = (enum cause)c;

		if (!cause_table[cause].stall || times->held_s[cause] <= 0 || held(times, cause) < most_s)
			continue;
		if (held(times, cause) > most_s || most == CAUSE_CPU ||
		    times->held_s[cause] > times->held_s[most]) {
			most = cause;
			most_s = held(times, cause);
		}
	}
	return most;
}

/* Who waited most in all stalls of that kind; false: not known. */
static bool top_victim(const struct summary *summary, enum cause_stall kind, enum cause cause, char comm[16])
{
	const struct stall_who *top = NULL;

	for (size_t i = 0; i < summary->n_stalls; i++) {
		const struct stall *stall = &summary->stalls[i];

		if (stall->n_victims == 0 || stall->cause >= CAUSE_COUNT ||
		    cause_table[stall->cause].stall != kind ||
		    (kind != CAUSE_STALL_FLUSH && stall->cause != cause))
			continue;
		if (!top || stall->victims[0].task_s > top->task_s)
			top = &stall->victims[0];
	}
	if (top)
		memcpy(comm, top->comm, 16);
	return top != NULL;
}

static void text_add(struct summary *summary, const char *text)
{
	size_t len = strlen(summary->verdict_text);

	snprintf(summary->verdict_text + len, sizeof summary->verdict_text - len, "%s", text);
}

/* "by at least 5.1 s, at most 9.0 s of 1:15" */
static void range_add(struct summary *summary, double least, double most)
{
	char from[UNITS_SIZE], to[UNITS_SIZE], wall[UNITS_SIZE];

	text_add(summary, "by ");
	if (most - least >= 0.05) {
		text_add(summary, "at least ");
		text_add(summary, units_duration(from, least));
		text_add(summary, ", at most ");
	}
	text_add(summary, units_duration(to, most));
	text_add(summary, " of ");
	text_add(summary, units_duration(wall, summary->wall_s));
}

static void computing_text(const struct tally_times *times, struct summary *summary, const struct gain *gain)
{
	double cpus = (summary->user_s + summary->system_s) / summary->wall_s;
	char text[128];

	if (cpus < IDLE_CPUS && summary->wall_s > 0) {
		snprintf(text, sizeof text,
			 "waiting for timers, the network or itself most of the time (%.1f CPUs used)", cpus);
		text_add(summary, text);
	} else if (times->time_s[CAUSE_RUNQUEUE] > 0.5 * times->time_s[CAUSE_CPU]) {
		text_add(summary, "computing most of the time, with more ready tasks than CPUs");
	} else {
		text_add(summary, "computing most of the time");
	}
	if (gain->most_s >= BOUND_PART * summary->wall_s && gain->most_s > 0) {
		text_add(summary, "; flushing held it up ");
		range_add(summary, gain->least_s, gain->most_s);
	}
}

static void stalled_text(const struct tally_times *times, struct summary *summary, const struct gain *gain)
{
	enum cause_stall kind = cause_table[summary->verdict].stall;
	char comm[16], clean[64], text[96], held_text[UNITS_SIZE], wall[UNITS_SIZE];

	text_add(summary, cause_table[summary->verdict].label);
	text_add(summary, " held it up ");
	if (kind == CAUSE_STALL_FLUSH) {
		range_add(summary, gain->least_s, gain->most_s);
	} else {
		snprintf(text, sizeof text, "by about %s of %s",
			 units_duration(held_text, times->held_s[summary->verdict]),
			 units_duration(wall, summary->wall_s));
		text_add(summary, text);
	}
	if (top_victim(summary, kind, summary->verdict, comm)) {
		snprintf(text, sizeof text, "; %s waited most", text_clean_string(clean, sizeof clean, comm));
		text_add(summary, text);
	}
}

void verdict_give(const struct tally_times *times, struct summary *summary)
{
	struct gain gain = gain_of(times, summary);
	bool told = gain.most_s > 0 && gain.most_s >= BOUND_PART * summary->wall_s;
	char text[64], unknown[UNITS_SIZE];

	summary->verdict = verdict_cause(times, summary->wall_s);
	summary->bound_min_s = told ? summary->wall_s - gain.most_s : NAN;
	summary->bound_max_s = told ? summary->wall_s - gain.least_s : NAN;
	summary->verdict_text[0] = '\0';
	if (times->unknown_s > UNSEEN_PART * summary->wall_s) {
		text_add(summary, "what its tasks waited for was not seen");
		return;
	}
	if (summary->verdict == CAUSE_CPU)
		computing_text(times, summary, &gain);
	else
		stalled_text(times, summary, &gain);
	if (times->unknown_s > UNKNOWN_PART * summary->wall_s) {
		snprintf(text, sizeof text, "; %s were not seen", units_duration(unknown, times->unknown_s));
		text_add(summary, text);
	}
}
