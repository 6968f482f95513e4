/* SPDX-License-Identifier: MIT
 *
 * Clocks, in nanoseconds. Durations are only ever taken from the monotonic clock: it neither steps nor counts a
 * suspended machine; the boot-time clock counts it, so their difference tells of a suspend.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <stddef.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

int64_t clock_mono_ns(void);
int64_t clock_wall_ns(void); /* since 1970, UTC */
int64_t clock_boot_ns(void);
int64_t clock_thread_cpu_ns(void);  /* CPU time of the calling thread */
int64_t clock_process_cpu_ns(void); /* CPU time of this process, all threads */

/* RFC 3339 in UTC with milliseconds, "2026-11-30T18:51:43.250Z"; `out` takes at least CLOCK_UTC_SIZE bytes. */
#define CLOCK_UTC_SIZE 40
char *clock_utc(char *out, size_t size, int64_t wall_ns);
/* Local time of day, "18:51:43". */
char *clock_local_hms(char *out, size_t size, int64_t wall_ns);

#endif
