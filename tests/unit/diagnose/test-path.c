/* SPDX-License-Identifier: MIT
 *
 * The critical path, told look by look: who is whose child, and what each does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "path.h"

#define MS INT64_C(1000000)

struct story {
	struct path path;
	int64_t now_ns;
};

/*
 * n looks, 100 ms apart. Each word is a process: its letter, its parent's ('/': it is the root), and what it
 * does: f flushes, c waits for a child, p for another task, '.' works.
 */
static void go(struct story *story, int n, const char *words)
{
	for (int i = 0; i < n; i++) {
		const char *at = words;

		path_begin(&story->path);
		while (*at) {
			enum path_doing doing = at[2] == 'f'   ? PATH_FLUSHES
						: at[2] == 'c' ? PATH_CHILD
						: at[2] == 'p' ? PATH_WAITS
							       : PATH_BUSY;

			path_see(&story->path, (uint64_t)at[0], at[0], at[1], at[1] == '/', doing);
			at += strcspn(at, " ");
			at += strspn(at, " ");
		}
		path_finish(&story->path, story->now_ns, story->now_ns + 100 * MS);
		story->now_ns += 100 * MS;
	}
}

static void ends(struct story *story, double gain_s)
{
	double told_s = path_gain_s(&story->path, story->now_ns);

	if (!(fabs(told_s - gain_s) < 1e-6))
		fail_msg("%g s could be gained, expected %g", told_s, gain_s);
	path_fini(&story->path);
}

static struct story story_new(void)
{
	return (struct story){.now_ns = 1000000 * MS};
}

static void one_after_the_other(void **state)
{
	struct story story = story_new();

	(void)state;
	for (int i = 0; i < 5; i++) {
		go(&story, 10, "s/c cs.");
		go(&story, 3, "s/c ws.");
		go(&story, 7, "s/c wsf");
	}
	go(&story, 1, "s/.");
	ends(&story, 3.5);
}

static void beside_a_longer_computation(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 65, "s/c wsf cs.");
	go(&story, 35, "s/c cs.");
	go(&story, 1, "s/.");
	ends(&story, 0);
}

/* Three writers that would take no time, beside half of computing. */
static void writers_beside_a_shorter_computation(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 50, "s/c asf bsf cs. dsf");
	go(&story, 25, "s/c asf bsf dsf");
	go(&story, 1, "s/.");
	ends(&story, 2.5);
}

static void mirrored_chains(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 40, "s/c xsf ys.");
	go(&story, 30, "s/c xsf ysf");
	go(&story, 40, "s/c xs. ysf");
	go(&story, 1, "s/.");
	ends(&story, 7);
}

/* Two at a time: while a stalls, b, c and d compute one after the other. Had a not stalled, c could have gone
 * beside b. */
static void slots(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 10, "m/c amf bm.");
	go(&story, 10, "m/c amf cm.");
	go(&story, 10, "m/c amf dm.");
	go(&story, 1, "m/.");
	ends(&story, 1);
}

static void through_levels(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 10, "m/c sm.");
	go(&story, 10, "m/c smc gsc cgf");
	go(&story, 10, "m/c smc gs.");
	go(&story, 10, "m/c smc gsf");
	go(&story, 1, "m/.");
	ends(&story, 2);
}

/* A pipe: the reader waits for a writer that flushes now and then, or for one that computes. */
static void pipes(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 10, "s/c tsf rsp");
	go(&story, 10, "s/c ts. rsp");
	go(&story, 10, "s/c rs.");
	go(&story, 1, "s/.");
	ends(&story, 1);
}

/* Nobody works: what wakes the build is not of it, and comes when it comes. */
static void waiting_for_the_world(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 10, "s/c asp bsp");
	go(&story, 10, "s/c asf bsp");
	go(&story, 1, "s/.");
	ends(&story, 1);
}

static void time_not_seen_gains_nothing(void **state)
{
	struct story story = story_new();

	(void)state;
	go(&story, 10, "s/c asf");
	path_gap(&story.path, 5000 * MS);
	story.now_ns += 5000 * MS;
	go(&story, 10, "s/c asf");
	ends(&story, 2);
}

static void a_copy_goes_on_alike(void **state)
{
	struct story story = story_new(), other;

	(void)state;
	go(&story, 10, "s/c asf bs.");
	other.now_ns = story.now_ns;
	path_copy(&other.path, &story.path);
	for (int i = 0; i < 2; i++) {
		struct story *it = i ? &other : &story;

		go(it, 5, "s/c asf");
		go(it, 1, "s/.");
		ends(it, 0.5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(beside_a_longer_computation),
		cmocka_unit_test(writers_beside_a_shorter_computation),
		cmocka_unit_test(mirrored_chains),
		cmocka_unit_test(slots),
		cmocka_unit_test(through_levels),
		cmocka_unit_test(pipes),
		cmocka_unit_test(waiting_for_the_world),
		cmocka_unit_test(time_not_seen_gains_nothing),
		cmocka_unit_test(a_copy_goes_on_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
