/* SPDX-License-Identifier: MIT
 *
 * Writes a recording: buildtop-recording(5). Each sample is flushed to the file when it is added, so that a killed recorder
 * loses one at most; no fsync before the end. All of it on the recorder's own thread. An error (disk full) never ends the
 * recording: samples of the newest hour are kept in memory, said once, tried again, and what is lost is written into the file.
 */
#ifndef STORE_RECORDER_H
#define STORE_RECORDER_H

#include <stdbool.h>

#include "base/tape.h"
#include "base/why.h"
#include "model/consumer.h"
#include "model/run.h"
#include "model/sample.h"

struct recorder;

struct recorder_options {
	const char *path;     /* created 0600; must not exist unless it is a FIFO or device; "-": standard output */
	bool command_lines;   /* false: leave command lines out */
	const struct tape *output; /* NULL, or the build's output: kept in full in path + ".log" */
};

int recorder_open(struct recorder **recorder, const struct recorder_options *options, struct why *why);
/* The consumer that records: begin writes the header, serve records until the inbox ends, end writes the end and the index. */
struct consumer recorder_consumer(struct recorder *recorder);
const char *recorder_path(const struct recorder *recorder);
/* Samples that could not be written, and bytes of output. After end(). */
uint64_t recorder_lost(const struct recorder *recorder, uint64_t *output_bytes);
void recorder_close(struct recorder *recorder);

#endif
