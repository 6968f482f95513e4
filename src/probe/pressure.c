/* SPDX-License-Identifier: MIT
 *
 * Knows /proc/pressure. Where the kernel has it switched off, the files open but every read fails: the first
 * failure closes the file for good. Sampler's thread.
 */
#include "pressure.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "parse.h"

static const struct {
	const char *path;
	int some, full; /* metrics; -1: none */
} sources[PRESSURE_FILES] = {
	[PRESSURE_CPU] = {"/proc/pressure/cpu", METRIC_SYSTEM_PSI_CPU_SOME_US, -1},
	[PRESSURE_IO] = {"/proc/pressure/io", METRIC_SYSTEM_PSI_IO_SOME_US, METRIC_SYSTEM_PSI_IO_FULL_US},
	[PRESSURE_MEMORY] = {"/proc/pressure/memory", METRIC_SYSTEM_PSI_MEM_SOME_US,
			     METRIC_SYSTEM_PSI_MEM_FULL_US},
};

void pressure_open(struct pressure *pressure)
{
	for (int i = 0; i < PRESSURE_FILES; i++)
		pressure->files[i] = fd_open(sources[i].path, O_RDONLY, 0);
}

static void shut(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

void pressure_close(struct pressure *pressure)
{
	for (int i = 0; i < PRESSURE_FILES; i++)
		shut(&pressure->files[i]);
}

void pressure_read(struct pressure *pressure, struct sample *sample)
{
	char text[512];
	uint64_t total;

	for (int i = 0; i < PRESSURE_FILES; i++) {
		if (pressure->files[i] < 0)
			continue;
		if (fd_reread(pressure->files[i], text, sizeof text) <= 0) {
			shut(&pressure->files[i]);
			continue;
		}
		if (parse_pressure(text, "some", &total))
			sample->system[sources[i].some] = total;
		if (sources[i].full >= 0 && parse_pressure(text, "full", &total))
			sample->system[sources[i].full] = total;
	}
}
