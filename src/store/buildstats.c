/* SPDX-License-Identifier: MIT
 *
 * From the files of a buildstats directory to samples. What a log tells for an interval is spread evenly over
 * it, what a task has used in all over its time; equal stamps become one. reduced_proc_diskstats.log stamps a
 * line with the begin of its interval, all others with the end; its rates are a hundred times KiB/s, its
 * utilisation is not to be had back, and its first line is not used. The number of CPUs is not told, but the
 * ticks behind the shares are. One thread.
 */
#include "store/buildstats.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/map.h"
#include "base/mem.h"
#include "buildstats_state.h"

#define FILE_MAX  ((size_t)256 << 20)
#define TASKS_MAX 1000000
#define SPAN_MAX  (INT64_C(30) * 86400 * NS_PER_S)

/* Files */

static int read_file(struct buf *out, const char *directory, const char *name)
{
	struct buf path = {0};
	struct stat status;
	buf_clear(out);
	buf_add_format(&path, "%s/%s", directory, name);
	int error = stat(path.data, &status) < 0 ? -errno : 0;
	if (error == 0 && !S_ISREG(status.st_mode)) /* a FIFO would wait */
		error = -EINVAL;
	if (error == 0)
		error = fd_read_file(path.data, out, FILE_MAX);
	buf_fini(&path);
	return error;
}

static void task_add(struct buildstats *stats, const char *recipe, const char *name, const struct buf *text)
{
	struct bitbake_task told;
	for (size_t at = 0; stats->n_tasks < TASKS_MAX && text->len > 0 &&
			    bitbake_task_parse(&told, text->data, text->len, &at);) {
		MEM_GROW(stats->tasks, stats->n_tasks, stats->cap_tasks);
		stats->tasks[stats->n_tasks++] =
			(struct task){.told = told, .name = mem_dup(name), .recipe = mem_dup(recipe)};
	}
}

static void read_recipe(struct buildstats *stats, const char *directory, const char *recipe)
{
	struct buf path = {0}, text = {0};
	buf_add_format(&path, "%s/%s", directory, recipe);
	DIR *dir = opendir(path.data);
	struct dirent *entry;
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.' && read_file(&text, path.data, entry->d_name) == 0)
			task_add(stats, recipe, entry->d_name, &text);
	}
	if (dir != NULL)
		closedir(dir);
	buf_fini(&path);
	buf_fini(&text);
}

static int read_tasks(struct buildstats *stats, const char *directory, struct why *why)
{
	DIR *dir = opendir(directory);
	if (dir == NULL)
		return why_set(why, -errno, "cannot read %s: %s", directory, strerror(errno));
	struct dirent *entry;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "reduced_proc_pressure") != 0)
			read_recipe(stats, directory, entry->d_name); /* files are no directories */
	}
	closedir(dir);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	if (x->told.start_ns != y->told.start_ns)
		return x->told.start_ns < y->told.start_ns ? -1 : 1;
	int order = strcmp(x->recipe, y->recipe);
	return order != 0 ? order : strcmp(x->name, y->name);
}

struct moment {
	int64_t ns;
	size_t task;
};

static int by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

static void order_tasks(struct buildstats *stats)
{
	if (stats->n_tasks > 0)
		qsort(stats->tasks, stats->n_tasks, sizeof *stats->tasks, by_start);
	struct moment *ends = mem_alloc(stats->n_tasks + 1, sizeof *ends);
	for (size_t i = 0; i < stats->n_tasks; i++) {
		const struct bitbake_task *told = &stats->tasks[i].told;
		stats->count.tasks++;
		stats->count.failed += told->failed;
		if (told->end_ns < 0)
			stats->count.unfinished++;
		else
			ends[stats->n_ends++] = (struct moment){told->end_ns, i};
	}
	qsort(ends, stats->n_ends, sizeof *ends, by_moment);
	stats->by_end = mem_alloc(stats->n_ends + 1, sizeof *stats->by_end);
	for (size_t i = 0; i < stats->n_ends; i++)
		stats->by_end[i] = ends[i].task;
	free(ends);
}

/* Curves */

