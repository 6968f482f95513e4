/* SPDX-License-Identifier: MIT
 *
 * Knows which thread was at which site in which look, and what a thread did in the look before: only so can
 * "0" in state D be judged. Each look stands for the real time since the one before it; where that is more
 * than three look intervals, all but one interval is unknown, which is neither clear nor stalled. Trusts no
 * index of the sample: it may come from a broken file.
 */
#include "looks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "diagnose/site.h"

#define SCALED_S	 0.5
#define SCALE_MAX	 2
#define ZEROS_UNREADABLE 5 /* looks in state D, all "0": not a race, it cannot be read */

/* What is remembered of a thread from look to look. */
struct memory {
	uint64_t key;
	enum cause last; /* when it was last blocked */
	unsigned zeros;	 /* looks in state D with "0", none ever with a name */
	bool named;
};

/* What a task's time in looks is to be multiplied with, so that it agrees with the scheduler's count. */
struct scale {
	double ready_s, rest_s; /* as seen */
	double ready, rest;
};

/* One step's working storage. */
struct walk {
	const struct sample *sample;
	const struct looks *looks;
	const struct looks_hints *hints;
	struct tick *tick;
	struct site_verdict *verdicts; /* for each site */
	bool *named;		       /* for each site: its wait channel says something */
	struct memory *memories;
	size_t n_memories;
	size_t *row_memory;   /* for each look row; SIZE_MAX: not to be used */
	double *row_s;	      /* time of each look row */
	struct scale *scales; /* for each task */
	size_t *task_look;    /* for each task: last look it was in, + 1 */
	int32_t *task_rank;
	uint64_t *task_key;
};

static const char *site_wchan(const struct sample *sample, const struct site *site)
{
	return site->wchan ? sample_string(sample, site->wchan, NULL) : "";
}

static bool site_named(const struct sample *sample, const struct site *site)
{
	const char *wchan = site_wchan(sample, site);

	return wchan[0] && strcmp(wchan, "0") != 0;
}

int64_t looks_interval_ns(const struct run *run)
{
	if (run->look_interval_ns > 0)
		return run->look_interval_ns;
	return run->interval_ns > 0 ? run->interval_ns : NS_PER_S;
}

void looks_init(struct looks *looks, const struct run *run)
{
	const char *wchan = run_source(run, "wchan"), *others = run_source(run, "other_users");

	*looks = (struct looks){.by_state = run->look_interval_ns <= 0,
				.interval_ns = looks_interval_ns(run),
				.nameless = wchan && strncmp(wchan, "no", 2) == 0,
				.hiding = others && strncmp(others, "no", 2) == 0};
	if (run->machine && strlen(run->machine) < sizeof looks->machine)
		strcpy(looks->machine, run->machine);
}

void looks_copy(struct looks *to, const struct looks *from)
{
	size_t cursor = 0;
	uint64_t key, value;

	*to = *from;
	to->threads = to->index = (struct map){0};
	path_copy(&to->path, &from->path);
	while (map_each(&from->threads, &cursor, &key, &value))
		map_put(&to->threads, key, value);
}

void looks_fini(struct looks *looks)
{
	map_fini(&looks->threads);
	map_fini(&looks->index);
	path_fini(&looks->path);
}

static uint64_t thread_key(const struct task_row *task, int32_t tid)
{
	struct {
		uint64_t start;
		uint64_t ids;
	} who = {task->start_ticks, (uint64_t)(uint32_t)task->pid << 32 | (uint32_t)tid};

	return map_hash(&who, sizeof who);
}

static size_t memory_of(struct walk *walk, struct map *index, uint64_t key)
{
	struct memory *memory;
	uint64_t value;

	if (map_get(index, key, &value))
		return (size_t)value;
	memory = &walk->memories[walk->n_memories];
	*memory = (struct memory){.key = key, .last = CAUSE_NONE};
	if (map_get(&walk->looks->threads, key, &value)) {
		memory->last = (enum cause)(value & 0xff);
		memory->zeros = (unsigned)(value >> 8 & 0xff);
		memory->named = value >> 16;
	}
	map_put(index, key, walk->n_memories);
	return walk->n_memories++;
}

