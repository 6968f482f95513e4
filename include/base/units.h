/* SPDX-License-Identifier: MIT
 *
 * Quantities as people read and write them. Output does not depend on LC_NUMERIC: the decimal sign is a point.
 * Every function writes at most UNITS_SIZE bytes and returns `out`. Widths do not flicker: see each.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>
#include <stdbool.h>

#define UNITS_SIZE 24

char *units_bytes(char *out, uint64_t bytes);      /* "0 B" "999 B" "1.0 KiB" "23.4 MiB" "1.6 GiB", 3 to 4 digits; at most 8 columns */
char *units_bytes_short(char *out, uint64_t bytes); /* "999B" "1.0K" "23M" "1.6G": at most 5 columns */
char *units_rate(char *out, double bytes_per_s);   /* units_bytes + "/s" */
char *units_duration(char *out, double seconds);   /* "0.4 s" "12.3 s" "4:59" "1:02:03" */
char *units_elapsed(char *out, double seconds);    /* always "m:ss" or "h:mm:ss" */
char *units_percent(char *out, double fraction);   /* "0 %" "4.1 %" "98 %" */

/* "4096", "64K", "1.5M", "6G", "2T", each with or without "iB" or "B" (all of 1024); false: not a size. */
bool units_parse_bytes(const char *text, uint64_t *bytes);
/* "90", "0.5", "1.5s", "10m", "2h", "1:02:03", "4:59" (m:ss); false: not a time. Result in nanoseconds. */
bool units_parse_duration(const char *text, int64_t *ns);
/* A plain decimal number, the point as decimal sign whatever the locale; false: not one. */
bool units_parse_number(const char *text, double *value);

#endif
