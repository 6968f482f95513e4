/* SPDX-License-Identifier: MIT
 *
 * The machine a benchmark ran on, as it was: read from /proc and /sys when the answer is made. What others
 * did during each run is noted beside the run, since nobody can tell it later.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/units.h"
#include "bench.h"
#include "output.h"

/* Load */

static double cpu_busy_s(void)
{
	struct buf text = {0};
	unsigned long long user, nice, system, idle, wait, irq, softirq;
	double busy = NAN;
	if (fd_read_file("/proc/stat", &text, 4096) == 0 && text.len > 0 &&
	    sscanf(text.data, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait,
		   &irq, &softirq) == 7)
		busy = (double)(user + nice + system + irq + softirq) / (double)sysconf(_SC_CLK_TCK);
	buf_fini(&text);
	return busy;
}

static double children_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* What the kernel makes of its settings, which may well contradict each other. */
static uint64_t dirty_threshold_bytes(void)
{
	static const char key[] = "\nnr_dirty_threshold ";
	struct buf text = {0};
	const char *at = NULL;
	if (fd_read_file("/proc/vmstat", &text, 65536) == 0 && text.len > 0)
		at = strstr(text.data, key);
	uint64_t pages = at != NULL ? strtoull(at + strlen(key), NULL, 10) : 0;
	buf_fini(&text);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void bench_load_begin(struct bench_load *load)
{
	*load = (struct bench_load){.busy_s = cpu_busy_s(),
				    .children_s = children_s(),
				    .dirty_threshold_bytes = dirty_threshold_bytes(),
				    .mono_ns = clock_mono_ns()};
}

double bench_load_end(const struct bench_load *load)
{
	double wall_s = (double)(clock_mono_ns() - load->mono_ns) / NS_PER_S;
	double others_s = cpu_busy_s() - load->busy_s - (children_s() - load->children_s);
	return wall_s > 0 ? fmax(others_s / wall_s, 0) : NAN;
}

void bench_note_write(const struct bench *bench, const struct bench_turn *turn, const struct bench_load *load,
		      double others_cpus, const struct bench_cached *cached)
{
	struct buf path = {0}, note = {0};
	bench_path(&path, bench, turn->variant, turn->run, "note");
	if (!isnan(others_cpus))
		buf_add_format(&note, "others_cpus %lld.%02lld\n", llround(others_cpus * 100) / 100,
			       llround(others_cpus * 100) % 100);
	if (load->dirty_threshold_bytes > 0)
		buf_add_format(&note, "dirty_threshold_bytes %llu\n",
			       (unsigned long long)load->dirty_threshold_bytes);
	if (cached->files > 0)
		buf_add_format(&note,
			       "cache_dropped %d\ncache_files %llu\ncache_bytes %llu\ncache_stayed_bytes "
			       "%llu\ncache_unknown_bytes %llu\n",
			       cached->dropped, (unsigned long long)cached->files,
			       (unsigned long long)cached->bytes, (unsigned long long)cached->stayed_bytes,
			       (unsigned long long)cached->unknown_bytes);
	output_put(path.data, note.data != NULL ? note.data : "", note.len, NULL);
	buf_fini(&path);
	buf_fini(&note);
}

/* A figure of a note; NAN: it is not there. */
static double note_read(const struct bench *bench, size_t variant, unsigned run, const char *key)
{
	struct buf path = {0}, note = {0};
	double value = NAN;
	size_t len = strlen(key);
	bench_path(&path, bench, variant, run, "note");
	if (fd_read_file(path.data, &note, 4096) == 0 && note.len > 0) {
		char *rest = note.data, *line;
		while ((line = strsep(&rest, "\n")) != NULL) {
			if (strncmp(line, key, len) == 0 && line[len] == ' ')
				units_parse_number(line + len + 1, &value);
		}
	}
	buf_fini(&path);
	buf_fini(&note);
	return value;
}

/* The machine */

static void add_file(struct buf *out, const char *path)
{
	struct buf text = {0};
	if (fd_read_file(path, &text, 256) == 0 && text.len > 0)
		text_clean_add(out, text.data, strcspn(text.data, "\n"));
	else
		buf_add_string(out, "unknown");
	buf_fini(&text);
}

static void add_kernel(struct buf *out)
{
	struct utsname name;
	if (uname(&name) == 0)
		buf_add_format(out, "kernel %s %s, %ld CPUs", name.release, name.machine,
			       sysconf(_SC_NPROCESSORS_ONLN));
	buf_add_string(out, ", governor ");
	add_file(out, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	char memory[UNITS_SIZE];
	buf_add_format(
		out, ", memory %s\n",
		units_bytes(memory, (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE)));
}

static void add_limits(struct buf *out)
{
	static const char *const names[] = {"dirty_ratio",
					    "dirty_bytes",
					    "dirty_background_ratio",
					    "dirty_background_bytes",
					    "dirty_expire_centisecs",
					    "dirty_writeback_centisecs"};
	buf_add_string(out, "dirty limits now:");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct buf path = {0};
		buf_add_format(&path, "/proc/sys/vm/%s", names[i]);
		buf_add_format(out, "%s %s ", i > 0 ? "," : "", names[i]);
		add_file(out, path.data);
		buf_fini(&path);
	}
	buf_add_byte(out, '\n');
}

/* The line of mountinfo for a device: "ext4 rw,relatime on /dev/vda1". */
static void add_mount(struct buf *out, unsigned major_number, unsigned minor_number)
{
	struct buf text = {0};
	char device[32], *rest, *line;
	snprintf(device, sizeof device, " %u:%u ", major_number, minor_number);
	if (fd_read_file("/proc/self/mountinfo", &text, (size_t)1 << 22) < 0 || text.len == 0)
		return;
	rest = text.data;
	while ((line = strsep(&rest, "\n")) != NULL) {
		char options[256], kind[64], source[256], super[512];
		const char *behind = strstr(line, " - ");
		if (behind == NULL || strstr(line, device) == NULL ||
		    sscanf(line, "%*s %*s %*s %*s %*s %255s", options) != 1 ||
		    sscanf(behind + 3, "%63s %255s %511s", kind, source, super) != 3)
			continue;
		buf_add_byte(out, ' ');
		text_clean_add(out, kind, strlen(kind));
		buf_add_string(out, " (");
		text_clean_add(out, options, strlen(options));
		buf_add_string(out, "; ");
		text_clean_add(out, super, strlen(super));
		buf_add_string(out, ") on ");
		text_clean_add(out, source, strlen(source));
		break;
	}
	buf_fini(&text);
}

static void add_disk(struct buf *out, unsigned major_number, unsigned minor_number)
{
	struct buf path = {0}, value = {0};
	buf_add_format(&path, "/sys/dev/block/%u:%u/queue/rotational", major_number, minor_number);
	if (access(path.data, R_OK) < 0) { /* of a partition it is the disk's */
		buf_clear(&path);
		buf_add_format(&path, "/sys/dev/block/%u:%u/../queue/rotational", major_number, minor_number);
	}
	if (fd_read_file(path.data, &value, 8) == 0 && value.len > 0)
		buf_add_string(out, value.data[0] == '1' ? ", rotational" : ", not rotational");
	buf_fini(&path);
	buf_fini(&value);
}

static void add_place(struct buf *out, const struct bench_variant *variant)
{
	char size[UNITS_SIZE];
	struct stat status;
	buf_add_format(out, "%s:", variant->name);
	if (variant->kind == BENCH_TMPFS) {
		buf_add_format(out, " tmpfs of %s, of the run's own (nosuid,nodev)\n",
			       variant->size_bytes > 0 ? units_bytes(size, variant->size_bytes)
						       : "half the memory");
		return;
	}
	if (stat(variant->path, &status) == 0) {
		add_mount(out, major(status.st_dev), minor(status.st_dev));
		add_disk(out, major(status.st_dev), minor(status.st_dev));
	}
	buf_add_byte(out, '\n');
}

static void add_load(struct buf *out, const struct bench *bench, size_t variant)
{
	bool any = false;
	for (unsigned run = 1; run <= bench->runs; run++) {
		double others = note_read(bench, variant, run, "others_cpus");
		if (isnan(others))
			continue;
		if (!any)
			buf_add_format(out, "%s: CPUs that others kept busy in each run:",
				       bench->variants[variant].name);
		buf_add_format(out, " %lld.%02lld", llround(others * 100) / 100, llround(others * 100) % 100);
		any = true;
	}
	if (any)
		buf_add_byte(out, '\n');
}

/* The limit of dirty pages that was in force in its runs: others may change it, and a variant's settings do.
 */
static void add_threshold(struct buf *out, const struct bench *bench, size_t variant)
{
	double least = INFINITY, most = 0;
	char text[2][UNITS_SIZE];
	for (unsigned run = 1; run <= bench->runs; run++) {
		double bytes = note_read(bench, variant, run, "dirty_threshold_bytes");
		least = isnan(bytes) ? least : fmin(least, bytes);
		most = isnan(bytes) ? most : fmax(most, bytes);
	}
	if (most <= 0)
		return;
	buf_add_format(out, "%s: limit of dirty pages %s", bench->variants[variant].name,
		       units_bytes(text[0], (uint64_t)least));
	if (least < 0.9 * most)
		buf_add_format(out, " to %s, so the runs are not alike",
			       units_bytes(text[1], (uint64_t)most));
	buf_add_byte(out, '\n');
}

/* Of the last run: how cold or warm it was. */
static void add_cache(struct buf *out, const struct bench *bench, size_t variant)
{
	for (unsigned run = bench->runs; run > 0; run--) {
		double bytes = note_read(bench, variant, run, "cache_bytes"), part;
		char all[UNITS_SIZE], stayed[UNITS_SIZE], unknown[UNITS_SIZE];
		if (isnan(bytes))
			continue;
		buf_add_format(
			out, "%s: %s, then %s of %s of the tree and the toolchain in memory",
			bench->variants[variant].name,
			note_read(bench, variant, run, "cache_dropped") > 0  ? "the page cache was dropped"
			: bench->variants[variant].cache == BENCH_CACHE_WARM ? "files were read"
									     : "files were evicted",
			units_bytes(stayed, (uint64_t)note_read(bench, variant, run, "cache_stayed_bytes")),
			units_bytes(all, (uint64_t)bytes));
		part = note_read(bench, variant, run, "cache_unknown_bytes");
		if (part > 0)
			buf_add_format(out, ", of %s the kernel does not say",
				       units_bytes(unknown, (uint64_t)part));
		buf_add_byte(out, '\n');
		return;
	}
}

void bench_machine_add(struct buf *out, const struct bench *bench)
{
	add_kernel(out);
	add_limits(out);
	for (size_t v = 0; v < bench->n_variants; v++)
		add_place(out, &bench->variants[v]);
	for (size_t v = 0; v < bench->n_variants; v++) {
		add_load(out, bench, v);
		add_threshold(out, bench, v);
		add_cache(out, bench, v);
	}
}
