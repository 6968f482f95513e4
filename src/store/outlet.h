/* SPDX-License-Identifier: MIT
 *
 * What goes to the file, in order, in pieces of one flush each. While the file takes them the queue is empty.
 * When it does not (disk full, I/O error), pieces wait here, the newest hour or 64 MiB of them, and are tried
 * again every ten seconds; a piece that was written in part goes on where it stopped, so the file is whole at
 * every moment. What must go from the queue goes as whole frames, since a frame cannot be read without its
 * beginning.
 */
#ifndef STORE_OUTLET_H
#define STORE_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "index.h"

#define OUTLET_RETRY_NS	 INT64_C(10000000000)
#define OUTLET_KEEP_NS	 INT64_C(3600000000000)
#define OUTLET_KEEP_SIZE (64u << 20)

/* Frame 0 is the header, data frames count from 1. */
struct piece {
	struct buf bytes;
	uint64_t frame;
	uint32_t samples; /* in it: 0 or 1 */
	uint64_t number;
	int64_t mono_us;
	int64_t queued_ns;
};

struct outlet {
	int fd;
	char *name; /* for a person */
	char *fifo; /* a FIFO that nobody has opened to read as yet; NULL: there is none, or it is open */

	struct piece *pieces; /* [head, count) wait */
	size_t head, count, capacity;
	size_t waiting_size;
	size_t head_written;  /* bytes of the first one that are in the file */
	uint64_t frame_begun; /* the frame in the file that may go on; 0: none */

	uint64_t offset;    /* bytes written */
	struct index index; /* of the frames in the file */
	int64_t retry_ns;   /* not before; 0: no trouble */
	bool closed;	    /* the reader is gone: nothing more is written */
	bool told;
	uint64_t lost; /* samples that never reached the file */
};

void outlet_init(struct outlet *outlet, int fd, const char *name);
/* fd is -1 then: the FIFO is opened as soon as it has a reader, without waiting for one. */
void outlet_set_fifo(struct outlet *outlet, const char *path);
/* Waits at most so long for the reader of a FIFO. */
void outlet_wait_reader(struct outlet *outlet, int64_t at_most_ns);
void outlet_fini(struct outlet *outlet); /* closes it */
/* Queues a piece; its bytes are taken. */
void outlet_add(struct outlet *outlet, struct piece *piece);
/* Writes what it can. With trouble pending: only when it is time again, or when forced. True: nothing waits.
 */
bool outlet_push(struct outlet *outlet, int64_t now_ns, bool forced);
/* Lets the oldest frames go, but for the one half written and `open_frame`, until the rest is within bounds;
 * their samples. */
uint64_t outlet_trim(struct outlet *outlet, int64_t now_ns, uint64_t open_frame);
/* Gives all up that waits; counts it as lost. */
void outlet_drop(struct outlet *outlet);

#endif
