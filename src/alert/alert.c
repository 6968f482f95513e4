/* SPDX-License-Identifier: MIT
 *
 * Knows how an alarm about a tmpfs reads as a line of text. Whether there is one, and that each is told once,
 * the tick says. Called inline on the main thread.
 */
#include "alert/alert.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

#define TEXT_SIZE 96

struct alert {
	uint64_t told; /* alarms so far */
};

/* "will be full in about 42 s", "is 91 % full", "has 98 % of its inodes in use". */
static void describe_alarm(char *out, const struct tick_mount *mount)
{
	double used = mount->by_inodes ? mount->inodes_used : mount->used;
	char number[UNITS_SIZE];

	if (mount->alarm == TICK_ALARM_FILLING && isfinite(mount->seconds_to_full)) {
		units_duration(number, mount->seconds_to_full);
		snprintf(out, TEXT_SIZE, "will be %s in about %s",
			 mount->by_inodes ? "out of inodes" : "full", number);
	} else if (isfinite(used)) {
		units_percent(number, used);
		snprintf(out, TEXT_SIZE, mount->by_inodes ? "has %s of its inodes in use" : "is %s full",
			 number);
	} else {
		snprintf(out, TEXT_SIZE, "is nearly full");
	}
}

/* "5.1 GiB of 6.0 GiB", "990 of 1000 inodes"; false: not known. */
static bool describe_use(char *out, const struct mount_row *row, bool by_inodes)
{
	uint64_t used = row->values[by_inodes ? METRIC_MOUNT_INODES_USED : METRIC_MOUNT_USED_BYTES];
	uint64_t size = row->values[by_inodes ? METRIC_MOUNT_INODES : METRIC_MOUNT_SIZE_BYTES];
	char used_text[UNITS_SIZE], size_text[UNITS_SIZE];

	if (used == METRIC_NA || size == METRIC_NA)
		return false;
	if (by_inodes)
		snprintf(out, TEXT_SIZE, "%" PRIu64 " of %" PRIu64 " inodes", used, size);
	else
		snprintf(out, TEXT_SIZE, "%s of %s", units_bytes(used_text, used),
			 units_bytes(size_text, size));
	return true;
}

static void tell_mount(const struct sample *sample, const struct mount_row *row,
		       const struct tick_mount *mount)
{
	char point[256], alarm[TEXT_SIZE], use[TEXT_SIZE], rate[UNITS_SIZE];
	const char *raw;
	size_t len;
	bool grows = isfinite(mount->growth_bytes_per_s) && mount->growth_bytes_per_s > 0;

	raw = sample_string(sample, row->point, &len);
	text_clean(point, sizeof point, raw, len);
	describe_alarm(alarm, mount);
	if (!describe_use(use, row, mount->by_inodes))
		log_say("tmpfs %s %s", point, alarm);
	else if (grows && !mount->by_inodes)
		log_say("tmpfs %s %s (%s, growing %s)", point, alarm, use,
			units_rate(rate, mount->growth_bytes_per_s));
	else
		log_say("tmpfs %s %s (%s)", point, alarm, use);
}

static void alert_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct alert *alert = self;
	const struct sample *sample = tick->sample;

	(void)dropped;
	for (size_t i = 0; i < sample->n_mounts; i++)
		if (tick->mounts[i].alarm_new) {
			tell_mount(sample, &sample->mounts[i], &tick->mounts[i]);
			alert->told++;
		}
}

struct alert *alert_new(void)
{
	return mem_alloc(1, sizeof(struct alert));
}

void alert_free(struct alert *alert)
{
	free(alert);
}

struct consumer alert_consumer(struct alert *alert)
{
	return (struct consumer){.name = "alert", .self = alert, .tick = alert_tick};
}
