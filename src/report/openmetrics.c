/* SPDX-License-Identifier: MIT
 *
 * OpenMetrics text, to put a run into a Prometheus server's history (promtool tsdb create-blocks-from
 * openmetrics). All samples of a family must stand together, so values are kept as columns until the end: a
 * number a tick and series. Base units: bytes and seconds. Every series carries the run's id. What was not
 * measured is left out.
 */
#include "formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "field.h"
#include "number.h"
#include "words.h"

struct family {
	char name[64];	  /* without _total */
	const char *unit; /* "bytes", "seconds"; "": none */
	const char *help;
	bool counter;
	unsigned decimals;
};

struct series {
	size_t family;
	char *labels;	/* escaped, with a comma before; "" none */
	double *values; /* one a tick from the first on; NAN: not measured */
	size_t first, n, cap;
};

struct metrics {
	struct family *families;
	size_t n_families, cap_families;
	struct series *series;
	size_t n_series, cap_series;
	size_t hint; /* the series that is probably next */
	int64_t *wall_ns;
	size_t n_ticks, cap_ticks;
};

static size_t family_of(struct metrics *metrics, const char *name, const char *unit, const char *help,
			bool counter, unsigned decimals)
{
	for (size_t i = 0; i < metrics->n_families; i++) {
		if (strcmp(metrics->families[i].name, name) == 0)
			return i;
	}
	MEM_GROW(metrics->families, metrics->n_families, metrics->cap_families);
	struct family *family = &metrics->families[metrics->n_families];
	*family = (struct family){.unit = unit, .help = help, .counter = counter, .decimals = decimals};
	snprintf(family->name, sizeof family->name, "%s", name);
	return metrics->n_families++;
}

/* Series come in much the same order at each tick, so the search begins behind the last one found. */
static struct series *series_of(struct metrics *metrics, size_t family, const char *labels)
{
	for (size_t i = 0; i < metrics->n_series; i++) {
		size_t at = (metrics->hint + i) % metrics->n_series;
		struct series *series = &metrics->series[at];
		if (series->family == family && strcmp(series->labels, labels) == 0) {
			metrics->hint = at + 1;
			return series;
		}
	}
	MEM_GROW(metrics->series, metrics->n_series, metrics->cap_series);
	struct series *series = &metrics->series[metrics->n_series++];
	*series = (struct series){.family = family, .labels = mem_dup(labels), .first = metrics->n_ticks - 1};
	metrics->hint = 0;
	return series;
}

/* The value at the newest tick. */
static void put(struct metrics *metrics, size_t family, const char *labels, double value)
{
	if (!isfinite(value))
		return;
	struct series *series = series_of(metrics, family, labels);
	size_t at = metrics->n_ticks - 1 - series->first;
	while (series->n <= at) {
		MEM_GROW(series->values, series->n, series->cap);
		series->values[series->n++] = NAN;
	}
	series->values[at] = value;
}

/* Two places of one name are two rows, and no series may have two values at once. */
static void put_gauge(struct metrics *metrics, const char *name, const char *unit, const char *help,
		      const char *labels, double value)
{
	put(metrics, family_of(metrics, name, unit, help, false, strcmp(unit, "bytes") == 0 ? 0 : 3), labels,
	    value);
}

/* A metric of the list: its key in base units, under the scope's prefix. */
static void put_metric(struct metrics *metrics, const char *prefix, const struct metric *metric,
		       const char *labels, uint64_t value)
{
	static const struct {
		const char *suffix, *unit;
		double divisor;
		unsigned decimals;
	} units[] = {[METRIC_UNIT_BYTES] = {"_bytes", "bytes", 1, 0},
		     [METRIC_UNIT_MS] = {"_ms", "seconds", 1e3, 3},
		     [METRIC_UNIT_US] = {"_us", "seconds", 1e6, 6},
		     [METRIC_UNIT_COUNT] = {"", "", 1, 0}};
	size_t stem = strlen(metric->key) - strlen(units[metric->unit].suffix);
	char name[64];
	if (value == METRIC_NA)
		return;
	snprintf(name, sizeof name, "buildtop_%s%.*s%s%s", prefix, (int)stem, metric->key,
		 *units[metric->unit].unit != '\0' ? "_" : "", units[metric->unit].unit);
	put(metrics,
	    family_of(metrics, name, units[metric->unit].unit, metric->help,
		      metric->kind == METRIC_KIND_COUNTER, units[metric->unit].decimals),
	    labels, (double)value / units[metric->unit].divisor);
}