static void walk_init(struct walk *walk, struct looks *looks, const struct sample *sample,
		      const struct looks_hints *hints, struct tick *tick)
{
	*walk = (struct walk){.sample = sample, .looks = looks, .hints = hints, .tick = tick};
	walk->verdicts = mem_alloc(sample->n_sites + 1, sizeof *walk->verdicts);
	walk->named = mem_alloc(sample->n_sites + 1, sizeof *walk->named);
	walk->memories = mem_alloc(sample->n_look_rows + 1, sizeof *walk->memories);
	walk->row_memory = mem_alloc(sample->n_look_rows + 1, sizeof *walk->row_memory);
	walk->row_s = mem_alloc(sample->n_look_rows + 1, sizeof *walk->row_s);
	walk->scales = mem_alloc(sample->n_tasks + 1, sizeof *walk->scales);
	walk->task_look = mem_alloc(sample->n_tasks + 1, sizeof *walk->task_look);
	walk->task_rank = mem_alloc(sample->n_tasks + 1, sizeof *walk->task_rank);
	walk->task_key = mem_alloc(sample->n_tasks + 1, sizeof *walk->task_key);
	for (size_t i = 0; i < sample->n_tasks; i++)
		walk->task_key[i] = thread_key(&sample->tasks[i], 0);
	for (size_t i = 0; i < sample->n_sites; i++) {
		walk->named[i] = site_named(sample, &sample->sites[i]);
		walk->verdicts[i] =
			site_judge(looks->machine, sample->sites[i].state,
				   site_wchan(sample, &sample->sites[i]), sample->sites[i].syscall);
	}
	map_clear(&looks->index);
	for (size_t i = 0; i < sample->n_look_rows; i++) {
		const struct look_row *row = &sample->look_rows[i];

		walk->row_memory[i] = SIZE_MAX;
		if (row->task < sample->n_tasks && row->site < sample->n_sites)
			walk->row_memory[i] = memory_of(walk, &looks->index,
							thread_key(&sample->tasks[row->task], row->tid));
	}
}

