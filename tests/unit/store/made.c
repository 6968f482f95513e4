/* SPDX-License-Identifier: MIT
 *
 * Task slots: 0 is make, the rest come in threes (shell, driver, compiler) that live for some seconds.
 */
#include "made.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint64_t made_random(struct made *made, uint64_t below)
{
	made->random ^= made->random << 13;
	made->random ^= made->random >> 7;
	made->random ^= made->random << 17;
	return (made->random >> 11) % below;
}

struct run *made_run(void)
{
	struct run *run = run_new();
	strcpy(run->id, "01939a7e-5b1c-7c3d-8e4f-1a2b3c4d5e6f");
	run->mode = RUN_COMMAND;
	run->tool_version = mem_dup("0.1.0");
	run->command = mem_alloc(4, sizeof *run->command);
	run->command[0] = mem_dup("make");
	run->command[1] = mem_dup("-j4");
	run->command[2] = mem_dup("CFLAGS=-O2 -g");
	run->workdir = mem_dup("/build/tree");
	run_add_label(run, "project", "tree");
	run_add_label(run, "variant", "x=y");
	run->vcs_commit = mem_dup("0123456789abcdef");
	run->vcs_dirty = 1;
	run->host = mem_dup("builder");
	run->kernel = mem_dup("6.1.0-30-amd64");
	run->machine = mem_dup("x86_64");
	run->boot_id = mem_dup("6c1f3a52-0d7e-4b8a-9f60-4f2d5e6a7b8c");
	run->cpus = 4;
	run->ticks_per_s = 100;
	run->memory_total_bytes = UINT64_C(8) << 30;
	run->page_bytes = 4096;
	run->start_wall_ns = INT64_C(1796073411123456789);
	run->start_mono_ns = INT64_C(4242123456789);
	run->interval_ns = 1000000000;
	run->look_interval_ns = 100000000;
	run_set_source(run, "processes", "yes", NULL);
	run_set_source(run, "wchan", "no: hidden", "run as root");
	return run;
}

struct made made_begin(uint64_t seed, size_t n_tasks, bool odd)
{
	return (struct made){.random = seed * 2654435761u + 88172645463325252u,
			     .n_tasks = n_tasks,
			     .odd = odd,
			     .last_pid = 41000};
}

void made_fini(struct made *made)
{
	sample_free(made->sample);
}

static uint32_t string(struct sample *sample, const char *text)
{
	return sample_add_string(sample, text, strlen(text));
}

static void task_born(struct made *made, struct sample *now, struct task_row *row, size_t slot)
{
	static const char *const comms[] = {"sh", "gcc", "cc1"};
	char words[900];
	int len;
	unsigned file = (unsigned)made_random(made, 4000);
	const char *comm = slot == 0 ? "make" : comms[slot % 3];
	memset(row, 0, sizeof *row);
	row->pid = slot == 0 ? 41000 : (made->last_pid += 1 + (int32_t)made_random(made, 3));
	row->ppid = slot % 3 == 1 || slot == 0 ? 41000 : row->pid - 1;
	row->start_ticks = (uint64_t)now->mono_ns / 10000000 - made_random(made, 100);
	row->uid = 1000;
	row->flags = TASK_NEW | (slot == 0 ? TASK_ROOT : 0);
	row->comm = string(now, comm);
	len = snprintf(words, sizeof words,
		       "%s%c-Wp,-MMD,drivers/net/.f%u.o.d%c-nostdinc%c-I./arch/x86/include%c-I./include%c-I./"
		       "include/uapi%c"
		       "-D__KERNEL__%c-Wall%c-Wundef%c-Werror=strict-prototypes%c-fno-strict-aliasing%c-fno-"
		       "common%c-fshort-wchar%c"
		       "-std=gnu11%c-mno-sse%c-m64%c-O2%c-o%cdrivers/net/f%u.o%cdrivers/net/f%u.c",
		       comm, 0, file, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, file, 0, file);
	row->cmdline = sample_add_string(now, words, (size_t)len);
	row->state = slot % 3 == 0 && slot ? 'R' : 'S';
	for (size_t i = 0; i < METRIC_TASK_COUNT; i++)
		row->values[i] = 0;
	row->values[METRIC_TASK_THREADS] = 1;
	row->values[METRIC_TASK_RSS_BYTES] = 4096 * (400 + made_random(made, 800));
}

