/* SPDX-License-Identifier: MIT
 *
 * What a sample's record says behind its looks: notes about mounts.
 */
#ifndef STORE_NOTES_H
#define STORE_NOTES_H

#include "base/buf.h"
#include "model/sample.h"
#include "varint.h"

void notes_put(struct buf *out, const struct sample *sample);
/* Nothing is left in the records of older programs; what is not known is passed over. */
void notes_get(struct scan *scan, struct sample *sample);

#endif
