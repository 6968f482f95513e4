/* SPDX-License-Identifier: MIT
 *
 * Knows who is told of an alert: a person without a screen gets a line, a command gets run. Nothing here
 * waits for either. Called inline on the main thread.
 */
#include "alert/alert.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "line.h"
#include "runner.h"

#define FINISH_NS (5 * NS_PER_S)

struct alert {
	bool lines;
	struct runner *runner; /* NULL: no command */
};

static void say_line(const struct sample *sample, const struct tick_alert *alert)
{
	struct buf line = {0};

	line_of(&line, sample, alert);
	if (line.len > 0)
		log_say("%s", line.data);
	buf_fini(&line);
}

/* Unknown ones are there and empty: what is in our own environment under that name must not be taken for it.
 */
static void add_count(struct buf *out, const char *name, uint64_t value)
{
	buf_add_format(out, "%s=", name);
	if (value != METRIC_NA)
		buf_add_format(out, "%" PRIu64, value);
	buf_add_byte(out, 0);
}

static void run_command(struct alert *self, const struct sample *sample, const struct tick_alert *alert)
{
	struct buf environment = {0};
	uint64_t seconds = METRIC_NA;
	int error;

	if (alert->subject != ALERT_STALL && isfinite(alert->seconds_to_full))
		seconds = (uint64_t)(alert->seconds_to_full + 0.5);
	buf_add_format(&environment, "BUILDTOP_ALERT=%s", alert->spec);
	buf_add_byte(&environment, 0);
	buf_add_format(&environment, "BUILDTOP_MOUNT=%s", sample_string(sample, alert->mount, NULL));
	buf_add_byte(&environment, 0);
	add_count(&environment, alert->by_inodes ? "BUILDTOP_USED_INODES" : "BUILDTOP_USED_BYTES",
		  alert->used);
	add_count(&environment, alert->by_inodes ? "BUILDTOP_SIZE_INODES" : "BUILDTOP_SIZE_BYTES",
		  alert->size);
	add_count(&environment, "BUILDTOP_SECONDS_TO_FULL", seconds);
	error = runner_start(self->runner, &environment);
	if (error < 0)
		log_say("--on-alert: the command was not run for %s: %s", alert->spec, strerror(-error));
	buf_fini(&environment);
}

static void say_failures(struct alert *alert)
{
	char text[128];

	while (alert->runner && runner_failed(alert->runner, text, sizeof text))
		log_say("--on-alert: the command %s", text);
}

static void alert_tick(void *self, const struct tick *tick, uint64_t dropped)
{
	struct alert *alert = self;

	(void)dropped;
	for (size_t i = 0; i < tick->n_alerts; i++) {
		const struct tick_alert *told = &tick->alerts[i];

		/* The screen shows alerts by itself, but not how to make room. */
		if (alert->lines || told->subject == ALERT_HELD)
			say_line(tick->sample, told);
		if (alert->runner && told->change == TICK_ALERT_RAISED)
			run_command(alert, tick->sample, told);
	}
	say_failures(alert);
}

int alert_open(struct alert **out, const struct alert_options *options, struct why *why)
{
	struct alert *alert = mem_alloc(1, sizeof *alert);
	int error = 0;

	if (options->command)
		error = runner_open(&alert->runner, options->command, options->quiet, why);
	if (error < 0)
		free(alert);
	else
		*out = alert;
	return error;
}

pid_t alert_helper(const struct alert *alert)
{
	return alert->runner ? runner_pid(alert->runner) : 0;
}

void alert_finish(struct alert *alert)
{
	int64_t until_ns = clock_mono_ns() + FINISH_NS;

	say_failures(alert);
	while (alert->runner && runner_busy(alert->runner) && clock_mono_ns() < until_ns) {
		runner_wait(alert->runner, 100);
		say_failures(alert);
	}
}

void alert_close(struct alert *alert)
{
	if (!alert)
		return;
	runner_close(alert->runner);
	free(alert);
}

struct consumer alert_consumer(struct alert *alert, bool lines)
{
	alert->lines = lines;
	return (struct consumer){.name = "alert", .self = alert, .tick = alert_tick};
}
