/* SPDX-License-Identifier: MIT
 *
 * The whole recording for any other program: a line of JSON for the run, one for each tick, one for the end;
 * "type" says which. Keys are those of the list of metrics, what was not measured has no field.
 */
#include "formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "base/mem.h"
#include "field.h"

static void add_line(struct buf *out, json_t *line)
{
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (text != NULL) {
		buf_add_string(out, text);
		buf_add_byte(out, '\n');
	}
	free(text);
	json_decref(line);
}

static json_t *line_new(const char *type)
{
	json_t *line = json_object();
	field_string(line, "type", type);
	return line;
}

static void put_time(json_t *object, const char *key, int64_t wall_ns)
{
	char utc[CLOCK_UTC_SIZE];
	field_string(object, key, clock_utc(utc, sizeof utc, wall_ns));
}

static void put_metrics(json_t *object, enum metric_scope scope, const uint64_t *values)
{
	size_t count;
	const struct metric *metrics = metric_table(scope, &count);
	for (size_t i = 0; i < count; i++)
		field_count(object, metrics[i].key, values[i]);
}

static void put_string(json_t *object, const char *key, const struct sample *sample, uint32_t offset)
{
	size_t len;
	const char *bytes = sample_string(sample, offset, &len);
	field_text(object, key, bytes, len);
}

static void put_causes(json_t *object, const char *key, const double seconds[CAUSE_COUNT])
{
	json_t *causes = json_object();
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		if (seconds[cause] > 0)
			field_real(causes, cause_table[cause].key, seconds[cause]);
	}
	json_object_set_new(object, key, causes);
}

static void put_cause(json_t *object, const char *key, unsigned cause)
{
	if (cause < CAUSE_COUNT)
		field_string(object, key, cause_table[cause].key);
}

struct flag_name {
	unsigned flag;
	const char *name;
};

static void put_flags(json_t *object, const struct flag_name *names, unsigned flags)
{
	json_t *array = json_array();
	for (; names->name != NULL; names++) {
		if (flags & names->flag)
			json_array_append_new(array, json_string(names->name));
	}
	if (json_array_size(array) > 0)
		json_object_set(object, "flags", array);
	json_decref(array);
}

static const struct flag_name sample_flags[] = {
	{SAMPLE_FIRST, "first"},
	{SAMPLE_LATE, "late"},
	{SAMPLE_GAP, "gap"},
	{SAMPLE_SUSPENDED, "suspended"},
	{SAMPLE_CLOCK_STEP, "clock_step"},
	{SAMPLE_LAST, "last"},
	{SAMPLE_LOST, "lost"},
	{0, NULL},
};
static const struct flag_name task_flags[] = {
	{TASK_ENDED, "ended"},	 {TASK_NEW, "new"},	  {TASK_ROOT, "root"},
	{TASK_ORPHAN, "orphan"}, {TASK_HIDDEN, "hidden"}, {0, NULL},
};
static const struct flag_name mount_flags[] = {
	{MOUNT_TMPFS, "tmpfs"},
	{MOUNT_WORKDIR, "workdir"},
	{MOUNT_WAITED, "waited"},
	{MOUNT_GONE, "gone"},
	{MOUNT_READONLY, "readonly"},
	{0, NULL},
};

static json_t *words_json(char *const *words)
{
	json_t *array = json_array();
	for (size_t i = 0; words[i] != NULL; i++)
		json_array_append_new(array, field_json_text(words[i], strlen(words[i])));
	return array;
}

/* The run */

