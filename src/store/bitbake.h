/* SPDX-License-Identifier: MIT
 *
 * The files of a buildstats directory, as text: what each line means, and nothing of where it came from.
 * Foreign bytes: every number is bounded, every line may be missing, cut or repeated.
 */
#ifndef STORE_BITBAKE_H
#define STORE_BITBAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define BITBAKE_COLUMNS	 6
#define BITBAKE_ROWS_MAX 4000000

/* A log of stamped lines: "1550047555", a line of numbers, a blank line. Stamps are whole seconds and may
 * repeat. */
struct bitbake_log {
	struct bitbake_row {
		int64_t stamp_s;
		double values[BITBAKE_COLUMNS]; /* NAN: not there */
	} * rows;
	size_t n, cap;
};

void bitbake_log_fini(struct bitbake_log *log);
/* Rows with fewer than `columns` numbers, and those that go back in time, are left out. */
void bitbake_log_parse(struct bitbake_log *log, const char *text, size_t len, size_t columns);

/* monitor_disk.log: stamps, then lines "DEVICE: BYTES". */
struct bitbake_disks {
	char **names; /* raw */
	size_t n_names, cap_names;
	struct bitbake_used {
		int64_t stamp_s;
		size_t name;
		uint64_t bytes;
	} * rows;
	size_t n, cap;
};

void bitbake_disks_fini(struct bitbake_disks *disks);
void bitbake_disks_parse(struct bitbake_disks *disks, const char *text, size_t len);

/* The file of a task. A file that was written to twice holds several. Times in nanoseconds since 1970. */
struct bitbake_task {
	int64_t start_ns;
	int64_t end_ns; /* -1: no end, unfinished */
	bool failed;
	double user_s, system_s; /* with its children; NAN: unknown */
	uint64_t max_rss_bytes, read_bytes, write_bytes, cancelled_bytes; /* METRIC_NA: unknown */
};

/* The next task of the text from *at on; false: no more. */
bool bitbake_task_parse(struct bitbake_task *task, const char *text, size_t len, size_t *at);

/* build_stats */
struct bitbake_head {
	int64_t start_ns;			/* -1: unknown */
	double elapsed_s;			/* NAN: unknown, the build had not ended */
	char host[65], kernel[65], machine[33]; /* raw; "" unknown */
};

void bitbake_head_parse(struct bitbake_head *head, const char *text, size_t len);

/*
 * How many ticks of all CPUs a line of reduced_proc_stat.log stands for: its shares are whole numbers over
 * that many, so it is the common denominator of the three (or a divisor of what it was). 1 when they say
 * nothing.
 */
unsigned bitbake_stat_ticks(const double shares[3]);

#endif
