/* SPDX-License-Identifier: MIT
 *
 * The rule, case by case, in the order in which it asks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "diagnose/site.h"
#include "model/sample.h"

struct expectation {
	char state;
	const char *wchan;
	int32_t call;
	enum cause cause;
	enum tick_doing doing;
};

static void expect(const char *machine, const struct expectation *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct site_verdict is = site_judge(machine, list[i].state, list[i].wchan, list[i].call);

		if (is.cause != list[i].cause || is.doing != list[i].doing)
			fail_msg("%c %s %d: cause %d, doing %d; expected %d, %d", list[i].state,
				 list[i].wchan, list[i].call, (int)is.cause, (int)is.doing,
				 (int)list[i].cause, (int)list[i].doing);
	}
}

#define EXPECT(machine, ...)                                                                                 \
	do {                                                                                                 \
		static const struct expectation list[] = {__VA_ARGS__};                                      \
		expect(machine, list, sizeof list / sizeof *list);                                           \
	} while (0)

static void states(void **state)
{
	(void)state;
	EXPECT("x86_64", {'R', "", SITE_CALL_UNREAD, CAUSE_CPU, TICK_RUNNING},
	       {'Z', "", SITE_CALL_UNREAD, CAUSE_NONE, TICK_ZOMBIE},
	       {'X', NULL, SITE_CALL_UNREAD, CAUSE_NONE, TICK_ZOMBIE},
	       {'T', "do_signal_stop", SITE_CALL_UNREAD, CAUSE_WAIT, TICK_STOPPED},
	       {'t', "ptrace_stop", SITE_CALL_UNREAD, CAUSE_WAIT, TICK_STOPPED},
	       {'I', "", SITE_CALL_UNREAD, CAUSE_NONE, TICK_UNKNOWN});
}

static void flushing(void **state)
{
	(void)state;
	EXPECT("x86_64", {'D', "balance_dirty_pages", 1, CAUSE_DIRTY_THROTTLE, TICK_STALLED},
	       {'D', "balance_dirty_pages_ratelimited_flags", 1, CAUSE_DIRTY_THROTTLE, TICK_STALLED},
	       {'D', "balance_dirty_pages", 74, CAUSE_DIRTY_THROTTLE, TICK_STALLED}, /* before fsync */
	       {'D', "folio_wait_bit", 87, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "folio_wait_bit_common", 87, CAUSE_FLUSH_WAIT, TICK_STALLED}, /* unlink */
	       {'D', "submit_bio_wait", 263, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "submit_bio_wait", 0, CAUSE_READ, TICK_STALLED},
	       {'D', "__filemap_get_folio", 1, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "__filemap_get_folio", SITE_CALL_NONE, CAUSE_READ, TICK_STALLED},
	       {'D', "__filemap_get_folio", SITE_CALL_HIDDEN, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "xlog_wait_on_iclog", 1, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "jbd2_log_wait_commit", SITE_CALL_HIDDEN, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "btrfs_wait_ordered_range", 1, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "__reserve_bytes", 1, CAUSE_FLUSH_WAIT, TICK_STALLED});
}

/* A symbol nobody has heard of, or none, in fsync: it is flushing, because the build asked. */
static void flushing_on_request(void **state)
{
	static const int32_t calls[] = {74, 75, 162, 26, 277, 306};
	struct site_verdict is;

	(void)state;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		is = site_judge("x86_64", 'D', "newfs_wait_for_godot", calls[i]);
		assert_int_equal(is.cause, CAUSE_FLUSH_WAIT);
		assert_true(is.by_request && is.by_call);
	}
	assert_int_equal(site_judge("x86_64", 'D', "0", 74).cause, CAUSE_FLUSH_WAIT);
	assert_false(site_judge("x86_64", 'D', "jbd2_log_wait_commit", 74).by_call);
	assert_false(site_judge("x86_64", 'D', "folio_wait_bit", 87).by_request);
	assert_int_equal(site_judge("aarch64", 'D', "newfs_wait_for_godot", 82).cause, CAUSE_FLUSH_WAIT);
	assert_int_equal(site_judge("aarch64", 'D', "newfs_wait_for_godot", 74).cause, CAUSE_LOCK);
	assert_int_equal(site_judge("riscv64", 'D', "folio_wait_bit_common", 35).cause, CAUSE_FLUSH_WAIT);
	assert_int_equal(site_judge("armv7l", 'D', "newfs_wait_for_godot", 74).cause, CAUSE_LOCK);
}

static void other_stalls(void **state)
{
	(void)state;
	EXPECT("x86_64", {'D', "folio_wait_bit_common", 0, CAUSE_READ, TICK_STALLED},
	       {'D', "io_schedule", 59, CAUSE_READ, TICK_STALLED},
	       {'D', "reclaim_throttle", 12, CAUSE_MEMORY, TICK_STALLED},
	       {'D', "mem_cgroup_handle_over_high", SITE_CALL_NONE, CAUSE_MEMORY, TICK_STALLED},
	       {'D', "rpc_wait_bit_killable", 257, CAUSE_REMOTE_IO, TICK_STALLED},
	       {'S', "request_wait_answer", 257, CAUSE_REMOTE_IO, TICK_STALLED});
}