static double clamp(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

/* The time that a look stands for, as far as the looks of this sample tell. */
static double look_weight_s(const struct walk *walk, size_t i)
{
	const int64_t *look_ns = walk->sample->look_ns;
	int64_t before = i ? look_ns[i - 1] : walk->looks->seen_ns;
	int64_t past = look_ns[i] - before;

	if (before == 0 || past > 3 * walk->looks->interval_ns)
		past = walk->looks->interval_ns;
	return past > 0 ? (double)past / (double)NS_PER_S : 0;
}

/*
 * On a busy machine a look is taken when a CPU is free to take it: often when the thread that had it has just
 * been blocked. The scheduler knows how long a task was ready, so what the looks saw of ready and of other
 * time is scaled to that, for tasks that were there long enough for both to mean something.
 */
static void walk_scale(struct walk *walk)
{
	const struct sample *sample = walk->sample;

	for (size_t r = 0; r < sample->n_look_rows; r++) {
		const struct look_row *row = &sample->look_rows[r];
		struct scale *scale;
		char state;
		double seconds = 0;

		if (walk->row_memory[r] == SIZE_MAX)
			continue;
		for (size_t bit = 0; bit < 64 && row->block * (size_t)64 + bit < sample->n_looks; bit++)
			if (row->mask & UINT64_C(1) << bit)
				seconds += look_weight_s(walk, row->block * (size_t)64 + bit);
		scale = &walk->scales[row->task];
		state = sample->sites[row->site].state;
		if (state == 'R')
			scale->ready_s += seconds;
		else if (state != 'Z' && state != 'X')
			scale->rest_s += seconds;
	}
	for (size_t t = 0; t < sample->n_tasks; t++) {
		struct scale *scale = &walk->scales[t];
		double all_s = scale->ready_s + scale->rest_s, ready_s = walk->hints->ready_s[t];

		scale->ready = scale->rest = 1;
		if (!isfinite(ready_s) || all_s < SCALED_S || scale->ready_s <= 0 || scale->rest_s <= 0)
			continue;
		ready_s = clamp(ready_s, scale->ready_s / SCALE_MAX, scale->ready_s * SCALE_MAX);
		ready_s = clamp(ready_s, 0, all_s);
		scale->ready = ready_s / scale->ready_s;
		scale->rest = (all_s - ready_s) / scale->rest_s;
	}
}

static void walk_fini(struct walk *walk)
{
	free(walk->verdicts);
	free(walk->named);
	free(walk->memories);
	free(walk->row_memory);
	free(walk->row_s);
	free(walk->scales);
	free(walk->task_look);
	free(walk->task_rank);
	free(walk->task_key);
}

static bool same_kind(enum cause a, enum cause b)
{
	bool flush = cause_table[a].stall == CAUSE_STALL_FLUSH, read = a == CAUSE_READ || a == CAUSE_MEMORY;

	return a == b || (flush && cause_table[b].stall == CAUSE_STALL_FLUSH) ||
	       (read && (b == CAUSE_READ || b == CAUSE_MEMORY));
}

/* State D and "0": the wait ended between two reads, or nothing of it can be read. */
static struct site_verdict judge_nameless(const struct walk *walk, const struct look_row *row,
					  struct memory *memory)
{
	const struct looks *looks = walk->looks;
	enum cause guess = site_guess(looks->machine, walk->sample->sites[row->site].syscall);
	struct site_verdict is = {.cause = CAUSE_BLOCKED, .doing = TICK_STALLED, .unreadable = true};

	memory->zeros += !memory->named && memory->zeros < ZEROS_UNREADABLE;
	if (looks->nameless || memory->zeros >= ZEROS_UNREADABLE ||
	    walk->sample->tasks[row->task].flags & TASK_HIDDEN)
		return is;
	if (memory->last != CAUSE_NONE && (guess == CAUSE_NONE || same_kind(memory->last, guess)))
		guess = memory->last;
	is.cause = guess == CAUSE_NONE ? CAUSE_LOCK : guess;
	is.unreadable = false;
	is.by_call = true;
	is.doing = cause_table[is.cause].stall ? TICK_STALLED
		   : is.cause == CAUSE_LOCK    ? TICK_LOCKED
					       : TICK_CHILD;
	return is;
}

/* Reading what had been in memory is no reading, it is too little memory. */
static bool is_memory(const struct walk *walk, const struct look_row *row)
{
	return walk->hints->refaulting ||
	       (walk->hints->swapping && walk->sample->sites[row->site].syscall == SITE_CALL_NONE);
}

/* The class of a thread in one look, by its site and its past. */
static struct site_verdict thread_judge(const struct walk *walk, size_t r)
{
	const struct look_row *row = &walk->sample->look_rows[r];
	struct memory *memory = &walk->memories[walk->row_memory[r]];
	struct site_verdict is = walk->verdicts[row->site];

	if (walk->sample->sites[row->site].state != 'D')
		return is;
	if (walk->named[row->site]) {
		memory->zeros = 0;
		memory->named = true;
	} else if (is.cause == CAUSE_NONE) {
		is = judge_nameless(walk, row, memory);
	}
	if (is.cause == CAUSE_READ && is_memory(walk, row))
		is.cause = CAUSE_MEMORY;
	memory->last = is.cause;
	return is;
}

static unsigned evidence_of(const struct walk *walk, const struct site_verdict *is)
{
	if (is->unreadable)
		return STALL_BY_STATE;
	return (is->by_call ? STALL_BY_SYSCALL : STALL_BY_WCHAN) |
	       (is->cause == CAUSE_MEMORY && (walk->hints->swapping || walk->hints->refaulting)
			? STALL_BY_VMSTAT
			: 0u);
}

/* A process is shown as doing what the most active of its threads does. */
static int32_t rank_of(enum tick_doing doing, bool main_thread)
{
	return (doing == TICK_RUNNING ? 4 : doing == TICK_STALLED ? 2 : 0) + main_thread;
}

static enum path_doing path_doing_of(const struct site_verdict *is)
{
	if (cause_table[is->cause].stall == CAUSE_STALL_FLUSH)
		return PATH_FLUSHES;
	if (is->doing == TICK_CHILD)
		return PATH_CHILD;
	if (is->outside || is->doing == TICK_STOPPED || is->cause == CAUSE_CPU ||
	    cause_table[is->cause].stall)
		return PATH_BUSY;
	return PATH_WAITS;
}

static void row_count(struct walk *walk, struct path *path, size_t r, size_t look_number, double seconds,
		      struct look *look)
{
	const struct sample *sample = walk->sample;
	const struct look_row *row = &sample->look_rows[r];
	const struct task_row *task = &sample->tasks[row->task];
	struct tick_task *told = &walk->tick->tasks[row->task];
	struct site_verdict is = thread_judge(walk, r);
	int32_t rank = rank_of(is.doing, row->tid == task->pid);

	walk->row_s[r] += seconds;
	if (walk->task_look[row->task] != look_number + 1 || rank > walk->task_rank[row->task]) {
		walk->task_look[row->task] = look_number + 1;
		walk->task_rank[row->task] = rank;
		told->doing = is.doing;
	}
	look->progress |= is.outside || is.cause == CAUSE_CPU;
	if (is.cause == CAUSE_NONE)
		return;
	path_see(path, walk->task_key[row->task], task->pid, task->ppid, task->flags & TASK_ROOT,
		 path_doing_of(&is));
	if (is.cause == CAUSE_CPU) {
		double queued = walk->hints->queued[row->task];

		look->threads[CAUSE_RUNQUEUE] += (float)queued;
		look->threads[CAUSE_CPU] += (float)(1 - queued);
		seconds *= walk->scales[row->task].ready;
		told->cause_s[CAUSE_RUNQUEUE] += seconds * queued;
		told->cause_s[CAUSE_CPU] += seconds * (1 - queued);
		return;
	}
	look->threads[is.cause]++;
	seconds *= walk->scales[row->task].rest;
	told->cause_s[is.cause] += seconds;
	if (is.by_request) {
		look->on_request++;
		walk->tick->explicit_s += seconds;
	}
	if (is.in_unlink)
		walk->tick->unlink_s += seconds;
	if (cause_table[is.cause].stall)
		look_add(look, sample_string(sample, task->comm, NULL),
			 site_wchan(sample, &sample->sites[row->site]), is.cause, evidence_of(walk, &is));
}

/* Adds a finished look to what the tick tells of wall time, and to the episodes. */
static void look_finish(const struct look *look, struct episodes *episodes, struct tick *tick)
{
	double seconds = look_seconds(look);
	double flushing = look_threads(look, LOOK_CAUSES_FLUSH);

	if (flushing > 0) {
		tick->some_s += seconds;
		tick->full_s += look_progress(look, LOOK_CAUSES_FLUSH) ? 0 : seconds;
	}
	episodes_look(episodes, look);
}

/* Accounts for the time up to `to_ns`: *weight gets the part of it that a look at its end stands for. */
static void time_pass(struct looks *looks, int64_t to_ns, struct episodes *episodes, struct tick *tick,
		      int64_t *weight)
{
	int64_t past = to_ns - looks->seen_ns;
	int64_t interval = looks->interval_ns;

	*weight = past;
	if (looks->seen_ns == 0) {
		*weight = interval;
	} else if (past > 3 * interval) {
		*weight = interval;
		tick->unknown_s += (double)(past - interval) / (double)NS_PER_S;
		episodes_gap(episodes, past - interval);
		path_gap(&looks->path, past - interval);
	}
	looks->seen_ns = to_ns;
}

static void walk_looks(struct walk *walk, struct looks *looks, struct episodes *episodes)
{
	const struct sample *sample = walk->sample;
	size_t low = 0;

	for (size_t i = 0; i < sample->n_looks; i++) {
		struct look look;
		uint64_t bit = UINT64_C(1) << i % 64;
		int64_t weight;
		double seconds;

		while (low < sample->n_look_rows && sample->look_rows[low].block < i / 64)
			low++;
		if (sample->look_ns[i] <= looks->seen_ns)
			continue;
		time_pass(looks, sample->look_ns[i], episodes, walk->tick, &weight);
		look_begin(&look, sample->look_ns[i] - weight, sample->look_ns[i]);
		seconds = look_seconds(&look);
		path_begin(&looks->path);
		for (size_t r = low; r < sample->n_look_rows && sample->look_rows[r].block == i / 64; r++)
			if (sample->look_rows[r].mask & bit && walk->row_memory[r] != SIZE_MAX)
				row_count(walk, &looks->path, r, i, seconds, &look);
		path_finish(&looks->path, look.from_ns, look.to_ns);
		look_finish(&look, episodes, walk->tick);
	}
}

/* For each task the named site it waited at longest. */
static void walk_tell_sites(struct walk *walk)
{
	const struct sample *sample = walk->sample;
	size_t *first = mem_alloc(sample->n_tasks + 1, sizeof *first); /* chains of rows, by task; + 1 */
	size_t *next = mem_alloc(sample->n_look_rows + 1, sizeof *next);
	double *site_s = mem_alloc(sample->n_sites + 1, sizeof *site_s);

	for (size_t r = sample->n_look_rows; r-- > 0;) {
		const struct look_row *row = &sample->look_rows[r];

		if (walk->row_memory[r] == SIZE_MAX || !walk->named[row->site])
			continue;
		next[r] = first[row->task];
		first[row->task] = r + 1;
	}
	for (size_t t = 0; t < sample->n_tasks; t++) {
		double most = 0;

		for (size_t r = first[t]; r; r = next[r - 1]) {
			uint16_t site = sample->look_rows[r - 1].site;

			site_s[site] += walk->row_s[r - 1];
			if (site_s[site] > most) {
				most = site_s[site];
				walk->tick->tasks[t].wchan = sample->sites[site].wchan;
				walk->tick->tasks[t].syscall = sample->sites[site].syscall;
			}
		}
		for (size_t r = first[t]; r; r = next[r - 1])
			site_s[sample->look_rows[r - 1].site] = 0;
	}
	free(first);
	free(next);
	free(site_s);
}

static void remember(struct looks *looks, const struct walk *walk)
{
	if (walk->sample->n_looks == 0)
		return;
	map_clear(&looks->threads);
	for (size_t i = 0; i < walk->n_memories; i++)
		map_put(&looks->threads, walk->memories[i].key,
			(uint64_t)walk->memories[i].last | (uint64_t)walk->memories[i].zeros << 8 |
				(uint64_t)walk->memories[i].named << 16);
}

/* Pressure alone: a share is blocked, of nobody knows what. */
static void pressure_add(struct look *look, double psi, struct tick *tick)
{
	look->threads[CAUSE_BLOCKED] = (float)psi;
	look->threads[CAUSE_CPU] = (float)(1 - psi);
	look->progress = true;
	tick->cause_s[CAUSE_BLOCKED] += psi * look_seconds(look);
	tick->cause_s[CAUSE_CPU] += (1 - psi) * look_seconds(look);
	look_add(look, "", "", CAUSE_BLOCKED, STALL_BY_PSI);
}

/* The build is another user's and this machine hides those: all that can be seen of it, if anything, is
 * somebody asleep, of whose children we do not know. */
static bool is_hidden(const struct looks *looks, const struct sample *sample)
{
	if (!looks->hiding)
		return false;
	for (size_t i = 0; i < sample->n_tasks; i++)
		if (!(sample->tasks[i].flags & TASK_HIDDEN))
			return false;
	for (size_t i = 0; i < sample->n_look_rows; i++)
		if (sample->look_rows[i].site < sample->n_sites &&
		    strchr("RD", sample->sites[sample->look_rows[i].site].state))
			return false;
	return true;
}

/* What cannot be seen weighs on the build's control group, if that is not everybody's. */
static void hidden_step(struct looks *looks, const struct sample *sample, struct episodes *episodes,
			struct tick *tick)
{
	struct look look;

	if (!isfinite(tick->psi_build_io) || looks->seen_ns == 0) /* then this time is unknown, below */
		return;
	look_begin(&look, looks->seen_ns, sample->mono_ns);
	pressure_add(&look, tick->psi_build_io, tick);
	looks->seen_ns = sample->mono_ns;
	look_finish(&look, episodes, tick);
}

/* Without looks: the state of each task at the tick says what share is blocked, and no more; without tasks,
 * pressure. */
static void states_step(struct looks *looks, const struct sample *sample, const struct looks_hints *hints,
			struct episodes *episodes, struct tick *tick)
{
	struct look look = {.to_ns = sample->mono_ns};
	int64_t weight;

	time_pass(looks, sample->mono_ns, episodes, tick, &weight);
	look.from_ns = sample->mono_ns - weight;
	for (size_t t = 0; t < sample->n_tasks; t++) {
		const struct task_row *task = &sample->tasks[t];
		struct tick_task *told = &tick->tasks[t];
		enum cause cause = task->state == 'R'	? CAUSE_CPU
				   : task->state == 'D' ? CAUSE_BLOCKED
							: CAUSE_WAIT;

		if (task->flags & TASK_ENDED || task->state == 'Z' || task->state == 'X')
			continue;
		look.progress |= cause == CAUSE_CPU;
		told->cause_s[cause] += look_seconds(&look);
		look.threads[cause]++;
		if (cause == CAUSE_BLOCKED)
			look_add(&look, sample_string(sample, task->comm, NULL), "", cause, STALL_BY_STATE);
		if (cause == CAUSE_CPU) {
			float queued = (float)hints->queued[t];

			look.threads[CAUSE_CPU] -= queued;
			look.threads[CAUSE_RUNQUEUE] += queued;
			told->cause_s[CAUSE_RUNQUEUE] = told->cause_s[CAUSE_CPU] * (double)queued;
			told->cause_s[CAUSE_CPU] -= told->cause_s[CAUSE_RUNQUEUE];
		}
	}
	if (!looks->had_tasks && tick->psi_io > 0)
		pressure_add(&look, tick->psi_io, tick);
	look_finish(&look, episodes, tick);
}

/* Of no task? A recording that was made of something else may have none. */
static bool states_hidden(const struct sample *sample)
{
	for (size_t t = 0; t < sample->n_tasks; t++)
		if (sample->tasks[t].state != '\0')
			return false;
	return sample->n_tasks > 0;
}

static enum tick_doing doing_of(const struct task_row *task, enum cause cause)
{
	switch (task->state) {
	case 'R':
		return TICK_RUNNING;
	case 'D':
		return cause == CAUSE_BLOCKED ? TICK_STALLED : TICK_UNKNOWN;
	case 'T':
	case 't':
		return TICK_STOPPED;
	case 'Z':
	case 'X':
		return TICK_ZOMBIE;
	default:
		return TICK_UNKNOWN;
	}
}

/* Where the kernel says how long a task was held back, that counts; the class it was seen in longest beside
 * gives or takes the difference. A pause is told when it begins, so it may reach beyond the interval. */
static void throttled_tell(const struct walk *walk)
{
	for (size_t t = 0; t < walk->sample->n_tasks; t++) {
		double *cause_s = walk->tick->tasks[t].cause_s, exact_s;
		int most = CAUSE_CPU;

		for (int cause = 0; cause < CAUSE_COUNT; cause++)
			if (cause != CAUSE_DIRTY_THROTTLE && cause_s[cause] > cause_s[most])
				most = cause;
		if (!isfinite(walk->hints->throttled_s[t]))
			continue;
		walk->tick->exact |= walk->hints->throttled_s[t] > 0;
		exact_s =
			clamp(walk->hints->throttled_s[t], 0, cause_s[CAUSE_DIRTY_THROTTLE] + cause_s[most]);
		cause_s[most] += cause_s[CAUSE_DIRTY_THROTTLE] - exact_s;
		cause_s[CAUSE_DIRTY_THROTTLE] = exact_s;
	}
}

/* The class times of the tick are those of its tasks. */
static void tick_tell(const struct walk *walk)
{
	for (size_t t = 0; t < walk->sample->n_tasks; t++)
		for (int cause = 0; cause < CAUSE_COUNT; cause++)
			walk->tick->cause_s[cause] += walk->tick->tasks[t].cause_s[cause];
}

static void tasks_tell(const struct walk *walk)
{
	const struct sample *sample = walk->sample;

	for (size_t t = 0; t < sample->n_tasks; t++) {
		struct tick_task *told = &walk->tick->tasks[t];
		double most = 0;

		told->cause = CAUSE_NONE;
		for (int cause = 0; cause < CAUSE_COUNT; cause++)
			if (told->cause_s[cause] > most) {
				most = told->cause_s[cause];
				told->cause = (enum cause)cause;
			}
		if (sample->tasks[t].flags & TASK_ENDED)
			told->doing = TICK_ENDED;
		else if (walk->task_look[t] == 0)
			told->doing = doing_of(&sample->tasks[t], told->cause);
		if (told->doing == TICK_RUNNING && walk->hints->queued[t] > 0.5)
			told->doing = TICK_QUEUED;
	}
}

void looks_step(struct looks *looks, const struct sample *sample, const struct looks_hints *hints,
		struct episodes *episodes, struct tick *tick)
{
	struct walk walk;

	looks->had_tasks |= sample->n_tasks > 0;
	walk_init(&walk, looks, sample, hints, tick);
	walk_scale(&walk);
	if (is_hidden(looks, sample)) {
		hidden_step(looks, sample, episodes, tick);
	} else if (sample->n_looks > 0) {
		walk_looks(&walk, looks, episodes);
		walk_tell_sites(&walk);
		remember(looks, &walk);
	} else if (looks->by_state && !states_hidden(sample) && looks->seen_ns > 0 &&
		   sample->mono_ns > looks->seen_ns) {
		states_step(looks, sample, hints, episodes, tick);
	}
	if (looks->seen_ns == 0) {
		looks->seen_ns = sample->mono_ns;
	} else if (sample->mono_ns - looks->seen_ns > 3 * looks->interval_ns) {
		tick->unknown_s += (double)(sample->mono_ns - looks->seen_ns) / (double)NS_PER_S;
		episodes_gap(episodes, sample->mono_ns - looks->seen_ns);
		path_gap(&looks->path, sample->mono_ns - looks->seen_ns);
		looks->seen_ns = sample->mono_ns;
	}
	if (!looks->by_state)
		tick->path_s = path_gain_s(&looks->path, looks->seen_ns);
	throttled_tell(&walk);
	tick_tell(&walk);
	tasks_tell(&walk);
	walk_fini(&walk);
}
