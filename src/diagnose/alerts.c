/* SPDX-License-Identifier: MIT
 *
 * An episode begins when a condition holds, and ends when it is over by a margin (and, where figures jump,
 * has been so for a while); in between nothing is raised again, so there is no flood. What is said of a mount
 * comes from its supplies of bytes and inodes. A text that does not parse (a recording of a later program) is
 * passed over.
 */
#include "alerts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define SHARE_MARGIN   0.03
#define USED_MARGIN    0.97
#define LEFT_MARGIN    1.10
#define SECONDS_MARGIN 1.50
#define DIRTY_MARGIN   0.80
#define QUIET_NS       (10 * NS_PER_S)
#define FORGET_NS      (60 * NS_PER_S)
#define GROWN_MIN      0.01 /* of its size: less is no filling */
#define NEARLY_FULL    0.90 /* from here on a forecast adds nothing to the alert about the level */
#define HELD_TEXT      "pause-on-full"

/* What a condition says now. */
struct finding {
	bool over;  /* it holds */
	bool clear; /* it is over by the margin */
	int64_t quiet_ns;
};

static void add_spec(struct alerts *alerts, const char *text)
{
	alerts->specs = mem_resize(alerts->specs, alerts->n_specs + 1, sizeof *alerts->specs);
	if (alert_spec_parse(&alerts->specs[alerts->n_specs], text, NULL) == 0)
		alerts->n_specs++;
}

static void add_held_spec(struct alerts *alerts)
{
	alerts->specs = mem_resize(alerts->specs, alerts->n_specs + 1, sizeof *alerts->specs);
	alerts->specs[alerts->n_specs++] =
		(struct alert_spec){.text = mem_dup(HELD_TEXT), .subject = ALERT_HELD, .above = true};
}

void alerts_init(struct alerts *alerts, const struct run *run)
{
	*alerts = (struct alerts){0};
	for (size_t i = 0; i < run->n_alerts; i++)
		add_spec(alerts, run->alerts[i]);
	for (size_t i = 0; run->n_alerts == 0 && alert_defaults[i]; i++)
		add_spec(alerts, alert_defaults[i]);
	add_held_spec(alerts);
}

void alerts_copy(struct alerts *to, const struct alerts *from)
{
	*to = (struct alerts){.raised = from->raised, .n_open = from->n_open, .cap_open = from->n_open};
	for (size_t i = 0; i + 1 < from->n_specs; i++)
		add_spec(to, from->specs[i].text);
	add_held_spec(to);
	to->open = mem_alloc(from->n_open + 1, sizeof *to->open);
	if (from->n_open)
		memcpy(to->open, from->open, from->n_open * sizeof *to->open);
}

void alerts_fini(struct alerts *alerts)
{
	for (size_t i = 0; i < alerts->n_specs; i++)
		alert_spec_fini(&alerts->specs[i]);
	free(alerts->specs);
	free(alerts->open);
}

static struct episode_open *find_open(struct alerts *alerts, size_t spec, uint64_t about)
{
	for (size_t i = 0; i < alerts->n_open; i++)
		if (alerts->open[i].spec == spec && alerts->open[i].about == about)
			return &alerts->open[i];
	return NULL;
}

static struct tick_alert *say(const struct alerts *alerts, const struct episode_open *episode,
			      enum tick_alert_change change, struct tick *tick)
{
	const struct alert_spec *spec = &alerts->specs[episode->spec];
	struct tick_alert *alert = tick_add_alert(tick, spec->text);

	alert->subject = spec->subject;
	alert->measure = spec->measure;
	alert->above = spec->above;
	alert->change = change;
	alert->number = episode->number;
	return alert;
}