static void *ndjson_begin(struct buf *out, const struct run *run)
{
	static const char *const modes[] = {
		[RUN_COMMAND] = "command", [RUN_WATCH] = "watch", [RUN_MACHINE] = "machine"};
	json_t *line = line_new("run");
	field_string(line, "id", run->id);
	field_string(line, "mode", modes[run->mode]);
	field_string(line, "tool_version", run->tool_version);
	if (run->command != NULL)
		json_object_set_new(line, "command", words_json(run->command));
	field_string(line, "workdir", run->workdir);
	json_t *labels = json_object();
	for (size_t i = 0; i < run->n_labels; i++)
		field_string(labels, run->labels[i].key, run->labels[i].value);
	json_object_set_new(line, "labels", labels);
	field_string(line, "commit", run->vcs_commit);
	if (run->vcs_dirty >= 0)
		json_object_set_new(line, "dirty", json_boolean(run->vcs_dirty));
	field_string(line, "host", run->host);
	field_string(line, "kernel", run->kernel);
	field_string(line, "machine", run->machine);
	field_string(line, "boot_id", run->boot_id);
	field_count(line, "cpus", run->cpus);
	field_count(line, "memory_total_bytes", run->memory_total_bytes);
	field_count(line, "page_bytes", run->page_bytes);
	field_count(line, "ticks_per_second", run->ticks_per_s);
	put_time(line, "start_time", run->start_wall_ns);
	field_real(line, "interval_seconds", (double)run->interval_ns / NS_PER_S);
	field_real(line, "look_interval_seconds", (double)run->look_interval_ns / NS_PER_S);
	json_t *sources = json_object();
	for (size_t i = 0; i < run->n_sources; i++)
		field_string(sources, run->sources[i].name, run->sources[i].status);
	json_object_set_new(line, "sources", sources);
	json_t *remedies = json_object();
	for (size_t i = 0; i < run->n_sources; i++)
		field_string(remedies, run->sources[i].name, run->sources[i].remedy);
	json_object_set_new(line, "remedies", remedies);
	add_line(out, line);
	return NULL;
}

/* A tick */

static json_t *stall_json(const struct run *run, const struct stall *stall)
{
	json_t *object = json_object();
	field_count(object, "number", stall->number);
	field_real(object, "from_seconds", (double)(stall->from_ns - run->start_mono_ns) / NS_PER_S);
	field_real(object, "duration_seconds", stall_seconds(stall));
	put_cause(object, "cause", stall->cause);
	put_causes(object, "time_seconds", stall->cause_s);
	field_real(object, "some_seconds", stall->some_s);
	field_real(object, "full_seconds", stall->full_s);
	field_real(object, "asked_seconds", stall->explicit_s);
	field_real(object, "outside_fraction", stall->outside);
	field_count(object, "blocked_peak", stall->blocked_peak);
	if (stall->device_name[0] != '\0')
		field_string(object, "device", stall->device_name);
	if (stall->filesystem[0] != '\0')
		field_string(object, "filesystem", stall->filesystem);
	field_count(object, "dirty_peak_bytes", stall->dirty_peak_bytes);
	field_count(object, "dirty_threshold_bytes", stall->threshold_bytes);
	if (stall->wchan[0] != '\0')
		field_string(object, "wchan", stall->wchan);
	json_t *victims = json_array();
	for (size_t i = 0; i < stall->n_victims; i++) {
		json_t *victim = json_object();
		field_string(victim, "name", stall->victims[i].comm);
		field_real(victim, "task_seconds", stall->victims[i].task_s);
		json_array_append_new(victims, victim);
	}
	json_object_set_new(object, "victims", victims);
	json_t *writers = json_array();
	for (size_t i = 0; i < stall->n_writers; i++) {
		json_t *writer = json_object();
		field_string(writer, "name", stall->writers[i].comm);
		field_count(writer, "bytes_estimated", stall->writers[i].bytes);
		json_array_append_new(writers, writer);
	}
	json_object_set_new(object, "writers", writers);
	return object;
}

