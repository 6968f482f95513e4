/* SPDX-License-Identifier: MIT
 *
 * Pressure stall totals, Documentation/accounting/psi.rst.
 */
#ifndef PROBE_PRESSURE_H
#define PROBE_PRESSURE_H

#include "model/sample.h"

enum { PRESSURE_CPU, PRESSURE_IO, PRESSURE_MEMORY, PRESSURE_FILES };

struct pressure {
	int files[PRESSURE_FILES]; /* -1: not here, or switched off: never tried again */
};

void pressure_open(struct pressure *pressure);
void pressure_close(struct pressure *pressure);
void pressure_read(struct pressure *pressure, struct sample *sample);

#endif