/* Moves the episode on; the alert to be filled in, or NULL: there is nothing to tell. */
static struct tick_alert *judge(struct alerts *alerts, size_t spec, uint64_t about, struct finding finding,
				const struct sample *sample, struct tick *tick)
{
	struct episode_open *episode = find_open(alerts, spec, about);
	struct tick_alert *alert;

	if (!episode) {
		if (!finding.over)
			return NULL;
		MEM_GROW(alerts->open, alerts->n_open, alerts->cap_open);
		episode = &alerts->open[alerts->n_open++];
		*episode = (struct episode_open){.spec = spec,
						 .about = about,
						 .number = ++alerts->raised,
						 .judged_ns = sample->mono_ns};
		return say(alerts, episode, TICK_ALERT_RAISED, tick);
	}
	episode->judged_ns = sample->mono_ns;
	if (!finding.clear)
		episode->quiet_ns = 0;
	else if (!episode->quiet_ns)
		episode->quiet_ns = sample->mono_ns;
	if (!finding.clear || sample->mono_ns - episode->quiet_ns < finding.quiet_ns)
		return say(alerts, episode, TICK_ALERT_STANDS, tick);
	alert = say(alerts, episode, TICK_ALERT_CLEARED, tick);
	*episode = alerts->open[--alerts->n_open];
	return alert;
}

static bool contains(const char *directory, const char *path)
{
	size_t len = strlen(directory);

	if (len && directory[len - 1] == '/')
		len--;
	return !strncmp(path, directory, len) && (!path[len] || path[len] == '/');
}

/* Row i is what the path lies on: no other row's mount point is nearer to it. */
static bool is_mount_of(const struct sample *sample, size_t i, const char *path)
{
	const char *point = sample_string(sample, sample->mounts[i].point, NULL);

	if (!contains(point, path))
		return false;
	for (size_t m = 0; m < sample->n_mounts; m++) {
		const char *other = sample_string(sample, sample->mounts[m].point, NULL);

		if (m != i && contains(other, path) && strlen(other) > strlen(point))
			return false;
	}
	return true;
}

static bool is_about(const struct alert_spec *spec, const struct sample *sample, size_t i)
{
	bool tmpfs = sample->mounts[i].flags & MOUNT_TMPFS;

	if (spec->subject == ALERT_DISK)
		return !tmpfs && is_mount_of(sample, i, spec->path);
	if (spec->subject != ALERT_TMPFS && spec->subject != ALERT_INODES)
		return false;
	return tmpfs && (!spec->path || is_mount_of(sample, i, spec->path));
}

static struct finding find_above(double value, double limit, double clear)
{
	return (struct finding){.over = value >= limit, .clear = !(value >= clear)};
}

static struct finding find_below(double value, double limit, double clear)
{
	return (struct finding){.over = value < limit, .clear = !(value < clear)};
}

static struct finding find_level(const struct alert_spec *spec, const struct supply *supply)
{
	if (spec->measure == ALERT_SHARE)
		return spec->above ? find_above(supply->fill, spec->limit, spec->limit - SHARE_MARGIN)
				   : find_below(1 - supply->fill, spec->limit, spec->limit + SHARE_MARGIN);
	return spec->above ? find_above(supply->used, spec->limit, spec->limit * USED_MARGIN)
			   : find_below(supply->left, spec->limit, spec->limit * LEFT_MARGIN);
}

static struct finding find_filling(const struct alert_spec *spec, const struct supply *supply)
{
	bool grows = supply->grown > GROWN_MIN && supply->at_peak && supply->rising;
	bool soon = supply->seconds_to_full <= spec->limit;

	return (struct finding){.over = soon && grows && !isnan(supply->size),
				.clear = !(supply->seconds_to_full <= spec->limit * SECONDS_MARGIN)};
}

/* What was full before the build is no news: an episode begins, or gets worse, while we watch. Who names a
 * path wants to hear of it in any case. */
static bool is_news(const struct alert_spec *spec, const struct mount_row *row, const struct supply *supply)
{
	if (row->flags & (MOUNT_GONE | MOUNT_READONLY))
		return false;
	return spec->path || isnan(supply->grown_ever) || supply->grown_ever > GROWN_MIN;
}

/* Of the two supplies, the one the spec is about: the worse one. */
static bool by_inodes(const struct alert_spec *spec, const struct supply *bytes, const struct supply *inodes)
{
	if (spec->subject == ALERT_INODES)
		return true;
	if (spec->measure == ALERT_BYTES)
		return false;
	if (spec->measure == ALERT_SECONDS)
		return inodes->seconds_to_full < bytes->seconds_to_full;
	return isnan(bytes->fill) ? !isnan(inodes->fill) : inodes->fill > bytes->fill;
}

