/* SPDX-License-Identifier: MIT
 *
 * Steps of a run, and the memory of its tree, from made-up rows: who works for which step, and what that
 * comes to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diagnose/tally.h"
#include "model/step.h"
#include "words.h"

/* The process NAME of PARENT with that command line, words parted by blanks; its CPU time so far. */
static struct task_row *process(struct words *words, const char *name, const char *parent, const char *line,
				uint64_t cpu_ms)
{
	int32_t ppid = parent ? words_task(words, parent)->pid : 1;
	struct task_row *row = words_task(words, name);
	char text[256];
	size_t len = strlen(line);

	memcpy(text, line, len + 1);
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == ' ' ? '\0' : text[i];
	row->cmdline = sample_add_string(words->sample, text, len ? len + 1 : 0);
	row->ppid = ppid;
	row->state = 'R';
	row->values[METRIC_TASK_USER_MS] = cpu_ms;
	row->values[METRIC_TASK_SYSTEM_MS] = 0;
	return row;
}

static const char *step_at(const struct words *words, const char *name)
{
	static char text[256];
	const struct tick *tick = words->tick;

	for (size_t i = 0; i < tick->sample->n_tasks; i++)
		if (strcmp(sample_string(tick->sample, tick->sample->tasks[i].comm, NULL), name) == 0) {
			snprintf(text, sizeof text, "%s %s%s", step_kinds[tick->tasks[i].step_kind],
				 sample_string(tick->sample, tick->tasks[i].step, NULL),
				 tick->tasks[i].step_begins ? "" : " (inside)");
			return text;
		}
	return "nobody";
}

static void a_compiler_and_its_passes(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_pass(&words, 1000);
	/* Children may stand before their parents. */
	process(&words, "as", NULL, "as -o a.o /tmp/x.s", 0);
	process(&words, "make", NULL, "make -j3", 0);
	process(&words, "sh", "make", "sh -e ./libtool --mode=compile gcc -c a.c", 0);
	process(&words, "gcc", "sh", "gcc -c a.c -o a.o", 0);
	process(&words, "cc1", "gcc", "", 0);
	words_task(&words, "as")->ppid = words_task(&words, "gcc")->pid;
	process(&words, "sed", "make", "sed -e x", 0);
	words_tick(&words);
	assert_string_equal(step_at(&words, "make"), "command make");
	assert_string_equal(step_at(&words, "sh"), "compile a.c");
	assert_string_equal(step_at(&words, "gcc"), "compile a.c (inside)");
	assert_string_equal(step_at(&words, "cc1"), "compile a.c (inside)");
	assert_string_equal(step_at(&words, "as"), "compile a.c (inside)");
	assert_string_equal(step_at(&words, "sed"), "command sed");
	assert_int_equal(words.tick->jobs_told, 3);
	assert_int_equal(words.tick->jobs_running, 1);
	words_end(&words);
}

static void a_phase_holds_what_is_no_job(void **state)
{
	struct run *run = words_run();
	struct words words;

	(void)state;
	run->workdir = strdup("/b/hello-2.10");
	words_begin_run(&words, run);
	words_pass(&words, 1000);
	process(&words, "rules", NULL, "/usr/bin/make -f debian/rules build", 0);
	process(&words, "dh_auto_configu", "rules", "perl -w /usr/bin/dh_auto_configure", 0);
	process(&words, "sed", "dh_auto_configu", "sed -e x", 0);
	process(&words, "make", "rules", "make -j2", 0);
	process(&words, "gcc", "make", "gcc -c /b/hello-2.10/src/a.c", 0);
	words_tick(&words);
	assert_string_equal(step_at(&words, "rules"), "phase hello:build");
	assert_string_equal(step_at(&words, "sed"), "phase hello:configure (inside)");
	assert_string_equal(step_at(&words, "make"), "phase hello:build (inside)");
	assert_string_equal(step_at(&words, "gcc"), "compile src/a.c");
	words_end(&words);
}

