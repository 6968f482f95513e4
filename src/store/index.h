/* SPDX-License-Identifier: MIT
 *
 * The index at the end of a recording: where its data frames are, and of when. A convenience; all of it can
 * be had from the frames themselves.
 */
#ifndef STORE_INDEX_H
#define STORE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/run.h"

struct index_frame {
	uint64_t offset;      /* of its first byte in the file */
	uint64_t first, last; /* numbers of its samples */
	uint64_t samples;     /* in it; fewer than last - first + 1 when some were lost */
	int64_t mono_us;      /* of its first sample */
};

struct index {
	struct index_frame *frames;
	size_t n_frames, cap_frames;
	bool has_end;
	struct run_end end;
};

void index_fini(struct index *index);
void index_add(struct index *index, const struct index_frame *frame);
/* The whole skippable frame. end may be NULL. */
void index_encode(struct buf *out, const struct index *index, const struct run_end *end);
/* `content` of the skippable frame. index is zero before; 0 or -EBADMSG (nothing in it then). */
int index_decode(struct index *index, const void *content, size_t len);
/* The size of the index's whole frame, told by the last FORMAT_TRAILER_SIZE bytes of a file; 0: there is
 * none. */
size_t index_size(const void *trailer);

#endif
