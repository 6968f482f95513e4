/* SPDX-License-Identifier: MIT
 *
 * The tree of the build: its tasks in the order in which they were found, parents before children, and their
 * threads with what the last look read of them.
 */
#ifndef PROBE_TREE_H
#define PROBE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "model/sample.h"
#include "parse.h"
#include "procfile.h"
#include "symbols.h"

enum tree_file { TREE_SCHEDSTAT, TREE_STAT, TREE_CHILDREN, TREE_WCHAN, TREE_SYSCALL, TREE_FILES };

struct tree_thread {
	int32_t tid; /* 0: ended */
	int files[TREE_FILES];
	struct parse_schedstat times;
	bool timed;	  /* times tell whether it ran */
	uint8_t unplaced; /* looks in a row that found no wait channel, since it ran */
	/* Where it is: */
	char state;
	int32_t call;	/* number or SITE_CALL_… */
	uint32_t wchan; /* id in symbols; 0: not read */
	/* Kept for sightings.c: */
	uint64_t site_serial; /* sample in which `site` holds; 0: it moved */
	uint64_t row_serial;
	uint32_t row;
	uint16_t site;
};

enum tree_naming { TREE_NAME_WANTED, TREE_NAME_ASKED, TREE_NAME_EMPTY, TREE_NAME_KNOWN };

struct tree_task {
	int32_t pid, ppid;
	uint64_t start;
	uint64_t stack; /* changes with each exec */
	uint32_t uid;
	uint32_t flags; /* enum task_flag */
	char state;
	char comm[PARSE_COMM_MAX + 1];
	uint8_t comm_len;
	bool seen;	      /* its stat was read at least once */
	bool files_asked;     /* in this tick; opened.c */
	bool moved;	      /* a thread of it had a CPU since its row was read */
	uint64_t listed;      /* walk in which a parent named it last */
	uint64_t runqueue_ns; /* of all its threads, ended ones included */
	uint64_t told_threads;
	uint64_t values[METRIC_TASK_COUNT];
	struct tree_thread *threads; /* the first is the leader */
	size_t n_threads, cap_threads;
	/* Kept for sightings.c: */
	uint64_t row_serial;
	uint32_t row;
	/* Kept for names.c: */
	enum tree_naming naming;
	bool name_retried;
	char *cmdline;
	size_t cmdline_len;
};

struct tree {
	struct tree_task **tasks;
	size_t n_tasks, cap_tasks;
	struct tree_task **ended; /* since tree_forget_ended() */
	size_t n_ended, cap_ended;
	struct tree_task **spare;
	size_t n_spare, cap_spare;
	struct map by_pid;
	struct procfile_budget budget;
	struct symbols symbols;
	pid_t self;
	pid_t helper; /* a child of ours that is not of the build; 0: none */
	bool own_children;
	bool has_schedstat, has_children;
	int own_file; /* children of our main thread */
	bool sweep_wanted;
	uint64_t walks;
	uint64_t ticks_per_s, page_bytes;
	char *text; /* scratch, TREE_TEXT_SIZE */
};

#define TREE_TEXT_SIZE 65536

void tree_init(struct tree *tree, bool own_children);
void tree_fini(struct tree *tree);
void tree_add_root(struct tree *tree, pid_t pid);

/*
 * Brings the tree up to date: what each thread does, who is new, who has ended. A sweep asks every thread for
 * its children instead of only those that ran: a task that was left to a sleeping thread is found by it
 * alone.
 */
void tree_walk(struct tree *tree, bool sweep);
void tree_forget_ended(struct tree *tree);
struct tree_task *tree_find(const struct tree *tree, int32_t pid);
/* A pid that belongs to the tree. */
struct tree_task *tree_found(struct tree *tree, int32_t pid, uint32_t flags);
/* Takes task i out of the tree, as ended. The order of the others stays. */
void tree_end(struct tree *tree, struct tree_task *task);
void tree_compact(struct tree *tree);

#endif
