/* SPDX-License-Identifier: MIT
 *
 * One sentence from a tick. Never guesses: a time nobody looked at is unknown, not clear.
 */
#include "state.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

#define SILENT_MAX_S 3.0

static void say_stall(struct state *state, const struct stall *stall)
{
	double seconds = stall_seconds(stall);
	const char *label = stall->cause < CAUSE_COUNT ? cause_table[stall->cause].label : "unknown";
	char time[UNITS_SIZE];

	state->kind = STATE_STALLED;
	state->cause = stall->cause;
	if (seconds < 60)
		snprintf(state->text, sizeof state->text, "STALLED: %s %.0f s", label, floor(seconds));
	else
		snprintf(state->text, sizeof state->text, "STALLED: %s %s", label,
			 units_elapsed(time, seconds));
}

static void say_busiest(struct state *state, unsigned busiest)
{
	state->kind = STATE_RUNNING;
	state->cause = busiest < CAUSE_COUNT ? (enum cause)busiest : CAUSE_WAIT;
	if (state->cause == CAUSE_RUNQUEUE)
		snprintf(state->text, sizeof state->text, "computing: CPUs full");
	else
		snprintf(state->text, sizeof state->text, "%s", cause_table[state->cause].label);
}

void state_of(struct state *state, const struct tick *tick, double silent_s)
{
	*state = (struct state){.kind = STATE_STARTING, .cause = CAUSE_NONE};
	if (silent_s > SILENT_MAX_S) {
		state->kind = STATE_UNKNOWN;
		snprintf(state->text, sizeof state->text, "unknown: no sample for %.0f s", silent_s);
		return;
	}
	if (!tick || tick->interval_s <= 0) {
		snprintf(state->text, sizeof state->text, "starting");
		return;
	}
	if (tick->stalled) {
		say_stall(state, &tick->stall);
		return;
	}
	if (tick->sample->flags & (SAMPLE_GAP | SAMPLE_LOST) || tick->unknown_s > tick->interval_s / 2) {
		state->kind = STATE_UNKNOWN;
		snprintf(state->text, sizeof state->text, "unknown: nobody looked");
		return;
	}
	say_busiest(state, tick->brief.busiest);
}

void state_of_brief(struct state *state, const struct brief *brief, const struct stall *stall,
		    int64_t mono_ns)
{
	*state = (struct state){.kind = STATE_STARTING, .cause = CAUSE_NONE};
	if (!brief || brief->interval_s <= 0) {
		snprintf(state->text, sizeof state->text, "starting");
	} else if (stall) {
		struct stall so_far = *stall;

		if (so_far.to_ns > mono_ns)
			so_far.to_ns = mono_ns;
		say_stall(state, &so_far);
	} else if (brief->flags & (SAMPLE_GAP | SAMPLE_LOST)) {
		state->kind = STATE_UNKNOWN;
		snprintf(state->text, sizeof state->text, "unknown: nobody looked");
	} else {
		say_busiest(state, brief->busiest);
	}
}
