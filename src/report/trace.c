/* SPDX-License-Identifier: MIT
 *
 * Chrome trace JSON, which Perfetto, speedscope and chrome://tracing open: counters of the machine under
 * process 1, the build's tasks as slices on lanes under process 2, stalls as async spans. Times are
 * microseconds since the start of the run. Slices of one lane never overlap, since viewers take what only
 * half overlaps for an error; the real pid is an argument. Each event is written as soon as it is over, so
 * nothing but what is alive is kept.
 */
#include "formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "field.h"
#include "lives.h"
#include "words.h"

enum { MACHINE = 1, BUILD = 2 };

struct trace {
	struct lives lives;
	size_t named_lanes;
	struct stall open; /* as last seen; number 0: none */
};

static void add_event(struct buf *out, json_t *event)
{
	char *text = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (text != NULL) {
		buf_add_string(out, ",\n");
		buf_add_string(out, text);
	}
	free(text);
	json_decref(event);
}

static json_t *event_new(const char *phase, const char *name, int process)
{
	json_t *event = json_object();
	field_string(event, "ph", phase);
	field_string(event, "name", name);
	json_object_set_new(event, "pid", json_integer(process));
	return event;
}

static int64_t since_start_us(const struct run *run, int64_t mono_ns)
{
	return mono_ns > run->start_mono_ns ? (mono_ns - run->start_mono_ns) / NS_PER_US : 0;
}

static void put_time(json_t *event, const struct run *run, int64_t mono_ns)
{
	json_object_set_new(event, "ts", json_integer(since_start_us(run, mono_ns)));
}

static void add_meta(struct buf *out, const char *what, int process, int64_t thread, json_t *args)
{
	json_t *event = event_new("M", what, process);
	if (thread > 0)
		json_object_set_new(event, "tid", json_integer(thread));
	json_object_set_new(event, "args", args);
	add_event(out, event);
}

/* Counters */

/* An object without a number is no event. */
static void add_counter(struct buf *out, const struct run *run, const struct tick *tick, const char *name,
			json_t *args)
{
	if (json_object_size(args) == 0) {
		json_decref(args);
		return;
	}
	json_t *event = event_new("C", name, MACHINE);
	put_time(event, run, tick->sample->mono_ns);
	json_object_set_new(event, "args", args);
	add_event(out, event);
}

static void add_machine(struct buf *out, const struct run *run, const struct tick *tick)
{
	const struct brief *brief = &tick->brief;
	json_t *args = json_object();
	field_count(args, "dirty_bytes", tick->sample->system[METRIC_SYSTEM_DIRTY_BYTES]);
	field_count(args, "writeback_bytes", tick->sample->system[METRIC_SYSTEM_WRITEBACK_BYTES]);
	add_counter(out, run, tick, "dirty pages", args);
	args = json_object();
	field_count(args, "threshold_bytes", tick->sample->system[METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES]);
	field_count(args, "background_bytes", tick->sample->system[METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES]);
	add_counter(out, run, tick, "dirty thresholds", args);
	args = json_object();
	field_count(args, "page_cache_bytes", tick->page_cache_bytes);
	field_count(args, "available_bytes", tick->sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES]);
	add_counter(out, run, tick, "memory", args);
	if (!(tick->interval_s > 0))
		return;
	args = json_object();
	field_real(args, "machine", tick->cpus_busy);
	field_real(args, "build", tick->build_cpus);
	add_counter(out, run, tick, "CPUs busy", args);
	args = json_object();
	field_real(args, "cpu", brief->psi_cpu);
	field_real(args, "io", brief->psi_io);
	field_real(args, "memory", brief->psi_memory);
	add_counter(out, run, tick, "pressure", args);
	args = json_object();
	field_count(args, "tasks", tick->build_tasks);
	field_real(args, "stalled_share", tick->share);
	add_counter(out, run, tick, "build", args);
}

static void add_named(struct buf *out, const struct run *run, const struct tick *tick, const char *what,
		      uint32_t name, json_t *args)
{
	size_t len;
	const char *bytes = sample_string(tick->sample, name, &len);
	struct buf title = {0};
	buf_add_format(&title, "%s ", what);
	buf_add(&title, bytes, len);
	add_counter(out, run, tick, title.data, args);
	buf_fini(&title);
}

