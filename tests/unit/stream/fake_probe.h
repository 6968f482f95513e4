/* SPDX-License-Identifier: MIT
 *
 * A probe for the tests of sessions: samples with true times, and as tasks the true children of this process.
 * What it should pretend beyond that is set here.
 */
#ifndef FAKE_PROBE_H
#define FAKE_PROBE_H

#include <stdatomic.h>
#include <stdbool.h>

extern struct fake_probe {
	bool names_hang;	 /* every names thread hangs */
	atomic_uint names_alive; /* names threads there are */
	atomic_bool roots_gone;
} fake_probe;

#endif
