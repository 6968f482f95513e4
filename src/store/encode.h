/* SPDX-License-Identifier: MIT
 *
 * Samples to records. Each sample is coded against the one before it in the same frame, the first against
 * nothing; so a frame can be read alone. Rows are found again by identity: tasks by (pid, start), mounts and
 * disks by device.
 */
#ifndef STORE_ENCODE_H
#define STORE_ENCODE_H

#include <stdbool.h>

#include "base/buf.h"
#include "format.h"
#include "model/run.h"
#include "model/sample.h"

struct encoder;

struct encoder *encoder_new(const struct run *run, bool command_lines);
void encoder_free(struct encoder *encoder);
void encoder_begin_frame(struct encoder *encoder);
/* Appends a record; -E2BIG: the sample is beyond the limits of the format, nothing was appended (begin a
 * frame then). */
int encoder_sample(struct encoder *encoder, const struct sample *sample, struct buf *out);

#endif
