/* SPDX-License-Identifier: MIT
 *
 * An alert as a line for a person.
 */
#ifndef ALERT_LINE_H
#define ALERT_LINE_H

#include "base/buf.h"
#include "model/tick.h"

/* Empty: there is nothing to say of it (most that end). */
void line_of(struct buf *out, const struct sample *sample, const struct tick_alert *alert);

#endif
