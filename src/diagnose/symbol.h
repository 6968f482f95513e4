/* SPDX-License-Identifier: MIT
 *
 * Wait channels: the kernel functions in which threads sleep, and what each tells.
 */
#ifndef DIAGNOSE_SYMBOL_H
#define DIAGNOSE_SYMBOL_H

enum symbol_kind {
	SYMBOL_NONE,	 /* not in the table */
	SYMBOL_THROTTLE, /* a writer held back: too many dirty pages */
	SYMBOL_MEMORY,
	SYMBOL_FLUSH,
	SYMBOL_GRAB, /* wants a page that is being flushed, or read: the call decides */
	SYMBOL_PAGE, /* one name for waits for reading and for writing (kernels before 5.16): the call decides
		      */
	SYMBOL_READ, /* reading, unless the call gives pages up */
	SYMBOL_REMOTE,
	SYMBOL_CHILD,
	SYMBOL_PIPE,
	SYMBOL_POLL,
	SYMBOL_NETWORK,
	SYMBOL_TIMER,
	SYMBOL_LOCK,
};

/* Compiler's suffixes (.isra.0, .constprop.0, .part.0, .cold, .llvm.1234) do not count. */
enum symbol_kind symbol_find(const char *name);

#endif
