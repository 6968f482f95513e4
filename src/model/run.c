/* SPDX-License-Identifier: MIT
 *
 * What a run is made of; all strings in it are its own.
 */
#include "model/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/metric.h"

struct run *run_new(void)
{
	struct run *run = mem_alloc(1, sizeof *run);

	run->vcs_dirty = -1;
	run->memory_total_bytes = METRIC_NA;
	return run;
}

void run_free(struct run *run)
{
	if (!run)
		return;
	for (size_t i = 0; run->command && run->command[i]; i++)
		free(run->command[i]);
	free(run->command);
	for (size_t i = 0; i < run->n_labels; i++) {
		free(run->labels[i].key);
		free(run->labels[i].value);
	}
	free(run->labels);
	for (size_t i = 0; i < run->n_sources; i++) {
		free(run->sources[i].name);
		free(run->sources[i].status);
		free(run->sources[i].remedy);
	}
	free(run->sources);
	for (size_t i = 0; i < run->n_alerts; i++)
		free(run->alerts[i]);
	free(run->alerts);
	free(run->tool_version);
	free(run->workdir);
	free(run->vcs_commit);
	free(run->host);
	free(run->kernel);
	free(run->machine);
	free(run->boot_id);
	free(run);
}

static struct run_label *run_find_label(const struct run *run, const char *key)
{
	for (size_t i = 0; i < run->n_labels; i++)
		if (strcmp(run->labels[i].key, key) == 0)
			return &run->labels[i];
	return NULL;
}

void run_add_label(struct run *run, const char *key, const char *value)
{
	struct run_label *label = run_find_label(run, key);
	char *copy = mem_dup(value);

	if (!label) {
		run->labels = mem_resize(run->labels, run->n_labels + 1, sizeof *run->labels);
		label = &run->labels[run->n_labels++];
		*label = (struct run_label){.key = mem_dup(key)};
	}
	free(label->value);
	label->value = copy;
}

const char *run_label(const struct run *run, const char *key)
{
	const struct run_label *label = run_find_label(run, key);

	return label ? label->value : NULL;
}

void run_add_alert(struct run *run, const char *text)
{
	run->alerts = mem_resize(run->alerts, run->n_alerts + 1, sizeof *run->alerts);
	run->alerts[run->n_alerts++] = mem_dup(text);
}

static struct run_source *run_find_source(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_sources; i++)
		if (strcmp(run->sources[i].name, name) == 0)
			return &run->sources[i];
	return NULL;
}

void run_set_source(struct run *run, const char *name, const char *status, const char *remedy)
{
	struct run_source *source = run_find_source(run, name);
	struct run_source fresh = {.status = mem_dup(status), .remedy = remedy ? mem_dup(remedy) : NULL};

	if (source) {
		fresh.name = source->name;
		free(source->status);
		free(source->remedy);
	} else {
		fresh.name = mem_dup(name);
		run->sources = mem_resize(run->sources, run->n_sources + 1, sizeof *run->sources);
		source = &run->sources[run->n_sources++];
	}
	*source = fresh;
}

const char *run_source(const struct run *run, const char *name)
{
	const struct run_source *source = run_find_source(run, name);

	return source ? source->status : NULL;
}

const char *run_outcome(const struct run_end *end)
{
	if (end->interrupted)
		return "interrupted";
	if (!end->known)
		return "unknown";
	if (end->signal)
		return "signal";
	return end->status ? "failure" : "success";
}

const char *run_signal_name(int number)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},	{SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
		{SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},	{SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
		{SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},	{SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
		{SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},	{SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"},
		{SIGXFSZ, "SIGXFSZ"}, {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGIO, "SIGIO"},
		{SIGPWR, "SIGPWR"},   {SIGSYS, "SIGSYS"},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}

void run_end_fini(struct run_end *end)
{
	free(end->left_behind);
	end->left_behind = NULL;
}
