/* SPDX-License-Identifier: MIT
 *
 * Names, units and where in the document they stand; a new figure is a line here. Names follow Prometheus:
 * base units, plural, no _total, since each is a value of one build and no counter. Group and name together
 * must be unique: VictoriaMetrics joins them with '_'. Command lines, ids and file names are never tags.
 */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define COMMANDS_MAX 10

#define ONE(name, path, unit, help)                                                                          \
	{                                                                                                    \
		"", name, NULL, NULL, NULL, path, unit, help                                                 \
	}
#define CPU(mode, path)                                                                                      \
	{                                                                                                    \
		"cpu", "seconds", "mode", NULL, mode, path, FIGURE_SECONDS,                                  \
			"CPU time of the build's processes."                                                 \
	}
#define STALL(name, unit, help)                                                                              \
	{                                                                                                    \
		"stall", name, "cause", "stalls.by_cause", "cause", name, unit, help                         \
	}
#define TMPFS(name, unit, help)                                                                              \
	{                                                                                                    \
		"tmpfs", name, "mount", "tmpfs", "mount", name, unit, help                                   \
	}
#define COMMAND(name, path, unit, help)                                                                      \
	{                                                                                                    \
		"command", name, "command", "commands", "name", path, unit, help                             \
	}

const struct figure_kind figure_kinds[] = {
	ONE("wall_seconds", "wall_seconds", FIGURE_SECONDS, "Time from start to end."),
	ONE("stalled_seconds", "stalls.stalled_seconds", FIGURE_SECONDS, "Time in stalls of any cause."),
	ONE("flush_seconds", "stalls.flush_seconds", FIGURE_SECONDS, "Time in stalls by flushing."),
	ONE("flush_free_wall_min_seconds", "bound.flush_free_wall_seconds_min", FIGURE_SECONDS,
	    "Wall time had nothing waited for flushing, at least."),
	ONE("flush_free_wall_max_seconds", "bound.flush_free_wall_seconds_max", FIGURE_SECONDS,
	    "Wall time had nothing waited for flushing, at most."),
	ONE("exit_status", "exit.status", FIGURE_STATE, "Exit status."),
	ONE("success", "exit.outcome", FIGURE_STATE, "1 if the build succeeded."),
	ONE("complete", "complete", FIGURE_STATE, "0 if the figures are lower bounds."),
	ONE("cpus", "host.cpus", FIGURE_COUNT, "Processors online at the start."),
	ONE("memory_size_bytes", "host.memory_total_bytes", FIGURE_BYTES, "Memory of the machine."),
	ONE("processes_started", "processes.started", FIGURE_COUNT, "Processes of the build."),
	ONE("processes_peak", "processes.peak", FIGURE_COUNT, "Processes at one moment."),
	ONE("rss_peak_bytes", "memory.rss_peak_bytes", FIGURE_BYTES, "Memory of the build at one moment."),
	ONE("page_cache_peak_bytes", "memory.page_cache_peak_bytes", FIGURE_BYTES,
	    "Page cache of the machine."),
	ONE("dirty_peak_bytes", "memory.dirty_peak_bytes", FIGURE_BYTES, "Dirty pages of the machine."),
	ONE("writeback_peak_bytes", "memory.writeback_peak_bytes", FIGURE_BYTES,
	    "Pages of the machine under writeback."),
	ONE("swap_peak_bytes", "memory.swap_peak_bytes", FIGURE_BYTES, "Swap in use on the machine."),
	ONE("stall_episodes_dropped", "stalls.episodes_dropped", FIGURE_COUNT,
	    "Stalls that are not told one by one."),
	ONE("commands_dropped", "commands_dropped", FIGURE_COUNT, "Commands that are not told one by one."),
	ONE("monitor_interval_seconds", "monitor.sample_interval_seconds", FIGURE_SECONDS,
	    "Time between samples."),
	ONE("monitor_samples", "monitor.samples", FIGURE_COUNT, "Samples taken."),
	ONE("monitor_samples_missed", "monitor.samples_missed", FIGURE_COUNT, "Samples that came too late."),
	ONE("monitor_cpu_seconds", "monitor.cpu_seconds", FIGURE_SECONDS, "CPU time of buildtop itself."),
	CPU("user", "cpu.user_seconds"),
	CPU("system", "cpu.system_seconds"),
	{"time", "seconds", "class", "time_seconds", NULL, "", FIGURE_SECONDS,
	 "How the tasks of the build spent their time, in task-seconds."},
	STALL("seconds", FIGURE_SECONDS, "Time stalled by this cause."),
	STALL("episodes", FIGURE_COUNT, "Stalls of this cause."),
	TMPFS("peak_bytes", FIGURE_BYTES, "Most bytes in use."),
	TMPFS("size_bytes", FIGURE_BYTES, "Bytes there is room for."),
	TMPFS("peak_inodes", FIGURE_COUNT, "Most inodes in use."),
	TMPFS("inodes", FIGURE_COUNT, "Inodes there is room for."),
	TMPFS("peak_at_seconds", FIGURE_SECONDS, "When it was fullest, since the start."),
	TMPFS("alarmed", FIGURE_STATE, "1 if an alarm was raised."),
	COMMAND("cpu_seconds", "cpu_seconds", FIGURE_SECONDS, "CPU time of all processes of this name."),
	COMMAND("runs", "count", FIGURE_COUNT, "Processes of this name."),
	COMMAND("wall_seconds", "wall_seconds", FIGURE_SECONDS, "Sum of their wall times."),
	COMMAND("rss_peak_bytes", "rss_peak_bytes", FIGURE_BYTES, "Memory of the largest."),
};
const size_t figure_n_kinds = sizeof figure_kinds / sizeof *figure_kinds;

