/* SPDX-License-Identifier: MIT
 *
 * The rows of the process list: which tasks, in which order, and what they add up to. Pure.
 */
#ifndef TUI_TASKLIST_H
#define TUI_TASKLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tick.h"

enum tasklist_sort {
	TASKLIST_BY_WAIT,
	TASKLIST_BY_CPU,
	TASKLIST_BY_AGE,
	TASKLIST_BY_WRITE,
	TASKLIST_BY_RSS,
	TASKLIST_BY_PID,
	TASKLIST_SORTS
};
enum tasklist_shape { TASKLIST_FLAT, TASKLIST_TREE, TASKLIST_COMMANDS, TASKLIST_SHAPES };

#define TASKLIST_DEPTH_MAX 32

struct tasklist_row {
	uint32_t task;	/* index into the tick's tasks; of the foremost one when several are added up */
	uint32_t count; /* how many are */
	uint16_t depth; /* in the tree */
	uint32_t last;	/* bit d: at depth d nothing follows below */
	double cpu;
	double stalled_s; /* thread-seconds of the interval in stalling classes */
	double read_bytes_per_s, write_bytes_per_s;
	uint64_t rss_bytes; /* METRIC_NA: unknown */
	double age_s;	    /* of the oldest; below 0: unknown */
};

/* Zero-initialised is empty; kept between builds for its storage. */
struct tasklist {
	struct tasklist_row *rows;
	size_t n, cap;
};

/* Seconds a task has lived; below 0: unknown. ticks_per_s: of start_ticks. */
double tasklist_age(const struct sample *sample, const struct task_row *task, uint32_t ticks_per_s);
void tasklist_fini(struct tasklist *list);
/* filter: only tasks with this text in their command (letter case does not matter); NULL or "": all. */
void tasklist_build(struct tasklist *list, const struct tick *tick, enum tasklist_sort sort,
		    enum tasklist_shape shape, const char *filter, uint32_t ticks_per_s);

const char *tasklist_sort_name(enum tasklist_sort sort);
const char *tasklist_shape_name(enum tasklist_shape shape);

/* The command line for a person, cleaned, or the comm where none is known. */
void tasklist_command(char *out, size_t size, const struct sample *sample, const struct task_row *task);

#endif