/* ,name="value" with what the format wants escaped. */
static void add_label(struct buf *out, const char *name, const char *bytes, size_t len)
{
	struct buf valid = {0};
	text_utf8_add(&valid, bytes, len, 1024);
	buf_add_format(out, ",%s=\"", name);
	for (size_t i = 0; i < valid.len; i++) {
		char byte = valid.data[i];
		if (byte == '\n') {
			buf_add_string(out, "\\n");
			continue;
		}
		if (byte == '\\' || byte == '"')
			buf_add_byte(out, '\\');
		buf_add_byte(out, byte == '\0' ? ' ' : (unsigned char)byte);
	}
	buf_add_byte(out, '"');
	buf_fini(&valid);
}

static void add_string_label(struct buf *out, const char *name, const struct sample *sample, uint32_t offset)
{
	size_t len;
	const char *bytes = sample_string(sample, offset, &len);
	add_label(out, name, bytes, len);
}

static void put_rows(struct metrics *metrics, const struct sample *sample)
{
	size_t count;
	struct buf labels = {0};
	const struct metric *table = metric_table(METRIC_SCOPE_MOUNT, &count);
	for (size_t i = 0; i < sample->n_mounts; i++) {
		buf_clear(&labels);
		add_string_label(&labels, "mount", sample, sample->mounts[i].point);
		add_string_label(&labels, "type", sample, sample->mounts[i].type);
		for (size_t m = 0; m < count; m++)
			put_metric(metrics, "mount_", &table[m], labels.data, sample->mounts[i].values[m]);
	}
	table = metric_table(METRIC_SCOPE_DISK, &count);
	for (size_t i = 0; i < sample->n_disks; i++) {
		buf_clear(&labels);
		add_string_label(&labels, "disk", sample, sample->disks[i].name);
		for (size_t m = 0; m < count; m++)
			put_metric(metrics, "disk_", &table[m], labels.data, sample->disks[i].values[m]);
	}
	buf_fini(&labels);
}

static void put_build(struct metrics *metrics, const struct tick *tick)
{
	put(metrics,
	    family_of(metrics, "buildtop_build_cpu_seconds", "seconds", "CPU time of the build", true, 3), "",
	    tick->build_cpu_s);
	put_gauge(metrics, "buildtop_build_rss_bytes", "bytes", "resident memory of the build's tasks", "",
		  tick->build_rss_bytes == METRIC_NA ? NAN : (double)tick->build_rss_bytes);
	put_gauge(metrics, "buildtop_build_tasks", "", "tasks of the build", "", tick->build_tasks);
	if (!(tick->interval_s > 0))
		return;
	put_gauge(metrics, "buildtop_stalled_share", "", "share of the build's task time that is stalled", "",
		  tick->share);
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		struct buf labels = {0};
		add_label(&labels, "class", cause_table[cause].key, strlen(cause_table[cause].key));
		put_gauge(metrics, "buildtop_task_time_seconds", "seconds",
			  "time of the build's tasks in the interval, by class", labels.data,
			  tick->cause_s[cause]);
		buf_fini(&labels);
	}
}

static void *metrics_begin(struct buf *out, const struct run *run)
{
	(void)out;
	(void)run;
	return mem_alloc(1, sizeof(struct metrics));
}