static uint64_t amount(double value)
{
	return isfinite(value) && value >= 0 ? (uint64_t)value : METRIC_NA;
}

static void fill_alert(struct tick_alert *alert, const struct mount_row *row, const struct tick_mount *mount,
		       const struct supply *supply, bool inodes)
{
	alert->mount = row->point;
	alert->writers = row->writers;
	alert->largest = row->largest;
	alert->by_inodes = inodes;
	alert->used = amount(supply->used);
	alert->size = amount(supply->size);
	alert->room_by = inodes ? TICK_ROOM_MOUNT : mount->room_by;
	alert->seconds_to_full = isfinite(supply->seconds_to_full) ? supply->seconds_to_full : NAN;
	alert->growth_bytes_per_s = mount->growth_bytes_per_s;
}

/* The alert in one word, for whoever wants no more. */
static void set_alarm(struct tick_mount *mount, const struct tick_alert *alert)
{
	enum tick_alarm alarm = alert->measure == ALERT_SECONDS ? TICK_ALARM_FILLING : TICK_ALARM_NEARLY_FULL;

	if (alert->change == TICK_ALERT_CLEARED)
		return;
	mount->alarm_new |= alert->change == TICK_ALERT_RAISED;
	if (alarm > mount->alarm) {
		mount->alarm = alarm;
		mount->by_inodes = alert->by_inodes;
	}
}

void alerts_mount(struct alerts *alerts, const struct sample *sample, size_t i, const struct supply *bytes,
		  const struct supply *inodes, struct tick *tick)
{
	const struct mount_row *row = &sample->mounts[i];
	struct tick_mount *mount = &tick->mounts[i];
	bool gone = row->flags & MOUNT_GONE, told_full = false;

	/* Levels first: they make forecasts needless. */
	for (int forecasts = 0; forecasts <= 1; forecasts++)
		for (size_t s = 0; s < alerts->n_specs; s++) {
			const struct alert_spec *spec = &alerts->specs[s];
			bool of_inodes = by_inodes(spec, bytes, inodes);
			const struct supply *supply = of_inodes ? inodes : bytes;
			struct finding finding;
			struct tick_alert *alert;

			if ((spec->measure == ALERT_SECONDS) != forecasts || !is_about(spec, sample, i))
				continue;
			finding = forecasts ? find_filling(spec, supply) : find_level(spec, supply);
			finding.over &= is_news(spec, row, supply) && !(forecasts && told_full);
			finding.clear = gone || (finding.clear && !(forecasts && told_full));
			alert = judge(alerts, s, row->device, finding, sample, tick);
			if (!alert)
				continue;
			fill_alert(alert, row, mount, supply, of_inodes);
			told_full |= alert->change != TICK_ALERT_CLEARED &&
				     fmax(bytes->fill, inodes->fill) >= NEARLY_FULL - SHARE_MARGIN;
			if (row->flags & MOUNT_TMPFS)
				set_alarm(mount, alert);
		}
}

static double known(uint64_t value)
{
	return value == METRIC_NA ? NAN : (double)value;
}

static void judge_memory(struct alerts *alerts, size_t s, const struct sample *sample, struct tick *tick)
{
	const struct alert_spec *spec = &alerts->specs[s];
	uint64_t total = sample->system[METRIC_SYSTEM_MEM_TOTAL_BYTES];
	uint64_t left = sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES];
	double limit = spec->measure == ALERT_SHARE ? spec->limit * known(total) : spec->limit;
	struct finding finding = find_below(known(left), limit, limit * LEFT_MARGIN);
	struct tick_alert *alert;

	finding.quiet_ns = QUIET_NS;
	alert = judge(alerts, s, 0, finding, sample, tick);
	if (alert) {
		alert->used = metric_delta(total, left);
		alert->size = total;
	}
}

