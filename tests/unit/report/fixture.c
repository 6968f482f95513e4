/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/metric.h"

#define START_MONO_NS (INT64_C(1000) * NS_PER_S)
#define START_WALL_NS (INT64_C(1796065457) * NS_PER_S)

struct run *fixture_run(void)
{
	struct run *run = run_new();
	uuid7(run->id, START_WALL_NS);
	run->mode = RUN_COMMAND;
	run->tool_version = mem_dup("0.1.0");
	run->command = mem_alloc(4, sizeof *run->command);
	run->command[0] = mem_dup("make");
	run->command[1] = mem_dup("-j2");
	run->command[2] = mem_dup("T=\x1b[31mred\xff");
	run->workdir = mem_dup("/src/x");
	run->host = mem_dup("build01");
	run->kernel = mem_dup("6.1.0");
	run->machine = mem_dup("x86_64");
	run->cpus = 2;
	run->memory_total_bytes = 1024 * 1024 * 1024;
	run->start_mono_ns = START_MONO_NS;
	run->start_wall_ns = START_WALL_NS;
	run->interval_ns = NS_PER_S;
	run->look_interval_ns = 100 * NS_PER_MS;
	run_add_label(run, "project", "x");
	run_set_source(run, "wchan", "yes", NULL);
	run_set_source(run, "psi", "no: not in this kernel", NULL);
	return run;
}

static struct stall make_stall(void)
{
	struct stall stall = {
		.number = 1,
		.from_ns = START_MONO_NS + 62 * NS_PER_S,
		.to_ns = START_MONO_NS + 70 * NS_PER_S + 500 * NS_PER_MS,
		.cause = CAUSE_DIRTY_THROTTLE,
		.some_s = 8.5,
		.full_s = 4,
		.blocked_peak = 2,
		.dirty_peak_bytes = 5000000,
		.writeback_peak_bytes = METRIC_NA,
		.threshold_bytes = 6000000,
		.background_bytes = METRIC_NA,
		.device_name = "sda1",
		.filesystem = "ext4",
		.n_victims = 2,
	};
	stall.cause_s[CAUSE_DIRTY_THROTTLE] = 12;
	strcpy(stall.victims[0].comm, "l\x1b[2Jd");
	stall.victims[0].task_s = 8;
	strcpy(stall.victims[1].comm, "c|c1");
	stall.victims[1].task_s = 4;
	return stall;
}

void fixture_summary(struct summary *summary, const struct run *run)
{
	*summary = (struct summary){
		.run = run,
		.end = {.complete = true,
			.known = true,
			.status = 2,
			.user_us = METRIC_NA,
			.system_us = METRIC_NA},
		.wall_s = 100,
		.user_s = 90,
		.system_s = 30,
		.cpu_source = "rusage",
		.processes_started = 321,
		.processes_peak = 9,
		.rss_peak_bytes = 300 * 1024 * 1024,
		.page_cache_peak_bytes = METRIC_NA,
		.dirty_peak_bytes = 5000000,
		.writeback_peak_bytes = METRIC_NA,
		.swap_peak_bytes = 0,
		.stalled_s = 8.5,
		.flush_s = 8.5,
		.bound_min_s = 91.5,
		.bound_max_s = 96,
		.monitor_cpu_s = NAN,
		.samples = 101,
		.verdict = CAUSE_CPU,
		.verdict_text = "computing most of the time",
	};
	summary->cause_stalled_s[CAUSE_DIRTY_THROTTLE] = 8.5;
	summary->cause_episodes[CAUSE_DIRTY_THROTTLE] = 1;
	summary->time_s[CAUSE_CPU] = 120;
	summary->time_s[CAUSE_DIRTY_THROTTLE] = 12;
	summary->stalls = mem_alloc(1, sizeof *summary->stalls);
	summary->stalls[0] = make_stall();
	summary->n_stalls = 1;
	summary->tmpfs = mem_alloc(1, sizeof *summary->tmpfs);
	summary->tmpfs[0] = (struct summary_tmpfs){.mount = mem_dup("/tmp/<a*b>\x1b]0;t\a"),
						   .peak_bytes = 950,
						   .size_bytes = 1000,
						   .peak_inodes = 7,
						   .inodes = METRIC_NA,
						   .alarmed = true};
	summary->n_tmpfs = 1;
	summary->commands = mem_alloc(1, sizeof *summary->commands);
	summary->commands[0] = (struct summary_command){
		.name = "cc1\n", .count = 300, .cpu_s = 100, .wall_s = 110, .rss_peak_bytes = METRIC_NA};
	summary->n_commands = 1;
}

struct tick *fixture_tick(void)
{
	struct sample *sample = sample_new();
	sample->number = 3;
	sample->mono_ns = START_MONO_NS + 2500 * NS_PER_MS;
	sample->wall_ns = START_WALL_NS + 2500 * NS_PER_MS;
	sample->flags = SAMPLE_LATE;
	sample->system[METRIC_SYSTEM_DIRTY_BYTES] = 4096;
	struct task_row *task = sample_add_task(sample);
	task->pid = 42;
	task->ppid = 41;
	task->uid = UINT32_MAX;
	task->state = 'D';
	task->comm = sample_add_string(sample, "c\xff\x1b", 3);
	task = &sample->tasks[0];
	task->cmdline = sample_add_string(sample, "cc\0a b\0", 7);
	sample->tasks[0].values[METRIC_TASK_WRITE_BYTES] = 8192;
	struct site *site = sample_add_site(sample);
	site->wchan = sample_add_string(sample, "balance_dirty_pages", 19);
	site->state = 'D';
	site->syscall = 1;
	sample_add_look(sample, sample->mono_ns - 100);
	struct look_row *row = sample_add_look_row(sample);
	row->tid = 42;
	row->mask = 0x5;
	struct tick *tick = tick_new(sample);
	tick->interval_s = 1.0625;
	tick->cpus_busy = 1.5;
	tick->share = 0.75;
	tick->build_cpu_s = 2.25;
	tick->cause_s[CAUSE_DIRTY_THROTTLE] = 0.5;
	tick->stalled = true;
	tick->stall = make_stall();
	tick->brief.cause = CAUSE_DIRTY_THROTTLE;
	return tick;
}
