/* SPDX-License-Identifier: MIT
 *
 * The real screen on a made-up build: two stalls, a tmpfs that fills, names that attack the terminal. For
 * trying the screen by hand and for screen.sh. Plays the part of the session: signals, suspending, answering
 * what the screen asks.
 *
 *   demo-screen [--replay] [--ticks N] [--period MS] [--hang-up-ignored]
 *
 * N ticks stand at once (default 90), live ones follow every MS (default 1000). Says on stdout how it ended.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/tui.h"

#define MIB	 (1024.0 * 1024)
#define RUN_S	 400 /* of the made-up build, then it starts over */
#define LIMIT	 (200 * MIB)
#define GAP_FROM 60 /* no ticks between these two: the sampler was starved */
#define GAP_TO	 64
#define START_NS (5000 * NS_PER_S)
#define WALL_NS	 (INT64_C(1796064000) * NS_PER_S)

static const struct {
	int from, to;
	enum cause cause;
	const char *device, *filesystem, *wchan;
} stalls[] = {
	{31, 45, CAUSE_DIRTY_THROTTLE, "sdb1", "ext4", "balance_dirty_pages"},
	{74, 80, CAUSE_FLUSH_WAIT, "sdb1", "ext4", "folio_wait_bit"},
	{84, 10000, CAUSE_DIRTY_THROTTLE, "sdb1", "ext4", "balance_dirty_pages"},
};

#define WORDS(literal) literal, sizeof literal

static const struct {
	int pid, ppid;
	const char *comm, *command; /* words joined by NUL bytes */
	size_t command_len;
	enum tick_doing doing; /* while nothing is stalled */
	bool writes;
} people[] = {
	{4100, 1, "make", WORDS("make\0-j4\0-C\0src\0all"), TICK_CHILD, false},
	{4211, 4100, "sh", WORDS("/bin/sh\0-c\0gcc -O2 -c parser.c -o parser.o"), TICK_CHILD, false},
	{4212, 4211, "gcc", WORDS("gcc\0-O2\0-c\0parser.c\0-o\0parser.o"), TICK_CHILD, false},
	{4213, 4212, "cc1", WORDS("/usr/lib/gcc/x86_64-linux-gnu/12/cc1\0-quiet\0parser.c\0-O2"),
	 TICK_RUNNING, false},
	{4214, 4212, "as", WORDS("as\0--64\0-o\0parser.o"), TICK_PIPE, true},
	{4301, 4100, "cc1plus", WORDS("cc1plus\0-quiet\0\xe8\xa7\xa3\xe6\x9e\x90\xe5\x99\xa8.cc\0-O2"),
	 TICK_RUNNING, false},
	{4302, 4100, "ld", WORDS("ld\0-o\0build/app\0main.o\0parser.o"), TICK_RUNNING, true},
	{4303, 4100, "ev\x1b[31mil", WORDS("ev\x1b]0;PWNED\x07il\0\x1b[2J\0\x9b\x32J"), TICK_QUEUED, true},
	{4304, 4100, "python3", WORDS("python3\0generate.py\0--all"), TICK_POLL, false},
	{4305, 4100, "sleep", WORDS("sleep\00060"), TICK_SLEEP, false},
	{4306, 4100, "tar", WORDS("tar\0xf\0sources.tar"), TICK_RUNNING, true},
};
#define N_PEOPLE (sizeof people / sizeof *people)

static int stall_at(int second)
{
	for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
		if (second > stalls[i].from && second <= stalls[i].to)
			return (int)i;
	return -1;
}

