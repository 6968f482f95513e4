/* SPDX-License-Identifier: MIT
 *
 * A recording and what was thought of it: shared by replay.c, which reads it and steps through it, and
 * replay_show.c, which plays it.
 */
#ifndef STREAM_REPLAY_STATE_H
#define STREAM_REPLAY_STATE_H

#include <stdint.h>

#include "diagnose/diagnose.h"
#include "store/reader.h"
#include "stream/replay.h"

/* Where one can go to without reading from the beginning: the start of a frame. */
struct replay_mark {
	size_t frame;
	struct reader_place place;
	size_t tick;		   /* index of its first sample */
	struct diagnose *diagnose; /* as it was before that sample */
	uint32_t flags; /* of that sample, as read in order: what stood before it may have been damaged */
	uint32_t missed;
};

struct replay {
	char *path;   /* NULL: it came through a pipe */
	int spool_fd; /* which this holds; -1: it is a file */
	char spool_name[32];

	/* The thinking, as far as it has come. */
	struct reader *ahead;
	struct diagnose *thinking;
	size_t thought; /* ticks */
	struct timeline timeline;
	struct run_end end;
	struct replay_mark *marks;
	size_t n_marks, cap_marks;
	size_t marks_apart; /* every so many frames is marked */

	/* The cursor: what replay_next() gives next. */
	struct reader *reader; /* NULL until one seeks */
	struct diagnose *diagnose;
	size_t next;
	const struct replay_mark *at_mark; /* the next sample is its first */
};

size_t replay_count(const struct replay *replay); /* ticks thought over so far */
/* Sets the cursor to the nearest mark at or before this tick. 0 or -errno. */
int replay_seek(struct replay *replay, size_t tick);
/* The tick at the cursor, yours; NULL: the end, or it cannot be read any more. */
struct tick *replay_next(struct replay *replay);

#endif
