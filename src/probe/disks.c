/* SPDX-License-Identifier: MIT
 *
 * Knows /proc/diskstats. A device that never did anything (the eight loop devices of every machine) gets no
 * row. libproc2 4.0.2 does not know the flush counters of Linux 5.5; they are read by place and put to the
 * row of the same device. Sampler's thread.
 */
#include "disks.h"

#include <fcntl.h>
#include <libproc2/diskstats.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "parse.h"

#define TEXT_SIZE    65536
#define SECTOR_BYTES 512

void disks_open(struct disks *disks)
{
	disks->text = mem_alloc(1, TEXT_SIZE);
	if (procps_diskstats_new(&disks->diskstats) < 0)
		disks->diskstats = NULL;
	disks->file = fd_open("/proc/diskstats", O_RDONLY, 0);
}

void disks_close(struct disks *disks)
{
	if (disks->diskstats)
		procps_diskstats_unref(&disks->diskstats);
	if (disks->file >= 0)
		close(disks->file);
	free(disks->text);
}

static void read_flushes(struct disks *disks, struct sample *sample)
{
	const char *at = disks->text;
	struct parse_flushes line;
	size_t row = 0;

	if (disks->file < 0 || fd_reread(disks->file, disks->text, TEXT_SIZE) <= 0)
		return;
	while (parse_next_flushes(&at, &line)) {
		for (size_t tried = 0; tried < sample->n_disks;
		     tried++, row++) { /* mostly in the same order */
			if (row >= sample->n_disks)
				row = 0;
			if (sample->disks[row].device != line.device)
				continue;
			sample->disks[row].values[METRIC_DISK_FLUSHES] = line.flushes;
			break;
		}
	}
}

void disks_read(struct disks *disks, struct sample *sample)
{
	enum {
		NAME,
		MAJOR,
		MINOR,
		READS,
		READ_SECTORS,
		READ_TIME,
		WRITES,
		WRITE_SECTORS,
		WRITE_TIME,
		IN_FLIGHT,
		BUSY,
		ITEMS
	};
	static enum diskstats_item items[ITEMS] = {
		DISKSTATS_NAME,		DISKSTATS_MAJOR,	 DISKSTATS_MINOR,  DISKSTATS_READS,
		DISKSTATS_READ_SECTORS, DISKSTATS_READ_TIME,	 DISKSTATS_WRITES, DISKSTATS_WRITE_SECTORS,
		DISKSTATS_WRITE_TIME,	DISKSTATS_IO_INPROGRESS, DISKSTATS_IO_TIME};
	struct diskstats_reaped *reaped =
		disks->diskstats ? procps_diskstats_reap(disks->diskstats, items, ITEMS) : NULL;

	for (int i = 0; reaped && i < reaped->total; i++) {
		const struct diskstats_result *head = reaped->stacks[i]->head;
		struct disk_row *row;
		uint64_t *values;

		if (!head[READS].result.ul_int && !head[WRITES].result.ul_int && !head[BUSY].result.ul_int)
			continue;
		row = sample_add_disk(sample);
		values = row->values;
		row->device = makedev((unsigned)head[MAJOR].result.s_int, (unsigned)head[MINOR].result.s_int);
		row->name = sample_add_string(sample, head[NAME].result.str, strlen(head[NAME].result.str));
		values[METRIC_DISK_READS] = head[READS].result.ul_int;
		values[METRIC_DISK_READ_BYTES] = (uint64_t)head[READ_SECTORS].result.ul_int * SECTOR_BYTES;
		values[METRIC_DISK_READ_MS] = head[READ_TIME].result.ul_int;
		values[METRIC_DISK_WRITES] = head[WRITES].result.ul_int;
		values[METRIC_DISK_WRITE_BYTES] = (uint64_t)head[WRITE_SECTORS].result.ul_int * SECTOR_BYTES;
		values[METRIC_DISK_WRITE_MS] = head[WRITE_TIME].result.ul_int;
		values[METRIC_DISK_IN_FLIGHT] = (uint64_t)head[IN_FLIGHT].result.s_int;
		values[METRIC_DISK_BUSY_MS] = head[BUSY].result.ul_int;
	}
	if (sample->n_disks)
		read_flushes(disks, sample);
}