/* A broken recording may say so. */
static void parents_in_a_circle(void **state)
{
	struct words words;

	(void)state;
	words_begin(&words);
	words_pass(&words, 1000);
	process(&words, "a", "b", "a", 0);
	process(&words, "b", "a", "b", 0);
	words_tick(&words);
	assert_string_equal(step_at(&words, "a"), "command a");
	words_end(&words);
}

static void tally_tick(struct words *words, struct tally *tally)
{
	words_pass(words, 1000);
	words_tick(words);
	tally_add(tally, words->tick, 0);
}

static void summary_of(struct words *words, struct tally *tally, struct summary *summary)
{
	struct run_end end = {.complete = true,
			      .known = true,
			      .mono_ns = words->now_ns,
			      .user_us = METRIC_NA,
			      .system_us = METRIC_NA,
			      .max_rss_bytes = METRIC_NA};

	tally_summary(tally, &end, summary);
}

static const struct summary_step *step_of_summary(const struct summary *summary, const char *name)
{
	for (size_t i = 0; i < summary->n_steps; i++)
		if (strcmp(summary->steps[i].name, name) == 0)
			return &summary->steps[i];
	fail_msg("no step %s", name);
	return NULL;
}

/* First a shell that make forked, then the compiler: one run, all its time. */
static void what_steps_come_to(void **state)
{
	const struct summary_step *step;
	struct summary summary;
	struct tally *tally;
	struct words words;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	tally_add(tally, words.tick, 0);
	process(&words, "make", NULL, "make", 100)->flags |= TASK_ROOT;
	process(&words, "gcc", "make", "make", 0);
	tally_tick(&words, tally);
	process(&words, "make", NULL, "make", 100)->flags |= TASK_ROOT;
	process(&words, "gcc", "make", "gcc -c a.c", 10);
	process(&words, "cc1", "gcc", "cc1 a.c", 0)->values[METRIC_TASK_RSS_BYTES] = 50 * MIB;
	tally_tick(&words, tally);
	process(&words, "make", NULL, "make", 100)->flags |= TASK_ROOT;
	process(&words, "gcc", "make", "gcc -c a.c", 10);
	process(&words, "cc1", "gcc", "cc1 a.c", 900)->values[METRIC_TASK_RSS_BYTES] = 80 * MIB;
	tally_tick(&words, tally);
	process(&words, "make", NULL, "make", 100)->flags |= TASK_ROOT;
	process(&words, "gcc", "make", "", 10)->state = 'Z'; /* which has no command line any more */
	tally_tick(&words, tally);
	summary_of(&words, tally, &summary);
	step = step_of_summary(&summary, "a.c");
	assert_ptr_equal(step, &summary.steps[0]);
	assert_int_equal(step->kind, STEP_COMPILE);
	assert_int_equal(step->count, 1);
	assert_true(fabs(step->cpu_s - 0.91) < 1e-6);
	assert_true(fabs(step->wall_s - 3) < 1e-6);
	assert_true(fabs(step->from_s - 1) < 1e-6);
	assert_true(fabs(step->to_s - 4) < 1e-6);
	assert_int_equal(step->rss_peak_bytes, 80 * MIB);
	assert_int_equal(step_of_summary(&summary, "make")->count, 1);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* More steps than are kept: those with much time are, and none is counted twice. */
static void very_many_steps(void **state)
{
	struct summary summary;
	struct tally *tally;
	struct words words;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	tally_add(tally, words.tick, 0);
	for (int i = 0; i < 9000; i++) {
		char name[32], line[64];

		snprintf(name, sizeof name, "gcc#%d", i);
		snprintf(line, sizeof line, "gcc -c s%d.c", i);
		process(&words, "make", NULL, "make", 0)->flags |= TASK_ROOT;
		process(&words, name, "make", line, i < 10 ? 5000 + (uint64_t)i : 1)->flags |= TASK_NEW;
		words_task(&words, name)->start_ticks = 100000 + 100 * (uint64_t)i;
		tally_tick(&words, tally);
	}
	summary_of(&words, tally, &summary);
	assert_int_equal(summary.n_steps, SUMMARY_STEPS_MAX);
	assert_int_equal(summary.n_steps + summary.steps_dropped, 9001);
	assert_string_equal(summary.steps[0].name, "s9.c");
	assert_string_equal(summary.steps[9].name, "s0.c");
	assert_int_equal(summary.steps[9].count, 1);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

static void memory(struct words *words, const char *name, uint64_t rss_mib, uint64_t file_mib)
{
	struct task_row *row = words_task(words, name);

	row->state = 'R';
	row->values[METRIC_TASK_RSS_BYTES] = rss_mib * MIB;
	row->values[METRIC_TASK_RSS_FILE_BYTES] = file_mib * MIB;
}

static void files_count_once(void **state)
{
	struct summary summary;
	struct tally *tally;
	struct words words;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	memory(&words, "cc1#1", 130, 30);
	memory(&words, "cc1#2", 120, 20);
	memory(&words, "cc1#3", 125, 25);
	memory(&words, "ld", 500, 10);
	tally_tick(&words, tally);
	assert_int_equal(words.tick->build_rss_bytes, (300 + 30 + 500) * MIB);
	memory(&words, "ld", 510, 10);
	tally_tick(&words, tally);
	summary_of(&words, tally, &summary);
	assert_int_equal(summary.rss_peak_bytes, 830 * MIB);
	assert_true(fabs(summary.memory.peak_at_s - 1) < 1e-6);
	assert_int_equal(summary.memory.n_parts, 2);
	assert_string_equal(summary.memory.parts[0].name, "ld");
	assert_int_equal(summary.memory.parts[0].bytes, 500 * MIB);
	assert_string_equal(summary.memory.parts[1].name, "cc1");
	assert_int_equal(summary.memory.parts[1].count, 3);
	assert_int_equal(summary.memory.parts[1].bytes, 330 * MIB);
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

/* Of what ended in that second the largest; of a second without an end nobody. */
static void who_was_killed(void **state)
{
	struct summary summary;
	struct tally *tally;
	struct words words;

	(void)state;
	words_begin(&words);
	tally = tally_new(words.run);
	*words_system(&words, METRIC_SYSTEM_OOM_KILLS) = 7;
	memory(&words, "ld", 900, 1);
	tally_tick(&words, tally);
	*words_system(&words, METRIC_SYSTEM_OOM_KILLS) = 8;
	memory(&words, "ld", 900, 1);
	words_task(&words, "ld")->flags |= TASK_ENDED;
	memory(&words, "sh", 2, 1);
	words_task(&words, "sh")->flags |= TASK_ENDED;
	memory(&words, "java", 990, 1);
	tally_tick(&words, tally);
	*words_system(&words, METRIC_SYSTEM_OOM_KILLS) = 10;
	memory(&words, "java", 990, 1);
	tally_tick(&words, tally);
	summary_of(&words, tally, &summary);
	assert_int_equal(summary.memory.oom_kills, 3);
	assert_false(summary.memory.oom_of_build);
	assert_int_equal(summary.memory.n_ooms, 2);
	assert_string_equal(summary.memory.ooms[0].name, "ld");
	assert_int_equal(summary.memory.ooms[0].bytes, 900 * MIB);
	assert_string_equal(summary.memory.ooms[1].name, "");
	summary_fini(&summary);
	tally_free(tally);
	words_end(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compiler_and_its_passes),
		cmocka_unit_test(a_phase_holds_what_is_no_job),
		cmocka_unit_test(parents_in_a_circle),
		cmocka_unit_test(what_steps_come_to),
		cmocka_unit_test(very_many_steps),
		cmocka_unit_test(files_count_once),
		cmocka_unit_test(who_was_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
