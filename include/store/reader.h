/* SPDX-License-Identifier: MIT
 *
 * Reads a recording, whole, cut anywhere or still being written. Every length and count is bounded before it is believed;
 * a damaged frame is skipped, named, and reading goes on at the next. Values that the file does not have are METRIC_NA;
 * keys that this program does not know are skipped. One thread.
 */
#ifndef STORE_READER_H
#define STORE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/why.h"
#include "model/run.h"
#include "model/sample.h"

struct reader;

/* path may be "-": standard input, and any pipe. */
int reader_open(struct reader **reader, const char *path, struct why *why);
/* Another reader of the file that this one reads (no pipe), at its beginning, wherever that file's name may be now. */
int reader_open_again(struct reader **reader, const struct reader *of, struct why *why);
void reader_close(struct reader *reader);

const struct run *reader_run(const struct reader *reader);

/* The next sample into `sample` (reset first). 1: got one; 0: no more now; -errno. Damage is passed over: see reader_damage. */
int reader_next(struct reader *reader, struct sample *sample);
/* The frame that the next sample comes from; frames are numbered from 0 in file order and each can be decoded alone. */
size_t reader_frame(const struct reader *reader);
/* Goes to the start of a frame reached before; -ESPIPE on a pipe. */
int reader_seek(struct reader *reader, size_t frame);

/* The start of a frame, good in any reader of the same file. */
struct reader_place {
	uint64_t offset;
	uint64_t expected; /* number of its first sample, when nothing is missing */
	bool knows_expected;
};

/* Where the frame starts that the next sample comes from. */
void reader_place(const struct reader *reader, struct reader_place *place);
int reader_goto(struct reader *reader, const struct reader_place *place); /* -ESPIPE on a pipe */
/* How the run ended; NULL: not in the file (cut, or still being written), or not reached yet. */
const struct run_end *reader_end(const struct reader *reader);
/* What was wrong with the file so far, one sentence; NULL: nothing. A file that simply breaks off is told here too. */
const char *reader_damage(const struct reader *reader);

#endif