/* A compiler works; the others wait. */
static void task_lives(struct made *made, struct task_row *row, size_t slot)
{
	row->flags &= ~(unsigned)TASK_NEW;
	if (slot == 0) {
		row->values[METRIC_TASK_REAPED_USER_MS] += 10 * made_random(made, 200);
		row->values[METRIC_TASK_REAPED_SYSTEM_MS] += 10 * made_random(made, 20);
	}
	if (slot % 3 != 0 || slot == 0)
		return;
	row->state = made_random(made, 10) ? 'R' : 'D';
	row->values[METRIC_TASK_USER_MS] += 10 * made_random(made, 60);
	row->values[METRIC_TASK_SYSTEM_MS] += 10 * made_random(made, 8);
	row->values[METRIC_TASK_RUNQUEUE_MS] += made_random(made, 300);
	row->values[METRIC_TASK_RSS_BYTES] += 4096 * made_random(made, 3000);
	if (made_random(made, 3) == 0)
		row->values[METRIC_TASK_WRITE_BYTES] += 4096 * made_random(made, 90);
	if (made_random(made, 8) == 0)
		row->values[METRIC_TASK_READ_BYTES] += 4096 * made_random(made, 200);
}

static uint32_t copy_string(struct sample *now, const struct sample *before, uint32_t offset)
{
	size_t len;
	const char *text = sample_string(before, offset, &len);
	return sample_add_string(now, text, len);
}

static void tasks_make(struct made *made, struct sample *now)
{
	const struct sample *before = made->sample;
	for (size_t slot = 0; slot < made->n_tasks; slot++) {
		/* All of a three end together: about every third second for the first twelve slots, the rest
		 * stay. */
		bool renew = before && slot > 0 && slot <= 15 && (now->number + (slot - 1) / 3) % 3 == 0;
		struct task_row row;
		if (!before || renew) {
			task_born(made, now, &row, slot);
		} else {
			row = before->tasks[slot];
			row.comm = copy_string(now, before, row.comm);
			row.cmdline = copy_string(now, before, row.cmdline);
			task_lives(made, &row, slot);
		}
		if (made->odd && made_random(made, 9) == 0)
			row.values[made_random(made, METRIC_TASK_COUNT)] =
				made_random(made, 2) ? METRIC_NA : made->random;
		*sample_add_task(now) = row;
	}
	if (made->odd && now->n_tasks > 3 && made_random(made, 2)) { /* another order */
		struct task_row row = now->tasks[1];
		now->tasks[1] = now->tasks[3];
		now->tasks[3] = row;
	}
}

static void system_make(struct made *made, struct sample *now)
{
	size_t count;
	const struct metric *table = metric_table(METRIC_SCOPE_SYSTEM, &count);
	for (size_t i = 0; i < count; i++) {
		uint64_t value = made->sample ? made->sample->system[i] : 1000000 * made_random(made, 100000);
		bool rare = i >= METRIC_SYSTEM_SWAP_TOTAL_BYTES && i <= METRIC_SYSTEM_SWAP_FREE_BYTES;
		rare |= i >= METRIC_SYSTEM_SWAP_IN_PAGES && i <= METRIC_SYSTEM_OOM_KILLS;
		rare |= i == METRIC_SYSTEM_CPUS_ONLINE || i == METRIC_SYSTEM_MEM_TOTAL_BYTES ||
			i == METRIC_SYSTEM_CPU_STEAL_MS;
		if (table[i].unit == METRIC_UNIT_BYTES && !made->odd)
			value &= ~UINT64_C(4095);
		if (made->sample && !rare) {
			uint64_t step = table[i].unit == METRIC_UNIT_BYTES ? 4096 * made_random(made, 4000)
					: table[i].unit == METRIC_UNIT_US  ? made_random(made, 200000)
					: table[i].unit == METRIC_UNIT_MS  ? 10 * made_random(made, 400)
									   : made_random(made, 5000);
			bool down =
				table[i].kind == METRIC_KIND_GAUGE && made_random(made, 2) && value > step;
			value = down ? value - step : value + step;
		}
		if (i == METRIC_SYSTEM_PROCS_RUNNING || i == METRIC_SYSTEM_PROCS_BLOCKED)
			value = made_random(made, 6);
		if (made->odd && made_random(made, 12) == 0)
			value = made_random(made, 2) ? METRIC_NA : made->random;
		now->system[i] = value;
	}
}

