/* SPDX-License-Identifier: MIT
 *
 * Line by line, by hand: what Python wrote with str(), so numbers may have exponents and lines trailing
 * blanks. Knows neither files nor samples. No state. Any thread.
 */
#include "bitbake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/metric.h"

#define STAMP_MAX_S INT64_C(8000000000) /* the year 2223: fits as nanoseconds */
#define SPENT_MAX_S 1e6			/* of a task; more is no time */

struct line {
	const char *text, *end;
};

static bool line_next(struct line *line, const char *text, size_t len, size_t *at)
{
	if (*at >= len)
		return false;
	const char *newline = memchr(text + *at, '\n', len - *at);
	line->text = text + *at;
	line->end = newline != NULL ? newline : text + len;
	*at = (size_t)(line->end - text) + (newline != NULL);
	while (line->end > line->text && (line->end[-1] == ' ' || line->end[-1] == '\r'))
		line->end--;
	return true;
}

static void skip_blanks(struct line *line)
{
	while (line->text < line->end && (*line->text == ' ' || *line->text == '\t'))
		line->text++;
}

static bool is_digit(const struct line *line)
{
	return line->text < line->end && *line->text >= '0' && *line->text <= '9';
}

/* A plain number without a sign, perhaps with an exponent, whatever the locale. */
static bool number_take(struct line *line, double *value)
{
	skip_blanks(line);
	if (!is_digit(line))
		return false;
	double number = 0, unit = 1;
	int exponent = 0, sign = 1;
	for (; is_digit(line); line->text++)
		number = 10 * number + (*line->text - '0');
	if (line->text < line->end && *line->text == '.') {
		line->text++;
		for (; is_digit(line); line->text++)
			number += (*line->text - '0') * (unit /= 10);
	}
	if (line->text < line->end && (*line->text == 'e' || *line->text == 'E')) {
		line->text++;
		if (line->text < line->end && (*line->text == '-' || *line->text == '+'))
			sign = *line->text++ == '-' ? -1 : 1;
		for (; is_digit(line) && exponent < 1000; line->text++)
			exponent = 10 * exponent + (*line->text - '0');
	}
	*value = number * pow(10, sign * exponent);
	return isfinite(*value);
}

/* Seconds with a fraction, as nanoseconds, exactly; -1: no time. */
static int64_t time_take(struct line *line)
{
	int64_t seconds = 0, ns = 0, unit = NS_PER_S;
	skip_blanks(line);
	if (!is_digit(line))
		return -1;
	for (; is_digit(line); line->text++) {
		if (seconds > STAMP_MAX_S)
			return -1;
		seconds = 10 * seconds + (*line->text - '0');
	}
	if (line->text < line->end && *line->text == '.')
		for (line->text++; is_digit(line); line->text++)
			ns += (*line->text - '0') * (unit /= 10);
	return seconds > STAMP_MAX_S ? -1 : seconds * NS_PER_S + ns;
}

static uint64_t count_take(struct line *line)
{
	double value;
	return number_take(line, &value) && value < 0x1p53 ? (uint64_t)value : METRIC_NA;
}

/* Digits only: the stamp of what follows. */
static bool stamp_take(struct line line, int64_t *stamp_s)
{
	int64_t seconds = 0;
	if (line.text == line.end)
		return false;
	for (; is_digit(&line); line.text++) {
		if (seconds > STAMP_MAX_S)
			return false;
		seconds = 10 * seconds + (*line.text - '0');
	}
	if (line.text != line.end || seconds > STAMP_MAX_S)
		return false;
	*stamp_s = seconds;
	return true;
}

static bool key_take(struct line *line, const char *key)
{
	size_t len = strlen(key);
	if ((size_t)(line->end - line->text) < len || memcmp(line->text, key, len) != 0)
		return false;
	line->text += len;
	return true;
}

/* Logs */

void bitbake_log_fini(struct bitbake_log *log)
{
	free(log->rows);
	*log = (struct bitbake_log){0};
}

