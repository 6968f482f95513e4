/* SPDX-License-Identifier: MIT
 *
 * Keys and what they do: one table, which is also the help and `list keys`.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>

#include "view.h"

/* A key as terminal_key() gives it. */
void keys_press(struct view *view, int key);

/* The table for the help: false behind its end. */
bool keys_help(size_t index, const char **key, const char **help);

/* The time a person wrote, as CLOCK_MONOTONIC of the run: elapsed ("4:59", "90", "1:02:03") or, when it is
 * after the run's start and has three parts, a time of day ("18:56:43"). False: not a time. Pure but for the
 * local time zone. */
bool keys_parse_time(const struct run *run, int64_t end_mono_ns, const char *text, int64_t *mono_ns);

#endif
