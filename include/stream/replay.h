/* SPDX-License-Identifier: MIT
 *
 * A recording as a source of ticks: thought about again with the code that judged it live.
 */
#ifndef STREAM_REPLAY_H
#define STREAM_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "model/consumer.h"
#include "model/control.h"
#include "model/run.h"
#include "model/timeline.h"

struct replay;

/* Opens it and thinks nothing over yet. path as for reader_open. */
int replay_open(struct replay **replay, const char *path, struct why *why);
void replay_close(struct replay *replay);

/* Thinks on from where it stopped, for about so long (INT64_MAX: as far as the file goes). 1: there is more; 0: none at
 * present (a file that grows may have more later); -errno. */
int replay_think(struct replay *replay, int64_t at_most_ns, struct why *why);

const struct run *replay_run(const struct replay *replay);
/* What follows holds as far as it was thought over, by replay_think() or replay_feed(). */
const struct run_end *replay_end(const struct replay *replay); /* complete is false for a cut file */
const struct timeline *replay_timeline(const struct replay *replay);
const char *replay_damage(const struct replay *replay); /* one sentence; NULL: nothing is wrong */

/* Feeds every tick to the consumers, in order, inline, without a thread and without loss, thinking over what was not yet. */
int replay_feed(struct replay *replay, struct consumer *consumers, size_t n, struct why *why);

/*
 * Shows it: the screen gets the tick at the position, and further ones at the chosen speed, and steers by `control`.
 * Starts at the beginning, playing at real time; the rest is thought over meanwhile. To follow is to start at the end and to go
 * on with it while the file grows, until the end of the run is in it. Returns when the screen closes or `TELL_END` was told; with -EIO when the screen
 * hangs on a dead terminal and was left behind: close nothing then, leave by _exit().
 */
int replay_show(struct replay *replay, bool follow, struct consumer *screen, struct control *control, struct why *why);

#endif
