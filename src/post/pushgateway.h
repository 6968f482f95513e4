/* SPDX-License-Identifier: MIT
 *
 * Where a group is.
 */
#ifndef POST_PUSHGATEWAY_H
#define POST_PUSHGATEWAY_H

#include "base/buf.h"

/* NULL stands for an empty value. */
void pushgateway_group(struct buf *url, const char *base, const char *project, const char *variant,
		       const char *host);

#endif
