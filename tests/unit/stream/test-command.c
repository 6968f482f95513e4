/* SPDX-License-Identifier: MIT
 *
 * Running a command without a screen: what it inherits, how it ends, which signals reach it. Real processes,
 * a made-up probe.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "fake_probe.h"

#define SH(script) ((const char *const[]){"sh", "-c", (script), NULL})

static struct trial trial;

static int run(const char *const *argv)
{
	trial = (struct trial){.argv = argv};
	return trial_run(&trial);
}

static int setup(void **state)
{
	(void)state;
	trial = (struct trial){0};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (trial.facts != NULL)
		trial_free(&trial);
	return 0;
}

static void test_exit_status(void **state)
{
	(void)state;
	assert_int_equal(run(SH("exit 7")), 7);
	trial_free(&trial);
	assert_int_equal(run(SH("exit 300")), 44);
	trial_free(&trial);
	assert_int_equal(run((const char *const[]){"true", NULL}), 0);
	assert_true(trial.facts->result.end.complete);
	assert_true(trial.facts->result.end.known);
	assert_false(trial.facts->result.end.interrupted);
}

static void test_death_by_signal(void **state)
{
	(void)state;
	assert_int_equal(run(SH("kill -9 $$")), -SIGKILL);
	trial_free(&trial);
	assert_int_equal(run(SH("kill -TERM $$")), -SIGTERM);
	assert_false(trial.facts->result.raised);
	assert_false(trial.facts->result.end.interrupted);
}

static void test_not_found(void **state)
{
	(void)state;
	assert_int_equal(run((const char *const[]){"no-such-command-here", NULL}), 127);
	assert_int_equal(trial.facts->error, -ENOENT);
	assert_string_equal(trial.facts->why.text, "no-such-command-here: command not found");
	assert_true(trial.facts->began);
	assert_true(trial.facts->ended);
}

static void test_not_executable(void **state)
{
	char name[] = "/tmp/buildtop-test-XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(run((const char *const[]){name, NULL}), 126);
	assert_int_equal(trial.facts->error, -EACCES);
	trial_free(&trial);
	assert_int_equal(run((const char *const[]){"/", NULL}), 126);
	unlink(name);
}

static void test_script_without_interpreter(void **state)
{
	char name[] = "/tmp/buildtop-test-XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "exit 9\n", 7), 7);
	fchmod(fd, 0700);
	close(fd);
	assert_int_equal(run((const char *const[]){name, NULL}), 9);
	unlink(name);
}

static void test_our_own_failure(void **state)
{
	(void)state;
	trial = (struct trial){.argv = SH("exit 0"), .interval_ms = 99};
	assert_int_equal(trial_run(&trial), 125);
	assert_int_equal(trial.facts->error, -EINVAL);
	assert_false(trial.facts->began);
}

/* Everything that a process can see of how it was started. */
static const char *const look_around[] = {
	"sh", "-c",
	"for fd in /proc/self/fd/*; do echo \"${fd##*/} $(readlink $fd)\"; done | grep -v fd$ | sed "
	"'s/\\[.*//'; "
	"grep -E 'Sig(Ign|Blk|Cgt)|NoNewPrivs|Seccomp:' /proc/self/status; "
	"cat /proc/self/limits /proc/self/oom_score_adj /proc/self/timerslack_ns; "
	"umask; nice; env | grep -v ^_=; pwd; ls -l /proc/self/exe | sed 's/.*->//'",
	NULL};

static void inherit_oddly(void)
{
	struct rlimit limit = {.rlim_cur = 222, .rlim_max = 333};
	sigset_t blocked;
	int fd = open("/dev/null", O_RDONLY);

	dup2(fd, 7); /* as make's job server would be */
	if (fd != 7)
		close(fd);
	umask(027);
	setrlimit(RLIMIT_NOFILE, &limit);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	setenv("MAKEFLAGS", " -j4 --jobserver-auth=7,7", 1);
}