static void make_stall(struct stall *stall, int which, int second)
{
	*stall = (struct stall){
		.number = (uint32_t)which + 1,
		.from_ns = START_NS + stalls[which].from * NS_PER_S,
		.to_ns = START_NS + second * NS_PER_S,
		.cause = stalls[which].cause,
		.dirty_peak_bytes = (uint64_t)(199 * MIB),
		.threshold_bytes = (uint64_t)LIMIT,
		.background_bytes = (uint64_t)(LIMIT / 2),
		.device = 1,
		.n_victims = 3,
		.n_writers = 2,
		.evidence = STALL_BY_WCHAN,
	};
	double seconds = second - stalls[which].from;

	snprintf(stall->device_name, sizeof stall->device_name, "%s", stalls[which].device);
	snprintf(stall->filesystem, sizeof stall->filesystem, "%s", stalls[which].filesystem);
	snprintf(stall->wchan, sizeof stall->wchan, "%s", stalls[which].wchan);
	stall->victims[0] = (struct stall_who){.comm = "ld", .task_s = seconds};
	stall->victims[1] = (struct stall_who){.comm = "tar", .task_s = seconds * 0.8};
	stall->victims[2] = (struct stall_who){.comm = "ev\x1b[31mil", .task_s = seconds * 0.4};
	stall->writers[0] = (struct stall_who){.comm = "tar", .bytes = (uint64_t)(seconds * 12 * MIB)};
	stall->writers[1] = (struct stall_who){.comm = "ld", .bytes = (uint64_t)(seconds * 3 * MIB)};
}

static void add_tasks(struct sample *sample)
{
	for (size_t i = 0; i < N_PEOPLE; i++) {
		struct task_row *row = sample_add_task(sample);

		row->pid = people[i].pid;
		row->ppid = people[i].ppid;
		row->start_ticks = 100 + i;
		row->state = 'S';
		row->comm = sample_add_string(sample, people[i].comm, strlen(people[i].comm));
		row->cmdline = sample_add_string(sample, people[i].command, people[i].command_len);
		row->values[METRIC_TASK_RSS_BYTES] = (uint64_t)((double)(i * 17 % 90 + 2) * MIB);
		row->values[METRIC_TASK_THREADS] = 1;
	}
}

static void add_mount(struct sample *sample, uint64_t device, const char *point, uint64_t size, uint64_t used)
{
	struct mount_row *row = sample_add_mount(sample);

	row->device = device;
	row->point = sample_add_string(sample, point, strlen(point));
	row->type = sample_add_string(sample, "tmpfs", 5);
	row->flags = MOUNT_TMPFS;
	row->points = 1;
	row->values[METRIC_MOUNT_SIZE_BYTES] = size;
	row->values[METRIC_MOUNT_USED_BYTES] = used;
}

static void think_mounts(struct tick *tick, int second)
{
	for (size_t i = 0; i < tick->sample->n_mounts; i++) {
		struct mount_row *row = &tick->sample->mounts[i];
		struct tick_mount *mount = &tick->mounts[i];
		uint64_t size = row->values[METRIC_MOUNT_SIZE_BYTES];

		*mount = (struct tick_mount){.used = NAN, .inodes_used = NAN, .seconds_to_full = INFINITY};
		if (size != METRIC_NA) {
			mount->used = (double)row->values[METRIC_MOUNT_USED_BYTES] / (double)size;
			mount->inodes_used = 0.04;
		}
		if (i == 0 && mount->used < 1) {
			mount->growth_bytes_per_s = 4.5 * MIB;
			mount->seconds_to_full = (1 - mount->used) * (double)size / mount->growth_bytes_per_s;
			mount->alarm = mount->used >= 0.9	     ? TICK_ALARM_NEARLY_FULL
				       : mount->seconds_to_full < 60 ? TICK_ALARM_FILLING
								     : TICK_ALARM_NONE;
			mount->alarm_new = second == 55;
		}
	}
}

static void think_tasks(struct tick *tick, const struct stall *stall, int second)
{
	for (size_t i = 0; i < N_PEOPLE; i++) {
		struct task_row *row = &tick->sample->tasks[i];
		struct tick_task *task = &tick->tasks[i];
		bool held = stall && people[i].writes;

		task->doing = held ? TICK_STALLED : people[i].doing;
		task->cause = held ? stall->cause : people[i].doing == TICK_RUNNING ? CAUSE_CPU : CAUSE_WAIT;
		task->cpu = held			      ? 0.01
			    : people[i].doing == TICK_RUNNING ? 0.6 + 0.3 * sin(second * 0.7 + (double)i)
							      : 0.002;
		task->read_bytes_per_s = 0;
		task->write_bytes_per_s =
			people[i].writes ? (held ? 0.4 : 9.5) * MIB * (double)(i % 3 + 1) : 0;
		task->cause_s[task->cause] = held ? 0.97 : task->cpu;
		row->state = held ? 'D' : people[i].doing == TICK_RUNNING ? 'R' : 'S';
	}
}

