/* SPDX-License-Identifier: MIT
 *
 * Compresses the body of a request: libcurl does so for answers only.
 */
#ifndef POST_GZIP_H
#define POST_GZIP_H

#include <stdbool.h>

#include "base/buf.h"

bool gzip(struct buf *out, const struct buf *in); /* false: not to be had; out is empty then */

#endif
