/* SPDX-License-Identifier: MIT
 *
 * Evicting asks the kernel for each file; what is mapped by a process that runs, dirty, or in a tmpfs stays,
 * so mincore(2) is asked what did. It tells the truth only about files one may write; the rest is counted as
 * unknown.
 */
#include "bench/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static const char *const tools[] = {"cc",      "gcc",	"c++",	 "g++",	  "clang", "as",      "ld",   "ar",
				    "make",    "ninja", "cmake", "rustc", "cargo", "ccache",  "sh",   "bash",
				    "python3", "perl",	"sed",	 "awk",	  "bison", "objcopy", "strip"};
static const char *const tool_trees[] = {"/usr/lib/gcc", "/usr/libexec/gcc", "/usr/include",
					 "/usr/local/include"};
#define N_TOOLS	     (sizeof tools / sizeof *tools)
#define N_TOOL_TREES (sizeof tool_trees / sizeof *tool_trees)

/* The pages of it that are in memory, in bytes; -1: the kernel does not say. */
static int64_t resident_bytes(int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = (size + page - 1) / page, count = 0;
	if (geteuid() != 0 && faccessat(fd, "", W_OK, AT_EMPTY_PATH) < 0)
		return -1;
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -1;
	unsigned char *pages = mem_alloc(n, 1);
	bool told = mincore(map, size, pages) == 0;
	for (size_t i = 0; told && i < n; i++)
		count += pages[i] & 1;
	free(pages);
	munmap(map, size);
	return told ? (int64_t)(count * page) : -1;
}

static void read_through(int fd)
{
	static char into[1 << 17];
	while (read(fd, into, sizeof into) > 0)
		;
}

static void prepare_file(enum bench_cache cache, const char *path, struct bench_cached *cached)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
		if (cache == BENCH_CACHE_WARM)
			read_through(fd);
		else if (!cached->dropped)
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		int64_t resident = resident_bytes(fd, (size_t)status.st_size);
		cached->files++;
		cached->bytes += (uint64_t)status.st_size;
		if (resident < 0)
			cached->unknown_bytes += (uint64_t)status.st_size;
		else
			cached->stayed_bytes += (uint64_t)resident;
	}
	close(fd);
}

static void prepare_tree(enum bench_cache cache, const char *tree, struct bench_cached *cached)
{
	char *paths[] = {mem_dup(tree), NULL};
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	FTSENT *entry;
	while (walk != NULL && (entry = fts_read(walk)) != NULL) {
		if (entry->fts_info == FTS_F || entry->fts_info == FTS_NSOK)
			prepare_file(cache, entry->fts_path, cached);
	}
	if (walk != NULL)
		fts_close(walk);
	free(paths[0]);
}

/* The file that PATH leads to, behind its links. */
static void prepare_tool(enum bench_cache cache, const char *tool, struct bench_cached *cached)
{
	const char *variable = getenv("PATH");
	char *list = mem_dup(variable != NULL ? variable : "/usr/bin:/bin"), *rest = list, *directory;
	struct buf path = {0};
	while ((directory = strsep(&rest, ":")) != NULL) {
		buf_clear(&path);
		buf_add_format(&path, "%s/%s", directory, tool);
		char *real = access(path.data, X_OK) == 0 ? realpath(path.data, NULL) : NULL;
		if (real != NULL)
			prepare_file(cache, real, cached);
		free(real);
	}
	buf_fini(&path);
	free(list);
}

static bool drop_all(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool dropped = fd >= 0 && write(fd, "3", 1) == 1;
	if (fd >= 0)
		close(fd);
	return dropped;
}

/* A dirty page cannot go. */
static void write_out(const char *tree)
{
	int fd = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		syncfs(fd);
		close(fd);
	}
}

void bench_cache_prepare(enum bench_cache cache, const char *const trees[], struct bench_cached *cached)
{
	*cached = (struct bench_cached){0};
	if (cache == BENCH_CACHE_ANY)
		return;
	for (size_t i = 0; trees[i] != NULL && cache != BENCH_CACHE_WARM; i++)
		write_out(trees[i]);
	if (cache == BENCH_CACHE_COLD)
		cached->dropped = drop_all();
	for (size_t i = 0; i < N_TOOLS; i++)
		prepare_tool(cache, tools[i], cached);
	for (size_t i = 0; i < N_TOOL_TREES; i++)
		prepare_tree(cache, tool_trees[i], cached);
	for (size_t i = 0; trees[i] != NULL; i++)
		prepare_tree(cache, trees[i], cached);
}