void bitbake_log_parse(struct bitbake_log *log, const char *text, size_t len, size_t columns)
{
	struct line line;
	struct bitbake_row row = {.stamp_s = -1};
	for (size_t at = 0; line_next(&line, text, len, &at);) {
		if (stamp_take(line, &row.stamp_s) || row.stamp_s < 0)
			continue;
		size_t n = 0;
		while (n < BITBAKE_COLUMNS && number_take(&line, &row.values[n]))
			n++;
		bool later = log->n == 0 || row.stamp_s >= log->rows[log->n - 1].stamp_s;
		if (n >= columns && later && log->n < BITBAKE_ROWS_MAX) {
			for (; n < BITBAKE_COLUMNS; n++)
				row.values[n] = NAN;
			MEM_GROW(log->rows, log->n, log->cap);
			log->rows[log->n++] = row;
		}
		row.stamp_s = -1;
	}
}

void bitbake_disks_fini(struct bitbake_disks *disks)
{
	for (size_t i = 0; i < disks->n_names; i++)
		free(disks->names[i]);
	free(disks->names);
	free(disks->rows);
	*disks = (struct bitbake_disks){0};
}

static size_t disk_of(struct bitbake_disks *disks, const char *name, size_t len)
{
	for (size_t i = 0; i < disks->n_names; i++) {
		if (strlen(disks->names[i]) == len && memcmp(disks->names[i], name, len) == 0)
			return i;
	}
	if (disks->n_names == 64)
		return SIZE_MAX;
	MEM_GROW(disks->names, disks->n_names, disks->cap_names);
	disks->names[disks->n_names] = mem_dup_n(name, len);
	return disks->n_names++;
}

void bitbake_disks_parse(struct bitbake_disks *disks, const char *text, size_t len)
{
	struct line line;
	int64_t stamp_s = -1;
	for (size_t at = 0; line_next(&line, text, len, &at);) {
		if (stamp_take(line, &stamp_s) || stamp_s < 0)
			continue;
		const char *name = line.text, *colon = memrchr(name, ':', (size_t)(line.end - name));
		if (colon == NULL || colon == name || colon - name > 255 ||
		    memchr(name, '\0', (size_t)(colon - name)) != NULL)
			continue;
		line.text = colon + 1;
		uint64_t bytes = count_take(&line);
		size_t disk = bytes == METRIC_NA ? SIZE_MAX : disk_of(disks, name, (size_t)(colon - name));
		if (disk == SIZE_MAX || disks->n == BITBAKE_ROWS_MAX ||
		    (disks->n > 0 && stamp_s < disks->rows[disks->n - 1].stamp_s))
			continue;
		MEM_GROW(disks->rows, disks->n, disks->cap);
		disks->rows[disks->n++] = (struct bitbake_used){stamp_s, disk, bytes};
	}
}

unsigned bitbake_stat_ticks(const double shares[3])
{
	double ticks = 1;
	for (int i = 0; i < 3; i++) {
		/* the denominator, by continued fractions */
		double rest = shares[i] * ticks, below = 0, denominator = 1;
		if (!(rest >= 0))
			return 1;
		for (int step = 0; step < 24; step++) {
			double value = shares[i] * ticks * denominator;
			if (fabs(value - round(value)) < 1e-8) /* 1 over the next one, if it were not it */
				break;
			rest = 1 / (rest - floor(rest));
			double next = floor(rest) * denominator + below;
			below = denominator;
			denominator = next;
		}
		ticks *= denominator;
		if (!(ticks < 1e6))
			return 1;
	}
	return (unsigned)ticks;
}

/* Tasks */

static void add_seconds(double *sum, struct line *line)
{
	double value;
	if (number_take(line, &value) && value < SPENT_MAX_S)
		*sum = isnan(*sum) ? value : *sum + value;
}

struct task_words {
	double user_ticks, system_ticks; /* where there is no rusage: hundredths of a second */
};

