/* SPDX-License-Identifier: MIT
 *
 * The summary as the JSON document buildtop.summary, version 1. Knows its field names and that what is
 * unknown is null where the schema has room for null, and left out elsewhere. Strings come in raw and go out
 * as valid UTF-8.
 */
#include "model/summary.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/counted.h"
#include "model/metric.h"

#define STEPS_TOLD 100

#define SUMMARY_LABEL_BYTES 256

static json_t *summary_string_cut(const char *raw, size_t max)
{
	struct buf buf = {0};
	json_t *string;

	text_utf8_add(&buf, raw, strlen(raw), max);
	string = json_stringn(buf.len ? buf.data : "", buf.len);
	buf_fini(&buf);
	return string;
}

static json_t *summary_string(const char *raw)
{
	return summary_string_cut(raw, SIZE_MAX);
}

/* A string, if there is one. */
static void summary_put_string(json_t *object, const char *key, const char *raw)
{
	if (raw)
		json_object_set_new(object, key, summary_string(raw));
}

static json_t *summary_bytes(uint64_t bytes)
{
	return bytes > INT64_MAX ? json_null() : json_integer((json_int_t)bytes);
}

static json_t *summary_count(uint64_t count)
{
	return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

/* To the microsecond: more digits would be noise. */
static json_t *summary_seconds(double seconds)
{
	return json_real(isfinite(seconds) && seconds > 0 ? round(seconds * 1e6) / 1e6 : 0.0);
}

static void summary_put_seconds(json_t *object, const char *key, double seconds)
{
	if (isfinite(seconds))
		json_object_set_new(object, key, summary_seconds(seconds));
}

static json_t *summary_time(int64_t wall_ns)
{
	char text[CLOCK_UTC_SIZE];

	return json_string(clock_utc(text, sizeof text, wall_ns));
}

static json_t *summary_host(const struct run *run)
{
	json_t *host = json_object();

	json_object_set_new(host, "name", summary_string(run->host ? run->host : ""));
	summary_put_string(host, "kernel", run->kernel);
	if (run->cpus)
		json_object_set_new(host, "cpus", json_integer(run->cpus));
	json_object_set_new(host, "memory_total_bytes", summary_bytes(run->memory_total_bytes));
	summary_put_string(host, "boot_id", run->boot_id);
	return host;
}

static bool summary_is_label_key(const char *key)
{
	size_t len = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && len <= 64 && !key[len] && !isdigit((unsigned char)key[0]);
}

static json_t *summary_labels(const struct run *run)
{
	json_t *labels = json_object();

	for (size_t i = 0; i < run->n_labels; i++)
		if (summary_is_label_key(run->labels[i].key))
			json_object_set_new(labels, run->labels[i].key,
					    summary_string_cut(run->labels[i].value, SUMMARY_LABEL_BYTES));
	return labels;
}

static json_t *summary_vcs(const struct run *run)
{
	json_t *vcs;

	if (!run->vcs_commit)
		return json_null();
	vcs = json_object();
	json_object_set_new(vcs, "system", json_string("git"));
	json_object_set_new(vcs, "commit", summary_string(run->vcs_commit));
	json_object_set_new(vcs, "dirty", run->vcs_dirty < 0 ? json_null() : json_boolean(run->vcs_dirty));
	return vcs;
}

static json_t *summary_command_line(const struct run *run)
{
	json_t *command;

	if (!run->command)
		return json_null();
	command = json_array();
	for (size_t i = 0; run->command[i]; i++)
		json_array_append_new(command, summary_string(run->command[i]));
	return command;
}

static json_t *summary_signal(int number)
{
	const char *name = run_signal_name(number);
	char other[32];

	if (name)
		return json_string(name);
	snprintf(other, sizeof other, "SIG%d", number);
	return json_string(other);
}

static json_t *summary_exit(const struct run_end *end)
{
	json_t *object = json_object();
	bool signalled = end->known && end->signal;
	bool exited = end->known && !end->signal && end->status >= 0 && end->status <= 255;

	json_object_set_new(object, "status", exited ? json_integer(end->status) : json_null());
	json_object_set_new(object, "signal", signalled ? summary_signal(end->signal) : json_null());
	json_object_set_new(object, "outcome", json_string(run_outcome(end)));
	return object;
}

static json_t *summary_cpu(const struct summary *summary)
{
	json_t *cpu = json_object();

	json_object_set_new(cpu, "user_seconds", summary_seconds(summary->user_s));
	json_object_set_new(cpu, "system_seconds", summary_seconds(summary->system_s));
	summary_put_string(cpu, "source", summary->cpu_source);
	return cpu;
}

static json_t *summary_processes(const struct summary *summary)
{
	json_t *processes = json_object();

	json_object_set_new(processes, "started", summary_count(summary->processes_started));
	json_object_set_new(processes, "peak", summary_count(summary->processes_peak));
	return processes;
}

/* Who made up the peak, for how many jobs that was, and who was killed. */
static void summary_memory_peak(json_t *object, const struct summary_memory *memory)
{
	json_t *parts = json_array(), *kills = json_array();

	summary_put_seconds(object, "peak_at_seconds", memory->peak_at_s);
	for (size_t i = 0; i < memory->n_parts; i++) {
		json_t *part = json_object();

		json_object_set_new(part, "name", summary_string(memory->parts[i].name));
		json_object_set_new(part, "count", summary_count(memory->parts[i].count));
		json_object_set_new(part, "rss_bytes", summary_bytes(memory->parts[i].bytes));
		json_array_append_new(parts, part);
	}
	json_object_set_new(object, "peak_by_command", parts);
	if (memory->jobs > 0) {
		json_object_set_new(object, "jobs", summary_count(memory->jobs));
		json_object_set_new(object, "jobs_source",
				    json_string(memory->jobs_told ? "command line" : "seen"));
	}
	if (memory->oom_known) {
		json_object_set_new(object, "oom_kills", summary_count(memory->oom_kills));
		json_object_set_new(object, "oom_kills_of",
				    json_string(memory->oom_of_build ? "cgroup" : "machine"));
	}
	for (size_t i = 0; i < memory->n_ooms; i++) {
		const struct summary_oom *oom = &memory->ooms[i];
		json_t *kill = json_object();

		summary_put_seconds(kill, "at_seconds", oom->at_s);
		json_object_set_new(kill, "count", summary_count(oom->count));
		json_object_set_new(kill, "likely", *oom->name ? summary_string(oom->name) : json_null());
		if (*oom->name)
			json_object_set_new(kill, "rss_bytes", summary_bytes(oom->bytes));
		json_array_append_new(kills, kill);
	}
	json_object_set_new(object, "killed", kills);
}

static json_t *summary_memory(const struct summary *summary)
{
	json_t *memory = json_object();

	json_object_set_new(memory, "rss_peak_bytes", summary_bytes(summary->rss_peak_bytes));
	json_object_set_new(memory, "page_cache_peak_bytes", summary_bytes(summary->page_cache_peak_bytes));
	if (summary->dirty_threshold_bytes != METRIC_NA && summary->dirty_threshold_bytes > 0) {
		json_object_set_new(memory, "dirty_threshold_bytes",
				    summary_bytes(summary->dirty_threshold_bytes));
		json_object_set_new(memory, "dirty_background_bytes",
				    summary_bytes(summary->dirty_background_bytes));
	}
	json_object_set_new(memory, "dirty_peak_bytes", summary_bytes(summary->dirty_peak_bytes));
	json_object_set_new(memory, "writeback_peak_bytes", summary_bytes(summary->writeback_peak_bytes));
	json_object_set_new(memory, "swap_peak_bytes", summary_bytes(summary->swap_peak_bytes));
	if (summary->shmem_swapped_peak_bytes != METRIC_NA && summary->shmem_swapped_peak_bytes > 0)
		json_object_set_new(memory, "tmpfs_swapped_peak_bytes",
				    summary_bytes(summary->shmem_swapped_peak_bytes));
	summary_memory_peak(memory, &summary->memory);
	return memory;
}

/* As the commands, and from when to when. */
static json_t *summary_steps(const struct summary *summary)
{
	json_t *list = json_array();

	for (size_t i = 0; i < summary->n_steps && i < STEPS_TOLD; i++) {
		const struct summary_step *step = &summary->steps[i];
		json_t *object = json_object(), *times = json_object();

		json_object_set_new(object, "name", summary_string(step->name));
		json_object_set_new(object, "kind", json_string(step_kinds[step->kind]));
		json_object_set_new(object, "count", summary_count(step->count));
		json_object_set_new(object, "cpu_seconds", summary_seconds(step->cpu_s));
		summary_put_seconds(object, "wall_seconds", step->wall_s);
		summary_put_seconds(object, "from_seconds", step->from_s);
		summary_put_seconds(object, "to_seconds", step->to_s);
		json_object_set_new(object, "rss_peak_bytes", summary_bytes(step->rss_peak_bytes));
		json_object_set_new(object, "written_bytes", summary_bytes((uint64_t)step->written_bytes));
		for (int cause = 0; cause < CAUSE_COUNT; cause++)
			if (step->time_s[cause] >= 0.01F)
				summary_put_seconds(times, cause_table[cause].key,
						    (double)step->time_s[cause]);
		json_object_set_new(object, "time_seconds", times);
		json_array_append_new(list, object);
	}
	return list;
}

static void summary_sizing(json_t *object, const struct summary_tmpfs *tmpfs)
{
	if (tmpfs->fails_bytes > 0) {
		json_object_set_new(object, "fails_bytes", summary_bytes(tmpfs->fails_bytes));
		summary_put_seconds(object, "fails_at_seconds", tmpfs->fails_at_s);
	}
	if (tmpfs->enough_bytes > 0)
		json_object_set_new(object, "enough_bytes", summary_bytes(tmpfs->enough_bytes));
}

/* [{"name": "ld", "tasks": 2}]; left out where there is nothing. */
static void summary_list(json_t *object, const char *key, const struct buf *list)
{
	const char *at = list->data;
	json_t *entries = json_array();
	struct counted entry;

	while (list->len > 0 && counted_next(&at, list->data + list->len, &entry)) {
		json_t *told = json_object();
		char *name = mem_dup_n(entry.name, entry.len);

		json_object_set_new(told, "name", summary_string(name));
		json_object_set_new(told,
				    entry.unit == COUNTED_BYTES	  ? "bytes"
				    : entry.unit == COUNTED_FILES ? "files"
								  : "tasks",
				    summary_count(entry.amount));
		json_array_append_new(entries, told);
		free(name);
	}
	if (json_array_size(entries) > 0)
		json_object_set(object, key, entries);
	json_decref(entries);
}

static json_t *summary_tmpfs(const struct summary *summary)
{
	json_t *list = json_array();

	for (size_t i = 0; i < summary->n_tmpfs; i++) {
		const struct summary_tmpfs *tmpfs = &summary->tmpfs[i];
		json_t *object = json_object();

		json_object_set_new(object, "mount", summary_string(tmpfs->mount));
		json_object_set_new(object, "peak_bytes", summary_bytes(tmpfs->peak_bytes));
		json_object_set_new(object, "size_bytes", summary_bytes(tmpfs->size_bytes));
		if (tmpfs->peak_inodes != METRIC_NA)
			json_object_set_new(object, "peak_inodes", summary_count(tmpfs->peak_inodes));
		if (tmpfs->inodes != METRIC_NA)
			json_object_set_new(object, "inodes", summary_count(tmpfs->inodes));
		summary_put_seconds(object, "peak_at_seconds", tmpfs->peak_at_s);
		json_object_set_new(object, "alarmed", json_boolean(tmpfs->alarmed));
		if (tmpfs->before_bytes != METRIC_NA)
			json_object_set_new(object, "before_bytes", summary_bytes(tmpfs->before_bytes));
		summary_list(object, "writers", &tmpfs->writers);
		summary_list(object, "largest", &tmpfs->largest);
		summary_sizing(object, tmpfs);
		json_array_append_new(list, object);
	}
	return list;
}

/* How the file system of the build's directory grew: what a tmpfs in its place would have held. */
static json_t *summary_disk(const struct summary *summary)
{
	const struct summary_tmpfs *disk = &summary->disk;
	json_t *object = json_object();

	json_object_set_new(object, "mount", summary_string(disk->mount));
	json_object_set_new(object, "grown_bytes", summary_bytes(disk->peak_bytes));
	if (disk->before_bytes != METRIC_NA)
		json_object_set_new(object, "before_bytes", summary_bytes(disk->before_bytes));
	summary_put_seconds(object, "peak_at_seconds", disk->peak_at_s);
	summary_sizing(object, disk);
	return object;
}

static json_t *summary_alerts(const struct summary *summary)
{
	json_t *list = json_array();

	for (size_t i = 0; i < summary->n_alerts; i++) {
		const struct summary_alert *alert = &summary->alerts[i];
		json_t *object = json_object();

		json_object_set_new(object, "alert", summary_string(alert->spec));
		if (alert->mount)
			json_object_set_new(object, "mount", summary_string(alert->mount));
		summary_put_seconds(object, "start_seconds", alert->from_s);
		summary_put_seconds(object, "end_seconds", alert->to_s);
		summary_list(object, "writers", &alert->writers);
		summary_list(object, "largest", &alert->largest);
		if (alert->used != METRIC_NA)
			json_object_set_new(object, alert->by_inodes ? "used_inodes" : "used_bytes",
					    summary_count(alert->used));
		if (alert->size != METRIC_NA)
			json_object_set_new(object, alert->by_inodes ? "size_inodes" : "size_bytes",
					    summary_count(alert->size));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *summary_victims(const struct stall *stall)
{
	json_t *list = json_array();

	for (size_t i = 0; i < stall->n_victims; i++) {
		json_t *victim = json_object();

		json_object_set_new(victim, "name", summary_string(stall->victims[i].comm));
		json_object_set_new(victim, "task_seconds", summary_seconds(stall->victims[i].task_s));
		json_array_append_new(list, victim);
	}
	return list;
}

static json_t *summary_writers(const struct stall *stall)
{
	json_t *list = json_array();

	for (size_t i = 0; i < stall->n_writers; i++) {
		json_t *writer = json_object();

		json_object_set_new(writer, "name", summary_string(stall->writers[i].comm));
		json_object_set_new(writer, "written_bytes", summary_bytes(stall->writers[i].bytes));
		json_object_set_new(writer, "estimate", json_true());
		json_array_append_new(list, writer);
	}
	return list;
}

static json_t *summary_evidence(unsigned evidence)
{
	static const char *const names[] = {"wchan", "syscall", "vmstat", "psi", "state", "exact"};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (evidence & 1U << i)
			json_array_append_new(list, json_string(names[i]));
	return list;
}

static const char *summary_cause_key(enum cause cause)
{
	return cause_table[cause < CAUSE_COUNT ? cause : CAUSE_BLOCKED].key;
}

static json_t *summary_episode(const struct stall *stall, const struct run *run)
{
	json_t *object = json_object();
	char detail[128];

	json_object_set_new(object, "start_time",
			    summary_time(run->start_wall_ns + (stall->from_ns - run->start_mono_ns)));
	json_object_set_new(object, "duration_seconds", summary_seconds(stall_seconds(stall)));
	json_object_set_new(object, "cause", json_string(summary_cause_key(stall->cause)));
	json_object_set_new(object, "blocked_peak", summary_count(stall->blocked_peak));
	json_object_set_new(object, "device",
			    *stall->device_name ? summary_string(stall->device_name) : json_null());
	json_object_set_new(object, "filesystem",
			    *stall->filesystem ? summary_string(stall->filesystem) : json_null());
	json_object_set_new(object, "dirty_peak_bytes", summary_bytes(stall->dirty_peak_bytes));
	json_object_set_new(object, "dirty_threshold_bytes", summary_bytes(stall->threshold_bytes));
	summary_put_seconds(object, "full_seconds", stall->full_s);
	summary_put_seconds(object, "some_seconds", stall->some_s);
	json_object_set_new(object, "victims", summary_victims(stall));
	json_object_set_new(object, "writers", summary_writers(stall));
	json_object_set_new(object, "evidence", summary_evidence(stall->evidence));
	summary_put_seconds(object, "asked_seconds", stall->explicit_s);
	if (isfinite(stall->outside))
		json_object_set_new(object, "outside_fraction", json_real(stall->outside));
	if (*stall->wchan) {
		snprintf(detail, sizeof detail, "%u task%s in %s%s", stall->blocked_peak,
			 stall->blocked_peak == 1 ? "" : "s", stall->wchan,
			 stall_from_outside(stall) ? "; most of what was dirty was not the build's" : "");
		json_object_set_new(object, "detail", summary_string(detail));
	}
	return object;
}

static json_t *summary_by_cause(const struct summary *summary)
{
	json_t *list = json_array();

	for (int i = 0; i < CAUSE_COUNT; i++) {
		json_t *object;

		if (!summary->cause_episodes[i] && !(summary->cause_stalled_s[i] > 0))
			continue;
		object = json_object();
		json_object_set_new(object, "cause", json_string(cause_table[i].key));
		json_object_set_new(object, "seconds", summary_seconds(summary->cause_stalled_s[i]));
		json_object_set_new(object, "episodes", summary_count(summary->cause_episodes[i]));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *summary_stalls(const struct summary *summary)
{
	size_t shown = summary->n_stalls < SUMMARY_STALLS_MAX ? summary->n_stalls : SUMMARY_STALLS_MAX;
	json_t *stalls = json_object();
	json_t *episodes = json_array();

	for (size_t i = 0; i < shown; i++)
		json_array_append_new(episodes, summary_episode(&summary->stalls[i], summary->run));
	json_object_set_new(stalls, "stalled_seconds", summary_seconds(summary->stalled_s));
	summary_put_seconds(stalls, "flush_seconds", summary->flush_s);
	json_object_set_new(stalls, "by_cause", summary_by_cause(summary));
	json_object_set_new(stalls, "episodes", episodes);
	json_object_set_new(stalls, "episodes_dropped",
			    summary_count(summary->stalls_dropped + (summary->n_stalls - shown)));
	return stalls;
}

static json_t *summary_time_seconds(const double *time_s)
{
	json_t *times = json_object();

	for (int i = 0; i < CAUSE_COUNT; i++)
		summary_put_seconds(times, cause_table[i].key, time_s[i]);
	return times;
}

static json_t *summary_commands(const struct summary *summary)
{
	json_t *list = json_array();

	for (size_t i = 0; i < summary->n_commands; i++) {
		const struct summary_command *command = &summary->commands[i];
		json_t *object = json_object();

		json_object_set_new(object, "name", summary_string(command->name));
		json_object_set_new(object, "count", summary_count(command->count));
		json_object_set_new(object, "cpu_seconds", summary_seconds(command->cpu_s));
		summary_put_seconds(object, "wall_seconds", command->wall_s);
		json_object_set_new(object, "rss_peak_bytes", summary_bytes(command->rss_peak_bytes));
		json_object_set_new(object, "rss_mean_bytes", summary_bytes(command->rss_mean_bytes));
		json_object_set_new(object, "written_bytes", summary_bytes((uint64_t)command->written_bytes));
		json_object_set_new(object, "time_seconds", summary_time_seconds(command->time_s));
		json_array_append_new(list, object);
	}
	return list;
}

/* How the commands' CPU time was counted, and what is in no command's. */
static json_t *summary_accounting(const struct summary *summary)
{
	json_t *accounting = json_object();

	summary_put_string(accounting, "source", summary->commands_source);
	summary_put_seconds(accounting, "ending_cpu_seconds", summary->ending_s);
	summary_put_seconds(accounting, "unattributed_cpu_seconds", summary->unattributed_s);
	summary_put_seconds(accounting, "given_up_after_seconds", summary->given_up_s);
	if (summary->events_lost != METRIC_NA)
		json_object_set_new(accounting, "events_lost", summary_count(summary->events_lost));
	return accounting;
}

static json_t *summary_monitor(const struct summary *summary)
{
	json_t *monitor = json_object();

	json_object_set_new(monitor, "sample_interval_seconds",
			    summary_seconds((double)summary->run->interval_ns / 1e9));
	json_object_set_new(monitor, "samples", summary_count(summary->samples));
	json_object_set_new(monitor, "samples_missed", summary_count(summary->samples_missed));
	if (summary->samples_unrecorded > 0)
		json_object_set_new(monitor, "samples_unrecorded",
				    summary_count(summary->samples_unrecorded));
	summary_put_seconds(monitor, "cpu_seconds", summary->monitor_cpu_s);
	return monitor;
}

static json_t *summary_bound(const struct summary *summary)
{
	json_t *bound;

	if (!isfinite(summary->bound_min_s) || !isfinite(summary->bound_max_s))
		return json_null();
	bound = json_object();
	json_object_set_new(bound, "flush_free_wall_seconds_min", summary_seconds(summary->bound_min_s));
	json_object_set_new(bound, "flush_free_wall_seconds_max", summary_seconds(summary->bound_max_s));
	return bound;
}

static json_t *summary_sources(const struct run *run)
{
	json_t *sources = json_object();

	for (size_t i = 0; i < run->n_sources; i++) {
		const struct run_source *source = &run->sources[i];

		if (strcmp(source->status, "yes") == 0 || strncmp(source->status, "partly: ", 8) == 0 ||
		    strncmp(source->status, "no: ", 4) == 0)
			json_object_set_new(sources, source->name, summary_string(source->status));
	}
	return sources;
}

static json_t *summary_head(const struct summary *summary)
{
	const struct run *run = summary->run;
	const char *id = *run->id ? run->id : "00000000-0000-7000-8000-000000000000";
	const char *version = run->tool_version ? run->tool_version : "";
	json_t *document = json_object();
	json_t *tool = json_object();

	json_object_set_new(tool, "name", json_string("buildtop"));
	json_object_set_new(tool, "version", summary_string(version));
	json_object_set_new(document, "schema", json_string("buildtop.summary"));
	json_object_set_new(document, "schema_version", json_integer(1));
	json_object_set_new(document, "id", json_string(id));
	json_object_set_new(document, "tool", tool);
	json_object_set_new(document, "host", summary_host(run));
	json_object_set_new(document, "labels", summary_labels(run));
	json_object_set_new(document, "vcs", summary_vcs(run));
	json_object_set_new(document, "command", summary_command_line(run));
	return document;
}

/* When the end is not known by the clock on the wall, it is the start and what the run took. */
static int64_t summary_end_wall_ns(const struct summary *summary)
{
	if (summary->end.wall_ns)
		return summary->end.wall_ns;
	return summary->run->start_wall_ns +
	       (isfinite(summary->wall_s) ? (int64_t)(summary->wall_s * 1e9) : 0);
}

char *summary_json(const struct summary *summary)
{
	json_t *document = summary_head(summary);
	char *text;
	size_t len;

	json_object_set_new(document, "start_time", summary_time(summary->run->start_wall_ns));
	json_object_set_new(document, "end_time", summary_time(summary_end_wall_ns(summary)));
	json_object_set_new(document, "complete", json_boolean(summary->end.complete));
	json_object_set_new(document, "exit", summary_exit(&summary->end));
	json_object_set_new(document, "wall_seconds", summary_seconds(summary->wall_s));
	json_object_set_new(document, "cpu", summary_cpu(summary));
	json_object_set_new(document, "processes", summary_processes(summary));
	json_object_set_new(document, "memory", summary_memory(summary));
	json_object_set_new(document, "tmpfs", summary_tmpfs(summary));
	if (summary->disk.mount)
		json_object_set_new(document, "disk", summary_disk(summary));
	json_object_set_new(document, "alerts", summary_alerts(summary));
	if (summary->held_s > 0)
		json_object_set_new(document, "held_seconds", summary_seconds(summary->held_s));
	json_object_set_new(document, "stalls", summary_stalls(summary));
	json_object_set_new(document, "commands", summary_commands(summary));
	json_object_set_new(document, "commands_dropped", summary_count(summary->commands_dropped));
	json_object_set_new(document, "accounting", summary_accounting(summary));
	json_object_set_new(document, "steps", summary_steps(summary));
	json_object_set_new(
		document, "steps_dropped",
		summary_count(summary->steps_dropped +
			      (summary->n_steps > STEPS_TOLD ? summary->n_steps - STEPS_TOLD : 0)));
	json_object_set_new(document, "monitor", summary_monitor(summary));
	json_object_set_new(document, "time_seconds", summary_time_seconds(summary->time_s));
	if (summary->verdict < CAUSE_COUNT)
		json_object_set_new(document, "verdict", json_string(cause_table[summary->verdict].key));
	if (*summary->verdict_text)
		json_object_set_new(document, "verdict_text", summary_string(summary->verdict_text));
	json_object_set_new(document, "bound", summary_bound(summary));
	json_object_set_new(document, "sources", summary_sources(summary->run));

	text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(document);
	if (!text)
		abort();
	len = strlen(text);
	text = mem_resize(text, len + 2, 1);
	memcpy(text + len, "\n", 2);
	return text;
}