static void think(struct tick *tick, int second, int which)
{
	double phase = second < 31 ? second / 31.0 : which >= 0 ? 1 : 0.55 + 0.3 * sin(second * 0.3);
	struct brief *brief = &tick->brief;

	tick->interval_s = second == GAP_TO ? GAP_TO - GAP_FROM : 1;
	tick->build_cpus = which < 0 ? 2.9 + 0.6 * sin(second * 0.5) : 0.35 + 0.2 * sin(second);
	tick->cpus_busy = fmin(4, tick->build_cpus + 0.3 + 0.2 * sin(second * 0.9));
	tick->psi_cpu = which < 0 ? 0.18 : 0.01;
	tick->psi_io = which < 0 ? 0.03 : 0.97;
	tick->psi_io_full = 0;
	tick->psi_memory = tick->psi_memory_full = 0;
	tick->dirtied_bytes_per_s = which < 0 ? 31 * MIB : 2 * MIB;
	tick->written_bytes_per_s = 1.1 * MIB;
	tick->page_cache_bytes = (uint64_t)((900 + second * 3) * MIB);
	tick->build_tasks = N_PEOPLE;
	tick->build_rss_bytes = (uint64_t)(412 * MIB);
	tick->share = which < 0 ? 0.02 : 0.8;
	*brief = (struct brief){
		.mono_ns = tick->sample->mono_ns,
		.interval_s = (float)tick->interval_s,
		.cpus_busy = (float)tick->cpus_busy,
		.build_cpus = (float)tick->build_cpus,
		.share = (float)tick->share,
		.psi_cpu = (float)tick->psi_cpu,
		.psi_io = (float)tick->psi_io,
		.dirty_bytes = (uint64_t)(LIMIT * 0.9 * phase),
		.writeback_bytes = (uint64_t)(LIMIT * (which >= 0 ? 0.1 : 0.04)),
		.page_cache_bytes = tick->page_cache_bytes,
		.threshold_bytes = (uint64_t)LIMIT,
		.background_bytes = (uint64_t)(LIMIT / 2),
		.tasks = N_PEOPLE,
		.flags = (uint16_t)tick->sample->flags,
		.cause = (uint8_t)(which < 0 ? CAUSE_NONE : stalls[which].cause),
		.busiest = second % 17 == 3   ? CAUSE_RUNQUEUE
			   : second % 23 == 5 ? CAUSE_LOCK
			   : which < 0	      ? CAUSE_CPU
					      : CAUSE_WAIT,
	};
	if (which >= 0) {
		tick->stalled = true;
		make_stall(&tick->stall, which, second);
		tick->stall.open = true;
	}
}

static struct tick *make_tick(int second)
{
	struct sample *sample = sample_new();
	int which = stall_at(second), ended = second > 0 ? stall_at(second - 1) : -1;
	uint64_t filled = (uint64_t)((180 + fmin(second, 330) * 2.3) * MIB);
	struct tick *tick;

