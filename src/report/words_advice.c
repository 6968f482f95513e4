/* SPDX-License-Identifier: MIT
 *
 * What could be done about the time a build took, in at most three lines, each with the figures it stands on
 * and whether they are measured or estimated. Says that nothing is to be had as readily: that spares a second
 * build.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "diagnose/advice.h"
#include "words.h"

#define RUN_MIN_S    5	  /* of shorter ones nothing is worth a line */
#define WORTH_PART   0.02 /* less nobody would see */
#define IDLE_PART    0.3  /* so much of the CPUs unused is worth a question */
#define CALM_PART    0.1  /* with less of the time in stalls these do not explain it */
#define UNKNOWN_PART 0.1  /* with more of the time unseen nothing is said of it */
#define CROWD_PART   1.0  /* waits for a CPU as long as the time on one */

/* "at most 38 % (26.1 s of 1:08)". */
static void add_most(struct buf *line, double most_s, double wall_s)
{
	char most[UNITS_SIZE], wall[UNITS_SIZE];
	double percent = fmax(100 * most_s / wall_s, 0);
	buf_add_format(line, "at most %d %% (%s of %s)", (int)ceil(percent - 0.05),
		       units_duration(most, fmax(most_s, 0)), units_duration(wall, wall_s));
}

/* Where no bound was told: a second that a task waited holds the build up for a second at most. */
static double flush_most_s(const struct summary *summary)
{
	double all_s = 0;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		all_s += cause_table[cause].stall == CAUSE_STALL_FLUSH ? summary->time_s[cause] : 0;
	return fmax(all_s, summary->flush_s);
}

/* The directory's own file system, and whatever else would end the waiting for it. */
static void add_bound(struct buf *line, const struct summary *summary)
{
	bool told = isfinite(summary->bound_min_s) && isfinite(summary->bound_max_s);
	double most_s = told ? summary->wall_s - summary->bound_min_s : flush_most_s(summary);
	double least_s = told ? summary->wall_s - summary->bound_max_s : 0;
	char least[UNITS_SIZE];
	if (!told && summary->unknown_s > UNKNOWN_PART * summary->wall_s)
		return;
	buf_add_string(line, "a tmpfs for the build directory, or a quicker disk: ");
	add_most(line, most_s, summary->wall_s);
	if (most_s < WORTH_PART * summary->wall_s)
		buf_add_string(line, ", not worth it");
	else if (least_s >= 0.1)
		buf_add_format(line, ", at least %s", units_duration(least, least_s));
	buf_add_string(line, "; estimated from who waited for flushing");
}

static void add_named(struct buf *line, const struct summary *summary)
{
	struct advice given[ADVICE_COUNT];
	if (advice_give(summary, given) > 0)
		buf_add_format(line, "%s; estimated", given[0].text);
}

static void add_jobs(struct buf *line, const struct summary *summary)
{
	double cpu_s = summary->user_s + summary->system_s, cpus = summary->run->cpus;
	double waited_s = summary->time_s[CAUSE_RUNQUEUE];
	char text[2][UNITS_SIZE];
	if (!(cpu_s > 0) || cpus < 1)
		return;
	double idle = 1 - cpu_s / summary->wall_s / cpus;
	if (waited_s > CROWD_PART * cpu_s) {
		buf_add_format(line, "fewer jobs: tasks waited %s for a CPU and had one for %s; measured",
			       units_duration(text[0], waited_s), units_duration(text[1], cpu_s));
	} else if (idle > IDLE_PART && summary->stalled_s < CALM_PART * summary->wall_s) {
		buf_add_format(line, "more jobs: %.1f of %.0f CPUs were used, and stalls do not explain it: ",
			       cpu_s / summary->wall_s, cpus);
		add_most(line, summary->wall_s - cpu_s / cpus, summary->wall_s);
		buf_add_string(line, "; measured");
	} else if (idle <= IDLE_PART) {
		buf_add_string(line, "more jobs: ");
		add_most(line, summary->wall_s - cpu_s / cpus, summary->wall_s);
		buf_add_format(line, "%s; measured", idle < WORTH_PART ? ", not worth it" : "");
	}
}

void words_advice(struct buf lines[WORDS_ADVICE], const struct summary *summary)
{
	static void (*const pieces[WORDS_ADVICE])(struct buf *,
						  const struct summary *) = {add_bound, add_named, add_jobs};
	for (size_t i = 0; i < WORDS_ADVICE && summary->wall_s >= RUN_MIN_S; i++)
		pieces[i](&lines[i], summary);
}
