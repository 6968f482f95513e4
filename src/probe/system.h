/* SPDX-License-Identifier: MIT
 *
 * The machine's counters: /proc/meminfo, vmstat and stat by libproc2, and what it does not know by name.
 */
#ifndef PROBE_SYSTEM_H
#define PROBE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"

struct meminfo_info;
struct vmstat_info;
struct stat_info;

#define SYSTEM_NAMES_MAX 24

struct system_source {
	struct meminfo_info *meminfo;
	struct vmstat_info *vmstat;
	struct stat_info *stat;
	bool has_meminfo[SYSTEM_NAMES_MAX]; /* which of the names this kernel has */
	bool has_vmstat[SYSTEM_NAMES_MAX];
	int vmstat_file;
	uint64_t page_bytes, ticks_per_s;
	char *text;
};

void system_open(struct system_source *system, uint64_t page_bytes, uint64_t ticks_per_s);
void system_close(struct system_source *system);
void system_read(struct system_source *system, struct sample *sample);

#endif