	sample->number = (uint64_t)second;
	sample->mono_ns = START_NS + second * NS_PER_S;
	sample->wall_ns = WALL_NS + second * NS_PER_S;
	sample->flags = second == 0 ? SAMPLE_FIRST : second == GAP_TO ? SAMPLE_GAP : 0;
	sample->system[METRIC_SYSTEM_CPUS_ONLINE] = 4;
	sample->system[METRIC_SYSTEM_MEM_AVAILABLE_BYTES] = (uint64_t)(7.2 * 1024 * MIB);
	add_tasks(sample);
	add_mount(sample, 1, "/tmp/build", (uint64_t)(512 * MIB), filled);
	add_mount(sample, 2, "/dev/shm", (uint64_t)(2048 * MIB), (uint64_t)(90 * MIB));
	add_mount(sample, 3, "/run/\x1b[31mred\x1b]0;PWNED\x07", METRIC_NA, (uint64_t)(3 * MIB));
	add_mount(sample, 4, "/run", (uint64_t)(800 * MIB), (uint64_t)(1 * MIB));
	tick = tick_new(sample);
	think(tick, second, which);
	think_tasks(tick, which < 0 ? NULL : &tick->stall, second);
	think_mounts(tick, second);
	if (second == 0)
		tick->interval_s = tick->brief.interval_s = 0;
	if (ended >= 0 && which != ended) {
		tick->closed = mem_alloc(1, sizeof *tick->closed);
		tick->n_closed = 1;
		make_stall(&tick->closed[0], ended, second - 1);
	}
	return tick;
}

struct demo {
	bool replay;
	int ticks;
	int period_ms;
	struct control *control;
	struct inbox *inbox;
	struct tape *tape;
	struct timeline timeline;
	struct consumer consumer;
	int second; /* of the newest tick given */
	int speed_eighths;
	bool end;
	const char *ended;
	const char *line; /* of ours, told at the start */
};

static void give(struct demo *demo, int second)
{
	struct tick *tick = make_tick(second > GAP_FROM && second < GAP_TO ? GAP_TO : second);
	char line[128];

	demo->second = second;
	inbox_put(demo->inbox, tick);
	tick_unref(tick);
	snprintf(line, sizeof line,
		 "[%d/600] CC \x1b[32mobject_%d.o\x1b[0m \x1b]0;PWNED\x07 warning: \xe2\x80\x98x\xe2\x80\x99 "
		 "unused\r\n",
		 second, second);
	if (!demo->replay)
		tape_write(demo->tape, line, strlen(line));
}

static void give_at(struct demo *demo, int64_t second)
{
	give(demo, (int)(second < 0 ? 0 : second >= demo->ticks ? demo->ticks - 1 : second));
}

static void tell_end(struct demo *demo, const char *why)
{
	demo->end = true;
	demo->ended = why;
	control_tell(demo->control, CONTROL_TELL_END, 0);
}

static void answer(struct demo *demo)
{
	enum control_ask ask;
	int64_t argument;

	while (control_asked(demo->control, &ask, &argument)) {
		switch (ask) {
		case CONTROL_ASK_CLOSE:
			demo->end = true;
			demo->ended = "closed";
			break;
		case CONTROL_ASK_STOP:
			tell_end(demo, "stopped");
			break;
		case CONTROL_ASK_TYPE:
			if (argument == 3) /* Ctrl-C */
				tell_end(demo, "typed");
			break;
		case CONTROL_ASK_SUSPEND:
			raise(SIGSTOP);
			control_tell(demo->control, CONTROL_TELL_RETURN, 0);
			break;
		case CONTROL_ASK_PLAY:
			demo->speed_eighths = (int)argument;
			control_tell(demo->control, CONTROL_TELL_POSITION, argument);
			break;
		case CONTROL_ASK_STEP:
			give_at(demo, demo->second + argument);
			break;
		case CONTROL_ASK_SEEK:
			give_at(demo, (argument - START_NS) / NS_PER_S);
			break;
		default:
			break;
		}
	}
}

static void heed(struct demo *demo, int signal_fd)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof info) != sizeof info)
		return;
	if (info.ssi_signo == SIGWINCH)
		control_tell(demo->control, CONTROL_TELL_RESIZE, 0);
	else if (info.ssi_signo == SIGTSTP)
		control_tell(demo->control, CONTROL_TELL_LEAVE, 0);
	else
		tell_end(demo, "signalled");
}

static void *screen_thread(void *argument)
{
	struct demo *demo = argument;

	demo->consumer.serve(demo->consumer.self, demo->inbox);
	return NULL;
}

