/* SPDX-License-Identifier: MIT
 *
 * What a thread is blocked on, by the functions on its kernel stack.
 */
#ifndef BENCH_STACKS_H
#define BENCH_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STACK_DEPTH 48

enum stack_class {
	STACK_OTHER,
	STACK_THROTTLE,
	STACK_FLUSH_ASKED, /* in fsync and its family */
	STACK_FLUSH,
	STACK_READ,
	STACK_MEMORY,
	STACK_CLASSES
};

void stacks_load(void); /* /proc/kallsyms, which shows addresses to root only */
enum stack_class stack_judge(const uint64_t *frames, size_t n);
const char *stack_class_name(enum stack_class class);
void stacks_print(
	FILE *out); /* how often each kind of stack was judged, with its leaf: to see what the rules miss */

#endif