/* The number that stands behind most lines: ticks are hundredths of a second of each CPU. */
static unsigned count_cpus(const struct bitbake_log *log)
{
	struct map votes = {0};
	unsigned cpus = 0;
	uint64_t most = 0, n;
	for (size_t i = 1; i < log->n; i++) {
		int64_t seconds = log->rows[i].stamp_s - log->rows[i - 1].stamp_s;
		unsigned ticks = bitbake_stat_ticks(log->rows[i].values);
		uint64_t vote =
			seconds > 0 ? (ticks + 50 * (uint64_t)seconds) / (100 * (uint64_t)seconds) : 0;
		if (vote == 0 || vote > 4096)
			continue;
		n = map_get(&votes, vote, &n) ? n + 1 : 1;
		map_put(&votes, vote, n);
		if (n > most || (n == most && vote > cpus)) {
			most = n;
			cpus = (unsigned)vote;
		}
	}
	map_fini(&votes);
	return cpus;
}

/* What the first line covers began at no stamp, but the ticks behind it tell. */
static int64_t first_seconds(const struct bitbake_log *log, unsigned cpus)
{
	int64_t seconds = llround(bitbake_stat_ticks(log->rows[0].values) / (100.0 * cpus));
	return seconds > 1 ? seconds : 1;
}

/* Shares of CPU time as CPU seconds. Lines of one stamp are one, weighed by the ticks behind them. */
static void stat_curves(struct buildstats *stats, const struct bitbake_log *log, unsigned cpus)
{
	int64_t before_s = log->n > 0 ? log->rows[0].stamp_s - first_seconds(log, cpus) : 0;
	for (size_t i = 0; i < log->n;) {
		int64_t stamp_s = log->rows[i].stamp_s;
		double sums[3] = {0}, ticks = 0;
		for (; i < log->n && log->rows[i].stamp_s == stamp_s; i++) {
			double weight = bitbake_stat_ticks(log->rows[i].values);
			for (int c = 0; c < 3; c++)
				sums[c] += weight * fmin(log->rows[i].values[c], 1);
			ticks += weight;
		}
		double seconds = (double)(stamp_s - before_s) * cpus;
		double idle = fmax(0, 1 - (sums[0] + sums[1] + sums[2]) / ticks);
		if (stamp_s <= before_s)
			continue;
		curve_add(&stats->curves[USER], before_s, stamp_s, sums[0] / ticks * seconds);
		curve_add(&stats->curves[SYSTEM], before_s, stamp_s, sums[1] / ticks * seconds);
		curve_add(&stats->curves[IOWAIT], before_s, stamp_s, sums[2] / ticks * seconds);
		curve_add(&stats->curves[IDLE], before_s, stamp_s, idle * seconds);
		before_s = stamp_s;
	}
}

static void disk_curves(struct buildstats *stats, const struct bitbake_log *log)
{
	for (size_t i = 1; i < log->n; i++) {
		int64_t from_s = log->rows[i].stamp_s;
		int64_t to_s = i + 1 < log->n ? log->rows[i + 1].stamp_s : from_s + 1;
		if (to_s == from_s) /* a moment between two lines of one second */
			continue;
		double bytes = 1024.0 / 100 * (double)(to_s - from_s);
		curve_add(&stats->curves[DISK_READ], from_s, to_s, log->rows[i].values[0] * bytes);
		curve_add(&stats->curves[DISK_WRITE], from_s, to_s, log->rows[i].values[1] * bytes);
	}
}

/* The fourth number is the growth of the kernel's total, in microseconds. */
static void pressure_curve(struct curve *curve, const struct bitbake_log *log, int64_t start_s)
{
	int64_t before_s = start_s;
	double us = 0;
	for (size_t i = 0; i < log->n; i++) {
		us += log->rows[i].values[3];
		bool last = i + 1 == log->n || log->rows[i + 1].stamp_s != log->rows[i].stamp_s;
		if (!last || log->rows[i].stamp_s <= before_s)
			continue;
		curve_add(curve, before_s, log->rows[i].stamp_s, us);
		before_s = log->rows[i].stamp_s;
		us = 0;
	}
}

static bool read_log(struct bitbake_log *log, const char *directory, const char *name, size_t columns)
{
	struct buf text = {0};
	bool read = read_file(&text, directory, name) == 0;
	if (text.len > 0)
		bitbake_log_parse(log, text.data, text.len, columns);
	buf_fini(&text);
	return read;
}

static void source(struct run *run, const char *name, bool there, const char *status, const char *file)
{
	char missing[96];
	snprintf(missing, sizeof missing, "no: there is no %s", file);
	run_set_source(run, name, there ? status : missing, NULL);
}