static void metrics_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	struct metrics *metrics = state;
	size_t count;
	const struct metric *table = metric_table(METRIC_SCOPE_SYSTEM, &count);
	(void)out;
	(void)run;
	/* no series may go back in time: a clock that was set back gives no samples until it is over */
	if (metrics->n_ticks > 0 && tick->sample->wall_ns <= metrics->wall_ns[metrics->n_ticks - 1])
		return;
	MEM_GROW(metrics->wall_ns, metrics->n_ticks, metrics->cap_ticks);
	metrics->wall_ns[metrics->n_ticks++] = tick->sample->wall_ns;
	metrics->hint = 0;
	for (size_t i = 0; i < count; i++)
		put_metric(metrics, "", &table[i], "", tick->sample->system[i]);
	put_build(metrics, tick);
	put_rows(metrics, tick->sample);
}

static void add_series(struct buf *out, const struct metrics *metrics, const struct series *series,
		       const char *name_label)
{
	const struct family *family = &metrics->families[series->family];
	for (size_t i = 0; i < series->n; i++) {
		if (isnan(series->values[i]))
			continue;
		buf_add_format(out, "%s%s{%s%s} ", family->name, family->counter ? "_total" : "", name_label,
			       series->labels);
		number_add(out, series->values[i], family->decimals);
		buf_add_byte(out, ' ');
		number_add(out, (double)(metrics->wall_ns[series->first + i] / NS_PER_MS) / 1e3, 3);
		buf_add_byte(out, '\n');
	}
}

static void add_family(struct buf *out, const struct metrics *metrics, size_t index, const char *name_label)
{
	const struct family *family = &metrics->families[index];
	buf_add_format(out, "# TYPE %s %s\n", family->name, family->counter ? "counter" : "gauge");
	if (*family->unit != '\0')
		buf_add_format(out, "# UNIT %s %s\n", family->name, family->unit);
	buf_add_format(out, "# HELP %s %s\n", family->name, family->help);
	for (size_t i = 0; i < metrics->n_series; i++) {
		if (metrics->series[i].family == index)
			add_series(out, metrics, &metrics->series[i], name_label);
	}
}

static void add_info(struct buf *out, const struct metrics *metrics, const struct run *run,
		     const char *name_label)
{
	struct buf labels = {0};
	struct {
		const char *name, *value;
	} told[] = {{"host", run->host},
		    {"kernel", run->kernel},
		    {"project", run_label(run, "project")},
		    {"variant", run_label(run, "variant")},
		    {"branch", run_label(run, "branch")}};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		if (told[i].value != NULL)
			add_label(&labels, told[i].name, told[i].value, strlen(told[i].value));
	}
	buf_add_format(
		out,
		"# TYPE buildtop_run gauge\n# HELP buildtop_run what the run was of\nbuildtop_run{%s%s} 1",
		name_label, labels.data != NULL ? labels.data : "");
	if (metrics->n_ticks > 0) {
		buf_add_byte(out, ' ');
		number_add(out, (double)(metrics->wall_ns[0] / NS_PER_MS) / 1e3, 3);
	}
	buf_add_byte(out, '\n');
	buf_fini(&labels);
}

static void metrics_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct metrics *metrics = state;
	struct buf name_label = {0};
	(void)end;
	add_label(&name_label, "run", run->id, strnlen(run->id, sizeof run->id));
	buf_drop_front(&name_label, 1); /* the comma */
	add_info(out, metrics, run, name_label.data);
	for (size_t i = 0; i < metrics->n_families; i++)
		add_family(out, metrics, i, name_label.data);
	buf_add_string(out, "# EOF\n");
	buf_fini(&name_label);
	for (size_t i = 0; i < metrics->n_series; i++) {
		free(metrics->series[i].labels);
		free(metrics->series[i].values);
	}
	free(metrics->series);
	free(metrics->families);
	free(metrics->wall_ns);
	free(metrics);
}

const struct report_format report_openmetrics = {
	.name = "openmetrics",
	.help = "OpenMetrics text, for a Prometheus server's history",
	.single = true,
	.begin = metrics_begin,
	.tick = metrics_tick,
	.end = metrics_end,
};
