/* SPDX-License-Identifier: MIT
 *
 * The made-up summaries. Deterministic; no value in them was measured.
 */
#include "made-up.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/counted.h"
#include "model/metric.h"

#define MADE_UP_START_WALL INT64_C(1796064703250000000) /* 2026-11-30T18:51:43.250Z */
#define MADE_UP_START_MONO INT64_C(5000000000000)

static void made_up_unknown(struct summary *summary, struct run *run)
{
	(void)run;
	summary->wall_s = summary->user_s = summary->system_s = NAN;
	summary->rss_peak_bytes = summary->page_cache_peak_bytes = METRIC_NA;
	summary->dirty_peak_bytes = summary->writeback_peak_bytes = summary->swap_peak_bytes = METRIC_NA;
	summary->stalled_s = summary->flush_s = summary->some_s = summary->full_s = summary->unknown_s = NAN;
	for (int i = 0; i < CAUSE_COUNT; i++)
		summary->cause_stalled_s[i] = summary->time_s[i] = NAN;
	summary->verdict = CAUSE_NONE;
	summary->bound_min_s = summary->bound_max_s = NAN;
	summary->monitor_cpu_s = NAN;
	summary->end.user_us = summary->end.system_us = METRIC_NA;
}

static void made_up_run(struct run *run)
{
	run->command = mem_alloc(3, sizeof *run->command);
	run->command[0] = mem_dup("make");
	run->command[1] = mem_dup("-j16");
	strcpy(run->id, "0197b0c2-8a31-7c55-9d1e-2f6f1f4f2a01");
	run->tool_version = mem_dup("0.1.0");
	run->host = mem_dup("build01");
	run->kernel = mem_dup("6.1.0-30-amd64");
	run->boot_id = mem_dup("2b8f0b8e-6f0d-4a3e-9a54-0b0f8e6f3c11");
	run->cpus = 16;
	run->memory_total_bytes = UINT64_C(67430248448);
	run->start_wall_ns = MADE_UP_START_WALL;
	run->start_mono_ns = MADE_UP_START_MONO;
	run->interval_ns = 500000000;
	run->vcs_commit = mem_dup("0014b243733d4860cc01c2f7e7943f4c171fae9c");
	run->vcs_dirty = 0;
	run_add_label(run, "project", "ffmpeg");
	run_set_source(run, "wchan", "yes", NULL);
	run_set_source(run, "psi", "no: /proc/pressure is not there", "boot with psi=1");
}

