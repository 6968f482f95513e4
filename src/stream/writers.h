/* SPDX-License-Identifier: MIT
 *
 * Who writes into a file system: the tasks that have files on it open for writing.
 */
#ifndef STREAM_WRITERS_H
#define STREAM_WRITERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/sample.h"

/* For each of n devices a list (counted, by name, most tasks first) of the sample's tasks. */
void writers_find(const struct sample *sample, const uint64_t *devices, struct buf *lists, size_t n);

#endif