static void play(struct demo *demo, int signal_fd)
{
	struct pollfd fds[] = {{.fd = signal_fd, .events = POLLIN},
			       {.fd = control_asked_fd(demo->control), .events = POLLIN}};
	int64_t next_ns = clock_mono_ns();

	while (!demo->end) {
		int64_t wait_ms = (next_ns - clock_mono_ns()) / NS_PER_MS;

		poll(fds, 2, wait_ms > 0 ? (int)wait_ms : 0);
		if (fds[0].revents)
			heed(demo, signal_fd);
		answer(demo);
		if (demo->end || clock_mono_ns() < next_ns)
			continue;
		next_ns += demo->period_ms * NS_PER_MS;
		if (!demo->replay)
			give(demo, demo->second + 1);
		else if (demo->speed_eighths && demo->second + 1 < demo->ticks)
			give(demo, demo->second + 1);
	}
}

static void parse(struct demo *demo, sigset_t *signals, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--replay") == 0)
			demo->replay = true;
		else if (strcmp(argv[i], "--say") == 0 && i + 1 < argc)
			demo->line = argv[++i];
		else if (strcmp(argv[i], "--ticks") == 0 && i + 1 < argc)
			demo->ticks = atoi(argv[++i]);
		else if (strcmp(argv[i], "--period") == 0 && i + 1 < argc)
			demo->period_ms = atoi(argv[++i]);
		else if (strcmp(argv[i], "--hang-up-ignored") == 0)
			signal(SIGHUP, SIG_IGN), sigdelset(signals, SIGHUP);
	}
}

static int put_away(struct demo *demo, struct run *run, int status)
{
	inbox_free(demo->inbox);
	tape_free(demo->tape);
	control_free(demo->control);
	timeline_fini(&demo->timeline);
	run_free(run);
	return status;
}

int main(int argc, char **argv)
{
	static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGTTOU};
	struct demo demo = {.ticks = 90, .period_ms = 1000, .speed_eighths = 8, .ended = "?"};
	static const char *const words[] = {"make", "-j4", "-C", "src", "all", "ev\x1b]0;PWNED\x07il"};
	struct run *run = run_new();
	struct tui_options options;
	struct tui *tui;
	struct why why;
	pthread_t thread;
	sigset_t signals;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(&signals, numbers[i]);
	parse(&demo, &signals, argc, argv);
	setlocale(LC_ALL, "");
	text_init();
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	run->command = mem_alloc(sizeof words / sizeof *words + 1, sizeof *run->command);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		run->command[i] = mem_dup(words[i]);
	run->start_mono_ns = START_NS;
	run->start_wall_ns = WALL_NS;
	run->interval_ns = NS_PER_S;
	run->cpus = 4;
	demo.control = control_new();
	demo.inbox = inbox_new(1024);
	demo.tape = tape_new(1 << 20);
	for (int i = 0; demo.replay && i < demo.ticks; i++) {
		struct tick *tick = make_tick(i > GAP_FROM && i < GAP_TO ? GAP_TO : i);

		timeline_add(&demo.timeline, tick);
		tick_unref(tick);
	}
	options = (struct tui_options){
		.control = demo.control,
		.timeline = demo.replay ? &demo.timeline : NULL,
		.output = demo.replay ? NULL : demo.tape,
		.recording = "/home/x/demo.buildtop",
		.replay = demo.replay,
	};
	if (tui_check(&why) < 0 || tui_open(&tui, &options, &why) < 0) {
		printf("demo: no screen: %s\n", why.text);
		return put_away(&demo, run, 3);
	}
	demo.consumer = tui_consumer(tui);
	demo.consumer.begin(tui, run);
	if (demo.replay)
		give(&demo, 0);
	for (int i = 0; !demo.replay && i < demo.ticks; i++)
		give(&demo, i);
	if (demo.line)
		control_tell_line(demo.control, demo.line);
	pthread_create(&thread, NULL, screen_thread, &demo);
	play(&demo, signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
	pthread_join(thread, NULL);
	answer(&demo);
	tui_close(tui);
	printf("demo: %s\n", demo.ended);
	return put_away(&demo, run, 0);
}
