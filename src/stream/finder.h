/* SPDX-License-Identifier: MIT
 *
 * The finder: who fills a tmpfs, what fills it, and how large the build's directory was. It takes its time.
 */
#ifndef STREAM_FINDER_H
#define STREAM_FINDER_H

#include "base/why.h"
#include "model/consumer.h"
#include "model/run.h"

struct finder;

struct finder *finder_new(const struct run *run);
struct consumer finder_consumer(struct finder *finder); /* with a thread that waits for every CPU and disk */
/* Notes in the sample what was found last. The sampler's thread; NULL is fine. */
void finder_mark(struct finder *finder, struct sample *sample);
void finder_free(struct finder *finder); /* its thread has ended; NULL is fine */

#endif
