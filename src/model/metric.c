/* SPDX-License-Identifier: MIT
 *
 * The tables of the metrics, made from metrics.def in the order of the enums.
 */
#include "model/metric.h"

#include <string.h>

#define METRIC_ROW(key, label, unit, kind, help)                                                             \
	{                                                                                                    \
		key, label, METRIC_UNIT_##unit, METRIC_KIND_##kind, help                                     \
	}

static const struct metric metric_system_table[] = {
#define METRIC(scope, id, ...) METRIC_PICK_SYSTEM_##scope([METRIC_SYSTEM_##id] = METRIC_ROW(__VA_ARGS__))
#include "model/metrics.def"
#undef METRIC
};

static const struct metric metric_task_table[] = {
#define METRIC(scope, id, ...) METRIC_PICK_TASK_##scope([METRIC_TASK_##id] = METRIC_ROW(__VA_ARGS__))
#include "model/metrics.def"
#undef METRIC
};

static const struct metric metric_mount_table[] = {
#define METRIC(scope, id, ...) METRIC_PICK_MOUNT_##scope([METRIC_MOUNT_##id] = METRIC_ROW(__VA_ARGS__))
#include "model/metrics.def"
#undef METRIC
};

static const struct metric metric_disk_table[] = {
#define METRIC(scope, id, ...) METRIC_PICK_DISK_##scope([METRIC_DISK_##id] = METRIC_ROW(__VA_ARGS__))
#include "model/metrics.def"
#undef METRIC
};

const struct metric *metric_table(enum metric_scope scope, size_t *count)
{
	static const struct {
		const struct metric *table;
		size_t count;
	} tables[METRIC_SCOPE_COUNT] = {
		[METRIC_SCOPE_SYSTEM] = {metric_system_table, METRIC_SYSTEM_COUNT},
		[METRIC_SCOPE_TASK] = {metric_task_table, METRIC_TASK_COUNT},
		[METRIC_SCOPE_MOUNT] = {metric_mount_table, METRIC_MOUNT_COUNT},
		[METRIC_SCOPE_DISK] = {metric_disk_table, METRIC_DISK_COUNT},
	};

	*count = tables[scope].count;
	return tables[scope].table;
}

int metric_find(enum metric_scope scope, const char *key)
{
	size_t count;
	const struct metric *table = metric_table(scope, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i].key, key) == 0)
			return (int)i;
	return -1;
}

const char *metric_scope_name(enum metric_scope scope)
{
	static const char *const names[METRIC_SCOPE_COUNT] = {"system", "task", "mount", "disk"};

	return names[scope];
}

const char *metric_unit_name(enum metric_unit unit)
{
	static const char *const names[] = {"bytes", "ms", "us", "count"};

	return names[unit];
}

const char *metric_kind_name(enum metric_kind kind)
{
	static const char *const names[] = {"counter", "gauge"};

	return names[kind];
}

uint64_t metric_delta(uint64_t later, uint64_t earlier)
{
	if (later == METRIC_NA || earlier == METRIC_NA || later < earlier)
		return METRIC_NA;
	return later - earlier;
}
