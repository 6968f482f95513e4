/* SPDX-License-Identifier: MIT
 *
 * A process counts once, under the name it was last seen with: a compiler is a shell for a moment before it
 * is exec'd. Looks tell what it is and what it waits for; its end, where the kernel tells it, what it used
 * and from when to when. Invariant: each is finished once, whichever of the two comes first.
 */
#include "members.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#include "rates.h"

#define END_LATE_TICKS 3 /* so long an end is waited for */

void members_init(struct members *members, const struct run *run)
{
	*members = (struct members){.ours = run->mode == RUN_COMMAND,
				    .ticks_per_s = run->ticks_per_s ? run->ticks_per_s : 100};
}

void members_fini(struct members *members)
{
	free(members->all);
	free(members->finished);
}

static void member_finish(struct members *members, const struct member *member)
{
	MEM_GROW(members->finished, members->n_finished, members->cap_finished);
	members->finished[members->n_finished++] = *member;
}

static void member_name(struct member *member, const char *comm)
{
	memset(member->comm, 0, sizeof member->comm);
	strncpy(member->comm, comm, sizeof member->comm - 1);
}

static uint64_t row_cpu_ms(const struct task_row *row)
{
	uint64_t user = row->values[METRIC_TASK_USER_MS], system = row->values[METRIC_TASK_SYSTEM_MS];

	return user == METRIC_NA || system == METRIC_NA ? METRIC_NA : user + system;
}

/* Ending can take so long that the end was told before a look found the process. */
static struct member *member_told_before(struct members *members, const struct task_row *row,
					 int64_t start_ns)
{
	for (size_t i = 0; i < members->n_all; i++) {
		struct member *member = &members->all[i];
		int64_t apart_ns = start_ns - member->from_ns;

		if (member->pid == row->pid && member->state == MEMBER_TOLD && member->start_ticks == 0 &&
		    apart_ns > -NS_PER_S / 20 && apart_ns < NS_PER_S / 20) {
			member->start_ticks = row->start_ticks;
			return member;
		}
	}
	return NULL;
}

/* Finds or makes the member; the rows of two ticks stand in much the same order, so the search starts where
 * the last ended. */
static struct member *member_of(struct members *members, const struct sample *sample,
				const struct task_row *row, int64_t before_ns, size_t *hint)
{
	int64_t start_ns = task_start_ns(row, members->ticks_per_s, sample->asleep_ns);
	bool began = row->flags & TASK_NEW && start_ns >= before_ns - NS_PER_S;
	struct member *member;

	for (size_t i = 0; i < members->n_all; i++) {
		size_t at = (*hint + i) % members->n_all;

		member = &members->all[at];
		if (member->pid == row->pid && member->start_ticks == row->start_ticks) {
			*hint = at + 1;
			return member;
		}
	}
	member = member_told_before(members, row, start_ns);
	if (member)
		return member;
	MEM_GROW(members->all, members->n_all, members->cap_all);
	member = &members->all[members->n_all++];
	*member = (struct member){
		.pid = row->pid,
		.start_ticks = row->start_ticks,
		.cpu_ms = began || (members->ours && sample->flags & SAMPLE_FIRST) ? 0 : row_cpu_ms(row),
		.rss_peak_bytes = METRIC_NA,
		/* Found dead: its end has been told, or will be, and that counts it. */
		.state = members->counting && row->state == 'Z' ? MEMBER_TOLD : MEMBER_ALIVE,
		.from_ns = began && start_ns < sample->mono_ns ? start_ns : before_ns};
	member->until_ns = member->from_ns;
	return member;
}

static void used_add(struct member *member, const struct task_row *row, int64_t until_ns)
{
	uint64_t cpu_ms = row_cpu_ms(row);

	if (cpu_ms != METRIC_NA && member->cpu_ms != METRIC_NA && cpu_ms > member->cpu_ms)
		member->cpu_s += (double)(cpu_ms - member->cpu_ms) / 1e3;
	if (cpu_ms != METRIC_NA)
		member->cpu_ms = cpu_ms;
	if (row->flags & TASK_ENDED && member->until_ns < until_ns) /* somewhere in between: the middle */
		until_ns = member->until_ns + (until_ns - member->until_ns) / 2;
	if (until_ns > member->until_ns)
		member->until_ns = until_ns;
}