static void put_build(json_t *line, const struct tick *tick)
{
	json_t *build = json_object();
	field_real(build, "cpu_seconds", tick->build_cpu_s);
	field_real(build, "user_seconds", tick->build_user_s);
	field_real(build, "system_seconds", tick->build_system_s);
	field_real(build, "cpus", tick->build_cpus);
	field_count(build, "tasks", tick->build_tasks);
	field_count(build, "rss_bytes", tick->build_rss_bytes);
	field_count(build, "write_bytes", tick->build_write_bytes);
	put_causes(build, "time_seconds", tick->cause_s);
	if (tick->exact)
		json_object_set_new(build, "throttling_exact", json_true());
	field_real(build, "flush_some_seconds", tick->some_s);
	field_real(build, "flush_full_seconds", tick->full_s);
	field_real(build, "flush_path_seconds", tick->path_s);
	field_real(build, "flush_asked_seconds", tick->explicit_s);
	field_real(build, "unseen_seconds", tick->unknown_s);
	json_object_set_new(line, "build", build);
}

static void put_machine(json_t *line, const struct tick *tick)
{
	json_t *machine = json_object();
	field_real(machine, "cpus_busy", tick->cpus_busy);
	field_real(machine, "cpus_user", tick->cpus_user);
	field_real(machine, "cpus_system", tick->cpus_system);
	field_real(machine, "cpus_iowait", tick->cpus_iowait);
	field_real(machine, "cpus_steal", tick->cpus_steal);
	field_real(machine, "psi_cpu", tick->psi_cpu);
	field_real(machine, "psi_io", tick->psi_io);
	field_real(machine, "psi_io_full", tick->psi_io_full);
	field_real(machine, "psi_memory", tick->psi_memory);
	field_real(machine, "psi_memory_full", tick->psi_memory_full);
	field_real(machine, "dirtied_bytes_per_second", tick->dirtied_bytes_per_s);
	field_real(machine, "written_bytes_per_second", tick->written_bytes_per_s);
	field_count(machine, "page_cache_bytes", tick->page_cache_bytes);
	json_object_set_new(line, "machine", machine);
	json_t *system = json_object();
	put_metrics(system, METRIC_SCOPE_SYSTEM, tick->sample->system);
	json_object_set_new(line, "system", system);
}

static const char *doing_name(enum tick_doing doing)
{
	static const char *const names[] = {
		[TICK_RUNNING] = "running", [TICK_QUEUED] = "queued", [TICK_STALLED] = "stalled",
		[TICK_CHILD] = "child",	    [TICK_PIPE] = "pipe",     [TICK_POLL] = "poll",
		[TICK_SLEEP] = "sleep",	    [TICK_LOCKED] = "lock",   [TICK_STOPPED] = "stopped",
		[TICK_ZOMBIE] = "zombie",   [TICK_ENDED] = "ended",
	};
	return (size_t)doing < sizeof names / sizeof *names ? names[doing] : NULL;
}

/* Words joined by NUL bytes. */
static json_t *cmdline_json(const char *bytes, size_t len)
{
	json_t *array = json_array();
	for (size_t from = 0; from < len;) {
		size_t to = from;
		while (to < len && bytes[to] != '\0')
			to++;
		json_array_append_new(array, field_json_text(bytes + from, to - from));
		from = to + 1;
	}
	return array;
}

static json_t *task_json(const struct sample *sample, const struct task_row *row,
			 const struct tick_task *task)
{
	json_t *object = json_object();
	json_object_set_new(object, "pid", json_integer(row->pid));
	json_object_set_new(object, "ppid", json_integer(row->ppid));
	field_count(object, "start_ticks", row->start_ticks);
	if (row->uid != UINT32_MAX)
		field_count(object, "uid", row->uid);
	put_string(object, "comm", sample, row->comm);
	size_t len;
	const char *cmdline = sample_string(sample, row->cmdline, &len);
	if (len > 0)
		json_object_set_new(object, "command", cmdline_json(cmdline, len));
	if (row->state != '\0')
		field_text(object, "state", &row->state, 1);
	put_flags(object, task_flags, row->flags);
	put_metrics(object, METRIC_SCOPE_TASK, row->values);
	if (task != NULL) {
		field_real(object, "cpus", task->cpu);
		field_string(object, "doing", doing_name(task->doing));
		put_cause(object, "cause", task->cause);
		put_causes(object, "time_seconds", task->cause_s);
		put_string(object, "wchan", sample, task->wchan);
	}
	return object;
}

