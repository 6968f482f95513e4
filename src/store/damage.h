/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a recording, for a person: the first thing in full, the rest as a count. A place that is
 * read again after a seek counts once.
 */
#ifndef STORE_DAMAGE_H
#define STORE_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct damage {
	struct buf first;
	size_t count;
	uint64_t passed;	       /* what lies before this offset has been told */
	uint64_t gap_queue, gap_write; /* samples that were not recorded, as the recorder says */
	struct buf *sentence;
};

/* How the reader stands when the sentence is asked for. */
struct damage_state {
	bool at_end; /* of what the file has now */
	bool header_missing, end_missing, index_missing;
	uint64_t read_to;
};

void damage_init(struct damage *damage);
void damage_fini(struct damage *damage);
void damage_note(struct damage *damage, size_t frame, uint64_t offset, const char *what);
void damage_say(struct damage *damage, uint64_t offset, const char *what);
void damage_gap(struct damage *damage, uint64_t offset, uint64_t why, uint64_t samples);
void damage_pass(struct damage *damage, uint64_t offset); /* the frame that begins there has been read */
/* NULL: nothing is wrong. Valid until the next call. */
const char *damage_sentence(const struct damage *damage, const struct damage_state *state);

#endif
