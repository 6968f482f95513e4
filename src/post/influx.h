/* SPDX-License-Identifier: MIT
 *
 * Parts of a line of InfluxDB's, for the live points.
 */
#ifndef POST_INFLUX_H
#define POST_INFLUX_H

#include "base/buf.h"
#include "figures.h"
#include "format.h"

void influx_add_tag(struct buf *out, const char *key, const char *value); /* value not empty */
void influx_add_labels(struct buf *out, const struct labels *labels);
void influx_add_url(struct letter_part *part); /* what its URL must have besides */

#endif
