/* SPDX-License-Identifier: MIT
 *
 * The text format of Prometheus, version 0.0.4.
 */
#ifndef POST_PROM_H
#define POST_PROM_H

#include <jansson.h>

#include "base/buf.h"

/* skip: labels that are not to be in it, NULL-terminated. */
void prom_write(struct buf *out, const json_t *document, const char *const *skip);

#endif