const json_t *document_at(const json_t *at, const char *path)
{
	char key[80];
	while (at != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)len, path);
		at = json_object_get(at, key);
		path += len + (path[len] == '.');
	}
	return at;
}

const char *document_string(const json_t *document, const char *path)
{
	const char *text = json_string_value(document_at(document, path));
	return text != NULL ? text : "";
}

static bool figure_value(struct figure *figure, const json_t *value)
{
	if (json_is_true(value) || json_is_false(value)) {
		figure->integer = json_is_true(value);
	} else if (json_is_string(value)) { /* the outcome */
		figure->integer = strcmp(json_string_value(value), "success") == 0;
	} else if (json_is_number(value)) {
		figure->real = json_number_value(value);
		figure->integer = json_is_integer(value) ? json_integer_value(value) : (int64_t)figure->real;
	} else {
		return false;
	}
	figure->is_integer = figure->kind->unit != FIGURE_SECONDS;
	if (figure->is_integer)
		figure->real = (double)figure->integer;
	return isfinite(figure->real);
}

static bool is_there(const struct figures *figures, const struct figure *figure)
{
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *other = &figures->list[i];
		if (other->kind == figure->kind && figure->tag_value != NULL &&
		    strcmp(other->tag_value, figure->tag_value) == 0)
			return true;
	}
	return false;
}

static void add_figure(struct figures *figures, const struct figure_kind *kind, const char *tag_value,
		       const json_t *value)
{
	struct figure figure = {.kind = kind, .tag_value = tag_value};
	if ((kind->tag != NULL && (tag_value == NULL || tag_value[0] == '\0')) ||
	    !figure_value(&figure, value) || is_there(figures, &figure))
		return;
	MEM_GROW(figures->list, figures->count, figures->capacity);
	figures->list[figures->count++] = figure;
}

/* All kinds of a group for one element of its list. */
static void add_element(struct figures *figures, size_t first, const char *key, const json_t *element)
{
	const char *group = figure_kinds[first].group;
	for (size_t i = first; i < figure_n_kinds && figure_kinds[i].group == group; i++) {
		const struct figure_kind *kind = &figure_kinds[i];
		const char *tag = kind->tag_value != NULL
					  ? json_string_value(json_object_get(element, kind->tag_value))
					  : key;
		add_figure(figures, kind, tag, document_at(element, kind->path));
	}
}

static void add_list(struct figures *figures, size_t first, const json_t *list)
{
	size_t most =
		strcmp(figure_kinds[first].group, "command") == 0 ? COMMANDS_MAX : json_array_size(list);
	for (size_t i = 0; i < json_array_size(list) && i < most; i++)
		add_element(figures, first, NULL, json_array_get(list, i));
	json_t *object = (json_t *)(uintptr_t)list, *value;
	const char *key;
	json_object_foreach(object, key, value) add_element(figures, first, key, value);
}

void figures_collect(struct figures *figures, const json_t *document)
{
	*figures = (struct figures){0};
	for (size_t i = 0; i < figure_n_kinds; i++) {
		const struct figure_kind *kind = &figure_kinds[i];
		if (kind->list == NULL)
			add_figure(figures, kind, kind->tag != NULL ? kind->tag_value : NULL,
				   document_at(document, kind->path));
		else if (figure_kinds[i - 1].group != kind->group)
			add_list(figures, i, document_at(document, kind->list));
	}
}

void figures_fini(struct figures *figures)
{
	free(figures->list);
	*figures = (struct figures){0};
}

char *figure_text(char out[FIGURE_TEXT_SIZE], const struct figure *figure)
{
	if (figure->is_integer) {
		snprintf(out, FIGURE_TEXT_SIZE, "%lld", (long long)figure->integer);
		return out;
	}
	snprintf(out, FIGURE_TEXT_SIZE - 2, "%.15g", figure->real);
	if (strpbrk(out, ".e") == NULL)
		strcat(out, ".0");
	return out;
}
