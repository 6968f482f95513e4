/* SPDX-License-Identifier: MIT
 *
 * CPU time of the build as a whole.
 */
#ifndef DIAGNOSE_CPU_H
#define DIAGNOSE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"
#include "model/tick.h"

struct cpu {
	bool started;
	uint32_t ticks_per_s;
	int64_t boot_ns;		   /* CLOCK_BOOTTIME of the sample before */
	double base_user_s, base_system_s; /* watching: spent before we came */
	double kept_user_s, kept_system_s; /* watching: of tasks whose time nobody in the tree took over */
	double user_s, system_s;	   /* as told last */
};

void cpu_step(struct cpu *cpu, const struct sample *sample, struct tick *tick);

#endif
