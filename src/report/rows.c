/* SPDX-License-Identifier: MIT
 *
 * The other tables of csv (RFC 4180): a row a task of the build, a row a stall, a row a mount at each tick.
 * Foreign bytes are cleaned, then quoted. A spreadsheet takes a field that begins with = + - or @ for a
 * formula, so a foreign one gets a blank before it. What was not measured is an empty field.
 */
#include "formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "lives.h"
#include "number.h"
#include "words.h"

static void add_count(struct buf *out, uint64_t value)
{
	buf_add_byte(out, ',');
	if (value != METRIC_NA)
		buf_add_format(out, "%" PRIu64, value);
}

static void add_real(struct buf *out, double value)
{
	buf_add_byte(out, ',');
	number_add(out, value, 3);
}

/* Clean text as a quoted field. */
static void add_quoted(struct buf *out, const struct buf *clean)
{
	buf_add_string(out, ",\"");
	if (clean->len > 0 && strchr("=+-@", clean->data[0]) != NULL)
		buf_add_byte(out, ' ');
	for (size_t i = 0; i < clean->len; i++) {
		if (clean->data[i] == '"')
			buf_add_byte(out, '"');
		buf_add_byte(out, (unsigned char)clean->data[i]);
	}
	buf_add_byte(out, '"');
}

/* Words joined by NUL bytes, with blanks between them. */
static void add_foreign(struct buf *out, const char *bytes, size_t len)
{
	struct buf words = {0}, clean = {0};
	while (len > 0 && bytes[len - 1] == '\0')
		len--;
	for (size_t i = 0; i < len; i++)
		buf_add_byte(&words, bytes[i] == '\0' ? ' ' : (unsigned char)bytes[i]);
	if (words.len > 0)
		text_clean_add(&clean, words.data, words.len);
	add_quoted(out, &clean);
	buf_fini(&words);
	buf_fini(&clean);
}

static void add_time(struct buf *out, const struct run *run, int64_t mono_ns)
{
	char utc[CLOCK_UTC_SIZE];
	buf_add_string(out, clock_utc(utc, sizeof utc, run->start_wall_ns + (mono_ns - run->start_mono_ns)));
	add_real(out, words_since_start(run, mono_ns));
}

/* Tasks */

static void *tasks_begin(struct buf *out, const struct run *run)
{
	(void)run;
	buf_add_string(out, "start_time,start_seconds,duration_seconds,ended,pid,ppid,comm,command");
	size_t count;
	const struct metric *metrics = metric_table(METRIC_SCOPE_TASK, &count);
	for (size_t i = 0; i < count; i++)
		buf_add_format(out, ",%s", metrics[i].key);
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		buf_add_format(out, ",%s_seconds", cause_table[cause].key);
	buf_add_string(out, "\r\n");
	return mem_alloc(1, sizeof(struct lives));
}

static void add_ended(struct buf *out, const struct run *run, const struct lives *lives)
{
	for (size_t i = 0; i < lives->n_ended; i++) {
		const struct life *life = &lives->ended[i];
		add_time(out, run, life->start_ns);
		add_real(out, (double)(life->end_ns - life->start_ns) / NS_PER_S);
		buf_add_format(out, ",%d,%d,%d", life->ended, life->pid, life->ppid);
		add_foreign(out, life->comm, strlen(life->comm));
		add_foreign(out, life->command, life->command_len);
		for (size_t m = 0; m < METRIC_TASK_COUNT; m++)
			add_count(out, life->values[m]);
		for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
			add_real(out, life->cause_s[cause]);
		buf_add_string(out, "\r\n");
	}
}

static void tasks_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	lives_add(state, run, tick);
	add_ended(out, run, state);
}

static void tasks_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct lives *lives = state;
	(void)end;
	lives_end(lives);
	add_ended(out, run, lives);
	lives_fini(lives);
	free(lives);
}

const struct report_format report_csv_tasks = {
	.name = "csv",
	.help = "a row a task",
	.rows = "tasks",
	.begin = tasks_begin,
	.tick = tasks_tick,
	.end = tasks_end,
};

/* Stalls */