static void read_pressure(struct buildstats *stats, const char *directory)
{
	static const char *const files[] = {"cpu", "io", "memory"};
	bool there = false;
	for (int i = 0; i < 3; i++) {
		struct bitbake_log log = {0};
		char name[64];
		snprintf(name, sizeof name, "reduced_proc_pressure/%s.log", files[i]);
		there |= read_log(&log, directory, name, 4);
		pressure_curve(&stats->curves[PSI_CPU + i], &log, stats->run->start_wall_ns / NS_PER_S);
		bitbake_log_fini(&log);
	}
	source(stats->run, "psi", there, "partly: no full pressure", "reduced_proc_pressure");
}

static void read_logs(struct buildstats *stats, const char *directory, unsigned cpus)
{
	struct bitbake_log stat_log = {0}, disk_log = {0};
	struct run *run = stats->run;
	struct buf text = {0};
	bool there = read_log(&stat_log, directory, "reduced_proc_stat.log", 3);
	run->cpus = cpus != 0 ? cpus : count_cpus(&stat_log);
	if (run->cpus != 0)
		stat_curves(stats, &stat_log, run->cpus);
	source(run, "stat", there,
	       cpus != 0 ? "yes" : "partly: the number of CPUs is worked out from the shares of their time",
	       "reduced_proc_stat.log");
	there = read_log(&disk_log, directory, "reduced_proc_diskstats.log", 2);
	disk_curves(stats, &disk_log);
	source(run, "diskstats", there, "partly: all disks in one, bytes only", "reduced_proc_diskstats.log");
	there = read_log(&stats->memory, directory, "reduced_proc_meminfo.log", 6);
	source(run, "meminfo", there, "partly: no dirty pages, no tmpfs, no anonymous memory",
	       "reduced_proc_meminfo.log");
	if (stats->memory.n > 0 && stats->memory.rows[0].values[0] < 0x1p43)
		run->memory_total_bytes = (uint64_t)(stats->memory.rows[0].values[0] * 1024);
	there = read_file(&text, directory, "monitor_disk.log") == 0;
	if (text.len > 0)
		bitbake_disks_parse(&stats->disks, text.data, text.len);
	source(run, "mounts", there, "partly: used bytes only", "monitor_disk.log");
	read_pressure(stats, directory);
	bitbake_log_fini(&stat_log);
	bitbake_log_fini(&disk_log);
	buf_fini(&text);
	stats->used = mem_alloc(stats->disks.n_names + 1, sizeof *stats->used);
	for (size_t i = 0; i < stats->disks.n_names; i++)
		stats->used[i] = METRIC_NA;
}

/* The run and its end */

static char *dup_known(const char *text)
{
	return text[0] != '\0' ? mem_dup(text) : NULL;
}

static void make_run(struct buildstats *stats, const char *directory, const struct bitbake_head *head,
		     int64_t start_ns)
{
	struct run *run = stats->run;
	const char *slash;
	struct buf name = {0};
	buf_add_string(&name, directory);
	while (name.len > 1 && name.data[name.len - 1] == '/')
		name.data[--name.len] = '\0';
	slash = strrchr(name.data, '/');
	run_add_label(run, "buildname", slash != NULL ? slash + 1 : name.data);
	buf_fini(&name);
	uuid7(run->id, start_ns);
	run->mode = RUN_COMMAND;
	run->tool_version = mem_dup(PACKAGE_VERSION);
	run->command = mem_alloc(2, sizeof *run->command);
	run->command[0] = mem_dup("bitbake");
	run->host = dup_known(head->host);
	run->kernel = dup_known(head->kernel);
	run->machine = dup_known(head->machine);
	run->ticks_per_s = 100;
	run->start_wall_ns = run->start_mono_ns = start_ns;
	run->interval_ns = NS_PER_S;
	run_set_source(run, "processes",
		       "partly: the tasks of bitbake; what each used in all is spread evenly over its time",
		       NULL);
	run_set_source(run, "wchan", "no: not in buildstats", NULL);
	run_set_source(run, "vmstat", "no: not in buildstats", NULL);
}

static void name_unfinished(struct buildstats *stats)
{
	struct buf names = {0};
	size_t told = 0;
	for (size_t i = 0; i < stats->n_tasks && told < 5; i++) {
		if (stats->tasks[i].told.end_ns >= 0)
			continue;
		buf_add_format(&names, "%s%s:%s", told++ > 0 ? ", " : "", stats->tasks[i].recipe,
			       stats->tasks[i].name);
	}
	if (stats->count.unfinished > told)
		buf_add_format(&names, " and %zu more", stats->count.unfinished - told);
	stats->end.left_behind = names.data;
}