static void compare_with_direct(void (*prepare)(void))
{
	struct trial direct = {.argv = look_around, .direct = true, .prepare = prepare};

	assert_int_equal(trial_run(&direct), 0);
	trial = (struct trial){.argv = look_around, .prepare = prepare};
	assert_int_equal(trial_run(&trial), 0);
	assert_true(trial.out_len > 100);
	assert_string_equal(trial.out, direct.out);
	trial_free(&direct);
}

static void test_inherits_as_it_came(void **state)
{
	(void)state;
	compare_with_direct(NULL);
}

static void test_inherits_oddities(void **state)
{
	(void)state;
	compare_with_direct(inherit_oddly);
	assert_non_null(strstr(trial.out, "7 /dev/null"));
}

static void close_all(void)
{
	close(0);
	close(2);
}

static void test_closed_descriptors_stay_closed(void **state)
{
	(void)state;
	compare_with_direct(close_all);
}

static void test_stdin_passes_through(void **state)
{
	(void)state;
	trial = (struct trial){.argv = (const char *const[]){"cat", NULL}};
	trial_start(&trial);
	assert_int_equal(write(trial.in_fd, "hi\0\377there", 9), 9);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.out_len, 9);
	assert_memory_equal(trial.out, "hi\0\377there", 9);
}

static void test_a_daemon_is_left_behind(void **state)
{
	int64_t start_ns = clock_mono_ns();
	const char *pid;

	(void)state;
	assert_int_equal(run(SH("setsid sleep 300 & echo done")), 0);
	assert_true(clock_mono_ns() - start_ns < 2 * NS_PER_S);
	assert_string_equal(trial.out, "done\n");
	pid = strchr(trial.facts->left_behind, '(');
	assert_non_null(pid);
	assert_int_equal(kill(atoi(pid + 1), 0), 0);
	kill(atoi(pid + 1), SIGKILL);
}

static void test_orphans_are_reaped(void **state)
{
	(void)state;
	assert_int_equal(run(SH("orphan=$(sh -c 'sleep 0.01 >/dev/null & echo $!'); "
				"i=0; while [ -d /proc/$orphan ]; do "
				"sleep 0.01; i=$((i + 1)); [ $i -lt 1000 ] || exit 1; done")),
			 0);
	assert_string_equal(trial.facts->left_behind, "");
}

static void test_usage_is_that_of_all(void **state)
{
	(void)state;
	assert_int_equal(run(SH("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'; exit 0")), 0);
	assert_true(trial.facts->result.end.user_us > 10000);
	assert_true(trial.facts->result.end.user_us < 20000000);
	assert_true(trial.facts->result.end.max_rss_bytes > 100000);
}

static void test_consumers_see_the_whole_run(void **state)
{
	(void)state;
	assert_int_equal(run(SH("exit 0")), 0);
	assert_true(trial.facts->began);
	assert_true(trial.facts->ended);
	assert_false(trial.facts->ended_before_last);
	assert_int_equal(trial.facts->firsts, 1);
	assert_int_equal(trial.facts->lasts, 1);
	assert_true(trial.facts->serve_signals_blocked);
	assert_true(trial.facts->serve_ended_on_thread);
}

static void start(char *script)
{
	trial.argv = (const char *const[]){"sh", "-c", script, NULL};
	trial_start(&trial);
	trial_wait_for(&trial, "ready");
}

static void test_a_signal_to_us_is_passed_on(void **state)
{
	char script[] = "trap 'echo got; exit 3' TERM; echo ready; while :; do sleep 0.02; done";

	(void)state;
	start(script);
	kill(trial.pid, SIGTERM);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.facts->result.end.status, 3);
	assert_true(trial.facts->result.end.interrupted);
	assert_false(trial.facts->result.raised);
}

static void test_the_build_dies_of_our_signal(void **state)
{
	char script[] = "echo ready; exec sleep 300";
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1};

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		trial = (struct trial){0};
		start(script);
		kill(trial.pid, signals[i]);
		assert_int_equal(trial_finish(&trial), 0);
		assert_int_equal(trial.facts->result.end.signal, signals[i]);
		assert_true(trial.facts->result.raised);
		assert_int_equal(trial.facts->result.raise_signal, signals[i]);
		assert_int_equal(trial.facts->result.end.interrupted, i < 3);
		trial_free(&trial);
	}
	trial.facts = NULL;
}

