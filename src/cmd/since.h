/* SPDX-License-Identifier: MIT
 *
 * A moment in the past, as an option has it.
 */
#ifndef CMD_SINCE_H
#define CMD_SINCE_H

#include <stdbool.h>
#include <stdint.h>

/* "7d", "12h", "2026-11-30" or "2026-11-30 12:00": microseconds since 1970; false: none of these. */
bool since_parse(const char *text, int64_t *since_us);

#endif