static void make_end(struct buildstats *stats, const struct bitbake_head *head)
{
	struct run_end *end = &stats->end;
	double user_s = 0, system_s = 0;
	*end = (struct run_end){.complete = isfinite(head->elapsed_s),
				.known = stats->count.failed > 0 ||
					 (isfinite(head->elapsed_s) && stats->count.unfinished == 0),
				.status = stats->count.failed > 0,
				.mono_ns = stats->end_ns,
				.wall_ns = stats->end_ns,
				.user_us = METRIC_NA,
				.system_us = METRIC_NA,
				.max_rss_bytes = METRIC_NA};
	for (size_t i = 0; i < stats->n_tasks; i++) {
		const struct bitbake_task *told = &stats->tasks[i].told;
		user_s += told->user_s;
		system_s += told->system_s;
		if (told->max_rss_bytes != METRIC_NA &&
		    (end->max_rss_bytes == METRIC_NA || told->max_rss_bytes > end->max_rss_bytes))
			end->max_rss_bytes = told->max_rss_bytes;
	}
	if (user_s < 1e12 && system_s < 1e12) { /* not when one of them is unknown */
		end->user_us = (uint64_t)llround(user_s * 1e6);
		end->system_us = (uint64_t)llround(system_s * 1e6);
	}
	if (stats->count.unfinished > 0)
		name_unfinished(stats);
}

/* From the start of the build, or of its first task, to the last that is told of it. */
static int find_span(struct buildstats *stats, const struct bitbake_head *head, int64_t *start_ns,
		     const char *directory, struct why *why)
{
	*start_ns = head->start_ns;
	if (stats->n_tasks > 0 && (*start_ns < 0 || stats->tasks[0].told.start_ns < *start_ns))
		*start_ns = stats->tasks[0].told.start_ns;
	if (*start_ns < 0)
		return why_set(why, -EINVAL, "%s: neither a start of the build nor a task", directory);
	stats->end_ns = *start_ns;
	if (head->start_ns >= 0 && head->elapsed_s < 1e9)
		stats->end_ns = head->start_ns + llround(head->elapsed_s * 100) * HUNDREDTH;
	for (size_t i = 0; i < stats->n_tasks; i++) {
		const struct bitbake_task *told = &stats->tasks[i].told;
		int64_t last_ns = told->end_ns > told->start_ns ? told->end_ns : told->start_ns;
		if (last_ns > stats->end_ns)
			stats->end_ns = last_ns;
	}
	if (stats->end_ns - *start_ns > SPAN_MAX)
		return why_set(why, -EINVAL, "%s: its times are more than 30 days apart", directory);
	return 0;
}

int buildstats_open(struct buildstats **out, const char *directory, unsigned cpus, struct why *why)
{
	struct buf text = {0};
	int error = read_file(&text, directory, "build_stats");
	if (error < 0) {
		buf_fini(&text);
		return why_set(
			why, error,
			"%s/build_stats cannot be read (%s): the directory of one build is wanted, such as "
			"tmp/buildstats/20260131120000",
			directory, strerror(-error));
	}
	struct buildstats *stats = mem_alloc(1, sizeof *stats);
	struct bitbake_head head;
	bitbake_head_parse(&head, text.len > 0 ? text.data : "", text.len);
	buf_fini(&text);
	stats->run = run_new();
	int64_t start_ns = -1;
	error = read_tasks(stats, directory, why);
	if (error == 0) {
		order_tasks(stats);
		error = find_span(stats, &head, &start_ns, directory, why);
	}
	if (error < 0) {
		buildstats_close(stats);
		return error;
	}
	make_run(stats, directory, &head, start_ns);
	read_logs(stats, directory, cpus);
	make_end(stats, &head);
	*out = stats;
	return 0;
}

void buildstats_close(struct buildstats *stats)
{
	if (stats == NULL)
		return;
	for (size_t i = 0; i < stats->n_tasks; i++) {
		free(stats->tasks[i].name);
		free(stats->tasks[i].recipe);
	}
	for (size_t i = 0; i < N_CURVES; i++)
		curve_fini(&stats->curves[i]);
	bitbake_log_fini(&stats->memory);
	bitbake_disks_fini(&stats->disks);
	run_free(stats->run);
	run_end_fini(&stats->end);
	free(stats->tasks);
	free(stats->by_end);
	free(stats->alive);
	free(stats->used);
	free(stats);
}

const struct run *buildstats_run(const struct buildstats *stats)
{
	return stats->run;
}

const struct run_end *buildstats_end(const struct buildstats *stats)
{
	return &stats->end;
}

struct buildstats_count buildstats_count(const struct buildstats *stats)
{
	return stats->count;
}
