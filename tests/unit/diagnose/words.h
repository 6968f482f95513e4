/* SPDX-License-Identifier: MIT
 *
 * Samples in words. A story is told look by look, each thread as "NAME STATE [WCHAN [CALL]]", CALL being a
 * number of x86_64, "fault" or "hidden"; "ld#2" is another process called ld, "ld+1" another thread of ld.
 * Looks are 100 ms apart. The clock stands at 1000 s in the beginning.
 */
#ifndef WORDS_H
#define WORDS_H

#include "diagnose/diagnose.h"

#define WORDS_START_NS (1000 * INT64_C(1000000000))
#define MS	       INT64_C(1000000)
#define MIB	       (UINT64_C(1) << 20)

struct words {
	struct run *run;
	struct diagnose *diagnose;
	int64_t now_ns;
	uint64_t number;
	struct sample *sample; /* in the making */
	struct tick *tick;     /* the last one; let go at the next */
};

/* The base line has been taken. */
void words_begin(struct words *words);
/* The same with a run that the test made. */
void words_begin_run(struct words *words, struct run *run);
void words_end(struct words *words);
struct run *words_run(void);

/* 100 ms later, a look. Arguments end with NULL. */
void words_look(struct words *words, ...) __attribute__((sentinel));
void words_pass(struct words *words, int ms);
/* The sample is full: its tick. */
const struct tick *words_tick(struct words *words);
/* n looks of one to three threads (NULL: none), and a tick after each tenth. */
void words_go_on(struct words *words, int n, const char *a, const char *b, const char *c);

/* The row of that process in the sample in the making; valid until another is named. */
struct task_row *words_task(struct words *words, const char *name);
uint64_t *words_system(struct words *words, enum metric_system metric);
struct mount_row *words_mount(struct words *words, const char *point, const char *type, const char *source,
			      uint32_t flags);
struct disk_row *words_disk(struct words *words, uint64_t device, const char *name);

#endif
