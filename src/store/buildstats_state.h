/* SPDX-License-Identifier: MIT
 *
 * What is known of a build from its buildstats, between the file that reads it and the one that makes samples
 * of it.
 */
#ifndef STORE_BUILDSTATS_STATE_H
#define STORE_BUILDSTATS_STATE_H

#include "bitbake.h"
#include "curve.h"
#include "store/buildstats.h"

#define HUNDREDTH (NS_PER_S / 100)

enum curve_name { USER, SYSTEM, IDLE, IOWAIT, DISK_READ, DISK_WRITE, PSI_CPU, PSI_IO, PSI_MEMORY, N_CURVES };

struct task {
	struct bitbake_task told;
	char *name;   /* do_compile */
	char *recipe; /* zlib-1.3-r0 */
};

struct buildstats {
	struct run *run;
	struct run_end end;
	struct buildstats_count count;
	struct task *tasks; /* by start */
	size_t n_tasks, cap_tasks;
	size_t *by_end; /* those with an end */
	size_t n_ends, next_end;
	struct curve curves[N_CURVES];
	struct bitbake_log memory;
	struct bitbake_disks disks;
	int64_t now_ns, end_ns; /* the last sample; where it is over */
	uint64_t number;
	size_t next_start; /* the first task that has not begun */
	size_t *alive, n_alive, cap_alive;
	size_t memory_at, disk_at; /* rows that are past */
	uint64_t *used;		   /* of each disk; METRIC_NA: not told yet */
	double reaped_user_s, reaped_system_s;
};

#endif
