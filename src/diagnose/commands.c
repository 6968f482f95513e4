/* SPDX-License-Identifier: MIT
 *
 * Adds up processes by their last name. Where the kernel counts each of them it stops when one begins to end:
 * freeing its memory, 3 % of a compiler's time and more of a short process's, is in the total alone. That
 * rest is put to the commands by how many of them ended and what they used, as far as it can be that, and
 * told beside; what goes beyond stays unattributed.
 */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What ending costs, as measured: about so much each, and a share of the CPU time before. The shares are
 * scaled to what there is to share; at most by this. */
#define ENDING_EACH_S	  0.00012
#define ENDING_SHARE	  0.03
#define ENDING_SCALE_MOST 4

struct command {
	struct summary_command told;
	double rss_bytes_s, rss_s;
	double ending_s; /* expected */
};

struct commands {
	struct command *all;
	size_t n_all, cap_all;
	uint64_t started;
	bool exact; /* the kernel counted some of them */
};

struct commands *commands_new(void)
{
	return mem_alloc(1, sizeof(struct commands));
}

void commands_free(struct commands *commands)
{
	free(commands->all);
	free(commands);
}

static struct command *command_of(struct commands *commands, const char *name)
{
	struct command *command;

	for (size_t i = 0; i < commands->n_all; i++)
		if (memcmp(commands->all[i].told.name, name, sizeof commands->all[i].told.name) == 0)
			return &commands->all[i];
	MEM_GROW(commands->all, commands->n_all, commands->cap_all);
	command = &commands->all[commands->n_all++];
	*command = (struct command){.told.rss_peak_bytes = METRIC_NA};
	memcpy(command->told.name, name, sizeof command->told.name);
	return command;
}

void commands_count(struct commands *commands, const struct member *member)
{
	struct command *command = command_of(commands, member->comm);
	struct summary_command *told = &command->told;

	commands->started++;
	told->count++;
	told->cpu_s += member->cpu_s;
	if (member->until_ns > member->from_ns)
		told->wall_s += (double)(member->until_ns - member->from_ns) / 1e9;
	if (member->rss_peak_bytes != METRIC_NA &&
	    (told->rss_peak_bytes == METRIC_NA || member->rss_peak_bytes > told->rss_peak_bytes))
		told->rss_peak_bytes = member->rss_peak_bytes;
	command->rss_bytes_s += member->rss_bytes_s;
	command->rss_s += member->rss_s;
	told->written_bytes += member->written_bytes;
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		told->time_s[cause] += member->cause_s[cause];
	if (member->exact) {
		commands->exact = true;
		command->ending_s += ENDING_EACH_S + ENDING_SHARE * member->cpu_s;
	}
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

/* Of the total what the commands lack; gives to each its share of what ending costs. */
static void rest_share(struct commands *commands, struct summary *summary)
{
	double rest_s = summary->user_s + summary->system_s, expected_s = 0, scale;

	for (size_t i = 0; i < commands->n_all; i++) {
		rest_s -= commands->all[i].told.cpu_s;
		expected_s += commands->all[i].ending_s;
	}
	rest_s = fmax(rest_s, 0);
	scale = expected_s > 0 ? fmin(rest_s / expected_s, ENDING_SCALE_MOST) : 0;
	for (size_t i = 0; i < commands->n_all; i++)
		commands->all[i].told.cpu_s += commands->all[i].ending_s * scale;
	summary->ending_s = commands->exact ? expected_s * scale : NAN;
	summary->unattributed_s = isnan(rest_s) ? NAN : rest_s - expected_s * scale;
	summary->commands_source = commands->exact ? "exits" : "looks";
}

/* Those counted and those alive. */
static struct commands commands_now(const struct commands *commands, const struct members *members)
{
	struct commands now = *commands;

	now.cap_all = commands->n_all;
	now.all = mem_alloc(now.cap_all + 1, sizeof *now.all);
	if (now.n_all)
		memcpy(now.all, commands->all, now.n_all * sizeof *now.all);
	for (size_t i = 0; i < members->n_all; i++)
		if (members->all[i].state != MEMBER_TOLD)
			commands_count(&now, &members->all[i]);
	return now;
}

void commands_summary(const struct commands *commands, const struct members *members, struct summary *summary)
{
	struct commands now = commands_now(commands, members);

	rest_share(&now, summary);
	summary->commands = mem_alloc(now.n_all + 1, sizeof *summary->commands);
	for (size_t i = 0; i < now.n_all; i++) {
		summary->commands[i] = now.all[i].told;
		summary->commands[i].rss_mean_bytes =
			now.all[i].rss_s > 0 ? (uint64_t)(now.all[i].rss_bytes_s / now.all[i].rss_s)
					     : METRIC_NA;
	}
	qsort(summary->commands, now.n_all, sizeof *summary->commands, by_cpu);
	summary->n_commands = now.n_all < SUMMARY_COMMANDS_MAX ? now.n_all : SUMMARY_COMMANDS_MAX;
	summary->commands_dropped = now.n_all - summary->n_commands;
	summary->processes_started = now.started;
	free(now.all);
}
