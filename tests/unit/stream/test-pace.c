/* SPDX-License-Identifier: MIT
 *
 * Looks come closer while threads are blocked, as far as they are cheap, and only then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"

#include "../../../src/stream/pace.h"

#define USUAL (100 * NS_PER_MS)
#define CHEAP (20 * NS_PER_US)

static void closer_while_blocked(void **state)
{
	struct pace pace;

	(void)state;
	pace_init(&pace, USUAL, false);
	assert_int_equal(pace_looked(&pace, NS_PER_S, CHEAP, 0), USUAL);
	assert_int_equal(pace_looked(&pace, 2 * NS_PER_S, CHEAP, 1), USUAL / 4);
	assert_int_equal(pace_looked(&pace, 3 * NS_PER_S - 1, CHEAP, 0), USUAL / 4);
	assert_int_equal(pace_looked(&pace, 3 * NS_PER_S, CHEAP, 0), USUAL);
}

static void dear_looks_stay_apart(void **state)
{
	struct pace pace;

	(void)state;
	pace_init(&pace, USUAL, false);
	assert_int_equal(pace_looked(&pace, NS_PER_S, 200 * NS_PER_US, 9), 80 * NS_PER_MS);
	pace_init(&pace, USUAL, false);
	assert_int_equal(pace_looked(&pace, NS_PER_S, NS_PER_MS, 9), USUAL);
}

static void what_was_asked_for_is_kept(void **state)
{
	struct pace pace;

	(void)state;
	pace_init(&pace, USUAL, true);
	assert_int_equal(pace_looked(&pace, NS_PER_S, CHEAP, 1), USUAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closer_while_blocked),
		cmocka_unit_test(dear_looks_stay_apart),
		cmocka_unit_test(what_was_asked_for_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
