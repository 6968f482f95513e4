/* SPDX-License-Identifier: MIT
 *
 * Advice: said where its evidence is there, and only there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "diagnose/advice.h"
#include "model/metric.h"

#define GIB (UINT64_C(1) << 30)

/* A minute, of which 20 s were held up by flushing: one stall of that. */
struct story {
	struct run run;
	struct stall stall;
	struct summary summary;
	struct advice given[ADVICE_COUNT];
	size_t n;
};

static void story_begin(struct story *story, enum cause cause)
{
	*story = (struct story){.run = {.memory_total_bytes = 64 * GIB}};
	story->stall = (struct stall){.cause = cause,
				      .share_s = 20,
				      .filesystem = "ext4",
				      .device_name = "sdb1",
				      .threshold_bytes = 12 * GIB,
				      .tree_written_bytes = 3 * GIB,
				      .outside = NAN,
				      .n_victims = 1,
				      .victims = {{.comm = "cc1", .task_s = 20}}};
	story->stall.cause_s[cause] = 20;
	story->summary = (struct summary){.run = &story->run,
					  .wall_s = 60,
					  .bound_min_s = 40,
					  .bound_max_s = 45,
					  .stalls = &story->stall,
					  .n_stalls = 1};
	story->summary.cost_s[cause] = 20;
	story->summary.time_s[cause] = 20;
}

static void only(struct story *story, enum advice_kind kind, double most_s, const char *words)
{
	story->n = advice_give(&story->summary, story->given);
	assert_int_equal(story->n, 1);
	assert_int_equal(story->given[0].kind, kind);
	if (!(fabs(story->given[0].most_s - most_s) < 1e-9))
		fail_msg("worth %g s, expected %g", story->given[0].most_s, most_s);
	if (!strstr(story->given[0].text, words))
		fail_msg("\"%s\" without \"%s\"", story->given[0].text, words);
	assert_true(strlen(story->given[0].text) < sizeof story->given[0].text - 1);
}

static void nothing(struct story *story)
{
	assert_int_equal(advice_give(&story->summary, story->given), 0);
}

static void temporary_files(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_FLUSH_WAIT);
	nothing(&story);
	story.summary.cost_unlink_s = 18;
	only(&story, ADVICE_UNLINK, 18, "18.0 s went into waits in unlink on ext4 (sdb1)");
	story.summary.bound_min_s = 50; /* no more than the bound has */
	only(&story, ADVICE_UNLINK, 10, "10.0 s");
	story.summary.bound_min_s = NAN; /* nothing to be gained */
	nothing(&story);
}

static void asked_for(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_FLUSH_WAIT);
	story.stall.explicit_s = 20;
	story.summary.cost_asked_s = 20;
	memcpy(story.stall.victims[0].comm, "dp\033kg", 6);
	only(&story, ADVICE_FSYNC, 20, "fsync");
	assert_null(strchr(story.given[0].text, '\033'));
}

static void on_another_disk(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_FLUSH_WAIT);
	story.stall.elsewhere = true;
	only(&story, ADVICE_ELSEWHERE, 20, "ext4 (sdb1), where the build's directory is not");
}

static void somebody_else(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_DIRTY_THROTTLE);
	story.stall.outside = 0.9;
	story.stall.threshold_bytes = GIB; /* small, but it is not the build that fills it */
	only(&story, ADVICE_NEIGHBOUR, 20, "others");
}

static void a_small_limit(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_DIRTY_THROTTLE);
	nothing(&story);
	story.stall.threshold_bytes = GIB;
	only(&story, ADVICE_THRESHOLDS, 20, "at a limit of 1.0 GiB, which is little for 64.0 GiB");
	story.stall.tree_written_bytes = 40 * GIB; /* memory would not hold it */
	nothing(&story);
}

static void reading_and_memory(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_READ);
	only(&story, ADVICE_CACHE, 20, "not in memory yet");
	story.summary.cost_s[CAUSE_READ] = 2;
	nothing(&story);
	story_begin(&story, CAUSE_MEMORY);
	only(&story, ADVICE_MEMORY, 20, "fewer jobs");
}

static void most_worth_first(void **state)
{
	struct story story;

	(void)state;
	story_begin(&story, CAUSE_FLUSH_WAIT);
	story.summary.cost_unlink_s = 5;
	story.summary.cost_asked_s = 8;
	story.summary.cost_s[CAUSE_READ] = 6;
	assert_int_equal(advice_give(&story.summary, story.given), 3);
	assert_int_equal(story.given[0].kind, ADVICE_FSYNC);
	assert_int_equal(story.given[1].kind, ADVICE_CACHE);
	assert_int_equal(story.given[2].kind, ADVICE_UNLINK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(temporary_files),  cmocka_unit_test(asked_for),
		cmocka_unit_test(on_another_disk),  cmocka_unit_test(somebody_else),
		cmocka_unit_test(a_small_limit),    cmocka_unit_test(reading_and_memory),
		cmocka_unit_test(most_worth_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