static void add_places(struct buf *out, const struct run *run, const struct tick *tick)
{
	const struct sample *sample = tick->sample;
	for (size_t i = 0; i < sample->n_mounts; i++) {
		if (sample->mounts[i].flags & MOUNT_WAITED)
			continue;
		json_t *args = json_object();
		field_count(args, "used_bytes", sample->mounts[i].values[METRIC_MOUNT_USED_BYTES]);
		add_named(out, run, tick, sample->mounts[i].flags & MOUNT_TMPFS ? "tmpfs" : "mount",
			  sample->mounts[i].point, args);
	}
	for (size_t i = 0; tick->disks != NULL && tick->interval_s > 0 && i < sample->n_disks; i++) {
		json_t *args = json_object();
		field_real(args, "read_bytes_per_second", tick->disks[i].read_bytes_per_s);
		field_real(args, "write_bytes_per_second", tick->disks[i].write_bytes_per_s);
		add_named(out, run, tick, "disk", sample->disks[i].name, args);
	}
}

/* Tasks */

static void name_lanes(struct buf *out, struct trace *trace)
{
	for (; trace->named_lanes < trace->lives.n_lanes; trace->named_lanes++) {
		char name[32];
		int64_t lane = (int64_t)trace->named_lanes + 1;
		snprintf(name, sizeof name, "lane %lld", (long long)lane);
		json_t *args = json_object();
		field_string(args, "name", name);
		add_meta(out, "thread_name", BUILD, lane, args);
		args = json_object();
		json_object_set_new(args, "sort_index", json_integer(lane));
		add_meta(out, "thread_sort_index", BUILD, lane, args);
	}
}

static json_t *life_args(const struct life *life)
{
	json_t *args = json_object();
	json_object_set_new(args, "pid", json_integer(life->pid));
	json_object_set_new(args, "ppid", json_integer(life->ppid));
	struct buf words = {0};
	for (size_t i = 0; i < life->command_len; i++)
		buf_add_byte(&words, life->command[i] == '\0' ? ' ' : (unsigned char)life->command[i]);
	field_text(args, "command", words.data, words.len);
	buf_fini(&words);
	field_count(args, "user_ms", life->values[METRIC_TASK_USER_MS]);
	field_count(args, "system_ms", life->values[METRIC_TASK_SYSTEM_MS]);
	field_count(args, "rss_peak_bytes", life->values[METRIC_TASK_RSS_BYTES]);
	field_count(args, "read_bytes", life->values[METRIC_TASK_READ_BYTES]);
	field_count(args, "write_bytes", life->values[METRIC_TASK_WRITE_BYTES]);
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		if (cause_table[cause].stall != CAUSE_STALL_NONE && life->cause_s[cause] > 0)
			field_real(args, cause_table[cause].key, life->cause_s[cause]);
	}
	if (!life->ended)
		json_object_set_new(args, "unfinished", json_true());
	return args;
}

static void add_slices(struct buf *out, const struct run *run, struct trace *trace)
{
	name_lanes(out, trace);
	for (size_t i = 0; i < trace->lives.n_ended; i++) {
		const struct life *life = &trace->lives.ended[i];
		const char *subject;
		size_t len = lives_subject(life, &subject);
		struct buf name = {0};
		buf_add_string(&name, life->comm);
		if (len > 0) {
			buf_add_byte(&name, ' ');
			buf_add(&name, subject, len);
		}
		json_t *event = event_new("X", name.data != NULL ? name.data : "", BUILD);
		buf_fini(&name);
		field_string(event, "cat", "process");
		json_object_set_new(event, "tid", json_integer((json_int_t)life->lane + 1));
		put_time(event, run, life->start_ns);
		json_object_set_new(event, "dur",
				    json_integer(since_start_us(run, life->end_ns) -
						 since_start_us(run, life->start_ns)));
		json_object_set_new(event, "args", life_args(life));
		add_event(out, event);
	}
}

/* Stalls */

static void add_edge(struct buf *out, const struct run *run, const struct stall *stall, const char *phase,
		     int64_t mono_ns, json_t *args)
{
	char id[16];
	snprintf(id, sizeof id, "0x%x", stall->number);
	json_t *event = event_new(phase, stall->cause < CAUSE_COUNT ? cause_table[stall->cause].key : "stall",
				  MACHINE);
	field_string(event, "cat", "stall");
	field_string(event, "id", id);
	json_object_set_new(event, "tid", json_integer(1));
	put_time(event, run, mono_ns);
	json_object_set_new(event, "args", args);
	add_event(out, event);
}