static void made_up_ordinary(struct summary *summary, struct run *run)
{
	struct stall *stall;

	made_up_unknown(summary, run);
	made_up_run(run);
	summary->end = (struct run_end){
		.complete = true, .known = true, .wall_ns = MADE_UP_START_WALL + 754218000000};
	summary->wall_s = 754.218;
	summary->user_s = 9213.4;
	summary->system_s = 801.77;
	summary->cpu_source = "rusage";
	summary->rss_peak_bytes = 9663676416;
	summary->swap_peak_bytes = 0;
	summary->n_tmpfs = 1;
	summary->tmpfs = mem_alloc(1, sizeof *summary->tmpfs);
	*summary->tmpfs = (struct summary_tmpfs){.mount = mem_dup("/tmp"),
						 .peak_bytes = 3221225472,
						 .size_bytes = 8589934592,
						 .peak_inodes = 48211,
						 .inodes = METRIC_NA,
						 .peak_at_s = 12.5,
						 .alarmed = true,
						 .fails_bytes = 2147483648,
						 .fails_at_s = 9.25,
						 .enough_bytes = 4294967296,
						 .before_bytes = 4096};
	counted_add(&summary->tmpfs->writers, 2, COUNTED_TASKS, "ld", 2);
	counted_add(&summary->tmpfs->largest, 2147483648, COUNTED_BYTES, "tmp/\xff", 5);
	summary->shmem_swapped_peak_bytes = 4096;
	summary->stalled_s = 8.5;
	summary->cause_stalled_s[CAUSE_DIRTY_THROTTLE] = 8.5;
	summary->cause_episodes[CAUSE_DIRTY_THROTTLE] = 1;
	summary->n_stalls = 1;
	summary->stalls = stall = mem_alloc(1, sizeof *stall);
	*stall = (struct stall){.number = 1,
				.from_ns = MADE_UP_START_MONO + 300000000000,
				.to_ns = MADE_UP_START_MONO + 308500000000,
				.cause = CAUSE_DIRTY_THROTTLE,
				.blocked_peak = 14,
				.some_s = 8.5,
				.full_s = 4.9,
				.dirty_peak_bytes = 2147483648,
				.threshold_bytes = METRIC_NA,
				.device_name = "sda1",
				.wchan = "balance_dirty_pages",
				.n_victims = 1,
				.victims = {{.comm = "ld", .task_s = 31.5}},
				.n_writers = 1,
				.writers = {{.comm = "ld", .bytes = 2634022912}},
				.evidence = STALL_BY_WCHAN | STALL_BY_VMSTAT};
	summary->n_commands = 1;
	summary->commands = mem_alloc(1, sizeof *summary->commands);
	*summary->commands = (struct summary_command){"cc1", 2391, 8210.1, NAN, 402653184};
	summary->time_s[CAUSE_CPU] = 10015.2;
	summary->verdict = CAUSE_CPU;
	strcpy(summary->verdict_text, "computing most of the time");
	summary->bound_min_s = 680.5;
	summary->bound_max_s = 716;
	summary->samples = 1508;
}

/* Bytes that are no UTF-8, figures that are no numbers, more of everything than there is room for. */
static void made_up_hostile(struct summary *summary, struct run *run)
{
	char lengthy[1001];

	made_up_ordinary(summary, run);
	memset(lengthy, 'x', 255);
	strcpy(lengthy + 255, "\xc3\xb6\xc3\xb6");
	run_add_label(run, "branch", lengthy);
	run_add_label(run, "not a key", "x");
	run_add_label(run, "9lives", "x");
	run_set_source(run, "cgroup", "maybe", NULL);
	free(run->command[0]);
	run->command[0] = mem_dup("m\xff\x1b[31m\xe2\x80\xae\n\"\\");
	summary->wall_s = INFINITY;
	summary->user_s = -1;
	summary->end.wall_ns = 0;
	summary->end.signal = 9;
	summary->samples = UINT64_MAX;
	summary->rss_peak_bytes = UINT64_MAX - 1;
	summary->monitor_cpu_s = -INFINITY;
	summary->bound_max_s = INFINITY;
	strcpy(summary->commands->name, "ev\x1b[31m\xff");
	summary->commands->cpu_s = NAN;
	summary->tmpfs->mount[1] = '\xfe';
	summary->tmpfs->peak_bytes = METRIC_NA;
	summary->tmpfs->peak_inodes = METRIC_NA;
	summary->stalls = mem_resize(summary->stalls, 1500, sizeof *summary->stalls);
	for (size_t i = 1; i < 1500; i++) {
		summary->stalls[i] = summary->stalls[0];
		summary->stalls[i].cause = (enum cause)(i % (CAUSE_COUNT + 1));
		summary->stalls[i].to_ns = summary->stalls[i].from_ns - 1;
		summary->stalls[i].device_name[0] = (char)(i % 256);
		summary->stalls[i].full_s = NAN;
	}
	summary->n_stalls = 1500;
	summary->stalls_dropped = 7;
}

const struct made_up made_up_table[3] = {
	{"unknown", made_up_unknown},
	{"ordinary", made_up_ordinary},
	{"hostile", made_up_hostile},
};

char *made_up_document(const struct made_up *made_up)
{
	struct run *run = run_new();
	struct summary summary = {.run = run};
	char *document;

	made_up->fill(&summary, run);
	document = summary_json(&summary);
	summary_fini(&summary);
	run_free(run);
	return document;
}