static void exits_make(struct made *made, struct sample *now)
{
	static const char *const names[] = {"cc1", "as", "sh", ""};
	size_t n = made_random(made, 4) ? made_random(made, 8) : 0; /* few: recordings are cut at each byte */
	int64_t end_ns = now->mono_ns - (int64_t)made_random(made, 100000) * NS_PER_US;
	for (size_t i = 0; i < n; i++) {
		struct exit_row *row = sample_add_exit(now);
		const char *name = names[made_random(made, 4)];
		row->pid = (int32_t)made_random(made, 1 << 22);
		row->ppid = made_random(made, 2) ? 41000 : row->pid - 1;
		row->comm = sample_add_string(now, name, strlen(name));
		row->end_ns = end_ns += (int64_t)made_random(made, 900) * NS_PER_US;
		row->start_ns = end_ns - (int64_t)made_random(made, 1 << 20) * NS_PER_US;
		row->cpu_us = made->odd && made_random(made, 9) == 0 ? METRIC_NA : made_random(made, 3000);
	}
}

static void devices_make(struct made *made, struct sample *now)
{
	static const char *const points[] = {"/dev/shm", "/run", "/tmp", "/run/lock", "/build"};
	static const char *const names[] = {"vda", "vda1", "vdb"};
	const struct sample *before = made->sample;
	for (size_t i = 0; i < 5; i++) {
		struct mount_row *row = sample_add_mount(now);
		row->device = (i < 4 ? 20 : 65024) + i;
		row->point = string(now, points[i]);
		row->type = string(now, i < 4 ? "tmpfs" : "ext4");
		row->source = string(now, i < 4 ? "tmpfs" : "/dev/vda1");
		row->flags = i < 4 ? MOUNT_TMPFS : MOUNT_WORKDIR;
		row->points = 1;
		for (size_t v = 0; v < METRIC_MOUNT_COUNT; v++)
			row->values[v] = before ? before->mounts[i].values[v] : UINT64_C(1) << 30;
		if (i == 2 && made_random(made, 2)) {
			row->writers = sample_add_string(now, "3T cc1\0001T ld", 13);
			row->largest = made_random(made, 2) ? string(now, "4096B tmp/x") : 0;
		}
		if (i == 2 || i == 4) {
			row->values[METRIC_MOUNT_USED_BYTES] += 4096 * made_random(made, 900);
			row->values[METRIC_MOUNT_AVAILABLE_BYTES] =
				2 * (UINT64_C(1) << 30) - row->values[METRIC_MOUNT_USED_BYTES];
			row->values[METRIC_MOUNT_INODES_USED] += made_random(made, 9);
		}
		if (made->odd && made_random(made, 9) == 0)
			row->values[METRIC_MOUNT_SIZE_BYTES] = METRIC_NA;
	}
	for (size_t i = 0; i < 3; i++) {
		struct disk_row *row = sample_add_disk(now);
		row->device = 65024 + i;
		row->name = string(now, names[i]);
		for (size_t v = 0; v < METRIC_DISK_COUNT; v++) {
			row->values[v] =
				before ? before->disks[i].values[v] : 4096 * made_random(made, 10000);
			if (before && i < 2 && v != METRIC_DISK_FLUSHES)
				row->values[v] = i == 1 ? now->disks[0].values[v]
						 : v == METRIC_DISK_READ_BYTES || v == METRIC_DISK_WRITE_BYTES
							 ? row->values[v] + 4096 * made_random(made, 3000)
						 : v == METRIC_DISK_IN_FLIGHT
							 ? made_random(made, 4)
							 : row->values[v] + made_random(made, 300);
		}
	}
}

