/* SPDX-License-Identifier: MIT
 *
 * The list of metrics as C: an enum for each scope (METRIC_SYSTEM_DIRTY_BYTES, METRIC_TASK_RSS_BYTES, …) and a table
 * for each scope in the same order.
 */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include <stddef.h>
#include <stdint.h>

/* What was not measured. Never 0, never shown as a number. */
#define METRIC_NA UINT64_MAX

enum metric_scope { METRIC_SCOPE_SYSTEM, METRIC_SCOPE_TASK, METRIC_SCOPE_MOUNT, METRIC_SCOPE_DISK, METRIC_SCOPE_COUNT };
enum metric_unit { METRIC_UNIT_BYTES, METRIC_UNIT_MS, METRIC_UNIT_US, METRIC_UNIT_COUNT };
enum metric_kind { METRIC_KIND_COUNTER, METRIC_KIND_GAUGE };

/* One enum a scope: each expansion keeps the lines of its own scope. */
#define METRIC_PICK_SYSTEM_SYSTEM(x) x,
#define METRIC_PICK_SYSTEM_TASK(x)
#define METRIC_PICK_SYSTEM_MOUNT(x)
#define METRIC_PICK_SYSTEM_DISK(x)
#define METRIC_PICK_TASK_SYSTEM(x)
#define METRIC_PICK_TASK_TASK(x) x,
#define METRIC_PICK_TASK_MOUNT(x)
#define METRIC_PICK_TASK_DISK(x)
#define METRIC_PICK_MOUNT_SYSTEM(x)
#define METRIC_PICK_MOUNT_TASK(x)
#define METRIC_PICK_MOUNT_MOUNT(x) x,
#define METRIC_PICK_MOUNT_DISK(x)
#define METRIC_PICK_DISK_SYSTEM(x)
#define METRIC_PICK_DISK_TASK(x)
#define METRIC_PICK_DISK_MOUNT(x)
#define METRIC_PICK_DISK_DISK(x) x,

enum metric_system {
#define METRIC(scope, id, ...) METRIC_PICK_SYSTEM_##scope(METRIC_SYSTEM_##id)
#include "model/metrics.def"
#undef METRIC
	METRIC_SYSTEM_COUNT
};

enum metric_task {
#define METRIC(scope, id, ...) METRIC_PICK_TASK_##scope(METRIC_TASK_##id)
#include "model/metrics.def"
#undef METRIC
	METRIC_TASK_COUNT
};

enum metric_mount {
#define METRIC(scope, id, ...) METRIC_PICK_MOUNT_##scope(METRIC_MOUNT_##id)
#include "model/metrics.def"
#undef METRIC
	METRIC_MOUNT_COUNT
};

enum metric_disk {
#define METRIC(scope, id, ...) METRIC_PICK_DISK_##scope(METRIC_DISK_##id)
#include "model/metrics.def"
#undef METRIC
	METRIC_DISK_COUNT
};

struct metric {
	const char *key;
	const char *label;
	enum metric_unit unit;
	enum metric_kind kind;
	const char *help;
};

/* The table of a scope, in the order of its enum. */
const struct metric *metric_table(enum metric_scope scope, size_t *count);
/* Index of a key in its scope, or -1. */
int metric_find(enum metric_scope scope, const char *key);
const char *metric_scope_name(enum metric_scope scope); /* "system", "task", "mount", "disk" */
const char *metric_unit_name(enum metric_unit unit);    /* "bytes", "ms", "us", "count" */
const char *metric_kind_name(enum metric_kind kind);    /* "counter", "gauge" */

/* later - earlier of a counter; METRIC_NA when either is, or when it went backwards (the counter started anew). */
uint64_t metric_delta(uint64_t later, uint64_t earlier);

#endif