/* One name for both ways of waiting: before 5.16. */
static void merged_names(void **state)
{
	(void)state;
	EXPECT("x86_64", {'D', "wait_on_page_bit_common", 1, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "wait_on_page_bit_common", 87, CAUSE_FLUSH_WAIT, TICK_STALLED},
	       {'D', "wait_on_page_bit_common", 0, CAUSE_READ, TICK_STALLED},
	       {'D', "wait_on_page_bit_common", SITE_CALL_NONE, CAUSE_READ, TICK_STALLED},
	       {'D', "wait_on_page_bit", 1, CAUSE_FLUSH_WAIT, TICK_STALLED});
}

static void no_stall(void **state)
{
	(void)state;
	EXPECT("x86_64", {'D', "kernel_clone", 58, CAUSE_WAIT, TICK_CHILD},
	       {'D', "_do_fork", 58, CAUSE_WAIT, TICK_CHILD},
	       {'D', "__mmap_region", 9, CAUSE_LOCK, TICK_LOCKED},
	       {'D', "vma_prepare", 9, CAUSE_LOCK, TICK_LOCKED},
	       {'D', "unlink_file_vma_batch_process", 11, CAUSE_LOCK, TICK_LOCKED},
	       {'D', "something_new", 9, CAUSE_LOCK, TICK_LOCKED},
	       {'S', "do_wait", 61, CAUSE_WAIT, TICK_CHILD},
	       {'S', "anon_pipe_read", 0, CAUSE_WAIT, TICK_PIPE},
	       {'S', "do_select", 270, CAUSE_WAIT, TICK_POLL},
	       {'S', "hrtimer_nanosleep", 230, CAUSE_WAIT, TICK_SLEEP},
	       {'S', "futex_do_wait", 202, CAUSE_LOCK, TICK_LOCKED}, {'S', "0", 61, CAUSE_WAIT, TICK_CHILD},
	       {'S', "", 7, CAUSE_WAIT, TICK_POLL}, {'S', "", SITE_CALL_HIDDEN, CAUSE_WAIT, TICK_UNKNOWN},
	       {'S', "folio_wait_bit", 74, CAUSE_WAIT, TICK_UNKNOWN}); /* S is never flushing */
}

static void unreadable(void **state)
{
	(void)state;
	assert_int_equal(site_judge("x86_64", 'D', "0", 1).cause, CAUSE_NONE);
	assert_int_equal(site_judge(NULL, 'D', "0", 1).cause, CAUSE_NONE);
	assert_int_equal(site_judge("x86_64", 'D', "0", SITE_CALL_HIDDEN).cause, CAUSE_BLOCKED);
	assert_true(site_judge("x86_64", 'D', "0", SITE_CALL_HIDDEN).unreadable);
	assert_true(site_judge("x86_64", 'D', "", SITE_CALL_HIDDEN).unreadable);
	assert_true(site_judge("x86_64", 'D', NULL, 1).unreadable);
}

static void suffixes(void **state)
{
	static const char *const names[] = {"balance_dirty_pages.isra.31", "balance_dirty_pages.constprop.0",
					    "balance_dirty_pages.part.0.isra.2", "balance_dirty_pages.cold",
					    "balance_dirty_pages.llvm.1234567"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(site_judge(NULL, 'D', names[i], SITE_CALL_HIDDEN).cause,
				 CAUSE_DIRTY_THROTTLE);
	assert_int_equal(site_judge(NULL, 'S', "poll_schedule_timeout.constprop.0", SITE_CALL_HIDDEN).doing,
			 TICK_POLL);
	assert_int_equal(site_judge(NULL, 'D', "folio_wait_bit.part.0", SITE_CALL_HIDDEN).cause,
			 CAUSE_FLUSH_WAIT);
	assert_int_equal(site_judge(NULL, 'D', "folio_wait_bitter", 1).cause, CAUSE_LOCK); /* not that one */
	assert_int_equal(site_judge(NULL, 'D', "folio_wait", 1).cause, CAUSE_LOCK);
}

static void outside(void **state)
{
	(void)state;
	assert_true(site_judge("x86_64", 'S', "hrtimer_nanosleep", 230).outside);
	assert_true(site_judge("x86_64", 'S', "inet_csk_accept", 288).outside);
	assert_true(site_judge("x86_64", 'S', "", 45).outside);
	assert_false(site_judge("x86_64", 'S', "do_wait", 61).outside);
	assert_false(site_judge("x86_64", 'S', "poll_schedule_timeout", 270).outside); /* make's job server */
	assert_false(site_judge("x86_64", 'S', "anon_pipe_read", 0).outside);
}

static void call_names(void **state)
{
	(void)state;
	assert_string_equal(site_call_name("x86_64", 0), "read");
	assert_string_equal(site_call_name("x86_64", 74), "fsync");
	assert_string_equal(site_call_name("aarch64", 82), "fsync");
	assert_string_equal(site_call_name("riscv64", 260), "wait4");
	assert_null(site_call_name("x86_64", SITE_CALL_NONE));
	assert_null(site_call_name("x86_64", SITE_CALL_UNREAD));
	assert_null(site_call_name("x86_64", 99999));
	assert_null(site_call_name("i686", 3));
	assert_null(site_call_name(NULL, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(flushing),
		cmocka_unit_test(flushing_on_request),
		cmocka_unit_test(other_stalls),
		cmocka_unit_test(merged_names),
		cmocka_unit_test(no_stall),
		cmocka_unit_test(unreadable),
		cmocka_unit_test(suffixes),
		cmocka_unit_test(outside),
		cmocka_unit_test(call_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