static void row_add(struct members *members, const struct tick *tick, size_t i, int64_t before_ns,
		    size_t *hint)
{
	const struct task_row *row = &tick->sample->tasks[i];
	const struct tick_task *task = &tick->tasks[i];
	struct member *member = member_of(members, tick->sample, row, before_ns, hint);
	uint64_t rss = row->values[METRIC_TASK_RSS_BYTES];

	member->last_tick = members->ticks;
	if (member->state == MEMBER_TOLD)
		return;
	member->ppid = row->ppid;
	member_name(member, sample_string(tick->sample, row->comm, NULL));
	used_add(member, row, tick->sample->mono_ns);
	if (rss != METRIC_NA) {
		if (member->rss_peak_bytes == METRIC_NA || rss > member->rss_peak_bytes)
			member->rss_peak_bytes = rss;
		member->rss_bytes_s += (double)rss * tick->interval_s;
		member->rss_s += tick->interval_s;
	}
	if (task->write_bytes_per_s > 0)
		member->written_bytes += task->write_bytes_per_s * tick->interval_s;
	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		member->cause_s[cause] += task->cause_s[cause];
	if (row->flags & TASK_ENDED)
		member->state = MEMBER_ENDED;
}

/* Of a pid that came twice the earlier one: ends come in their order. */
static struct member *member_that_ended(struct members *members, const struct exit_row *row)
{
	for (size_t i = 0; i < members->n_all; i++)
		if (members->all[i].pid == row->pid && members->all[i].state != MEMBER_TOLD)
			return &members->all[i];
	return NULL;
}

static void end_add(struct members *members, const struct sample *sample, const struct exit_row *row)
{
	struct member *member = member_that_ended(members, row);

	if (!member) { /* no look saw it; kept for a tick, should one still do */
		MEM_GROW(members->all, members->n_all, members->cap_all);
		member = &members->all[members->n_all++];
		*member = (struct member){.pid = row->pid,
					  .ppid = row->ppid,
					  .rss_peak_bytes = METRIC_NA,
					  .last_tick = members->ticks};
	}
	if (row->comm)
		member_name(member, sample_string(sample, row->comm, NULL));
	if (row->cpu_us != METRIC_NA) {
		member->exact = true;
		member->cpu_s = (double)row->cpu_us / 1e6;
	}
	member->from_ns = row->start_ns;
	member->until_ns = row->end_ns;
	member->state = MEMBER_TOLD;
	member_finish(members, member);
}

/* Finishes those whose end nobody tells, and forgets those who are gone. */
static void gone_drop(struct members *members)
{
	size_t kept = 0;

	for (size_t i = 0; i < members->n_all; i++) {
		struct member *member = &members->all[i];
		uint64_t unseen = members->ticks - member->last_tick;

		if (member->state == MEMBER_TOLD && unseen > 1)
			continue;
		if (member->state != MEMBER_TOLD && (member->state == MEMBER_ENDED || unseen > 0) &&
		    (!members->counting || unseen >= END_LATE_TICKS)) {
			member_finish(members, member);
			continue;
		}
		if (kept != i)
			members->all[kept] = *member;
		kept++;
	}
	members->n_all = kept;
}

void members_add(struct members *members, const struct tick *tick, int64_t before_ns)
{
	const struct sample *sample = tick->sample;
	size_t hint = 0;

	members->ticks++;
	members->n_finished = 0;
	members->counting = sample->system[METRIC_SYSTEM_EXITS_CPU_US] != METRIC_NA;
	for (size_t i = 0; i < sample->n_tasks; i++)
		row_add(members, tick, i, before_ns, &hint);
	for (size_t i = 0; i < sample->n_exits; i++)
		end_add(members, sample, &sample->exits[i]);
	gone_drop(members);
}
