/* SPDX-License-Identifier: MIT
 *
 * A task is one by its pid and start. It ends when a row says so, or when it has no row any more (the
 * recording lost samples). The start is the kernel's, to a clock tick; the end is that of the interval it
 * ended in. Knows no format. One thread.
 */
#include "lives.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

static uint64_t identity(const struct task_row *row)
{
	uint64_t key[2] = {(uint64_t)(uint32_t)row->pid, row->start_ticks};
	return map_hash(key, sizeof key);
}

static uint64_t identity_of(const struct life *life)
{
	uint64_t key[2] = {(uint64_t)(uint32_t)life->pid, life->start_ticks};
	return map_hash(key, sizeof key);
}

static void forget_ended(struct lives *lives)
{
	for (size_t i = 0; i < lives->n_ended; i++)
		free(lives->ended[i].command);
	lives->n_ended = 0;
}

void lives_fini(struct lives *lives)
{
	forget_ended(lives);
	for (size_t i = 0; i < lives->n_alive; i++)
		free(lives->alive[i].command);
	map_fini(&lives->places);
	free(lives->alive);
	free(lives->ended);
	free(lives->lanes);
	*lives = (struct lives){0};
}

static size_t take_lane(struct lives *lives, int64_t start_ns)
{
	size_t lane = 0;
	while (lane < lives->n_lanes && lives->lanes[lane] > start_ns)
		lane++;
	if (lane == lives->n_lanes) {
		MEM_GROW(lives->lanes, lives->n_lanes, lives->cap_lanes);
		lives->n_lanes++;
	}
	lives->lanes[lane] = INT64_MAX;
	return lane;
}

static int64_t start_of(const struct run *run, const struct sample *sample, const struct task_row *row)
{
	uint64_t per_s = run->ticks_per_s != 0 ? run->ticks_per_s : 100;
	int64_t boot_ns = (int64_t)(row->start_ticks / per_s) * NS_PER_S +
			  (int64_t)(row->start_ticks % per_s) * NS_PER_S / (int64_t)per_s;
	int64_t start_ns = boot_ns - sample->asleep_ns;
	if (start_ns < run->start_mono_ns)
		return run->start_mono_ns;
	return start_ns < sample->mono_ns ? start_ns : sample->mono_ns;
}

static struct life *birth(struct lives *lives, const struct run *run, const struct sample *sample,
			  const struct task_row *row)
{
	MEM_GROW(lives->alive, lives->n_alive, lives->cap_alive);
	map_put(&lives->places, identity(row), lives->n_alive);
	struct life *life = &lives->alive[lives->n_alive++];
	*life = (struct life){.pid = row->pid,
			      .ppid = row->ppid,
			      .start_ticks = row->start_ticks,
			      .start_ns = start_of(run, sample, row)};
	life->lane = take_lane(lives, life->start_ns);
	for (size_t i = 0; i < METRIC_TASK_COUNT; i++)
		life->values[i] = METRIC_NA;
	return life;
}

static void keep_values(struct life *life, const struct task_row *row)
{
	size_t count;
	const struct metric *metrics = metric_table(METRIC_SCOPE_TASK, &count);
	for (size_t i = 0; i < count; i++) {
		uint64_t value = row->values[i], *kept = &life->values[i];
		if (value == METRIC_NA)
			continue;
		if (metrics[i].kind == METRIC_KIND_COUNTER || *kept == METRIC_NA || value > *kept)
			*kept = value;
	}
}

static void keep_names(struct life *life, const struct sample *sample, const struct task_row *row)
{
	size_t len;
	const char *comm = sample_string(sample, row->comm, &len);
	if (len > 0) {
		len = len < sizeof life->comm ? len : sizeof life->comm - 1;
		memcpy(life->comm, comm, len);
		life->comm[len] = '\0';
	}
	const char *words = sample_string(sample, row->cmdline, &len);
	if (len > 0) {
		free(life->command);
		life->command_len = len < LIVES_COMMAND_MAX ? len : LIVES_COMMAND_MAX;
		life->command = mem_dup_n(words, life->command_len);
	}
}

/* Moves it to the ended; the last of the alive takes its place. */
static void death(struct lives *lives, size_t at, bool ended)
{
	struct life *life = &lives->alive[at];
	life->ended = ended;
	lives->lanes[life->lane] = life->end_ns;
	map_delete(&lives->places, identity_of(life));
	MEM_GROW(lives->ended, lives->n_ended, lives->cap_ended);
	lives->ended[lives->n_ended++] = *life;
	if (at != --lives->n_alive) {
		*life = lives->alive[lives->n_alive];
		map_put(&lives->places, identity_of(life), at);
	}
}

static void row_add(struct lives *lives, const struct run *run, const struct tick *tick, size_t i)
{
	const struct sample *sample = tick->sample;
	const struct task_row *row = &sample->tasks[i];
	uint64_t at;
	struct life *life = map_get(&lives->places, identity(row), &at) ? &lives->alive[at]
									: birth(lives, run, sample, row);
	life->seen = lives->ticks;
	life->end_ns = sample->mono_ns;
	keep_names(life, sample, row);
	keep_values(life, row);
	for (enum cause cause = 0; tick->tasks != NULL && cause < CAUSE_COUNT; cause++)
		life->cause_s[cause] += tick->tasks[i].cause_s[cause];
	if (row->flags & TASK_ENDED)
		death(lives, (size_t)(life - lives->alive), true);
}

void lives_add(struct lives *lives, const struct run *run, const struct tick *tick)
{
	forget_ended(lives);
	lives->ticks++;
	for (size_t i = 0; i < tick->sample->n_tasks; i++)
		row_add(lives, run, tick, i);
	for (size_t i = lives->n_alive; i-- > 0;) {
		if (lives->alive[i].seen != lives->ticks)
			death(lives, i, true);
	}
}

void lives_end(struct lives *lives)
{
	forget_ended(lives);
	while (lives->n_alive > 0)
		death(lives, lives->n_alive - 1, false);
}

/* The only argument. */
static size_t only_word(const struct life *life, size_t len, const char **subject)
{
	const char *end = memchr(life->command, 0, len);
	const char *word = end != NULL ? end + 1 : life->command + len;
	size_t word_len = len - (size_t)(word - life->command);
	if (word_len == 0 || *word == '-' || memchr(word, '\0', word_len) != NULL)
		return 0;
	*subject = word;
	return word_len;
}

size_t lives_subject(const struct life *life, const char **subject)
{
	size_t to = life->command_len;
	while (to > 0 && life->command[to - 1] == '\0')
		to--;
	size_t len = to;
	while (to > 0) {
		size_t from = to;
		while (from > 0 && life->command[from - 1] != '\0')
			from--;
		if (from == 0)
			return only_word(life, len, subject);
		if (life->command[from] != '-' && memchr(life->command + from, '.', to - from) != NULL) {
			const char *slash = memrchr(life->command + from, '/', to - from);
			*subject = slash != NULL && slash + 1 < life->command + to ? slash + 1
										   : life->command + from;
			return (size_t)(life->command + to - *subject);
		}
		to = from - 1;
	}
	return 0;
}
