/* SPDX-License-Identifier: MIT
 *
 * The parsers of bitbake's buildstats files. The first byte chooses the file; what comes out is within its
 * bounds.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/store/bitbake.h"
#include "base/clock.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void logs(const char *text, size_t len)
{
	struct bitbake_log log = {0};
	bitbake_log_parse(&log, text, len, 3);
	for (size_t i = 0; i < log.n; i++) {
		unsigned ticks = bitbake_stat_ticks(log.rows[i].values);
		if (ticks == 0 || ticks >= 1000000 ||
		    (i > 0 && log.rows[i].stamp_s < log.rows[i - 1].stamp_s))
			abort();
	}
	bitbake_log_fini(&log);
}

static void disks(const char *text, size_t len)
{
	struct bitbake_disks disks = {0};
	bitbake_disks_parse(&disks, text, len);
	for (size_t i = 0; i < disks.n; i++)
		if (disks.rows[i].name >= disks.n_names)
			abort();
	bitbake_disks_fini(&disks);
}

static void tasks(const char *text, size_t len)
{
	struct bitbake_task task;
	size_t before = 0;
	for (size_t at = 0; bitbake_task_parse(&task, text, len, &at); before = at)
		if (at <= before || at > len || (task.end_ns >= 0 && task.end_ns < task.start_ns))
			abort();
}

static void head(const char *text, size_t len)
{
	struct bitbake_head head;
	bitbake_head_parse(&head, text, len);
	if (strlen(head.host) >= sizeof head.host || head.start_ns < -1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const parsers[])(const char *text, size_t len) = {logs, disks, tasks, head};
	if (size == 0)
		return 0;
	char *text = mem_alloc(size > 1 ? size - 1 : 1, 1); /* not a byte more: reading past it is seen */
	memcpy(text, data + 1, size - 1);
	parsers[data[0] % 4](text, size - 1);
	free(text);
	return 0;
}
