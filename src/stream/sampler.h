/* SPDX-License-Identifier: MIT
 *
 * The sampler: the thread that looks, ticks and judges, on time, whatever the rest of the program is held up
 * by.
 */
#ifndef STREAM_SAMPLER_H
#define STREAM_SAMPLER_H

#include <stdbool.h>

#include "bus.h"
#include "finder.h"
#include "guard.h"
#include "model/run.h"
#include "model/tick.h"
#include "probe/probe.h"
#include "seeker.h"

struct sampler;

/* Takes the base line, here and now, and puts it on the bus. */
int sampler_open(struct sampler **sampler, struct probe *probe, const struct run *run, struct bus *bus,
		 const struct guard *guard,
		 struct finder *finder, /* the guard (NULL: there is none) and the finder mark the samples */
		 struct seeker *seeker); /* NULL: there is none */
int sampler_start(struct sampler *sampler); /* its thread; 0 or -errno */
/* Readable once none of the probe's roots is alive; for watching others' processes. */
int sampler_over_fd(const struct sampler *sampler);
/* Takes the last sample at once and ends the thread. False: it hangs and was left behind, with all that it
 * uses. */
bool sampler_stop(struct sampler *sampler);
const struct tick *sampler_last(const struct sampler *sampler); /* the newest tick; after sampler_stop() */
void sampler_close(struct sampler *sampler);

#endif