static void put_tasks(json_t *line, const struct tick *tick)
{
	json_t *tasks = json_array();
	for (size_t i = 0; i < tick->sample->n_tasks; i++) {
		const struct tick_task *task = tick->tasks != NULL ? &tick->tasks[i] : NULL;
		json_array_append_new(tasks, task_json(tick->sample, &tick->sample->tasks[i], task));
	}
	json_object_set_new(line, "tasks", tasks);
}

static void put_device(json_t *object, uint64_t device)
{
	char text[32];
	snprintf(text, sizeof text, "%u:%u", major(device), minor(device));
	field_string(object, "device", text);
}

static void put_mounts(json_t *line, const struct tick *tick)
{
	const struct sample *sample = tick->sample;
	json_t *mounts = json_array();
	for (size_t i = 0; i < sample->n_mounts; i++) {
		const struct mount_row *row = &sample->mounts[i];
		json_t *mount = json_object();
		put_string(mount, "mount", sample, row->point);
		put_string(mount, "type", sample, row->type);
		put_string(mount, "source", sample, row->source);
		put_device(mount, row->device);
		field_count(mount, "points", row->points);
		put_flags(mount, mount_flags, row->flags);
		put_metrics(mount, METRIC_SCOPE_MOUNT, row->values);
		if (tick->mounts != NULL) {
			field_real(mount, "growth_bytes_per_second", tick->mounts[i].growth_bytes_per_s);
			field_real(mount, "seconds_to_full", tick->mounts[i].seconds_to_full);
			if (tick->mounts[i].alarm != TICK_ALARM_NONE)
				field_string(mount, "alarm",
					     tick->mounts[i].alarm == TICK_ALARM_FILLING ? "filling"
											 : "nearly_full");
		}
		json_array_append_new(mounts, mount);
	}
	json_object_set_new(line, "mounts", mounts);
}

static void put_disks(json_t *line, const struct tick *tick)
{
	const struct sample *sample = tick->sample;
	json_t *disks = json_array();
	for (size_t i = 0; i < sample->n_disks; i++) {
		json_t *disk = json_object();
		put_string(disk, "name", sample, sample->disks[i].name);
		put_device(disk, sample->disks[i].device);
		put_metrics(disk, METRIC_SCOPE_DISK, sample->disks[i].values);
		if (tick->disks != NULL) {
			field_real(disk, "read_bytes_per_second", tick->disks[i].read_bytes_per_s);
			field_real(disk, "write_bytes_per_second", tick->disks[i].write_bytes_per_s);
			field_real(disk, "busy", tick->disks[i].busy);
		}
		json_array_append_new(disks, disk);
	}
	json_object_set_new(line, "disks", disks);
}

static json_t *site_json(const struct sample *sample, const struct site *row)
{
	json_t *site = json_object();
	put_string(site, "wchan", sample, row->wchan);
	if (row->syscall >= 0)
		json_object_set_new(site, "syscall", json_integer(row->syscall));
	if (row->state != '\0')
		field_text(site, "state", &row->state, 1);
	return site;
}

/* In which looks a thread was found at a site. */
static json_t *look_json(const struct sample *sample, const struct look_row *row)
{
	json_t *look = json_object(), *at = json_array();
	if (row->task < sample->n_tasks)
		json_object_set_new(look, "pid", json_integer(sample->tasks[row->task].pid));
	json_object_set_new(look, "tid", json_integer(row->tid));
	json_object_set_new(look, "site", json_integer(row->site));
	for (unsigned bit = 0; bit < 64; bit++) {
		if (row->mask >> bit & 1)
			json_array_append_new(at, json_integer(64 * (json_int_t)row->block + bit));
	}
	json_object_set_new(look, "at", at);
	return look;
}

