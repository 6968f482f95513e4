/* SPDX-License-Identifier: MIT
 *
 * A Yocto buildstats directory of any content: the input is its files one after the other, with a form feed
 * between: build_stats, a task's file, and the logs in the order below.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/buildstats.h"

#define SAMPLES_MAX 300

static const char *const files[] = {
	"build_stats",
	"package-1.0-r0/do_compile",
	"reduced_proc_stat.log",
	"reduced_proc_diskstats.log",
	"reduced_proc_meminfo.log",
	"monitor_disk.log",
	"reduced_proc_pressure/cpu.log",
	"reduced_proc_pressure/io.log",
};
#define N_FILES (sizeof files / sizeof *files)

static char directory[64];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void path_of(char *path, size_t cap, const char *file)
{
	snprintf(path, cap, "%s/%s", directory, file);
}

static void leave(void)
{
	char path[128];
	for (size_t i = 0; i < N_FILES; i++) {
		path_of(path, sizeof path, files[i]);
		unlink(path);
	}
	path_of(path, sizeof path, "package-1.0-r0");
	rmdir(path);
	path_of(path, sizeof path, "reduced_proc_pressure");
	rmdir(path);
	rmdir(directory);
}

static void enter(void)
{
	char path[128];
	snprintf(directory, sizeof directory, "/dev/shm/fuzz-import-XXXXXX");
	if (!mkdtemp(directory))
		abort();
	path_of(path, sizeof path, "package-1.0-r0");
	mkdir(path, 0700);
	path_of(path, sizeof path, "reduced_proc_pressure");
	mkdir(path, 0700);
	atexit(leave);
}

static void write_file(const char *file, const uint8_t *bytes, size_t len)
{
	char path[128];
	path_of(path, sizeof path, file);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buildstats *stats;
	struct why why;
	if (!directory[0])
		enter();
	for (size_t i = 0; i < N_FILES; i++) {
		const uint8_t *end = size > 0 ? memchr(data, '\f', size) : NULL;
		size_t len = end ? (size_t)(end - data) : size;
		write_file(files[i], data, len);
		data += len + (end ? 1 : 0);
		size -= len + (end ? 1 : 0);
	}
	if (buildstats_open(&stats, directory, 0, &why) < 0)
		return 0;
	struct sample *sample = sample_new();
	for (int i = 0; i < SAMPLES_MAX && buildstats_next(stats, sample) > 0; i++)
		;
	buildstats_end(stats);
	sample_free(sample);
	buildstats_close(stats);
	return 0;
}
