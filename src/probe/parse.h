/* SPDX-License-Identifier: MIT
 *
 * The texts of /proc as numbers. Pure functions on strings; false means that the text is not of the expected
 * form.
 */
#ifndef PROBE_PARSE_H
#define PROBE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARSE_COMM_MAX 15

/* proc(5) /proc/PID/stat, the fields that are used. Times in clock ticks. */
struct parse_stat {
	char comm[PARSE_COMM_MAX + 1];
	uint8_t comm_len;
	char state;
	int32_t ppid;
	uint64_t major_faults;
	uint64_t user, system;
	uint64_t reaped_user, reaped_system;
	uint64_t threads;
	uint64_t start;
	uint64_t rss_pages;
	uint64_t stack; /* start of the stack: new after each exec; 0 where it may not be known */
};
bool parse_stat(const char *text, size_t len, struct parse_stat *out);

/* /proc/PID/schedstat, Documentation/scheduler/sched-stats.rst. */
struct parse_schedstat {
	uint64_t run_ns;
	uint64_t wait_ns; /* ready to run, without a CPU */
	uint64_t slices;  /* times it got a CPU */
};
bool parse_schedstat(const char *text, struct parse_schedstat *out);

/* /proc/PID/syscall: a number, SITE_CALL_NONE, or SITE_CALL_UNREAD for a thread that runs. */
bool parse_syscall(const char *text, int32_t *number);

/* /proc/PID/task/TID/children: the next pid of the list; false at its end. */
bool parse_next_pid(const char **text, int32_t *pid);

/* Documentation/accounting/psi.rst: the total of the line that begins with `kind` ("some", "full"), in µs. */
bool parse_pressure(const char *text, const char *kind, uint64_t *total_us);

/* "name value" and "name: value" lines (vmstat, meminfo): the value of exactly that name, wherever it stands.
 */
bool parse_named(const char *text, const char *name, uint64_t *value);

/* One line of /proc/diskstats, Documentation/admin-guide/iostats.rst; advances to the next line. */
struct parse_flushes {
	uint64_t device;
	uint64_t flushes; /* METRIC_NA before Linux 5.5 */
};
bool parse_next_flushes(const char **text, struct parse_flushes *out);

/* A decimal number at *text, which is moved behind it; false: no digit there. */
bool parse_number(const char **text, uint64_t *value);

#endif
