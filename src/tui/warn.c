/* SPDX-License-Identifier: MIT
 *
 * Knows which alert matters most (a build that is held, then what is full soonest, then the others as they
 * come) and how each reads in the few columns there are. What stands and what is new, the tick says.
 */
#include "warn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static bool is_worse(const struct tick_alert *one, const struct tick_alert *other)
{
	if ((one->subject == ALERT_HELD) != (other->subject == ALERT_HELD))
		return one->subject == ALERT_HELD;
	if ((one->mount != 0) != (other->mount != 0))
		return one->mount != 0;
	return one->mount != 0 && one->seconds_to_full < other->seconds_to_full;
}

static const struct tick_alert *worst(const struct tick *tick, bool new)
{
	const struct tick_alert *found = NULL;

	for (size_t i = 0; tick && i < tick->n_alerts; i++) {
		const struct tick_alert *alert = &tick->alerts[i];

		if (alert->change == TICK_ALERT_CLEARED || (new && alert->change != TICK_ALERT_RAISED))
			continue;
		if (!found || is_worse(alert, found))
			found = alert;
	}
	return found;
}

const struct tick_alert *warn_raised(const struct tick *tick)
{
	return worst(tick, true);
}

const struct tick_alert *warn_worst(const struct tick *tick)
{
	return worst(tick, false);
}

bool warn_mount(const struct tick *tick, size_t at)
{
	for (size_t i = 0; i < tick->n_alerts; i++)
		if (tick->alerts[i].change != TICK_ALERT_CLEARED && tick->alerts[i].mount != 0 &&
		    tick->alerts[i].mount == tick->sample->mounts[at].point)
			return true;
	return false;
}

/* No tenths: it is a forecast. */
static const char *whole_seconds(char out[UNITS_SIZE], double seconds)
{
	if (seconds >= 60)
		return units_elapsed(out, seconds);
	snprintf(out, UNITS_SIZE, "%.0f s", seconds);
	return out;
}

static void mount_text(char *out, size_t size, const char *point, const struct tick_alert *alert)
{
	char text[UNITS_SIZE];

	if (alert->measure == ALERT_SECONDS && isfinite(alert->seconds_to_full))
		snprintf(out, size, "%s full in %s", point, whole_seconds(text, alert->seconds_to_full));
	else if (alert->used != METRIC_NA && alert->size != METRIC_NA && alert->size > 0)
		snprintf(out, size, "%s %s full", point,
			 units_percent(text, (double)alert->used / (double)alert->size));
	else
		snprintf(out, size, "%s nearly full", point);
}

void warn_text(char *out, size_t size, const struct tick *tick, const struct tick_alert *alert)
{
	char point[48], text[UNITS_SIZE];

	text_clean_string(point, sizeof point, sample_string(tick->sample, alert->mount, NULL));
	if (alert->mount)
		mount_text(out, size, point, alert);
	else if (alert->subject == ALERT_STALL)
		snprintf(out, size, "stalled for %s", whole_seconds(text, alert->seconds_to_full));
	else if (alert->subject == ALERT_MEMORY && alert->used != METRIC_NA && alert->size != METRIC_NA)
		snprintf(out, size, "%s of memory left", units_bytes(text, alert->size - alert->used));
	else if (alert->subject == ALERT_DIRTY && alert->used != METRIC_NA && alert->size != METRIC_NA &&
		 alert->size > 0)
		snprintf(out, size, "dirty %s of the limit",
			 units_percent(text, (double)alert->used / (double)alert->size));
	else
		text_clean_string(out, size, alert->spec);
}
