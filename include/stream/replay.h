/* SPDX-License-Identifier: MIT
 *
 * A recording as a source of ticks: thought about again with the code that judged it live.
 */
#ifndef STREAM_REPLAY_H
#define STREAM_REPLAY_H

#include "base/why.h"
#include "model/consumer.h"
#include "model/control.h"
#include "model/run.h"
#include "model/timeline.h"

struct replay;

/* Opens and thinks the whole recording over: its timeline is complete afterwards. path as for reader_open. */
int replay_open(struct replay **replay, const char *path, struct why *why);
void replay_close(struct replay *replay);

const struct run *replay_run(const struct replay *replay);
const struct run_end *replay_end(const struct replay *replay); /* complete is false for a cut file */
const struct timeline *replay_timeline(const struct replay *replay);
const char *replay_damage(const struct replay *replay); /* one sentence; NULL: the file is whole */

/* Feeds every tick to the consumers, in order, inline, without a thread and without loss. */
int replay_feed(struct replay *replay, struct consumer *consumers, size_t n, struct why *why);

/*
 * Shows it: the screen gets the tick at the position, and further ones at the chosen speed, and steers by `control`.
 * Starts at the beginning, playing at real time. Returns when the screen closes or `TELL_END` was told; with -EIO when the screen
 * hangs on a dead terminal and was left behind: close nothing then, leave by _exit().
 */
int replay_show(struct replay *replay, struct consumer *screen, struct control *control, struct why *why);

#endif
