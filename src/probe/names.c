/* SPDX-License-Identifier: MIT
 *
 * Knows how to read a command line without being held up by it: reading /proc/PID/cmdline takes a lock of the
 * process and can wait for ever. Requests lie in an array of places, each passed on by its state alone: FREE
 * -(sampler)-> ASKED -(helper)-> TAKEN -(same helper)-> READ -(sampler)-> FREE Whoever may take the next step
 * owns the rest of the place. Helpers sleep in poll(); no lock anywhere.
 */
#include "names.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "parse.h"

#define PLACES	   256
#define HELPERS	   16
#define READ_MAX   (128 * 1024)
#define KEEP	   4096
#define KEEP_FRONT 3000
#define KEEP_BACK  1000
#define STUCK_NS   NS_PER_S

enum place_state { FREE, ASKED, TAKEN, READ };

struct place {
	_Atomic int state;
	struct name name;
};

struct names {
	_Atomic int refs;
	_Atomic bool stopped;
	int wake; /* eventfd */
	unsigned asked_since_wake;
	struct place places[PLACES];
	/* Each helper: when its present read began, 0 while it is in none, -1 where there is no helper. */
	_Atomic int64_t busy_since[HELPERS];
};

struct names *names_new(void)
{
	struct names *names = mem_alloc(1, sizeof *names);
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	names->wake = fd < 0 ? -1 : fd_raise(fd);
	for (int i = 0; i < HELPERS; i++)
		atomic_store(&names->busy_since[i], -1);
	atomic_store(&names->refs, 1);
	return names;
}

struct names *names_ref(struct names *names)
{
	atomic_fetch_add(&names->refs, 1);
	return names;
}

void names_unref(struct names *names)
{
	if (!names || atomic_fetch_sub(&names->refs, 1) != 1)
		return;
	for (int i = 0; i < PLACES; i++)
		if (atomic_load(&names->places[i].state) == READ)
			free(names->places[i].name.words);
	if (names->wake >= 0)
		close(names->wake);
	free(names);
}

bool names_ask(struct names *names, int32_t pid, uint64_t start)
{
	for (int i = 0; i < PLACES; i++) {
		struct place *place = &names->places[i];

		if (atomic_load_explicit(&place->state, memory_order_acquire) != FREE)
			continue;
		place->name = (struct name){.pid = pid, .start = start};
		atomic_store_explicit(&place->state, ASKED, memory_order_release);
		names->asked_since_wake++;
		return true;
	}
	return false;
}

static void wake(struct names *names, uint64_t count)
{
	ssize_t done = write(names->wake, &count, sizeof count);

	(void)done; /* EAGAIN: they are awake enough */
}

void names_wake(struct names *names)
{
	if (names->asked_since_wake)
		wake(names, names->asked_since_wake);
	names->asked_since_wake = 0;
}

bool names_collect(struct names *names, struct name *out)
{
	for (int i = 0; i < PLACES; i++) {
		struct place *place = &names->places[i];

		if (atomic_load_explicit(&place->state, memory_order_acquire) != READ)
			continue;
		*out = place->name;
		atomic_store_explicit(&place->state, FREE, memory_order_release);
		return true;
	}
	return false;
}

size_t names_shorten(char *words, size_t len)
{
	static const char gap[] = " \xe2\x80\xa6 ";
	size_t gap_len = sizeof gap - 1;

	while (len && !words[len - 1])
		len--;
	if (len <= KEEP)
		return len;
	memmove(words + KEEP_FRONT + gap_len, words + len - KEEP_BACK, KEEP_BACK);
	memcpy(words + KEEP_FRONT, gap, gap_len);
	return KEEP_FRONT + gap_len + KEEP_BACK;
}

/* True when pid is still the process that started then. */
static bool is_same(int32_t pid, uint64_t start, struct buf *scratch)
{
	char path[64];
	struct parse_stat stat;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	buf_clear(scratch);
	return fd_read_file(path, scratch, 4096) == 0 && scratch->len &&
	       parse_stat(scratch->data, scratch->len, &stat) && stat.start == start;
}

static void read_words(struct name *name, struct buf *scratch)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/cmdline", name->pid);
	buf_clear(scratch);
	if (fd_read_file(path, scratch, READ_MAX) < 0 || !scratch->len)
		return;
	name->len = names_shorten(scratch->data, scratch->len);
	if (!name->len)
		return;
	name->words = mem_dup_n(scratch->data, name->len);
	if (!is_same(name->pid, name->start, scratch)) {
		free(name->words);
		name->words = NULL;
		name->len = 0;
	}
}

/* Serves all places that are asked; another helper may take some of them. */
static void serve_places(struct names *names, _Atomic int64_t *busy_since, struct buf *scratch)
{
	for (int i = 0; i < PLACES && !atomic_load(&names->stopped); i++) {
		struct place *place = &names->places[i];
		int asked = ASKED;

		if (!atomic_compare_exchange_strong(&place->state, &asked, TAKEN))
			continue;
		atomic_store(busy_since, clock_mono_ns());
		read_words(&place->name, scratch);
		atomic_store(busy_since, 0);
		atomic_store_explicit(&place->state, READ, memory_order_release);
	}
}

void names_serve(struct names *names)
{
	struct pollfd waiting = {.fd = names->wake, .events = POLLIN};
	struct buf scratch = {0};
	_Atomic int64_t *mine = NULL;

	for (int i = 0; i < HELPERS && !mine; i++) {
		int64_t nobody = -1;

		if (atomic_compare_exchange_strong(&names->busy_since[i], &nobody, 0))
			mine = &names->busy_since[i];
	}
	if (mine) /* what a helper that hangs has left */
		serve_places(names, mine, &scratch);
	while (mine && names->wake >= 0 && !atomic_load(&names->stopped)) {
		uint64_t count;

		if (poll(&waiting, 1, -1) > 0 && !atomic_load(&names->stopped) &&
		    read(names->wake, &count, sizeof count) > 0)
			serve_places(names, mine, &scratch);
	}
	if (mine)
		atomic_store(mine, -1);
	buf_fini(&scratch);
}

bool names_stuck(const struct names *names)
{
	int64_t now = clock_mono_ns();
	int helpers = 0;

	for (int i = 0; i < HELPERS; i++) {
		int64_t since = atomic_load(&names->busy_since[i]);

		if (since < 0)
			continue;
		if (since == 0 || now - since < STUCK_NS)
			return false;
		helpers++;
	}
	return helpers > 0 && helpers < HELPERS;
}

void names_stop(struct names *names)
{
	atomic_store(&names->stopped, true);
	wake(names, 1); /* stays readable: nobody reads it any more */
}