static void task_line(struct bitbake_task *task, struct task_words *words, struct line *line)
{
	if (key_take(line, "rusage ru_utime:") || key_take(line, "Child rusage ru_utime:")) {
		add_seconds(&task->user_s, line);
	} else if (key_take(line, "rusage ru_stime:") || key_take(line, "Child rusage ru_stime:")) {
		add_seconds(&task->system_s, line);
	} else if (key_take(line, "rusage ru_maxrss:") || key_take(line, "Child rusage ru_maxrss:")) {
		uint64_t kib = count_take(line);
		if (kib != METRIC_NA && kib < UINT64_C(1) << 40 &&
		    (task->max_rss_bytes == METRIC_NA || kib * 1024 > task->max_rss_bytes))
			task->max_rss_bytes = kib * 1024;
	} else if (key_take(line, "utime:") || key_take(line, "cutime:")) {
		add_seconds(&words->user_ticks, line);
	} else if (key_take(line, "stime:") || key_take(line, "cstime:")) {
		add_seconds(&words->system_ticks, line);
	} else if (key_take(line, "IO read_bytes:")) {
		task->read_bytes = count_take(line);
	} else if (key_take(line, "IO write_bytes:")) {
		task->write_bytes = count_take(line);
	} else if (key_take(line, "IO cancelled_write_bytes:")) {
		task->cancelled_bytes = count_take(line);
	} else if (key_take(line, "Status:")) {
		skip_blanks(line);
		task->failed = !key_take(line, "PASSED");
	} else if (key_take(line, "Ended:")) {
		task->end_ns = time_take(line);
	}
}

bool bitbake_task_parse(struct bitbake_task *task, const char *text, size_t len, size_t *at)
{
	*task = (struct bitbake_task){.start_ns = -1,
				      .end_ns = -1,
				      .user_s = NAN,
				      .system_s = NAN,
				      .max_rss_bytes = METRIC_NA,
				      .read_bytes = METRIC_NA,
				      .write_bytes = METRIC_NA,
				      .cancelled_bytes = METRIC_NA};
	struct task_words words = {NAN, NAN};
	struct line line;
	for (size_t here = *at; line_next(&line, text, len, &here); *at = here) {
		if (key_take(&line, "Started:")) {
			if (task->start_ns >= 0)
				break; /* the next one; this has no end */
			task->start_ns = time_take(&line);
		} else if (task->start_ns >= 0) {
			task_line(task, &words, &line);
		}
		if (task->end_ns >= 0) {
			*at = here;
			break;
		}
	}
	if (task->end_ns < task->start_ns)
		task->end_ns = task->end_ns < 0 ? -1 : task->start_ns;
	if (isnan(task->user_s) && isnan(task->system_s)) {
		task->user_s = words.user_ticks / 100;
		task->system_s = words.system_ticks / 100;
	}
	return task->start_ns >= 0;
}

/* Head */

/* A word of at most size - 1 bytes. */
static void word_take(struct line *line, char *out, size_t size)
{
	size_t n = 0;
	skip_blanks(line);
	for (; line->text < line->end && *line->text != ' '; line->text++) {
		if (n < size - 1 && *line->text != '\0')
			out[n++] = *line->text;
	}
	out[n] = '\0';
}

void bitbake_head_parse(struct bitbake_head *head, const char *text, size_t len)
{
	*head = (struct bitbake_head){.start_ns = -1, .elapsed_s = NAN};
	struct line line;
	for (size_t at = 0; line_next(&line, text, len, &at);) {
		if (key_take(&line, "Host Info:")) { /* Linux HOST RELEASE VERSION… MACHINE PROCESSOR */
			char system[65];
			word_take(&line, system, sizeof system);
			word_take(&line, head->host, sizeof head->host);
			word_take(&line, head->kernel, sizeof head->kernel);
			const char *last = memrchr(line.text, ' ', (size_t)(line.end - line.text));
			line.text = last != NULL ? last : line.end;
			word_take(&line, head->machine, sizeof head->machine);
		} else if (key_take(&line, "Build Started:")) {
			head->start_ns = time_take(&line);
		} else if (key_take(&line, "Elapsed time:")) {
			double elapsed_s;
			if (number_take(&line, &elapsed_s))
				head->elapsed_s = elapsed_s;
		}
	}
}
