/* SPDX-License-Identifier: MIT
 *
 * The processes that ended, as a section of a sample's record.
 */
#ifndef STORE_EXIT_ROWS_H
#define STORE_EXIT_ROWS_H

#include "base/buf.h"
#include "model/sample.h"
#include "varint.h"

void exit_rows_put(struct buf *section, const struct sample *sample);
void exit_rows_get(struct scan *section,
		   struct sample *sample); /* marks the scan bad where it is not sound */

#endif
