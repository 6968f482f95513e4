/* SPDX-License-Identifier: MIT
 *
 * Knows which name of /proc/meminfo, vmstat and stat feeds which metric. libproc2 answers 0 for a name that
 * the kernel lacks, so the names there are are found out once, by exact name, and the others stay "not
 * available". Each of the three files may be missing alone. Names of reclaim and refault counters differ
 * between kernels; none is ever matched by its beginning. Sampler's thread.
 */
#include "system.h"

#include <fcntl.h>
#include <libproc2/meminfo.h>
#include <libproc2/stat.h>
#include <libproc2/vmstat.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/mem.h"
#include "parse.h"

#define TEXT_SIZE 65536
#define KIB	  1024

enum scale { ONE, PAGES, KILO };

struct named {
	int item; /* of libproc2 */
	const char *name;
	enum metric_system metric;
	enum scale scale;
};

static const struct named meminfo_names[] = {
	{MEMINFO_MEM_TOTAL, "MemTotal", METRIC_SYSTEM_MEM_TOTAL_BYTES, KILO},
	{MEMINFO_MEM_FREE, "MemFree", METRIC_SYSTEM_MEM_FREE_BYTES, KILO},
	{MEMINFO_MEM_AVAILABLE, "MemAvailable", METRIC_SYSTEM_MEM_AVAILABLE_BYTES, KILO},
	{MEMINFO_MEM_BUFFERS, "Buffers", METRIC_SYSTEM_BUFFERS_BYTES, KILO},
	{MEMINFO_MEM_CACHED, "Cached", METRIC_SYSTEM_CACHED_BYTES, KILO},
	{MEMINFO_MEM_SHARED, "Shmem", METRIC_SYSTEM_SHMEM_BYTES, KILO},
	{MEMINFO_MEM_ANON, "AnonPages", METRIC_SYSTEM_ANON_BYTES, KILO},
	{MEMINFO_SWAP_TOTAL, "SwapTotal", METRIC_SYSTEM_SWAP_TOTAL_BYTES, KILO},
	{MEMINFO_SWAP_FREE, "SwapFree", METRIC_SYSTEM_SWAP_FREE_BYTES, KILO},
};

static const struct named vmstat_names[] = {
	{VMSTAT_NR_DIRTY, "nr_dirty", METRIC_SYSTEM_DIRTY_BYTES, PAGES},
	{VMSTAT_NR_WRITEBACK, "nr_writeback", METRIC_SYSTEM_WRITEBACK_BYTES, PAGES},
	{VMSTAT_NR_DIRTY_THRESHOLD, "nr_dirty_threshold", METRIC_SYSTEM_DIRTY_THRESHOLD_BYTES, PAGES},
	{VMSTAT_NR_DIRTY_BACKGROUND_THRESHOLD, "nr_dirty_background_threshold",
	 METRIC_SYSTEM_DIRTY_BACKGROUND_BYTES, PAGES},
	{VMSTAT_NR_DIRTIED, "nr_dirtied", METRIC_SYSTEM_DIRTIED_BYTES, PAGES},
	{VMSTAT_NR_WRITTEN, "nr_written", METRIC_SYSTEM_WRITTEN_BYTES, PAGES},
	{VMSTAT_PGPGIN, "pgpgin", METRIC_SYSTEM_PAGED_IN_BYTES, KILO},
	{VMSTAT_PGPGOUT, "pgpgout", METRIC_SYSTEM_PAGED_OUT_BYTES, KILO},
	{VMSTAT_PSWPIN, "pswpin", METRIC_SYSTEM_SWAP_IN_PAGES, ONE},
	{VMSTAT_PSWPOUT, "pswpout", METRIC_SYSTEM_SWAP_OUT_PAGES, ONE},
	{VMSTAT_PGMAJFAULT, "pgmajfault", METRIC_SYSTEM_MAJOR_FAULTS, ONE},
	{VMSTAT_PGSCAN_DIRECT, "pgscan_direct", METRIC_SYSTEM_DIRECT_RECLAIM_PAGES, ONE},
	{VMSTAT_OOM_KILL, "oom_kill", METRIC_SYSTEM_OOM_KILLS, ONE},
	/* Pages sent to an NFS server but not committed there: dirty too; gone from newer kernels. */
	{VMSTAT_NR_UNSTABLE, "nr_unstable", METRIC_SYSTEM_DIRTY_BYTES, PAGES},
};

/* What libproc2 4.0.2 does not know; a later name of the same metric gives way to an earlier one. */
static const struct named own_names[] = {
	{0, "workingset_refault_file", METRIC_SYSTEM_REFAULT_FILE_PAGES, ONE},
	{0, "workingset_refault", METRIC_SYSTEM_REFAULT_FILE_PAGES, ONE}, /* before 5.9: files only */
	{0, "workingset_refault_anon", METRIC_SYSTEM_REFAULT_ANON_PAGES, ONE},
};

enum {
	N_MEMINFO = sizeof meminfo_names / sizeof *meminfo_names,
	N_VMSTAT = sizeof vmstat_names / sizeof *vmstat_names,
	N_OWN = sizeof own_names / sizeof *own_names
};
_Static_assert(N_MEMINFO <= SYSTEM_NAMES_MAX && N_VMSTAT <= SYSTEM_NAMES_MAX, "room for all names");

static void find_names(const char *path, const struct named *names, size_t count, bool *has)
{
	struct buf text = {0};
	uint64_t value;

	if (fd_read_file(path, &text, TEXT_SIZE) == 0 && text.data)
		for (size_t i = 0; i < count; i++)
			has[i] = parse_named(text.data, names[i].name, &value);
	buf_fini(&text);
}

