/* SPDX-License-Identifier: MIT
 *
 * One row a tick, as RFC 4180 has it: CRLF, a header row, the unit in every name. What was not measured is an
 * empty field. The columns are a table, so that header and rows cannot differ; the machine's metrics follow
 * by the list of metrics. No field ever needs quoting: numbers, times and our own keys only.
 */
#include "formats.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "number.h"

static double column_elapsed(const struct run *run, const struct tick *tick)
{
	return (double)(tick->sample->mono_ns - run->start_mono_ns) / NS_PER_S;
}

/* A level or a rate of the base line is none: it has no interval. */
#define COLUMN(name, expression)                                                                             \
	static double column_##name(const struct run *run, const struct tick *tick)                          \
	{                                                                                                    \
		(void)run;                                                                                   \
		return tick->interval_s > 0 ? (double)(expression) : NAN;                                    \
	}

COLUMN(interval, tick->interval_s)
COLUMN(missed, tick->sample->missed)
COLUMN(stalled, tick->stalled)
COLUMN(share, tick->share)
COLUMN(build_cpus, tick->build_cpus)
COLUMN(build_tasks, tick->build_tasks)
COLUMN(build_write, tick->build_write_bytes == METRIC_NA ? NAN : (double)tick->build_write_bytes)
COLUMN(build_rss, tick->build_rss_bytes == METRIC_NA ? NAN : (double)tick->build_rss_bytes)
COLUMN(cpus_busy, tick->cpus_busy)
COLUMN(dirtied, tick->dirtied_bytes_per_s)
COLUMN(written, tick->written_bytes_per_s)
COLUMN(unknown, tick->unknown_s)

static double column_build_cpu(const struct run *run, const struct tick *tick)
{
	(void)run;
	return tick->build_cpu_s;
}

static const struct {
	const char *name;
	double (*value)(const struct run *run, const struct tick *tick);
	unsigned decimals;
} columns[] = {
	{"elapsed_seconds", column_elapsed, 3},
	{"interval_seconds", column_interval, 3},
	{"missed_ticks", column_missed, 0},
	{"stalled", column_stalled, 0},
	{"stalled_share", column_share, 3},
	{"build_cpu_seconds", column_build_cpu, 3},
	{"build_cpus", column_build_cpus, 3},
	{"build_tasks", column_build_tasks, 0},
	{"build_rss_bytes", column_build_rss, 0},
	{"build_write_bytes", column_build_write, 0},
	{"cpus_busy", column_cpus_busy, 3},
	{"dirtied_bytes_per_second", column_dirtied, 0},
	{"written_bytes_per_second", column_written, 0},
	{"unseen_seconds", column_unknown, 3},
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

static void *csv_begin(struct buf *out, const struct run *run)
{
	(void)run;
	buf_add_string(out, "time,");
	for (size_t i = 0; i < N_COLUMNS; i++)
		buf_add_format(out, "%s,", columns[i].name);
	buf_add_string(out, "cause");
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		buf_add_format(out, ",%s_task_seconds", cause_table[cause].key);
	size_t count;
	const struct metric *metrics = metric_table(METRIC_SCOPE_SYSTEM, &count);
	for (size_t i = 0; i < count; i++)
		buf_add_format(out, ",%s", metrics[i].key);
	buf_add_string(out, "\r\n");
	return NULL;
}

static void csv_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	(void)state;
	char utc[CLOCK_UTC_SIZE];
	buf_add_format(out, "%s,", clock_utc(utc, sizeof utc, tick->sample->wall_ns));
	for (size_t i = 0; i < N_COLUMNS; i++) {
		number_add(out, columns[i].value(run, tick), columns[i].decimals);
		buf_add_byte(out, ',');
	}
	if (tick->brief.cause < CAUSE_COUNT)
		buf_add_string(out, cause_table[tick->brief.cause].key);
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		buf_add_byte(out, ',');
		number_add(out, tick->interval_s > 0 ? tick->cause_s[cause] : NAN, 3);
	}
	for (size_t i = 0; i < METRIC_SYSTEM_COUNT; i++) {
		buf_add_byte(out, ',');
		if (tick->sample->system[i] != METRIC_NA)
			buf_add_format(out, "%" PRIu64, tick->sample->system[i]);
	}
	buf_add_string(out, "\r\n");
}

const struct report_format report_csv = {
	.name = "csv",
	.help = "one row a tick (RFC 4180), for spreadsheets and gnuplot; other tables by --rows",
	.rows = "ticks",
	.begin = csv_begin,
	.tick = csv_tick,
};