static void look_add(struct sample *now, size_t task, int32_t tid, uint16_t site, uint16_t block,
		     uint64_t mask)
{
	if (mask)
		*sample_add_look_row(now) = (struct look_row){(uint32_t)task, tid, site, block, mask};
}

static void looks_make(struct made *made, struct sample *now)
{
	static const struct {
		const char *wchan;
		int32_t syscall;
		char state;
	} sites[] = {{"do_wait", 61, 'S'},
		     {"", SITE_CALL_UNREAD, 'R'},
		     {"folio_wait_bit_common", 1, 'D'},
		     {"balance_dirty_pages", 1, 'D'},
		     {"pipe_read", 0, 'S'},
		     {"jbd2_log_wait_commit", 74, 'D'}};
	size_t n_looks = made->odd ? made_random(made, 150) : 10;
	for (size_t i = 0; i < n_looks; i++)
		sample_add_look(now, now->mono_ns + (int64_t)(i * 100000 + made_random(made, 90)) * 1000 -
					     1000000000);
	for (size_t i = 0; i < 6; i++) {
		struct site *site = sample_add_site(now);
		site->wchan = string(now, sites[i].wchan);
		site->syscall = sites[i].syscall;
		site->state = sites[i].state;
		if (made->odd && made_random(made, 20) == 0)
			site->syscall = (int32_t)made_random(made, 450);
	}
	for (size_t block = 0; block * 64 < n_looks; block++) {
		size_t looks = n_looks - block * 64;
		uint64_t all = looks >= 64 ? UINT64_MAX : (UINT64_C(1) << looks) - 1;
		for (size_t t = 0; t < now->n_tasks; t++) {
			const struct task_row *row = &now->tasks[t];
			uint64_t here = row->flags & TASK_NEW ? all & made->random : all;
			bool busy = t > 0 && t % 3 == 0;
			uint64_t blocked = busy && made_random(made, 3) == 0 ? here & (made->random >> 7) : 0;
			look_add(now, t, row->pid, busy ? 1 : 0, (uint16_t)block, here & ~blocked);
			look_add(now, t, row->pid, (uint16_t)(2 + made_random(made, 4)), (uint16_t)block,
				 blocked);
			if (made->odd && t % 5 == 0)
				look_add(now, t, row->pid + 77, 4, (uint16_t)block,
					 all & made_random(made, 99));
		}
	}
}

struct sample *made_next(struct made *made)
{
	const struct sample *before = made->sample;
	struct sample *now = sample_new();
	now->number = before ? before->number + 1 : 0;
	now->mono_ns = (before ? before->mono_ns : INT64_C(4242123456000)) + 1000000000 +
		       (int64_t)made_random(made, 150) * 1000;
	now->wall_ns = now->mono_ns + INT64_C(1796069169000000000) - (int64_t)made_random(made, 2) * 1000;
	now->asleep_ns = 5000000;
	now->flags = before ? 0 : SAMPLE_FIRST;
	if (made->odd && made_random(made, 5) == 0) {
		now->flags |= SAMPLE_GAP | SAMPLE_CLOCK_STEP;
		now->missed = (uint32_t)made_random(made, 100);
		now->wall_ns -= INT64_C(3600000000000);
		now->asleep_ns += 1000000000;
	}
	system_make(made, now);
	tasks_make(made, now);
	exits_make(made, now);
	devices_make(made, now);
	looks_make(made, now);
	if (made->odd && made_random(made, 3) == 0)
		now->tasks[0].comm = sample_add_string(now, "a\0\033\xff", 4);
	if (!made->sample)
		made->sample = sample_new();
	sample_copy(made->sample, now);
	return now;
}

