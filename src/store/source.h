/* SPDX-License-Identifier: MIT
 *
 * The bytes of a recording, file or pipe, seen through a window: what was read and not yet consumed. The end
 * of the file is only its present end: more may come.
 */
#ifndef STORE_SOURCE_H
#define STORE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/why.h"

struct source {
	int fd;
	bool seekable;
	uint64_t offset; /* in the file, of the first byte of the window */
	struct buf window;
	size_t at; /* consumed bytes at the front of it */
};

int source_open(struct source *source, const char *path, struct why *why);
int source_open_again(struct source *source, const struct source *of); /* a seekable one */
void source_close(struct source *source);
/* What is in the window. */
const uint8_t *source_bytes(const struct source *source, size_t *len);
/* Reads some more into it: how many bytes, 0 at the present end, -errno. The bytes may move. */
long source_more(struct source *source);
/* As often as needed for `len` bytes: 1, 0 when there are not so many now, -errno. */
int source_need(struct source *source, size_t len);
void source_consume(struct source *source, size_t len);
uint64_t source_offset(const struct source *source);	  /* of the next byte that is not consumed */
uint64_t source_end(const struct source *source);	  /* of the byte behind the window */
void source_goto(struct source *source, uint64_t offset); /* seekable ones */
/* Reads the last bytes of the file as it is now: their number (0 when it is shorter or a pipe) and where it
 * ends. */
size_t source_tail(const struct source *source, void *out, size_t len, uint64_t *end);

/*
 * Where a zstd frame ends, found by walking its block headers; resumed when more of it is there.
 */
struct walk {
	size_t at;
	bool begun, checksum, last;
};
/* The size of the frame at `bytes`; 0: more is needed; -EBADMSG: not a frame that we read. */
long walk_on(struct walk *walk, const uint8_t *bytes, size_t len);
/* The first place at or behind `from` where a frame of ours may begin; len when there is none. */
size_t walk_search(const uint8_t *bytes, size_t len, size_t from);
/* Goes on to such a place. 1: one begins here; 0: none in what there is now; -errno. */
int source_search(struct source *source);
/* Bytes that walk_search() must see of a frame to know it. */
#define WALK_KNOWN 16

#endif