static void ignore_hangup(void)
{
	signal(SIGHUP, SIG_IGN);
}

/* nohup */
static void test_an_ignored_signal_stays_ignored(void **state)
{
	char script[] = "echo ready; read line; exit 4";

	(void)state;
	trial.prepare = ignore_hangup;
	start(script);
	kill(trial.pid, SIGHUP);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.facts->result.end.status, 4);
	assert_false(trial.facts->result.end.interrupted);
}

static void test_stop_and_continue(void **state)
{
	char script[] = "echo ready $$.; read line; exit 5";
	pid_t build;

	(void)state;
	trial.interval_ms = 100;
	trial.argv = (const char *const[]){"sh", "-c", script, NULL};
	trial_start(&trial);
	trial_wait_for(&trial, ".");
	build = atoi(strstr(trial.out, "ready ") + 6);
	kill(trial.pid, SIGTSTP);
	WAIT_UNTIL(trial_state_of(trial.pid) == 'T' && trial_state_of(build) == 'T');
	usleep(400000); /* the gap: at least three ticks long */
	kill(trial.pid, SIGCONT);
	WAIT_UNTIL(trial_state_of(build) == 'S');
	WAIT_UNTIL(trial.facts->gaps > 0);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.facts->result.end.status, 5);
	assert_true(trial.facts->missed >= 3);
}

static void hang_names(void)
{
	fake_probe.names_hang = true;
}

/* Reading a command line never returns: further threads take over, and we can still leave. */
static void test_hung_names_do_not_hold_us(void **state)
{
	char script[] = "echo ready; read line; exit 6";

	(void)state;
	trial.prepare = hang_names;
	start(script);
	WAIT_UNTIL(trial.facts->names_most >= 2);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.facts->result.end.status, 6);
	assert_false(trial.facts->result.abandoned);
}

static void lose_roots(void)
{
	atomic_store(&fake_probe.roots_gone, true);
}

static void test_watching_ends_with_what_is_watched(void **state)
{
	(void)state;
	trial = (struct trial){.interval_ms = 100, .prepare = lose_roots};
	trial_start(&trial);
	assert_int_equal(trial_finish(&trial), 0);
	assert_int_equal(trial.facts->error, 0);
	assert_true(trial.facts->result.end.complete);
	assert_false(trial.facts->result.end.known);
	assert_true(trial.facts->ended);
}

static void test_watching_is_stopped_by_a_signal(void **state)
{
	(void)state;
	trial = (struct trial){.interval_ms = 100};
	trial_start(&trial);
	WAIT_UNTIL(trial.facts->ticks >= 2);
	kill(trial.pid, SIGINT);
	assert_int_equal(trial_finish(&trial), 0);
	assert_false(trial.facts->result.end.complete);
	assert_true(trial.facts->result.end.interrupted);
	assert_false(trial.facts->result.end.known);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_exit_status),
		TEST(test_death_by_signal),
		TEST(test_not_found),
		TEST(test_not_executable),
		TEST(test_script_without_interpreter),
		TEST(test_our_own_failure),
		TEST(test_inherits_as_it_came),
		TEST(test_inherits_oddities),
		TEST(test_closed_descriptors_stay_closed),
		TEST(test_stdin_passes_through),
		TEST(test_a_daemon_is_left_behind),
		TEST(test_orphans_are_reaped),
		TEST(test_usage_is_that_of_all),
		TEST(test_consumers_see_the_whole_run),
		TEST(test_a_signal_to_us_is_passed_on),
		TEST(test_the_build_dies_of_our_signal),
		TEST(test_an_ignored_signal_stays_ignored),
		TEST(test_stop_and_continue),
		TEST(test_hung_names_do_not_hold_us),
		TEST(test_watching_ends_with_what_is_watched),
		TEST(test_watching_is_stopped_by_a_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