#define SAME(field)                                                                                          \
	do {                                                                                                 \
		if (a->field != b->field) {                                                                  \
			fprintf(stderr, "sample %llu: %s differs\n", (unsigned long long)a->number, #field); \
			return false;                                                                        \
		}                                                                                            \
	} while (0)

static bool strings_equal(const struct sample *a, uint32_t x, const struct sample *b, uint32_t y)
{
	size_t len_x, len_y;
	const char *text_x = sample_string(a, x, &len_x), *text_y = sample_string(b, y, &len_y);
	return len_x == len_y && memcmp(text_x, text_y, len_x) == 0;
}

#define SAME_STRING(field)                                                                                   \
	do {                                                                                                 \
		if (!strings_equal(a, a->field, b, b->field)) {                                              \
			fprintf(stderr, "sample %llu: %s differs\n", (unsigned long long)a->number, #field); \
			return false;                                                                        \
		}                                                                                            \
	} while (0)

static bool rows_equal(const struct sample *a, const struct sample *b)
{
	for (size_t i = 0; i < a->n_tasks; i++) {
		SAME(tasks[i].pid);
		SAME(tasks[i].ppid);
		SAME(tasks[i].start_ticks);
		SAME(tasks[i].uid);
		SAME(tasks[i].flags);
		SAME(tasks[i].state);
		SAME_STRING(tasks[i].comm);
		SAME_STRING(tasks[i].cmdline);
		for (size_t v = 0; v < METRIC_TASK_COUNT; v++)
			SAME(tasks[i].values[v]);
	}
	for (size_t i = 0; i < a->n_mounts; i++) {
		SAME(mounts[i].device);
		SAME(mounts[i].flags);
		SAME(mounts[i].points);
		SAME_STRING(mounts[i].point);
		SAME_STRING(mounts[i].type);
		SAME_STRING(mounts[i].source);
		SAME_STRING(mounts[i].writers);
		SAME_STRING(mounts[i].largest);
		for (size_t v = 0; v < METRIC_MOUNT_COUNT; v++)
			SAME(mounts[i].values[v]);
	}
	SAME(n_exits);
	for (size_t i = 0; i < a->n_exits; i++) {
		SAME(exits[i].pid);
		SAME(exits[i].ppid);
		SAME(exits[i].start_ns);
		SAME(exits[i].end_ns);
		SAME(exits[i].cpu_us);
		SAME_STRING(exits[i].comm);
	}
	for (size_t i = 0; i < a->n_disks; i++) {
		SAME(disks[i].device);
		SAME_STRING(disks[i].name);
		for (size_t v = 0; v < METRIC_DISK_COUNT; v++)
			SAME(disks[i].values[v]);
	}
	return true;
}

bool made_equal(const struct sample *a, const struct sample *b)
{
	SAME(number);
	SAME(mono_ns);
	SAME(wall_ns);
	SAME(asleep_ns);
	SAME(flags);
	SAME(missed);
	for (size_t i = 0; i < METRIC_SYSTEM_COUNT; i++)
		SAME(system[i]);
	SAME(n_tasks);
	SAME(n_mounts);
	SAME(n_disks);
	SAME(n_looks);
	SAME(n_sites);
	SAME(n_look_rows);
	if (!rows_equal(a, b))
		return false;
	for (size_t i = 0; i < a->n_looks; i++)
		SAME(look_ns[i]);
	for (size_t i = 0; i < a->n_sites; i++) {
		SAME_STRING(sites[i].wchan);
		SAME(sites[i].syscall);
		SAME(sites[i].state);
	}
	for (size_t i = 0; i < a->n_look_rows; i++) {
		SAME(look_rows[i].task);
		SAME(look_rows[i].tid);
		SAME(look_rows[i].site);
		SAME(look_rows[i].block);
		SAME(look_rows[i].mask);
	}
	return true;
}
