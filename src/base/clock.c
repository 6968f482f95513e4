/* SPDX-License-Identifier: MIT
 *
 * Knows the kernel's clocks. Times of day are made for reading only; nothing is computed from them.
 */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t clock_read_ns(clockid_t id)
{
	struct timespec now = {0};

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_mono_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

int64_t clock_boot_ns(void)
{
	return clock_read_ns(CLOCK_BOOTTIME);
}

int64_t clock_thread_cpu_ns(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_process_cpu_ns(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Whole seconds, rounded down also before 1970; *rest gets 0 to 999,999,999 ns. */
static time_t clock_seconds(int64_t wall_ns, int64_t *rest)
{
	int64_t seconds = wall_ns / NS_PER_S;

	*rest = wall_ns % NS_PER_S;
	if (*rest < 0) {
		*rest += NS_PER_S;
		seconds--;
	}
	return (time_t)seconds;
}

char *clock_utc(char *out, size_t size, int64_t wall_ns)
{
	int64_t rest;
	time_t seconds = clock_seconds(wall_ns, &rest);
	struct tm utc = {0};

	gmtime_r(&seconds, &utc);
	snprintf(out, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900, utc.tm_mon + 1,
		 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, (int)(rest / NS_PER_MS));
	return out;
}

char *clock_local_hms(char *out, size_t size, int64_t wall_ns)
{
	int64_t rest;
	time_t seconds = clock_seconds(wall_ns, &rest);
	struct tm local = {0};

	localtime_r(&seconds, &local);
	snprintf(out, size, "%02d:%02d:%02d", local.tm_hour, local.tm_min, local.tm_sec);
	return out;
}