static void put_looks(json_t *line, const struct run *run, const struct sample *sample)
{
	json_t *looks = json_object(), *times = json_array(), *sites = json_array(), *seen = json_array();
	for (size_t i = 0; i < sample->n_looks; i++) {
		double seconds = (double)(sample->look_ns[i] - run->start_mono_ns) / NS_PER_S;
		json_array_append_new(times, json_real(round(seconds * 1e6) / 1e6));
	}
	for (size_t i = 0; i < sample->n_sites; i++)
		json_array_append_new(sites, site_json(sample, &sample->sites[i]));
	for (size_t i = 0; i < sample->n_look_rows; i++)
		json_array_append_new(seen, look_json(sample, &sample->look_rows[i]));
	json_object_set_new(looks, "elapsed_seconds", times);
	json_object_set_new(looks, "sites", sites);
	json_object_set_new(looks, "seen", seen);
	json_object_set_new(line, "looks", looks);
}

static void ndjson_tick(struct buf *out, const struct run *run, const struct tick *tick, void *state)
{
	(void)state;
	const struct sample *sample = tick->sample;
	json_t *line = line_new("tick");
	field_count(line, "number", sample->number);
	put_time(line, "time", sample->wall_ns);
	field_real(line, "elapsed_seconds", (double)(sample->mono_ns - run->start_mono_ns) / NS_PER_S);
	field_real(line, "interval_seconds", tick->interval_s);
	put_flags(line, sample_flags, sample->flags);
	if (sample->missed > 0)
		field_count(line, "missed", sample->missed);
	field_real(line, "asleep_seconds", (double)sample->asleep_ns / NS_PER_S);
	field_real(line, "stalled_share", tick->share);
	put_cause(line, "cause", tick->brief.cause);
	if (tick->stalled)
		json_object_set_new(line, "stall", stall_json(run, &tick->stall));
	json_t *closed = json_array();
	for (size_t i = 0; i < tick->n_closed; i++)
		json_array_append_new(closed, stall_json(run, &tick->closed[i]));
	if (json_array_size(closed) > 0)
		json_object_set(line, "stalls_ended", closed);
	json_decref(closed);
	put_build(line, tick);
	put_machine(line, tick);
	put_tasks(line, tick);
	put_mounts(line, tick);
	put_disks(line, tick);
	put_looks(line, run, sample);
	add_line(out, line);
}

/* The end */

static void ndjson_end(struct buf *out, const struct run *run, const struct run_end *end, void *state)
{
	(void)state;
	json_t *line = line_new("end");
	json_object_set_new(line, "complete", json_boolean(end->complete));
	field_string(line, "outcome", run_outcome(end));
	if (end->known && end->signal == 0)
		json_object_set_new(line, "status", json_integer(end->status));
	if (end->known && end->signal != 0)
		json_object_set_new(line, "signal", json_integer(end->signal));
	if (end->wall_ns > 0)
		put_time(line, "time", end->wall_ns);
	if (end->mono_ns > 0)
		field_real(line, "elapsed_seconds", (double)(end->mono_ns - run->start_mono_ns) / NS_PER_S);
	field_count(line, "user_us", end->user_us);
	field_count(line, "system_us", end->system_us);
	field_count(line, "max_rss_bytes", end->max_rss_bytes);
	field_string(line, "left_behind", end->left_behind);
	add_line(out, line);
}

const struct report_format report_ndjson = {
	.name = "ndjson",
	.help = "a line of JSON for the run, each tick and the end: all that a recording holds",
	.begin = ndjson_begin,
	.tick = ndjson_tick,
	.end = ndjson_end,
};
