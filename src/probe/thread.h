/* SPDX-License-Identifier: MIT
 *
 * One thread: where it is now, read at the least cost.
 */
#ifndef PROBE_THREAD_H
#define PROBE_THREAD_H

#include "tree.h"

enum thread_news { THREAD_SAME, THREAD_RAN, THREAD_GONE };

void thread_init(struct tree_thread *thread, int32_t tid);
void thread_close(struct tree *tree, struct tree_thread *thread);
enum thread_news thread_read(struct tree *tree, struct tree_task *task, struct tree_thread *thread);
/* Reads the stat of the leader again: it holds the times of the whole process. */
void thread_read_leader(struct tree *tree, struct tree_task *task);
/* Its children file into tree->text; false: nothing could be read. */
bool thread_read_children(struct tree *tree, struct tree_task *task, struct tree_thread *thread);

#endif
