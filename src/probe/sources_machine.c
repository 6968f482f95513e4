/* SPDX-License-Identifier: MIT
 *
 * Knows whether libproc2, pressure and the mount table work here, and the words for it when they don't.
 */
#include "sources.h"

#include <errno.h>
#include <libproc2/diskstats.h>
#include <libproc2/meminfo.h>
#include <libproc2/stat.h>
#include <libproc2/vmstat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fd.h"
#include "mount_table.h"
#include "parse.h"

static void tell(struct run *run, const char *name, const char *path, bool works)
{
	char status[128];

	snprintf(status, sizeof status, "no: %s is missing or empty", path);
	run_set_source(run, name, works ? "yes" : status, NULL);
}

static void try_libproc2(struct run *run)
{
	struct meminfo_info *meminfo = NULL;
	struct vmstat_info *vmstat = NULL;
	struct stat_info *stat = NULL;
	struct diskstats_info *diskstats = NULL;
	struct buf text = {0};
	uint64_t value;

	tell(run, "meminfo", "/proc/meminfo", procps_meminfo_new(&meminfo) >= 0);
	tell(run, "vmstat", "/proc/vmstat", procps_vmstat_new(&vmstat) >= 0);
	tell(run, "stat", "/proc/stat", procps_stat_new(&stat) >= 0);
	/* An empty one is good enough for libproc2. */
	tell(run, "diskstats", "/proc/diskstats",
	     procps_diskstats_new(&diskstats) >= 0 && fd_read_file("/proc/diskstats", &text, 65536) == 0 &&
		     text.len);
	buf_clear(&text);
	if (vmstat && fd_read_file("/proc/vmstat", &text, 65536) == 0 && text.data &&
	    !parse_named(text.data, "nr_dirty_threshold", &value))
		run_set_source(run, "vmstat", "partly: this kernel does not tell its dirty thresholds", NULL);
	buf_fini(&text);
	if (meminfo)
		procps_meminfo_unref(&meminfo);
	if (vmstat)
		procps_vmstat_unref(&vmstat);
	if (stat)
		procps_stat_unref(&stat);
	if (diskstats)
		procps_diskstats_unref(&diskstats);
}

static void try_pressure(struct run *run)
{
	static const char *const paths[] = {"/proc/pressure/cpu", "/proc/pressure/io",
					    "/proc/pressure/memory"};
	struct buf text = {0};
	int works = 0, last = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t total;
		int error;

		buf_clear(&text);
		error = fd_read_file(paths[i], &text, 4096);
		if (!error && text.data && text.len && parse_pressure(text.data, "some", &total))
			works++;
		else
			last = error;
	}
	buf_fini(&text);
	if (works == 3)
		run_set_source(run, "psi", "yes", NULL);
	else if (works)
		run_set_source(run, "psi", "partly: some of the files in /proc/pressure cannot be read",
			       NULL);
	else if (last == -EOPNOTSUPP)
		run_set_source(run, "psi", "no: pressure accounting is off",
			       "boot with psi=1 on the kernel command line");
	else if (last == -EACCES || last == -EPERM)
		run_set_source(run, "psi", "no: /proc/pressure may not be read", NULL);
	else
		run_set_source(run, "psi",
			       "no: there is no /proc/pressure (needs CONFIG_PSI, Linux 4.20 or later)",
			       NULL);
}

static void try_mounts(struct run *run, const char *workdir)
{
	struct mounts mounts = {0};
	bool found = !workdir;

	mounts_open(&mounts, workdir);
	if (mounts.file < 0 || mount_table_read(&mounts) < 0) {
		run_set_source(run, "mounts", "no: /proc/self/mountinfo cannot be read", NULL);
	} else {
		for (size_t i = 0; i < mounts.n_mounts; i++)
			found |= (mounts.mounts[i].flags & MOUNT_WORKDIR) != 0;
		run_set_source(
			run, "mounts",
			found ? "yes"
			      : "partly: the working directory's file system is not asked, it may not answer "
				"(network, FUSE) or is not in the mount table",
			NULL);
	}
	mounts_close(&mounts);
}

void sources_of_machine(struct run *run, const char *workdir)
{
	try_libproc2(run);
	try_pressure(run);
	try_mounts(run, workdir);
}

void sources_of_exits(struct run *run, int error)
{
	static const char path[] = "/proc/sys/kernel/perf_event_paranoid";
	struct buf text = {0};
	char status[200];
	int paranoid = 0;

	if (error == 0) {
		run_set_source(run, "exits", "yes", NULL);
		return;
	}
	if (fd_read_file(path, &text, 16) == 0 && text.len)
		paranoid = atoi(text.data);
	buf_fini(&text);
	snprintf(status, sizeof status,
		 "no: the kernel does not count each process for us (%s); short ones are counted in their "
		 "parents",
		 paranoid > 2			       ? "kernel.perf_event_paranoid is above 2"
		 : error == -EPERM || error == -EACCES ? "perf_event_open is forbidden, as in many containers"
						       : strerror(-error));
	run_set_source(run, "exits", status, paranoid > 2 ? "sysctl kernel.perf_event_paranoid=2" : NULL);
}