static void *stalls_begin(struct buf *out, const struct run *run)
{
	(void)run;
	buf_add_string(out, "start_time,start_seconds,duration_seconds,number,cause,device,filesystem,wchan,"
			    "blocked_peak,task_seconds,some_seconds,full_seconds,explicit_task_seconds");
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		buf_add_format(out, ",%s_task_seconds", cause_table[cause].key);
	buf_add_string(out, ",dirty_peak_bytes,writeback_peak_bytes,dirty_threshold_bytes,"
			    "dirty_background_bytes,flushed_bytes,build_write_bytes,waited\r\n");
	return mem_alloc(1, sizeof(struct stall)); /* the open one, as last seen */
}

static void add_stall(struct buf *out, const struct run *run, const struct stall *stall)
{
	struct buf victims = {0};
	add_time(out, run, stall->from_ns);
	add_real(out, stall_seconds(stall));
	buf_add_format(out, ",%u,%s", stall->number,
		       stall->cause < CAUSE_COUNT ? cause_table[stall->cause].key : "");
	add_foreign(out, stall->device_name, strlen(stall->device_name));
	add_foreign(out, stall->filesystem, strlen(stall->filesystem));
	add_foreign(out, stall->wchan, strlen(stall->wchan));
	add_count(out, stall->blocked_peak);
	add_real(out, stall->task_s);
	add_real(out, stall->some_s);
	add_real(out, stall->full_s);
	add_real(out, stall->explicit_s);
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		add_real(out, stall->cause_s[cause]);
	add_count(out, stall->dirty_peak_bytes);
	add_count(out, stall->writeback_peak_bytes);
	add_count(out, stall->threshold_bytes);
	add_count(out, stall->background_bytes);
	add_count(out, stall->flushed_bytes);
	add_count(out, stall->tree_written_bytes);
	words_victims(&victims, stall, STALL_WHO_MAX);
	add_quoted(out, &victims);
	buf_add_string(out, "\r\n");
	buf_fini(&victims);
}

static void stalls_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	struct stall *open = state;
	for (size_t i = 0; i < tick->n_closed; i++)
		add_stall(out, run, &tick->closed[i]);
	open->number = 0;
	if (tick->stalled)
		*open = tick->stall;
}

static void stalls_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct stall *open = state;
	(void)end;
	if (open->number != 0)
		add_stall(out, run, open);
	free(open);
}

const struct report_format report_csv_stalls = {
	.name = "csv",
	.help = "a row a stall",
	.rows = "stalls",
	.begin = stalls_begin,
	.tick = stalls_tick,
	.end = stalls_end,
};

/* Mounts */

static void *mounts_begin(struct buf *out, const struct run *run)
{
	(void)run;
	buf_add_string(out, "time,elapsed_seconds,mount,type,source");
	size_t count;
	const struct metric *metrics = metric_table(METRIC_SCOPE_MOUNT, &count);
	for (size_t i = 0; i < count; i++)
		buf_add_format(out, ",%s", metrics[i].key);
	buf_add_string(out, ",growth_bytes_per_second,seconds_to_full\r\n");
	return NULL;
}

static void mounts_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	const struct sample *sample = tick->sample;
	(void)state;
	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *row = &sample->mounts[i];
		const uint32_t strings[] = {row->point, row->type, row->source};
		add_time(out, run, sample->mono_ns);
		for (size_t s = 0; s < sizeof strings / sizeof *strings; s++) {
			size_t len;
			const char *bytes = sample_string(sample, strings[s], &len);
			add_foreign(out, bytes, len);
		}
		for (size_t m = 0; m < METRIC_MOUNT_COUNT; m++)
			add_count(out, row->values[m]);
		add_real(out, tick->mounts != NULL ? tick->mounts[i].growth_bytes_per_s : NAN);
		add_real(out, tick->mounts != NULL ? tick->mounts[i].seconds_to_full : NAN);
		buf_add_string(out, "\r\n");
	}
}

const struct report_format report_csv_mounts = {
	.name = "csv",
	.help = "a row a mount and tick",
	.rows = "mounts",
	.begin = mounts_begin,
	.tick = mounts_tick,
};
