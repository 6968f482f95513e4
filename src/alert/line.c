/* SPDX-License-Identifier: MIT
 *
 * Knows how each kind of alert reads. Whether there is one, and that it is told once, the tick says. Mount
 * points are foreign bytes and are cleaned here.
 */
#include "line.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/counted.h"

#define TOLD_MAX 3
#define MIB	 (UINT64_C(1) << 20)
#define GIB	 (UINT64_C(1) << 30)

static bool is_share_known(const struct tick_alert *alert)
{
	return alert->used != METRIC_NA && alert->size != METRIC_NA && alert->size > 0;
}

static void add_share(struct buf *out, const struct tick_alert *alert)
{
	char text[UNITS_SIZE];

	buf_add_string(out, units_percent(text, (double)alert->used / (double)alert->size));
}

static void add_point(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	const char *raw;
	size_t len;

	raw = sample_string(sample, alert->mount, &len);
	text_clean_add(out, raw, len);
}

/* " (5.1 GiB of 6.0 GiB, growing 21 MiB/s)", " (990 of 1000 inodes)". */
static void add_use(struct buf *out, const struct tick_alert *alert)
{
	static const char *const bounds[] = {"", " that its control group leaves", " that memory leaves"};
	char used[UNITS_SIZE], size[UNITS_SIZE];

	if (!is_share_known(alert))
		return;
	if (alert->by_inodes) {
		buf_add_format(out, " (%" PRIu64 " of %" PRIu64 " inodes)", alert->used, alert->size);
		return;
	}
	buf_add_format(out, " (%s of %s%s", units_bytes(used, alert->used), units_bytes(size, alert->size),
		       bounds[alert->room_by]);
	if (isfinite(alert->growth_bytes_per_s) && alert->growth_bytes_per_s > 0)
		buf_add_format(out, ", growing %s", units_rate(used, alert->growth_bytes_per_s));
	buf_add_byte(out, ')');
}

/* "; ld (2), cc1 write; largest: objects 1.2 GiB". */
static void add_who(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	const char *list;
	size_t len;

	list = sample_string(sample, alert->writers, &len);
	if (len > 0) {
		buf_add_string(out, "; writing: ");
		counted_say(out, list, len, TOLD_MAX);
	}
	list = sample_string(sample, alert->largest, &len);
	if (len > 0) {
		buf_add_string(out, "; largest: ");
		counted_say(out, list, len, TOLD_MAX);
	}
}

static void add_mount(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	char time[UNITS_SIZE];

	buf_add_string(out, alert->subject == ALERT_DISK ? "disk " : "tmpfs ");
	add_point(out, sample, alert);
	if (alert->measure == ALERT_SECONDS && isfinite(alert->seconds_to_full)) {
		buf_add_format(out, " will be %s in about %s", alert->by_inodes ? "out of inodes" : "full",
			       units_duration(time, alert->seconds_to_full));
	} else if (is_share_known(alert)) {
		buf_add_string(out, alert->by_inodes ? " has " : " is ");
		add_share(out, alert);
		buf_add_string(out, alert->by_inodes ? " of its inodes in use" : " full");
	} else {
		buf_add_string(out, " is nearly full");
	}
	add_use(out, alert);
	add_who(out, sample, alert);
}

/* A size that makes room: half as much again as is in use, in whole units of at least a sixteenth of it. */
static uint64_t roomier(uint64_t used)
{
	uint64_t wanted = used + used / 2, unit = 1;

	while (unit < wanted / 16)
		unit *= 2;
	return (wanted / unit + 1) * unit;
}

static void add_remedy(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	uint64_t size = roomier(alert->used);

	if (alert->used == METRIC_NA)
		return;
	buf_add_string(out, "; make room: mount -o remount,");
	if (alert->by_inodes)
		buf_add_format(out, "nr_inodes=%" PRIu64, size);
	else if (size % GIB == 0)
		buf_add_format(out, "size=%" PRIu64 "G", size / GIB);
	else
		buf_add_format(out, "size=%" PRIu64 "M", (size + MIB - 1) / MIB);
	buf_add_string(out, " '");
	add_point(out, sample, alert);
	buf_add_byte(out, '\'');
}

static void add_held(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	if (alert->change == TICK_ALERT_CLEARED) {
		buf_add_string(out, "the build goes on");
		return;
	}
	buf_add_string(out, "the build is held: tmpfs ");
	add_point(out, sample, alert);
	if (is_share_known(alert)) {
		buf_add_string(out, " is ");
		add_share(out, alert);
		buf_add_string(out, " full");
		add_use(out, alert);
	}
	add_who(out, sample, alert);
	add_remedy(out, sample, alert);
	buf_add_string(out, "; it goes on by itself then, or by SIGCONT");
}

static void add_system(struct buf *out, const struct tick_alert *alert)
{
	char one[UNITS_SIZE], two[UNITS_SIZE];

	if (alert->subject == ALERT_STALL) {
		buf_add_format(out, "flushing has stalled the build for %s",
			       units_duration(one, alert->seconds_to_full));
	} else if (is_share_known(alert) && alert->subject == ALERT_MEMORY) {
		buf_add_format(out, "%s of memory are left, of %s",
			       units_bytes(one, alert->size - alert->used), units_bytes(two, alert->size));
	} else if (is_share_known(alert)) {
		buf_add_string(out, "dirty pages are at ");
		add_share(out, alert);
		buf_add_format(out, " of the threshold (%s of %s)", units_bytes(one, alert->used),
			       units_bytes(two, alert->size));
	} else {
		buf_add_string(out, alert->spec);
	}
}

void line_of(struct buf *out, const struct sample *sample, const struct tick_alert *alert)
{
	if (alert->subject == ALERT_HELD) {
		if (alert->change != TICK_ALERT_STANDS)
			add_held(out, sample, alert);
	} else if (alert->change != TICK_ALERT_RAISED) {
		return;
	} else if (alert->mount) {
		add_mount(out, sample, alert);
	} else {
		add_system(out, alert);
	}
}