static void add_stall(struct buf *out, const struct run *run, const struct stall *stall)
{
	json_t *args = json_object();
	field_count(args, "blocked_peak", stall->blocked_peak);
	field_real(args, "task_seconds", stall->task_s);
	field_real(args, "full_seconds", stall->full_s);
	struct buf words = {0};
	words_place(&words, stall);
	field_text(args, "where", words.data, words.len);
	buf_clear(&words);
	words_victims(&words, stall, STALL_WHO_MAX);
	field_text(args, "waited", words.data, words.len);
	buf_fini(&words);
	field_count(args, "dirty_peak_bytes", stall->dirty_peak_bytes);
	field_count(args, "dirty_threshold_bytes", stall->threshold_bytes);
	int64_t to_ns = stall->to_ns > stall->from_ns ? stall->to_ns : stall->from_ns;
	add_edge(out, run, stall, "b", stall->from_ns, args);
	add_edge(out, run, stall, "e", to_ns, json_object());
}

static void add_stalls(struct buf *out, const struct run *run, const struct tick *tick, struct trace *trace)
{
	for (size_t i = 0; i < tick->n_closed; i++)
		add_stall(out, run, &tick->closed[i]);
	trace->open.number = 0;
	if (tick->stalled)
		trace->open = tick->stall;
}

static void add_marks(struct buf *out, const struct run *run, const struct tick *tick)
{
	static const struct {
		enum sample_flag flag;
		const char *name;
	} marks[] = {{SAMPLE_GAP, "ticks missed"},
		     {SAMPLE_LOST, "samples lost"},
		     {SAMPLE_SUSPENDED, "machine slept"},
		     {SAMPLE_CLOCK_STEP, "clock set"}};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (!(tick->sample->flags & marks[i].flag))
			continue;
		json_t *event = event_new("i", marks[i].name, MACHINE);
		field_string(event, "cat", "mark");
		field_string(event, "s", "g");
		json_object_set_new(event, "tid", json_integer(1));
		put_time(event, run, tick->sample->mono_ns);
		add_event(out, event);
	}
}

/* The document */

static void *trace_begin(struct buf *out, const struct run *run)
{
	json_t *other = json_object();
	char utc[CLOCK_UTC_SIZE];
	field_string(other, "run", run->id);
	field_string(other, "start_time", clock_utc(utc, sizeof utc, run->start_wall_ns));
	field_string(other, "host", run->host);
	field_string(other, "kernel", run->kernel);
	field_string(other, "tool_version", run->tool_version);
	char *text = json_dumps(other, JSON_COMPACT);
	buf_add_format(out, "{\"displayTimeUnit\":\"ms\",\"otherData\":%s,\"traceEvents\":[\n",
		       text != NULL ? text : "{}");
	free(text);
	json_decref(other);
	/* The first event, so that each that follows can bring its comma. */
	buf_add_string(out,
		       "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"machine\"}}");
	struct buf title = {0};
	buf_add_string(&title, "build: ");
	words_title(&title, run, 200);
	json_t *args = json_object();
	field_text(args, "name", title.data, title.len);
	buf_fini(&title);
	add_meta(out, "process_name", BUILD, 0, args);
	return mem_alloc(1, sizeof(struct trace));
}

static void trace_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	struct trace *trace = state;
	add_machine(out, run, tick);
	add_places(out, run, tick);
	lives_add(&trace->lives, run, tick);
	add_slices(out, run, trace);
	add_stalls(out, run, tick, trace);
	add_marks(out, run, tick);
}

static void trace_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	struct trace *trace = state;
	(void)end;
	lives_end(&trace->lives);
	add_slices(out, run, trace);
	if (trace->open.number != 0)
		add_stall(out, run, &trace->open);
	buf_add_string(out, "\n]}\n");
	lives_fini(&trace->lives);
	free(trace);
}

const struct report_format report_trace = {
	.name = "trace",
	.help = "Chrome trace JSON for Perfetto or speedscope: counters, tasks on lanes, stalls",
	.single = true,
	.begin = trace_begin,
	.tick = trace_tick,
	.end = trace_end,
};