void system_open(struct system_source *system, uint64_t page_bytes, uint64_t ticks_per_s)
{
	system->page_bytes = page_bytes;
	system->ticks_per_s = ticks_per_s;
	system->text = mem_alloc(1, TEXT_SIZE);
	if (procps_meminfo_new(&system->meminfo) < 0)
		system->meminfo = NULL;
	if (procps_vmstat_new(&system->vmstat) < 0)
		system->vmstat = NULL;
	if (procps_stat_new(&system->stat) < 0)
		system->stat = NULL;
	find_names("/proc/meminfo", meminfo_names, N_MEMINFO, system->has_meminfo);
	find_names("/proc/vmstat", vmstat_names, N_VMSTAT, system->has_vmstat);
	system->vmstat_file = fd_open("/proc/vmstat", O_RDONLY, 0);
}

void system_close(struct system_source *system)
{
	if (system->meminfo)
		procps_meminfo_unref(&system->meminfo);
	if (system->vmstat)
		procps_vmstat_unref(&system->vmstat);
	if (system->stat)
		procps_stat_unref(&system->stat);
	if (system->vmstat_file >= 0)
		close(system->vmstat_file);
	free(system->text);
}

static uint64_t scaled(const struct system_source *system, uint64_t value, enum scale scale)
{
	return scale == PAGES ? value * system->page_bytes : scale == KILO ? value * KIB : value;
}

static void put(const struct system_source *system, struct sample *sample, const struct named *named,
		uint64_t value)
{
	uint64_t *slot = &sample->system[named->metric];

	*slot = (*slot == METRIC_NA ? 0 : *slot) + scaled(system, value, named->scale);
}

static void read_meminfo(struct system_source *system, struct sample *sample)
{
	enum meminfo_item items[N_MEMINFO];
	struct meminfo_stack *stack;

	for (size_t i = 0; i < N_MEMINFO; i++)
		items[i] = (enum meminfo_item)meminfo_names[i].item;
	stack = procps_meminfo_select(system->meminfo, items, N_MEMINFO);
	for (size_t i = 0; stack && i < N_MEMINFO; i++)
		if (system->has_meminfo[i])
			put(system, sample, &meminfo_names[i], stack->head[i].result.ul_int);
}

static void read_vmstat(struct system_source *system, struct sample *sample)
{
	enum vmstat_item items[N_VMSTAT];
	struct vmstat_stack *stack;

	for (size_t i = 0; i < N_VMSTAT; i++)
		items[i] = (enum vmstat_item)vmstat_names[i].item;
	stack = procps_vmstat_select(system->vmstat, items, N_VMSTAT);
	for (size_t i = 0; stack && i < N_VMSTAT; i++)
		if (system->has_vmstat[i])
			put(system, sample, &vmstat_names[i], stack->head[i].result.ul_int);
}

static void read_own_names(struct system_source *system, struct sample *sample)
{
	uint64_t value;

	if (system->vmstat_file < 0 || fd_reread(system->vmstat_file, system->text, TEXT_SIZE) <= 0)
		return;
	for (size_t i = 0; i < N_OWN; i++)
		if (sample->system[own_names[i].metric] == METRIC_NA &&
		    parse_named(system->text, own_names[i].name, &value))
			put(system, sample, &own_names[i], value);
}

static void read_stat(struct system_source *system, struct sample *sample)
{
	enum { USER, SYSTEM, IDLE, IOWAIT, STEAL, CPUS, SWITCHES, CREATED, RUNNING, BLOCKED, ITEMS };
	enum stat_item items[ITEMS] = {STAT_TIC_SUM_USER,     STAT_TIC_SUM_SYSTEM,
				       STAT_TIC_IDLE,	      STAT_TIC_IOWAIT,
				       STAT_TIC_STOLEN,	      STAT_TIC_NUM_CONTRIBUTORS,
				       STAT_SYS_CTX_SWITCHES, STAT_SYS_PROC_CREATED,
				       STAT_SYS_PROC_RUNNING, STAT_SYS_PROC_BLOCKED};
	static const enum metric_system times[] = {
		[USER] = METRIC_SYSTEM_CPU_USER_MS,   [SYSTEM] = METRIC_SYSTEM_CPU_SYSTEM_MS,
		[IDLE] = METRIC_SYSTEM_CPU_IDLE_MS,   [IOWAIT] = METRIC_SYSTEM_CPU_IOWAIT_MS,
		[STEAL] = METRIC_SYSTEM_CPU_STEAL_MS,
	};
	struct stat_stack *stack = procps_stat_select(system->stat, items, ITEMS);

	if (!stack)
		return;
	for (int i = USER; i <= STEAL; i++)
		sample->system[times[i]] = stack->head[i].result.ull_int * 1000 / system->ticks_per_s;
	sample->system[METRIC_SYSTEM_CPUS_ONLINE] = (uint64_t)stack->head[CPUS].result.s_int;
	sample->system[METRIC_SYSTEM_CONTEXT_SWITCHES] = stack->head[SWITCHES].result.ul_int;
	sample->system[METRIC_SYSTEM_PROCESSES_CREATED] = stack->head[CREATED].result.ul_int;
	sample->system[METRIC_SYSTEM_PROCS_RUNNING] = stack->head[RUNNING].result.ul_int;
	sample->system[METRIC_SYSTEM_PROCS_BLOCKED] = stack->head[BLOCKED].result.ul_int;
}

void system_read(struct system_source *system, struct sample *sample)
{
	if (system->stat)
		read_stat(system, sample);
	if (system->meminfo)
		read_meminfo(system, sample);
	if (system->vmstat)
		read_vmstat(system, sample);
	read_own_names(system, sample);
}
