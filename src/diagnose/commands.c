/* SPDX-License-Identifier: MIT
 *
 * A process counts once, under the name it was last seen with: a compiler is a shell for a moment before it
 * is exec'd. CPU time goes to the name it was used under, as far as ticks can tell. Processes that began and
 * ended between two looks are not known here.
 */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#include "rates.h"

/* A living task. */
struct member {
	int32_t pid;
	uint64_t start_ticks;
	size_t command;
	uint64_t cpu_ms;  /* counted so far; METRIC_NA: unknown */
	int64_t until_ns; /* wall time is counted up to here */
	uint64_t seen;	  /* in which tick */
};

struct commands {
	bool ours; /* the run is a command of ours: all its CPU time counts */
	uint32_t ticks_per_s;
	uint64_t started, ticks;
	struct summary_command *all;
	size_t n_all, cap_all;
	struct member *members;
	size_t n_members, cap_members;
};

struct commands *commands_new(const struct run *run)
{
	struct commands *commands = mem_alloc(1, sizeof *commands);

	commands->ours = run->mode == RUN_COMMAND;
	commands->ticks_per_s = run->ticks_per_s ? run->ticks_per_s : 100;
	return commands;
}

void commands_free(struct commands *commands)
{
	free(commands->all);
	free(commands->members);
	free(commands);
}

static size_t command_of(struct commands *commands, const char *comm)
{
	struct summary_command new = {.rss_peak_bytes = METRIC_NA};

	strncpy(new.name, comm, sizeof new.name - 1);
	for (size_t i = 0; i < commands->n_all; i++)
		if (memcmp(commands->all[i].name, new.name, sizeof new.name) == 0)
			return i;
	MEM_GROW(commands->all, commands->n_all, commands->cap_all);
	commands->all[commands->n_all] = new;
	return commands->n_all++;
}

static uint64_t row_cpu_ms(const struct task_row *row)
{
	uint64_t user = row->values[METRIC_TASK_USER_MS], system = row->values[METRIC_TASK_SYSTEM_MS];

	return user == METRIC_NA || system == METRIC_NA ? METRIC_NA : user + system;
}

/* Finds or makes the member; the rows of two ticks stand in much the same order, so the search starts where
 * the last ended. */
static struct member *member_of(struct commands *commands, const struct sample *sample,
				const struct task_row *row, int64_t before_ns, size_t command, size_t *hint)
{
	int64_t start_ns = task_start_ns(row, commands->ticks_per_s, sample->asleep_ns);
	bool began = row->flags & TASK_NEW && start_ns >= before_ns - NS_PER_S;
	struct member *member;

	for (size_t i = 0; i < commands->n_members; i++) {
		size_t at = (*hint + i) % commands->n_members;

		member = &commands->members[at];
		if (member->pid == row->pid && member->start_ticks == row->start_ticks) {
			*hint = at + 1;
			return member;
		}
	}
	MEM_GROW(commands->members, commands->n_members, commands->cap_members);
	member = &commands->members[commands->n_members++];
	*member = (struct member){
		.pid = row->pid,
		.start_ticks = row->start_ticks,
		.command = command,
		.cpu_ms = began || (commands->ours && sample->flags & SAMPLE_FIRST) ? 0 : row_cpu_ms(row),
		.until_ns = began && start_ns < sample->mono_ns ? start_ns : before_ns};
	commands->all[command].count++;
	commands->started++;
	return member;
}

static void row_add(struct commands *commands, const struct sample *sample, const struct task_row *row,
		    int64_t before_ns, size_t *hint)
{
	size_t command = command_of(commands, sample_string(sample, row->comm, NULL));
	struct member *member = member_of(commands, sample, row, before_ns, command, hint);
	struct summary_command *told = &commands->all[command];
	uint64_t cpu_ms = row_cpu_ms(row), rss = row->values[METRIC_TASK_RSS_BYTES];
	int64_t until_ns = sample->mono_ns;

	if (member->command != command) {
		commands->all[member->command].count--;
		told->count++;
		member->command = command;
	}
	if (cpu_ms != METRIC_NA && member->cpu_ms != METRIC_NA && cpu_ms > member->cpu_ms)
		told->cpu_s += (double)(cpu_ms - member->cpu_ms) / 1e3;
	if (cpu_ms != METRIC_NA)
		member->cpu_ms = cpu_ms;
	if (rss != METRIC_NA && (told->rss_peak_bytes == METRIC_NA || rss > told->rss_peak_bytes))
		told->rss_peak_bytes = rss;
	if (row->flags & TASK_ENDED && member->until_ns < until_ns) /* somewhere in between: the middle */
		until_ns = member->until_ns + (until_ns - member->until_ns) / 2;
	if (until_ns > member->until_ns) {
		told->wall_s += (double)(until_ns - member->until_ns) / (double)NS_PER_S;
		member->until_ns = until_ns;
	}
	member->seen = row->flags & TASK_ENDED ? 0 : commands->ticks;
}

void commands_add(struct commands *commands, const struct tick *tick, int64_t before_ns)
{
	const struct sample *sample = tick->sample;
	size_t hint = 0, kept = 0;

	commands->ticks++;
	for (size_t i = 0; i < sample->n_tasks; i++)
		row_add(commands, sample, &sample->tasks[i], before_ns, &hint);
	for (size_t i = 0; i < commands->n_members; i++)
		if (commands->members[i].seen == commands->ticks)
			commands->members[kept++] = commands->members[i];
	commands->n_members = kept;
}

static int by_cpu(const void *a, const void *b)
{
	const struct summary_command *x = a, *y = b;

	if (x->cpu_s != y->cpu_s)
		return x->cpu_s < y->cpu_s ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return memcmp(x->name, y->name, sizeof x->name);
}

void commands_summary(const struct commands *commands, struct summary *summary)
{
	size_t n = 0;

	summary->commands = mem_alloc(commands->n_all + 1, sizeof *summary->commands);
	for (size_t i = 0; i < commands->n_all; i++)
		if (commands->all[i].count > 0 || commands->all[i].cpu_s > 0)
			summary->commands[n++] = commands->all[i];
	qsort(summary->commands, n, sizeof *summary->commands, by_cpu);
	summary->n_commands = n < SUMMARY_COMMANDS_MAX ? n : SUMMARY_COMMANDS_MAX;
	summary->commands_dropped = n - summary->n_commands;
	summary->processes_started = commands->started;
}
