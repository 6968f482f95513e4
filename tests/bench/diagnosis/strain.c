/* SPDX-License-Identifier: MIT
 *
 * Strains a disk or the memory in one way, as programs of a build do:
 *
 *   strain fsync DIR N BYTES    write, fsync, rename, some work: a package manager
 *   strain rename DIR N BYTES   write, rename over the one before: an editor, a generator
 *   strain unlink DIR N BYTES   write, close, unlink: a compiler's temporary files
 *   strain map FILE MIB ROUNDS  write through a mapping: a linker
 *   strain touch MIB SECONDS    go through memory again and again
 *   strain reread FILE SECONDS  go through a mapped file again and again
 *   strain compute SECONDS      nothing but computing
 *   strain as UID COMMAND...    (setuid root) becomes that user for good: of others, we see what they let us
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void compute(long rounds)
{
	volatile unsigned long sum = 0;

	for (long i = 0; i < rounds; i++)
		sum += (unsigned long)(i * i);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void write_file(const char *path, const char *bytes, size_t len, int flush)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		die(path);
	if (write(fd, bytes, len) != (ssize_t)len || (flush && fsync(fd) != 0))
		die(path);
	close(fd);
}

static void files(const char *way, const char *dir, long n, size_t len)
{
	char *bytes = malloc(len), path[512], to[512];

	memset(bytes, 'x', len);
	for (long i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/new%ld", dir, i);
		snprintf(to, sizeof to, "%s/f%ld", dir, strcmp(way, "rename") == 0 ? i % 8 : i);
		if (strcmp(way, "unlink") ==
		    0) /* ext4 writes a file that was cut to nothing when it is closed */
			write_file(path, bytes, 1, 0);
		write_file(path, bytes, len, strcmp(way, "fsync") == 0);
		compute(1000000);
		if (strcmp(way, "unlink") == 0 ? unlink(path) : rename(path, to))
			die(path);
	}
	free(bytes);
}

static void map_write(const char *path, size_t len, long rounds)
{
	int fd = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0644);
	char *map;

	if (fd < 0 || ftruncate(fd, (off_t)len) != 0)
		die(path);
	map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die(path);
	for (long round = 0; round < rounds; round++)
		for (size_t at = 0; at < len; at += 4096) {
			memset(map + at, (int)(round + 1), 512);
			compute(5000);
		}
	munmap(map, len);
	close(fd);
}

static void touch(size_t len, double seconds)
{
	double until = now_s() + seconds;
	char *memory = malloc(len);

	while (now_s() < until)
		for (size_t at = 0; at < len && now_s() < until; at += 4096) {
			memory[at]++;
			compute(20000);
		}
	free(memory);
}

static void reread(const char *path, double seconds)
{
	double until = now_s() + seconds;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	volatile unsigned long sum = 0;
	struct stat is;
	const char *map;

	if (fd < 0 || fstat(fd, &is) != 0)
		die(path);
	map = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die(path);
	while (now_s() < until)
		for (off_t at = 0; at < is.st_size && now_s() < until; at += 4096) {
			sum += (unsigned char)map[at];
			compute(5000);
		}
	close(fd);
}

static void become(uid_t uid, char **command)
{
	if (setgid(uid) != 0 || setuid(uid) != 0)
		die("setuid");
	execvp(command[0], command);
	die(command[0]);
}

int main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "";

	if (argc == 5 && strcmp(way, "map") == 0)
		map_write(argv[2], (size_t)atol(argv[3]) << 20, atol(argv[4]));
	else if (argc == 5)
		files(way, argv[2], atol(argv[3]), (size_t)atol(argv[4]));
	else if (argc == 4 && strcmp(way, "touch") == 0)
		touch((size_t)atol(argv[2]) << 20, atof(argv[3]));
	else if (argc == 4 && strcmp(way, "reread") == 0)
		reread(argv[2], atof(argv[3]));
	else if (argc > 3 && strcmp(way, "as") == 0)
		become((uid_t)atol(argv[2]), argv + 3);
	else if (argc == 3 && strcmp(way, "compute") == 0)
		for (double until = now_s() + atof(argv[2]); now_s() < until;)
			compute(100000);
	else
		return 2;
	return 0;
}