static void judge_dirty(struct alerts *alerts, size_t s, const struct sample *sample, struct tick *tick)
{
	const struct alert_spec *spec = &alerts->specs[s];
	uint64_t threshold = sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES];
	double dirty = known(sample->system[METRIC_SYSTEM_DIRTY_BYTES]) +
		       known(sample->system[METRIC_SYSTEM_WRITEBACK_BYTES]);
	double limit = spec->measure == ALERT_SHARE ? spec->limit * known(threshold) : spec->limit;
	struct finding finding = find_above(dirty, limit, limit * DIRTY_MARGIN);
	struct tick_alert *alert;

	finding.quiet_ns = QUIET_NS;
	alert = judge(alerts, s, 0, finding, sample, tick);
	if (alert) {
		alert->used = amount(dirty);
		alert->size = threshold;
	}
}

static bool is_flush(const struct stall *stall)
{
	return stall->cause < CAUSE_COUNT && cause_table[stall->cause].stall == CAUSE_STALL_FLUSH;
}

/* Each stall is an episode of its own: raised when it has become long, cleared when it ends. */
static void judge_stall(struct alerts *alerts, size_t s, const struct stall *stall, bool ended,
			const struct sample *sample, struct tick *tick)
{
	double limit = alerts->specs[s].limit, length = stall_seconds(stall);
	struct finding finding = {.over = is_flush(stall) && length >= limit, .clear = ended};
	struct tick_alert *alert = judge(alerts, s, stall->number, finding, sample, tick);

	if (alert)
		alert->seconds_to_full = length;
	if (alert && ended && alert->change == TICK_ALERT_RAISED) /* it was over before it was told */
		alerts->n_open--;
}

static void judge_stalls(struct alerts *alerts, size_t s, const struct sample *sample, struct tick *tick)
{
	for (size_t i = 0; i < tick->n_closed; i++)
		judge_stall(alerts, s, &tick->closed[i], true, sample, tick);
	if (tick->stalled)
		judge_stall(alerts, s, &tick->stall, false, sample, tick);
}

/* The fullest tmpfs is the one it is held for. */
static void judge_held(struct alerts *alerts, size_t s, const struct sample *sample, struct tick *tick)
{
	bool held = sample->flags & SAMPLE_HELD;
	struct tick_alert *alert = judge(alerts, s, 0, (struct finding){held, !held, 0}, sample, tick);
	double fullest = -1;

	for (size_t i = 0; alert && i < sample->n_mounts; i++) {
		const struct mount_row *row = &sample->mounts[i];
		double bytes = tick->mounts[i].used, inodes = tick->mounts[i].inodes_used;
		bool of_inodes = isnan(bytes) || inodes > bytes;

		if (!(row->flags & MOUNT_TMPFS) || row->flags & MOUNT_GONE ||
		    !(fmax(bytes, inodes) > fullest))
			continue;
		fullest = fmax(bytes, inodes);
		alert->mount = row->point;
		alert->writers = row->writers;
		alert->largest = row->largest;
		alert->by_inodes = of_inodes;
		alert->used = row->values[of_inodes ? METRIC_MOUNT_INODES_USED : METRIC_MOUNT_USED_BYTES];
		alert->size = row->values[of_inodes ? METRIC_MOUNT_INODES : METRIC_MOUNT_SIZE_BYTES];
	}
}

void alerts_step(struct alerts *alerts, const struct sample *sample, struct tick *tick)
{
	for (size_t s = 0; s < alerts->n_specs; s++)
		switch (alerts->specs[s].subject) {
		case ALERT_MEMORY:
			judge_memory(alerts, s, sample, tick);
			break;
		case ALERT_DIRTY:
			judge_dirty(alerts, s, sample, tick);
			break;
		case ALERT_STALL:
			judge_stalls(alerts, s, sample, tick);
			break;
		case ALERT_HELD:
			judge_held(alerts, s, sample, tick);
			break;
		default:
			break; /* about mounts: done */
		}
	for (size_t i = alerts->n_open; i-- > 0;) /* what it was about is no longer seen */
		if (sample->mono_ns - alerts->open[i].judged_ns > FORGET_NS)
			alerts->open[i] = alerts->open[--alerts->n_open];
}
