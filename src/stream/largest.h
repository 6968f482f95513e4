/* SPDX-License-Identifier: MIT
 *
 * What takes the room of a directory's file system: a walk of it.
 */
#ifndef STREAM_LARGEST_H
#define STREAM_LARGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct largest_walk {
	uint64_t device; /* other file systems are not entered */
	bool files;	 /* count files, not bytes */
	bool (*stop)(void *arg);
	void *arg;
	unsigned steps; /* entries since stop() was asked */
	bool stopped;
};

/* Adds up what is below the open directory (closed then), its largest parts into list (counted; NULL: not
 * wanted). */
uint64_t largest_find(struct largest_walk *walk, int directory, struct buf *list);

#endif
